/// The elements and attributes a page may use, compiled from the tables into arrays that the reader indexes.
///
/// Immutable and shared: every `PageChecker` of a process may use the same one.
public struct Grammar: Sendable {
    /// What the pages of a site may use: text, lists, tables, pictures, forms and inline SVG, without anything inline
    /// that runs.
    public static let site = Grammar(ElementTable.all)

    /// All element and attribute names, each once; the position is the name's number.
    let names: [String]

    let elements: [Element]

    /// By name number: the element of that name, or -1.
    let htmlElements: [Int16]
    let svgElements: [Int16]

    /// By element number times `names.count` plus name number: what that attribute may be there.
    let cells: [Cell]

    let values: [Value]
    let keywords: [Keyword]
    let keywordBytes: [UInt8]

    init(_ rules: [ElementRule]) {
        var builder = GrammarBuilder()
        for rule in rules {
            builder.add(rule)
        }

        names = builder.names
        elements = builder.elements
        values = builder.values
        keywords = builder.keywords
        keywordBytes = builder.keywordBytes

        var html = [Int16](repeating: -1, count: names.count)
        var svg = html
        var cells = [Cell](repeating: Cell(value: 0, required: 0), count: elements.count * names.count)
        for (number, element) in elements.enumerated() {
            if element.isSVG {
                svg[element.nameNumber] = Int16(number)
            } else {
                html[element.nameNumber] = Int16(number)
            }
            for (name, cell) in builder.cells[number] {
                cells[number * names.count + name] = cell
            }
        }
        htmlElements = html
        svgElements = svg
        self.cells = cells
    }

    /// True where HTML or SVG here has an element of this name, which the HTML parser hands on in small letters.
    func knowsHTMLParserName(_ name: String) -> Bool {
        elements.contains { $0.name.lowercased() == name }
    }
}

extension Grammar {
    /// An element as the reader needs it.
    struct Element: Sendable {
        let name: String
        let nameNumber: Int
        let isSVG: Bool
        let kinds: Kinds
        let takes: Kinds
        let forbids: Kinds
        let traits: ElementRule.Traits
        let order: [ElementRule.Step]
        let check: ElementRule.Check

        /// A bit for each attribute that must be there, as in `Cell.required`.
        let required: UInt8

        /// Of h1 to h6, the level.
        let level: Int
    }

    /// An attribute on an element: 0, or the number of its value rule; its bit among the required ones; whether only
    /// with a role.
    struct Cell: Sendable {
        var value: UInt16
        var required: UInt8
        var needsRole = false
    }

    /// A value rule without payload to copy: numbers within bounds, keywords as a range of `keywords`.
    struct Value: Sendable {
        let kind: ValueRule.Kind
        let least: Int
        let most: Int
        let firstKeyword: Int
        let endKeyword: Int
    }

    /// A stretch of `keywordBytes`.
    struct Keyword: Sendable {
        let offset: Int
        let count: Int
    }
}
