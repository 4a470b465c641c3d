/// A JSON value that is written for JSON-LD in pages, and for the data of scripts.
///
/// The output is safe inside a script element and as JavaScript. `<`, `>`, `&`, U+2028 and U+2029 are escaped.
/// Characters that HTML or XML forbids become U+FFFD.
public indirect enum JSON: Sendable {
    case text(String)
    case integer(Int)
    case flag(Bool)
    case list([JSON])
    /// An array of this length. Each element is created when it is written, so that a long array needs little memory.
    case each(Int, @Sendable (Int) -> JSON)
    /// An object whose members are written in this order.
    case object([(key: String, value: JSON)])

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    package func append(to bytes: inout [UInt8]) { append(to: &bytes) { _ in } }

    /// Calls `body` with the value's bytes, in pieces of about 64 KiB.
    package func forEachPiece<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        var bytes: [UInt8] = []
        try append(to: &bytes) { (bytes) throws(Failure) in
            guard bytes.count >= 1 << 16 else { return }
            try body(bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        try body(bytes)
    }

    /// - Parameter flush: called after each element of an array. It may empty the buffer.
    private func append<Failure: Error>(to bytes: inout [UInt8], _ flush: (inout [UInt8]) throws(Failure) -> Void)
        throws(Failure)
    {
        switch self {
        case .text(let text): Self.append(text, to: &bytes, isScript: true)
        case .integer(let number): bytes += "\(number)".utf8
        case .flag(let flag): bytes += (flag ? "true" : "false").utf8
        case .list(let items): try JSON.each(items.count) { items[$0] }.append(to: &bytes, flush)
        case .each(let count, let item):
            bytes.append("[")
            for index in 0..<count {
                if index > 0 { bytes.append(",") }
                try item(index).append(to: &bytes, flush)
                try flush(&bytes)
            }
            bytes.append("]")
        case .object(let members):
            bytes.append("{")
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(",") }
                Self.append(member.key, to: &bytes, isScript: true)
                bytes.append(":")
                try member.value.append(to: &bytes, flush)
            }
            bytes.append("}")
        }
    }

    /// A text as a JSON string, but not safe inside a script. Only control characters, quotes and backslashes are
    /// escaped.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes, isScript: false)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ text: String, to bytes: inout [UInt8], isScript: Bool) {
        bytes.append("\"")
        defer { bytes.append("\"") }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case "\"", "\\", "<", ">", "&": false
            default: byte >= 0x20 && byte < 0x7F
            }
        }
        guard !isPlain else {
            bytes += text.utf8
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += "\\\"".utf8
            case "\\": bytes += "\\\\".utf8
            case _
            where isScript
                ? "<>&\u{2028}\u{2029}\t\n\r".unicodeScalars.contains(scalar)
                : scalar.properties.generalCategory == .control:
                let digits = String(scalar.value, radix: 16)
                bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
            case _ where isScript && scalar.isForbidden: bytes += UTF8.encodedReplacementCharacter
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }
}
