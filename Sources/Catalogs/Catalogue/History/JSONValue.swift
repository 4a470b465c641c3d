/// A JSON value as it is compared and shown: the order of an object's members and white space do not count, an array's
/// order does.
public enum JSONValue: Sendable, Hashable {
    /// null, true, false, a number, or what cannot be read, as it is spelled.
    case literal(String)
    /// A text, its escapes decoded.
    case text(String)
    case list([JSONValue])
    case object([MemberName: JSONValue])
}

/// The name of an object's member, its escapes decoded. Names are equal byte for byte, as in JSON: Swift treats a letter
/// with an accent and the letter before a combining accent as equal.
public struct MemberName: Sendable, Hashable, Comparable {
    package let text: String

    /// Compares bytes.
    public static func == (left: MemberName, right: MemberName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Orders by bytes.
    public static func < (left: MemberName, right: MemberName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

extension JSONValue {
    /// Reads the value that lies at a place in JSON text. What cannot be read, or is nested deeper than 64 levels, is
    /// taken as it is spelled: an archive can hold records that no capture takes any more.
    init(_ bytes: [UInt8], at place: Range<Int>, depth: Int = 1) {
        let first = place.isEmpty ? 0 : bytes[place.lowerBound]
        do throws(ContentFault) {
            switch first {
            case "\"": self = .text(try JSONText.decoded(bytes, at: place))
            case "[" where depth <= JSONSlices.maximumDepth:
                self = .list(
                    try JSONSlices.elements(of: bytes, at: place).map { JSONValue(bytes, at: $0, depth: depth + 1) })
            case "{" where depth <= JSONSlices.maximumDepth:
                self = .object(
                    try Self.members(bytes, at: place).mapValues { JSONValue(bytes, at: $0, depth: depth + 1) })
            default: self = .literal(String(decoding: bytes[place], as: UTF8.self))
            }
        } catch {
            self = .literal(String(decoding: bytes[place], as: UTF8.self))
        }
    }

    /// The places of the members of the object that lies at a place. A name that cannot be read is taken as it is
    /// spelled; of repeated names the first counts, as in JSONDecoder.
    static func members(_ bytes: [UInt8], at place: Range<Int>) throws(ContentFault) -> [MemberName: Range<Int>] {
        var members: [MemberName: Range<Int>] = [:]
        for (name, value) in try JSONSlices.places(in: bytes, at: place) {
            let text = JSONText.ifAny(bytes, at: name.lowerBound - 1..<name.upperBound + 1)
            let name = MemberName(text: text ?? String(decoding: bytes[name], as: UTF8.self))
            if members[name] == nil { members[name] = value }
        }
        return members
    }
}

extension JSONValue {
    /// Texts are equal byte for byte, as names are.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.literal(let left), .literal(let right)), (.text(let left), .text(let right)):
            left.utf8.elementsEqual(right.utf8)
        case (.list(let left), .list(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .literal(let text), .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .list(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON, an object's members in the order of their names; no control character stands in it.
    public var description: String {
        switch self {
        case .literal(let text): return text.showable
        case .text(let text): return JSON.quoted(text)
        case .list(let elements): return "[\(elements.map(\.description).joined(separator: ","))]"
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            return "{\(sorted.map { "\(JSON.quoted($0.key.text)):\($0.value)" }.joined(separator: ","))}"
        }
    }

    /// A value within a sentence: a text as it is, anything else as JSON, both cut to a limit.
    package var shown: String { (text ?? description).showable.shortened }

    var weight: Int {
        switch self {
        case .literal(let text), .text(let text): 32 + (text.utf8.count > 15 ? 32 + text.utf8.count : 0)
        case .list(let elements): elements.reduce(64) { $0 + $1.weight }
        case .object(let members): members.reduce(64) { $0 + 64 + $1.key.text.utf8.count + $1.value.weight }
        }
    }

    package var text: String? { if case .text(let text) = self { text } else { nil } }

    package subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[MemberName(text: name)] } else { nil }
    }
}
