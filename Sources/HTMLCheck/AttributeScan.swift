/// Finds tags with so many attributes that libxml2, which compares each with all others of its tag, would take minutes for a page.
enum AttributeScan {
    /// The most attributes of an element.
    static let maximum = 256

    /// - Returns: the line of the first tag with more attributes, or nil.
    static func lineOfLongTag(in page: UnsafeBufferPointer<UInt8>) -> Int? {
        var start = 0
        // A tag ends before the next "<": XML allows none in attribute values. An attribute has four bytes at least.
        while let next = page[start...].dropFirst().firstIndex(of: UInt8(ascii: "<")) ?? (start < page.count ? page.count : nil) {
            if next - start > 4 * maximum, attributes(of: page[start..<next]) > maximum {
                return 1 + page[..<start].count { $0 == UInt8(ascii: "\n") }
            }
            start = next
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
