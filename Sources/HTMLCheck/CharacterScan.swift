import Glibc

/// Finds characters that XML lets pass and HTML forbids: U+007F to U+009F and the noncharacters (HTML Living Standard,
/// section 13.2.3.5, "control-character-in-input-stream" and "noncharacter-in-input-stream").
enum CharacterScan {
    /// - Returns: the first forbidden code point of a valid UTF-8 text, or nil.
    static func firstForbidden(in text: UnsafeBufferPointer<UInt8>) -> UInt32? {
        var at = 0
        while let place = nextSuspect(in: text, from: at) {
            let (point, length) = decode(text, at: place)
            if isForbidden(point) { return point }
            at = place + length
        }
        return nil
    }

    /// Whether a page may hold a forbidden character: as it is, or by a number of more than two digits after "&#". Of
    /// one that may not, no text needs to be looked through.
    static func isSuspect(_ page: UnsafeBufferPointer<UInt8>) -> Bool {
        if firstForbidden(in: page) != nil { return true }
        var rest = page[...]
        while let start = ampersand(in: rest), start + 4 < page.count {
            rest = page[(start + 1)...]
            guard page[start + 1] == UInt8(ascii: "#") else { continue }
            guard page[start + 2].isDigit, page[start + (page[start + 3].isDigit ? 4 : 3)] == UInt8(ascii: ";") else {
                return true
            }
        }
        return false
    }

    private static func ampersand(in text: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text))
        guard let start = bytes.baseAddress, let found = memchr(start, Int32(UInt8(ascii: "&")), bytes.count) else {
            return nil
        }
        return text.startIndex + (UnsafeRawPointer(found) - start)
    }

    /// The next byte that a forbidden character may begin with: 7F, C2, and EF to FF.
    private static func nextSuspect(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let bytes = text.baseAddress else { return nil }
        var at = start
        while at < text.count {
            // Eight bytes at a time while all are ASCII below DEL: adding 1 carries 7F into the top bit.
            while at + 8 <= text.count {
                let word = UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self)
                if (word | (word &+ 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 != 0 { break }
                at += 8
            }
            let end = min(at + 8, text.count)
            while at < end {
                let byte = bytes[at]
                if byte >= 0x7F, byte == 0x7F || byte == 0xC2 || byte >= 0xEF { return at }
                at += 1
            }
        }
        return nil
    }

    private static func isForbidden(_ point: UInt32) -> Bool {
        (0x7F...0x9F).contains(point) || (0xFDD0...0xFDEF).contains(point) || point & 0xFFFE == 0xFFFE
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> (point: UInt32, length: Int) {
        let first = UInt32(text[place])
        let count = text.count - place
        func tail(_ position: Int) -> UInt32 { UInt32(text[place + position] & 0x3F) }
        switch first {
        case 0xC0..<0xE0 where count >= 2:
            return ((first & 0x1F) << 6 | tail(1), 2)
        case 0xE0..<0xF0 where count >= 3:
            return ((first & 0x0F) << 12 | tail(1) << 6 | tail(2), 3)
        case 0xF0... where count >= 4:
            return ((first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4)
        default:
            return (first == 0x7F ? first : 0, 1)
        }
    }
}
