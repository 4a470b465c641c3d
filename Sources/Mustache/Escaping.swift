import Platform

/// Escapes plain text for both HTML and XML.
///
/// `&`, `<`, `>`, `"` and `'` become references. Characters that HTML or XML forbids or discourages (noncharacters, and
/// controls except tab and line ends) become U+FFFD. Sources: HTML standard, 13.2.3.5 "Preprocessing the input stream";
/// XML 1.0, 2.2 "Characters".
package enum Escaping {
    /// For each byte value, whether a character that must be replaced can begin with it.
    private static let flags: [Bool] = (0..<256).map { byte in
        switch byte {
        case 0x09, 0x0A, 0x0D: false
        case 0..<0x20, 0x7F, 0xC2, 0xEF, 0xF0...0xF4: true
        default: "&<>\"'".utf8.contains(UInt8(byte))
        }
    }

    package static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func append(_ text: String, to output: inout [UInt8]) {
        text.utf8.span.withUnsafeBufferPointer { append($0, to: &output) }
    }

    /// Copies each run of bytes without a flag in one step.
    private static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        Self.flags.withUnsafeBufferPointer { flags in
            var clean = 0
            var offset = 0
            while offset < bytes.count {
                guard flags[Int(bytes[offset])], let (replacement, length) = Self.replacement(at: offset, in: bytes)
                else {
                    offset += 1
                    continue
                }
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[clean..<offset]))
                output.append(
                    contentsOf: UnsafeBufferPointer(start: replacement.utf8Start, count: replacement.utf8CodeUnitCount))
                offset += length
                clean = offset
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[clean...]))
        }
    }

    /// The replacement of the character that begins at an offset, and its length in bytes; nil if it is not replaced.
    private static func replacement(at offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> (StaticString, Int)? {
        switch bytes[offset] {
        case "&": return ("&amp;", 1)
        case "<": return ("&lt;", 1)
        case ">": return ("&gt;", 1)
        case "\"": return ("&quot;", 1)
        case "'": return ("&#39;", 1)
        default:
            var (decoder, rest) = (UTF8(), bytes[offset...].makeIterator())
            guard case .scalarValue(let scalar) = decoder.decode(&rest), scalar.isForbidden else { return nil }
            return ("\u{FFFD}", UTF8.width(scalar))
        }
    }
}
