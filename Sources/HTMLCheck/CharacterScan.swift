/// Finds characters that XML lets pass and HTML forbids: U+007F to U+009F and the noncharacters (HTML Living Standard, section
/// 13.2.3.5, "control-character-in-input-stream" and "noncharacter-in-input-stream").
enum CharacterScan {
    /// - Returns: the first forbidden code point of a valid UTF-8 text, or nil.
    static func firstForbidden(in text: UnsafeBufferPointer<UInt8>) -> UInt32? {
        guard let bytes = text.baseAddress else { return nil }
        let count = text.count
        var at = 0

        while at < count {
            // Eight bytes at a time while all are ASCII below DEL: adding 1 carries 7F into the top bit.
            while at + 8 <= count {
                let word = UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self)
                if (word | (word &+ 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 != 0 { break }
                at += 8
            }
            let end = min(at + 8, count)
            while at < end {
                let first = bytes[at]
                if first < 0x7F {
                    at += 1
                    continue
                }
                let (point, length) = decode(bytes + at, atMost: count - at)
                if isForbidden(point) { return point }
                at += length
            }
        }
        return nil
    }

    private static func isForbidden(_ point: UInt32) -> Bool {
        (0x7F...0x9F).contains(point) || (0xFDD0...0xFDEF).contains(point) || point & 0xFFFE == 0xFFFE
    }

    private static func decode(_ bytes: UnsafePointer<UInt8>, atMost count: Int) -> (point: UInt32, length: Int) {
        let first = UInt32(bytes[0])
        func tail(_ position: Int) -> UInt32 { UInt32(bytes[position] & 0x3F) }
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
