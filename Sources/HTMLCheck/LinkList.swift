/// The links of a page in document order; a `Link` with its strings is made only when one is asked for.
public struct LinkList: RandomAccessCollection, Sendable {
    let records: [LinkRecord]
    let text: [UInt8]
    let grammar: Grammar

    /// Always 0.
    public var startIndex: Int { 0 }

    /// The number of links.
    public var endIndex: Int { records.count }

    /// The link at a position.
    public subscript(position: Int) -> Link {
        let record = records[position]
        return Link(
            line: Int(record.line), element: grammar.elements[Int(record.element)].name,
            attribute: grammar.names[Int(record.attribute)],
            target: String(decoding: text[record.target.bounds], as: UTF8.self))
    }
}

/// A link as numbers: where its text lies in the page's buffer, and what the grammar calls its element and attribute.
struct LinkRecord: Sendable {
    let target: TextRange
    let line: Int32
    let element: Int16
    let attribute: Int16
}

/// A stretch of the page's text buffer.
struct TextRange: Sendable {
    let offset: Int32
    let count: Int32

    var bounds: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}
