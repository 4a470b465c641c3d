import Glibc

/// Finds tags with too many attributes. libxml2 compares each attribute with all others of its tag, which can take
/// minutes.
enum AttributeScan {
    /// The most attributes of an element.
    static let maximum = 256

    /// - Returns: the line of the first tag with more attributes, or nil.
    static func lineOfLongTag(in page: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let bytes = page.baseAddress else { return nil }
        // XML allows no "<" in attribute values, so a tag ends before the next "<". An attribute has at least four
        // bytes, so only a long stretch without "<" can have too many. Searching it backwards finds a "<" after a few
        // bytes in most cases.
        let step = 4 * maximum
        var start = 0
        while start < page.count {
            let end = min(page.count, start + step)
            var last = end - 1
            while last > start, bytes[last] != UInt8(ascii: "<") { last -= 1 }
            if last > start {
                start = last
                continue
            }
            let next = end < page.count ? memchr(bytes + end, Int32(UInt8(ascii: "<")), page.count - end) : nil
            let after = next.map { UnsafeRawPointer($0) - UnsafeRawPointer(bytes) } ?? page.count
            if attributes(of: page[start..<after]) > maximum {
                return 1 + page[..<start].count { $0 == UInt8(ascii: "\n") }
            }
            start = after
        }
        return nil
    }

    private static func attributes(of tag: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var count = 0
        var quote: UInt8?
        for byte in tag {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "=") {
                count += 1
            } else if byte == UInt8(ascii: ">") {
                return count
            }
        }
        return count
    }
}
