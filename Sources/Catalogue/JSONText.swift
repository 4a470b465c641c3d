import Platform

/// Decodes JSON strings. An unpaired surrogate escape (`\ud800`) is valid (RFC 8259, 8.2), and becomes U+FFFD.
package enum JSONText {
    package static func decoded(_ value: ArraySlice<UInt8>) throws -> String {
        let quote: UInt8 = "\""
        guard value.count >= 2, value.first == quote, value.last == quote else { throw mismatch(value, "a string") }
        let inner = value.dropFirst().dropLast()
        let isPlain = inner.withUnsafeBufferPointer { $0.allSatisfy { $0 >= 0x20 && $0 != "\\" && $0 != quote } }
        // ASCII is always valid, and `String(decoding:)` is much faster than `String(validating:)`.
        if isPlain, inner.withUnsafeBufferPointer({ $0.allSatisfy { $0 < 0x80 } }) {
            return String(decoding: inner, as: UTF8.self)
        }
        let text = String(validating: isPlain ? inner : try unescaped(inner)[...], as: UTF8.self)
        guard let text else { throw ContentFault("", "is not valid UTF-8") }
        return text
    }

    /// - Returns: nil for another value, and for a string that cannot be decoded.
    static func decodedString(_ value: ArraySlice<UInt8>) -> String? {
        // Callers also accept values that are not texts, so the fault is not needed.
        try? decoded(value)
    }

    /// A text that the user wrote, without halves of surrogate pairs.
    package static func intact(_ text: String) throws -> String {
        guard !text.unicodeScalars.contains("\u{FFFD}") else {
            throw ContentFault("", "has half of a surrogate pair, or the character U+FFFD")
        }
        return text
    }

    /// The text of a string, or the spelling of another value.
    package static func scalar(_ bytes: [UInt8], at range: Range<Int>) throws -> String {
        bytes[range.lowerBound] == "\"" ? try decoded(bytes[range]) : String(decoding: bytes[range], as: UTF8.self)
    }

    /// The error message of a server in quotation marks: the text of a string, or the JSON of another value.
    package static func quotedError(_ error: ArraySlice<UInt8>) -> String {
        (decodedString(error) ?? String(decoding: error.prefix(1_000), as: UTF8.self)).quoted
    }

    /// A member's name. A name that cannot be decoded stays in its encoded form.
    /// - Parameter range: the range of the name without its quotes.
    static func name(_ bytes: [UInt8], at range: Range<Int>) -> String {
        decodedString(bytes[range.lowerBound - 1...range.upperBound]) ?? String(decoding: bytes[range], as: UTF8.self)
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var position = bytes.startIndex
        while position < bytes.endIndex {
            let byte = bytes[position]
            position += 1
            guard byte == "\\" else {
                guard byte >= 0x20, byte != "\"" else { throw invalid }
                text.append(byte)
                continue
            }
            let letter = position < bytes.endIndex ? bytes[position] : 0
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
    package static func unit(_ bytes: ArraySlice<UInt8>, at offset: Int) -> UInt32? {
        guard offset + 6 <= bytes.endIndex, bytes[offset] == "\\", bytes[offset + 1] == "u" else { return nil }
        var unit: UInt32 = 0
        for byte in bytes[offset + 2..<offset + 6] {
            guard let digit = byte.hexValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }

    /// The fault of a value that does not have the wanted type.
    static func mismatch(_ value: ArraySlice<UInt8>, _ wanted: String) -> ContentFault {
        ContentFault("", value.elementsEqual("null".utf8) ? "is null, not \(wanted)" : "is not \(wanted)")
    }

    private static var invalid: ContentFault { ContentFault("", "is not valid JSON") }
}

// MARK: - Numbers

extension JSONText {
    /// The whole number at a place of an answer.
    package static func integer(_ value: ArraySlice<UInt8>) throws -> Int64 {
        if value.count <= 18, value.allSatisfy(\.isDigit), value.first != "0" {
            return value.reduce(0) { 10 * $0 + Int64($1 - "0") }
        }
        let text = try number(value, "a whole number")
        // 1e3 is a whole number too.
        if let number = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0) }) { return number }
        let digits = "\(text.prefix(40))\(text.utf8.count > 40 ? "…" : "")"
        throw ContentFault("", "is \(digits), not a whole number of 64 bits")
    }

    static func number(_ value: ArraySlice<UInt8>, _ wanted: String) throws -> String {
        try JSONSlices.check(Array(value))
        guard let first = value.first, first == "-" || first.isDigit else { throw mismatch(value, wanted) }
        return String(decoding: value, as: UTF8.self)
    }
}
