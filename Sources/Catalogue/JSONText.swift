/// Decodes JSON strings. An unpaired surrogate escape (`\ud800`) becomes U+FFFD, because the grammar allows it (RFC
/// 8259, section 8.2).
enum JSONText {
    static func decoded(_ bytes: [UInt8], at range: Range<Int>) throws(ContentFault) -> String {
        let quote: UInt8 = "\""
        guard range.count >= 2, bytes[range.lowerBound] == quote, bytes[range.upperBound - 1] == quote else {
            throw mismatch(bytes, at: range, "a string")
        }
        let inner = range.lowerBound + 1..<range.upperBound - 1
        let isPlain = bytes.withUnsafeBufferPointer { bytes in
            for byte in bytes[inner] where byte < 0x20 || byte == "\\" || byte == quote { return false }
            return true
        }
        let text =
            isPlain
            ? bytes.withUnsafeBufferPointer {
                String(validating: UnsafeBufferPointer(rebasing: $0[inner]), as: UTF8.self)
            } : String(validating: try unescaped(bytes, inner), as: UTF8.self)
        guard let text else { throw ContentFault("", "is not valid UTF-8") }
        return text
    }

    static func decodedString(_ bytes: [UInt8], at range: Range<Int>) -> String? {
        do throws(ContentFault) {
            return try decoded(bytes, at: range)
        } catch {
            return nil
        }
    }

    private static func unescaped(_ bytes: [UInt8], _ range: Range<Int>) throws(ContentFault) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(range.count)
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            position += 1
            guard byte == "\\" else {
                guard byte >= 0x20, byte != "\"" else { throw invalid }
                text.append(byte)
                continue
            }
            let letter = position < range.upperBound ? bytes[position] : 0
            position += 1
            switch letter {
            case "\"", "\\", "/": text.append(letter)
            case "b": text.append(8)
            case "t": text.append(9)
            case "n": text.append(10)
            case "f": text.append(12)
            case "r": text.append(13)
            default:
                guard var code = unit(bytes, at: position - 2) else { throw invalid }
                position += 4
                if (0xD800..<0xDC00).contains(code), let low = unit(bytes, at: position),
                    (0xDC00..<0xE000).contains(low)
                {
                    code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
                    position += 6
                }
                text += Unicode.Scalar(code).flatMap(UTF8.encode) ?? UTF8.encodedReplacementCharacter
            }
        }
        return text
    }

    /// The UTF-16 code unit of an escape such as `\u0041`; nil if there is no escape at this offset.
    static func unit(_ bytes: [UInt8], at offset: Int) -> UInt32? {
        guard offset + 6 <= bytes.count, bytes[offset] == "\\", bytes[offset + 1] == "u" else {
            return nil
        }
        var unit: UInt32 = 0
        for byte in bytes[offset + 2..<offset + 6] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// The fault of a value that does not have the wanted type.
    static func mismatch(_ bytes: [UInt8], at range: Range<Int>, _ wanted: String) -> ContentFault {
        ContentFault("", bytes[range].elementsEqual("null".utf8) ? "is null, not \(wanted)" : "is not \(wanted)")
    }

    private static var invalid: ContentFault { ContentFault("", "is not valid JSON") }
}
