import Glibc
import Platform

/// Searches the bytes of a page: for faults that the parser does not report, and for ids.
enum PageScan {
    /// The maximum number of attributes of an element. libxml2 compares each one with all others.
    static let maximumAttributes = 256

    /// - Returns: the line of the first tag with too many attributes; nil if there is none.
    static func lineOfLongTag(in page: Bytes) -> Int? {
        // XML allows no "<" in attribute values, and an attribute has at least four bytes, so only a long range without
        // "<" can have too many. A backward search from the end of the range usually finds a "<" after a few bytes.
        let step = 4 * maximumAttributes
        var start = 0
        while start < page.count {
            let end = min(page.count, start + step)
            if let last = page[(start + 1)..<end].lastIndex(of: "<") {
                start = last
                continue
            }
            let next = offset(of: "<", in: page, from: end) ?? page.count
            if attributes(of: page[start..<next]) > maximumAttributes { return 1 + page[..<start].count { $0 == "\n" } }
            start = next
        }
        return nil
    }

    private static func attributes(of tag: Slice<Bytes>) -> Int {
        var count = 0
        var quote: UInt8?
        for byte in tag {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == "\"" || byte == "'" {
                quote = byte
            } else if byte == "=" {
                count += 1
            } else if byte == ">" {
                return count
            }
        }
        return count
    }

    /// Whether a page may contain a forbidden character, directly or as a numeric reference with more than two digits.
    /// If not, the texts of the page need not be searched.
    static func isSuspect(_ page: Bytes) -> Bool {
        if firstForbidden(in: page) != nil { return true }
        var at = 0
        while let start = offset(of: "&", in: page, from: at), start + 4 < page.count {
            at = start + 1
            guard page[start + 1] == "#" else { continue }
            guard page[start + 2].isDigit, page[start + (page[start + 3].isDigit ? 4 : 3)] == ";" else { return true }
        }
        return false
    }

    /// - Returns: the values of all `id` attributes of a valid page, and of texts that look like such an attribute.
    static func possibleIDs(in page: Bytes) -> [[UInt8]] {
        var ids: [[UInt8]] = []
        var at = 0
        while let sign = offset(of: "=", in: page, from: at) {
            at = sign + 1
            var (end, start) = (sign, at)
            while end > 2, page[end - 1].isSpace { end -= 1 }
            guard end > 2, page[end - 1] == "d", page[end - 2] == "i", page[end - 3].isSpace else { continue }
            while start < page.count, page[start].isSpace { start += 1 }
            guard start < page.count, page[start] == "\"" || page[start] == "'",
                let last = offset(of: page[start], in: page, from: start + 1)
            else { continue }
            ids.append(Array(page[start + 1..<last]))
        }
        return ids
    }

    private static func offset(of byte: UInt8, in page: Bytes, from start: Int) -> Int? {
        guard let bytes = page.baseAddress, start < page.count else { return nil }
        return memchr(bytes + start, Int32(byte), page.count - start).map {
            UnsafeRawPointer($0) - UnsafeRawPointer(bytes)
        }
    }

    /// - Returns: the first code point of a valid UTF-8 text that XML allows and HTML forbids; nil if there is none.
    ///   These are U+007F to U+009F and the noncharacters (HTML Living Standard, section 13.2.3.5,
    ///   "control-character-in-input-stream" and "noncharacter-in-input-stream").
    static func firstForbidden(in text: Bytes) -> UInt32? {
        guard let bytes = text.baseAddress else { return nil }
        // Forbidden characters begin with 7F, C2, and EF to FF. Skips eight bytes at a time while none of them is one.
        let (ones, tops): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        func contains(_ byte: UInt64, _ word: UInt64) -> Bool {
            let zero = word ^ (byte &* ones)
            return (zero &- ones) & ~zero & tops != 0
        }
        var at = 0
        while at < text.count {
            while at + 8 <= text.count {
                let word = UnsafeRawPointer(bytes + at).loadUnaligned(as: UInt64.self)
                if word & tops == 0 {
                    // Adding 1 to an ASCII byte sets its top bit only if it is 7F.
                    if (word &+ ones) & tops != 0 { break }
                    at &+= 8
                    continue
                }
                // Adding 0x11 to the lower seven bits sets the top bit from EF on.
                let isHigh = ((word & ~tops) &+ 0x11 &* ones) & word & tops != 0
                if isHigh || contains(0x7F, word) || contains(0xC2, word) { break }
                at += 8
            }
            let end = min(at + 8, text.count)
            while at < end {
                let byte = bytes[at]
                if byte >= 0x7F, byte == 0x7F || byte == 0xC2 || byte >= 0xEF {
                    var (decoder, rest) = (UTF8(), text[at...].makeIterator())
                    if case .scalarValue(let scalar) = decoder.decode(&rest), scalar.isForbidden { return scalar.value }
                }
                at += 1
            }
        }
        return nil
    }
}
