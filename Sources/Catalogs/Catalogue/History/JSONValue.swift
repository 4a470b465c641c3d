/// A JSON value as it is compared and shown: the order of an object's members and white space do not count, an array's
/// order does.
public enum JSONValue: Sendable, Hashable {
    /// null, true, false, a number, or what cannot be read, as it is spelled.
    case literal(String)
    /// A text, its escapes decoded.
    case text(String)
    /// An array.
    case list([JSONValue])
    /// An object.
    case object([MemberName: JSONValue])
}

/// The name of an object's member. Names are equal byte for byte, as in JSON.
public struct MemberName: Sendable, Hashable, Comparable {
    /// The name, its escapes decoded.
    public let text: String

    /// Compares bytes. Swift treats a letter with an accent and the letter before a combining accent as equal.
    public static func == (left: MemberName, right: MemberName) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// By bytes.
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
        do throws(ContentFault) {
            self = try Self.value(bytes, place, depth)
        } catch {
            self = Self.literal(bytes, place)
        }
    }

    /// An object member's name. A name that cannot be read is taken as it is spelled.
    /// - Parameter place: of the name without its quotes.
    static func name(_ bytes: [UInt8], at place: Range<Int>) -> MemberName {
        do throws(ContentFault) {
            return MemberName(text: try text(bytes, place.lowerBound - 1..<place.upperBound + 1))
        } catch {
            return MemberName(text: String(decoding: bytes[place], as: UTF8.self))
        }
    }

    private static func value(_ bytes: [UInt8], _ place: Range<Int>, _ depth: Int) throws(ContentFault) -> JSONValue {
        let first = place.isEmpty ? 0 : bytes[place.lowerBound]
        switch first {
        case UInt8(ascii: "\""): return .text(try text(bytes, place))
        case UInt8(ascii: "[") where depth <= JSONSlices.maximumDepth:
            return .list(
                try JSONSlices.elements(of: bytes, at: place).map { JSONValue(bytes, at: $0, depth: depth + 1) })
        case UInt8(ascii: "{") where depth <= JSONSlices.maximumDepth:
            var members: [MemberName: JSONValue] = [:]
            for member in try JSONSlices.places(in: bytes, at: place) {
                let name = name(bytes, at: member.name)
                // Of repeated names the first counts, as in JSONDecoder.
                if members[name] == nil { members[name] = JSONValue(bytes, at: member.value, depth: depth + 1) }
            }
            return .object(members)
        default: return literal(bytes, place)
        }
    }

    private static func literal(_ bytes: [UInt8], _ place: Range<Int>) -> JSONValue {
        .literal(String(decoding: bytes[place], as: UTF8.self))
    }

    private static func text(_ bytes: [UInt8], _ place: Range<Int>) throws(ContentFault) -> String {
        if let text = JSONRecord.plain(bytes, at: place) { return text }
        return try JSONRecord.decode(String.self, from: bytes[place])
    }
}

extension JSONValue {
    /// Texts are equal byte for byte: Swift takes a letter with an accent for equal to the letter and the accent.
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
        case .literal(let text): text.showable
        case .text(let text): Self.quoted(text)
        case .list(let elements): "[\(elements.map(\.description).joined(separator: ","))]"
        case .object(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key.text)):\($0.value)" }.joined(
                    separator: ",") + "}"
        }
    }

    /// About how many bytes it takes in memory.
    var weight: Int {
        switch self {
        case .literal(let text), .text(let text): 32 + (text.utf8.count > 15 ? 32 + text.utf8.count : 0)
        case .list(let elements): elements.reduce(64) { $0 + $1.weight }
        case .object(let members): members.reduce(64) { $0 + 64 + $1.key.text.utf8.count + $1.value.weight }
        }
    }

    /// The text itself; nil for another value.
    public var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The value of an object's member; nil where there is none.
    public subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[MemberName(text: name)] } else { nil }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
