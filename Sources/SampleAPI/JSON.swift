/// A value that can be written as compact JSON, UTF-8 as it is.
protocol JSON { func write(to bytes: inout [UInt8]) }

extension JSON {
    var json: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        write(to: &bytes)
        return bytes
    }
}

/// Members in the order in which they are named. A value that is missing is a missing member.
struct JSONObject: JSON, ExpressibleByDictionaryLiteral {
    private let members: [(String, (any JSON)?)]

    init(dictionaryLiteral members: (String, (any JSON)?)...) { self.members = members }

    init(_ members: [(String, (any JSON)?)]) { self.members = members }

    static func + (one: Self, two: Self) -> Self { Self(one.members + two.members) }

    func write(to bytes: inout [UInt8]) {
        var mark = "{\""
        for case (let name, let value?) in members {
            bytes += "\(mark)\(name)\":".utf8
            value.write(to: &bytes)
            mark = ",\""
        }
        bytes += (members.isEmpty ? "{}" : "}").utf8
    }
}

/// What is JSON already.
struct RawJSON: JSON {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    init(_ text: String) { bytes = Array(text.utf8) }

    func write(to bytes: inout [UInt8]) { bytes += self.bytes }
}

extension Array: JSON where Element: JSON {
    func write(to bytes: inout [UInt8]) {
        var mark = "["
        for value in self {
            bytes += mark.utf8
            value.write(to: &bytes)
            mark = ","
        }
        bytes += (isEmpty ? "[]" : "]").utf8
    }
}

extension Int: JSON { func write(to bytes: inout [UInt8]) { bytes += String(self).utf8 } }

extension String: JSON {
    private static let escapes = [0x0a: "\\n", 0x0d: "\\r", 0x09: "\\t"]

    func write(to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20: bytes += (Self.escapes[Int(byte)] ?? "\\u" + byte.padded(4, radix: 16)).utf8
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
