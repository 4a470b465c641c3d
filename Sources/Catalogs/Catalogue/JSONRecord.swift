import FoundationEssentials

/// Decodes one JSON value, with faults that name the place.
public enum JSONRecord {
    /// The value in these bytes. Escapes that are half of a character only (`\ud800`) are read as U+FFFD.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>)
        throws(ContentFault) -> Value
    {
        let bytes = Array(bytes)
        do {
            return try JSONDecoder().decode(type, from: Data(whole(bytes)))
        } catch let error as DecodingError {
            throw fault(error, in: bytes)
        } catch {
            throw ContentFault("", "\(error)")
        }
    }

    /// What a server says of a mistake, quoted: its text, or its JSON where that is no text.
    public static func said(_ error: ArraySlice<UInt8>) -> String {
        do throws(ContentFault) {
            // Anything but a text may have many values, which take much memory to decode.
            if error.first == UInt8(ascii: "\"") { return try decode(String.self, from: error).quoted }
        } catch _ {}
        return String(decoding: error.prefix(1_000), as: UTF8.self).quoted
    }

    /// The text that lies at a place, where it is one without escapes; nil for anything else, which is for the decoder.
    static func plain(_ bytes: [UInt8], at place: Range<Int>) -> String? {
        let quote = UInt8(ascii: "\"")
        guard place.count >= 2, bytes[place.lowerBound] == quote, bytes[place.upperBound - 1] == quote else {
            return nil
        }
        return bytes.withUnsafeBufferPointer { bytes in
            let inner = UnsafeBufferPointer(rebasing: bytes[place.lowerBound + 1..<place.upperBound - 1])
            for byte in inner where byte < 0x20 || byte == UInt8(ascii: "\\") || byte == quote { return nil }
            return String(validating: inner, as: UTF8.self)
        }
    }

    /// The text with escapes of lone surrogates replaced: JSON's grammar allows them (RFC 8259, section 8.2), the
    /// decoder does not.
    private static func whole(_ bytes: [UInt8]) -> [UInt8] {
        var mended = bytes
        var place = 0
        while let escape = bytes[place...].firstIndex(of: UInt8(ascii: "\\")) {
            place = min(escape + 2, bytes.count)
            guard let unit = unit(bytes, at: escape), (0xD800...0xDFFF).contains(unit) else { continue }
            if unit < 0xDC00, let second = self.unit(bytes, at: escape + 6), (0xDC00...0xDFFF).contains(second) {
                place = escape + 12
            } else {
                mended.replaceSubrange(escape + 2..<escape + 6, with: "fffd".utf8)
            }
        }
        return mended
    }

    /// The number in an escape as `\u0041`; nil for anything else.
    static func unit(_ bytes: [UInt8], at place: Int) -> UInt32? {
        guard place + 6 <= bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u") else {
            return nil
        }
        return UInt32(String(decoding: bytes[place + 2..<place + 6], as: UTF8.self), radix: 16)
    }

    private static func fault(_ error: DecodingError, in bytes: [UInt8]) -> ContentFault {
        switch error {
        case .keyNotFound(let key, let context): ContentFault(keyPath(context.codingPath + [key]), "is missing")
        case .valueNotFound(let type, let context):
            ContentFault(keyPath(context.codingPath), "is null, not \(word(for: type))")
        case .typeMismatch(let type, let context):
            ContentFault(keyPath(context.codingPath), "is not \(word(for: type))")
        case .dataCorrupted where String(validating: bytes, as: UTF8.self) == nil:
            ContentFault("", "is not valid UTF-8")
        case .dataCorrupted(let context):
            ContentFault(keyPath(context.codingPath), "is not valid JSON, or out of range")
        @unknown default: ContentFault("", "cannot be decoded: \(error)")
        }
    }

    private static func word(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is any FixedWidthInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is Bool.Type: "true or false"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "what belongs there (\(type))"
        }
    }

    private static func keyPath(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
