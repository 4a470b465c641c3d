/// A grammar's tables at fixed addresses, so that reading a page touches no reference count.
struct GrammarTables {
    let elements: UnsafeMutablePointer<Grammar.Element>
    private let elementCount: Int
    let htmlElements: UnsafeMutableBufferPointer<Int16>
    let svgElements: UnsafeMutableBufferPointer<Int16>
    let cells: UnsafeMutableBufferPointer<Grammar.Cell>
    let values: UnsafeMutableBufferPointer<Grammar.Value>
    let keywords: UnsafeMutableBufferPointer<Grammar.Keyword>
    let keywordBytes: UnsafeMutableBufferPointer<UInt8>
    let nameCount: Int

    init(_ grammar: Grammar) {
        elements = .allocate(capacity: grammar.elements.count)
        elementCount = grammar.elements.count
        for (number, element) in grammar.elements.enumerated() { (elements + number).initialize(to: element) }
        htmlElements = Self.copy(grammar.htmlElements)
        svgElements = Self.copy(grammar.svgElements)
        cells = Self.copy(grammar.cells)
        values = Self.copy(grammar.values)
        keywords = Self.copy(grammar.keywords)
        keywordBytes = Self.copy(grammar.keywordBytes)
        nameCount = grammar.names.count
    }

    func deallocate() {
        elements.deinitialize(count: elementCount)
        elements.deallocate()
        htmlElements.deallocate()
        svgElements.deallocate()
        cells.deallocate()
        values.deallocate()
        keywords.deallocate()
        keywordBytes.deallocate()
    }

    private static func copy<Item>(_ items: [Item]) -> UnsafeMutableBufferPointer<Item> {
        let copy = UnsafeMutableBufferPointer<Item>.allocate(capacity: items.count)
        _ = copy.initialize(from: items)
        return copy
    }
}
