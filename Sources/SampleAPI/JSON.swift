import Platform

/// A value that can be written as compact JSON in UTF-8. Only quotes, backslashes and controls are escaped.
protocol JSONWritable { var json: [UInt8] { get } }

/// An object whose members are written in the given order. A member with the value nil is left out.
struct JSONObject: JSONWritable, ExpressibleByDictionaryLiteral {
    private let members: [(String, (any JSONWritable)?)]

    init(_ members: [(String, (any JSONWritable)?)]) { self.members = members }

    init(dictionaryLiteral members: (String, (any JSONWritable)?)...) { self.init(members) }

    static func + (one: Self, two: Self) -> Self { Self(one.members + two.members) }

    var json: [UInt8] {
        let members = members.compactMap { name, value in value.map { "\"\(name)\":".utf8 + $0.json } }
        return "{".utf8 + Array<UInt8>(members.joined(separator: ",".utf8)) + "}".utf8
    }
}

/// A value that is already encoded as JSON.
struct RawJSON: JSONWritable {
    let json: [UInt8]

    init(_ text: String) { json = Array(text.utf8) }
    init(bytes: [UInt8]) { json = bytes }
}

extension Array: JSONWritable where Element: JSONWritable {
    var json: [UInt8] { "[".utf8 + Array<UInt8>(map(\.json).joined(separator: ",".utf8)) + "]".utf8 }
}

extension Int: JSONWritable { var json: [UInt8] { Array(String(self).utf8) } }

extension String: JSONWritable {
    private static let escapes: [UInt8: String] = [0x0a: "n", 0x0d: "r", 0x09: "t", "\"": "\"", "\\": "\\"]

    var json: [UInt8] {
        let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != "\"" && $0 != "\\" }
        guard !isPlain else { return "\"".utf8 + Array(utf8) + "\"".utf8 }
        let escaped = utf8.flatMap { byte -> [UInt8] in
            if let letter = Self.escapes[byte] { return Array("\\\(letter)".utf8) }
            return byte < 0x20 ? Array("\\u\(byte.padded(4, radix: 16))".utf8) : [byte]
        }
        return "\"".utf8 + escaped + "\"".utf8
    }
}
