/// What one reading of a page found: its faults, and what link checks over many pages need.
public struct PageReport: Sendable {
    /// The faults by line; empty for a good page. At most 100, and after a well-formedness fault nothing more is read.
    public internal(set) var faults: [Fault]

    /// Every href, src, srcset entry, poster and action in document order. Making a `Link` costs strings: the hot path
    /// uses `forEachLink`.
    public let links: LinkList

    let idRecords: [TextRange]

    /// The page's ids in document order.
    public var ids: [String] {
        idRecords.map { String(decoding: links.text[$0.bounds], as: UTF8.self) }
    }

    /// Hands on each link's target as bytes (character references decoded, UTF-8) and its line, without making strings.
    ///
    /// The bytes live no longer than the call.
    public func forEachLink<Failure: Error>(
        _ body: (_ target: UnsafeBufferPointer<UInt8>, _ line: Int) throws(Failure) -> Void
    ) throws(Failure) {
        try links.text.withUnsafeBufferPointer { (text) throws(Failure) in
            for record in links.records {
                try body(UnsafeBufferPointer(rebasing: text[record.target.bounds]), Int(record.line))
            }
        }
    }

    /// Hands on each id as bytes, without making strings.
    ///
    /// The bytes live no longer than the call.
    public func forEachID<Failure: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Void) throws(Failure)
    {
        try links.text.withUnsafeBufferPointer { (text) throws(Failure) in
            for range in idRecords {
                try body(UnsafeBufferPointer(rebasing: text[range.bounds]))
            }
        }
    }
}
