/// A JSON value for comparing and showing. A comparison ignores white space and the order of an object's members, but
/// not the order of an array's elements.
public enum JSONValue: Sendable, Hashable {
    /// null, true, false, a number, or a value that cannot be read, spelled as in the JSON.
    case literal(String)
    /// A string with its escapes decoded.
    case text(String)
    case list([JSONValue])
    case object([MemberName: JSONValue])
}

/// The name of an object's member, with its escapes decoded. Names are compared byte for byte, as in JSON. Swift's
/// `String` would treat a letter with an accent as equal to the letter followed by a combining accent.
public struct MemberName: Sendable, Hashable, Comparable {
    package let text: String

    package init(text: String) {
        self.text = text
    }

    /// Compares the bytes.
    public static func == (left: MemberName, right: MemberName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// Orders by the bytes.
    public static func < (left: MemberName, right: MemberName) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}

extension JSONValue {
    /// Reads the value in a range of JSON text. A value that cannot be read, or is nested more than 64 levels deep,
    /// becomes a literal. An archive can contain such records from earlier versions.
    init(_ bytes: [UInt8], at range: Range<Int>, depth: Int = 1) {
        let first = range.isEmpty ? 0 : bytes[range.lowerBound]
        do throws(ContentFault) {
            switch first {
            case "\"": self = .text(try JSONText.decoded(bytes, at: range))
            case "[" where depth <= JSONSlices.maximumDepth:
                self = .list(
                    try JSONSlices.elements(of: bytes, at: range).map { JSONValue(bytes, at: $0, depth: depth + 1) })
            case "{" where depth <= JSONSlices.maximumDepth:
                self = .object(
                    try Self.members(bytes, at: range).mapValues { JSONValue(bytes, at: $0, depth: depth + 1) })
            default: self = .literal(String(decoding: bytes[range], as: UTF8.self))
            }
        } catch {
            self = .literal(String(decoding: bytes[range], as: UTF8.self))
        }
    }

    /// The ranges of the values of an object's members. A name that cannot be decoded is kept in its encoded form.
    /// If a name is repeated, the first member is used, as in JSONDecoder.
    static func members(_ bytes: [UInt8], at range: Range<Int>) throws(ContentFault) -> [MemberName: Range<Int>] {
        var members: [MemberName: Range<Int>] = [:]
        for (name, value) in try JSONSlices.memberRanges(in: bytes, at: range) {
            let text = JSONText.decodedString(bytes, at: name.lowerBound - 1..<name.upperBound + 1)
            let name = MemberName(text: text ?? String(decoding: bytes[name], as: UTF8.self))
            if members[name] == nil { members[name] = value }
        }
        return members
    }
}

extension JSONValue {
    /// Compares strings and literals byte for byte, like `MemberName`.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.literal(let left), .literal(let right)), (.text(let left), .text(let right)):
            left.utf8.elementsEqual(right.utf8)
        case (.list(let left), .list(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes strings and literals by their bytes.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .literal(let text), .text(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .list(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON without control characters. The members of an object are sorted by name.
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

    /// The value for a sentence: a string unchanged, another value as JSON. Both are shortened.
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
