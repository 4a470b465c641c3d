import Platform

/// A value that can be written as compact JSON in UTF-8. Only quotes, backslashes and controls are escaped.
protocol JSONWritable { func write(to bytes: inout [UInt8]) }

extension JSONWritable {
    var json: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        write(to: &bytes)
        return bytes
    }
}

/// An object whose members are written in the given order. A member with the value nil is left out.
struct JSONObject: JSONWritable, ExpressibleByDictionaryLiteral {
    private let members: [(String, (any JSONWritable)?)]

    init(_ members: [(String, (any JSONWritable)?)]) { self.members = members }

    init(dictionaryLiteral members: (String, (any JSONWritable)?)...) { self.init(members) }

    static func + (one: Self, two: Self) -> Self { Self(one.members + two.members) }

    func write(to bytes: inout [UInt8]) {
        bytes += "{".utf8
        var mark = ""
        for case (let name, let value?) in members {
            bytes += "\(mark)\"\(name)\":".utf8
            value.write(to: &bytes)
            mark = ","
        }
        bytes += "}".utf8
    }
}

/// A value that is already encoded as JSON.
struct RawJSON: JSONWritable {
    let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
    init(bytes: [UInt8]) { self.bytes = bytes }

    func write(to bytes: inout [UInt8]) { bytes += self.bytes }
}

extension Array: JSONWritable where Element: JSONWritable {
    func write(to bytes: inout [UInt8]) {
        bytes += "[".utf8
        for (index, value) in enumerated() {
            if index > 0 { bytes += ",".utf8 }
            value.write(to: &bytes)
        }
        bytes += "]".utf8
    }
}

extension Int: JSONWritable { func write(to bytes: inout [UInt8]) { bytes += String(self).utf8 } }

extension String: JSONWritable {
    func write(to bytes: inout [UInt8]) {
        bytes += "\"".utf8
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0a: bytes += "\\n".utf8
            case 0x0d: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20: bytes += "\\u\(byte.padded(4, radix: 16))".utf8
            default: bytes.append(byte)
            }
        }
        bytes += "\"".utf8
    }
}
