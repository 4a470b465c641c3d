/// Attributes and what their values must be, written as a dictionary literal in the tables, in that order.
struct AttributeList: ExpressibleByDictionaryLiteral, Sendable {
    let entries: [(name: String, value: ValueRule)]

    init(dictionaryLiteral entries: (String, ValueRule)...) {
        self.entries = entries.map { ($0.0, $0.1) }
    }

    private init(entries: [(name: String, value: ValueRule)]) {
        self.entries = entries
    }

    static func + (first: AttributeList, second: AttributeList) -> AttributeList {
        AttributeList(entries: first.entries + second.entries)
    }
}
