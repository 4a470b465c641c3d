/// Compiles element rules into numbers.
struct GrammarBuilder {
    private(set) var names: [String] = []
    private(set) var elements: [Grammar.Element] = []
    private(set) var cells: [[Int: Grammar.Cell]] = []

    /// Number 0 stands for "no such attribute".
    private(set) var values = [Grammar.Value(kind: .any, least: 0, most: 0, firstKeyword: 0, endKeyword: 0)]
    private(set) var keywords: [Grammar.Keyword] = []
    private(set) var keywordBytes: [UInt8] = []

    private var numbers: [String: Int] = [:]
    private var globals: [(name: Int, value: UInt16)] = []
    private var presentation: [(name: Int, value: UInt16)] = []

    init() {
        globals = (AttributeTable.global + AttributeTable.aria).map { (number(of: $0.name), add($0.value)) }
        presentation = ElementTable.presentation.entries.map { (number(of: $0.name), add($0.value)) }
    }

    mutating func add(_ rule: ElementRule) {
        let isSVG = rule.traits.contains(.bare)
        var row: [Int: Grammar.Cell] = [:]
        for (name, value) in isSVG ? presentation : globals {
            row[name] = Grammar.Cell(value: value, required: 0)
        }
        if !isSVG {
            if let allowed = AttributeTable.rolesByElement[rule.name] {
                row[number(of: "role")] =
                    allowed.isEmpty ? nil : Grammar.Cell(value: add(.tokens(allowed)), required: 0)
            }
            for (attribute, elements) in AttributeTable.roleBound where !elements.contains(rule.name) {
                row[number(of: attribute)]?.needsRole = true
            }
        }
        for (name, value) in rule.attributes.entries {
            row[number(of: name)] = Grammar.Cell(value: add(value), required: 0)
        }
        for (position, name) in rule.required.enumerated() {
            row[number(of: name)]?.required = 1 << UInt8(position)
        }

        elements.append(
            Grammar.Element(
                name: rule.name, nameNumber: number(of: rule.name), isSVG: isSVG, kinds: rule.kinds,
                takes: rule.order.reduce(rule.takes) { $0.union($1.kinds) }, forbids: rule.forbids, traits: rule.traits,
                order: rule.order,
                check: rule.check, required: UInt8((1 << rule.required.count) - 1),
                level: rule.check == .heading ? rule.name.last?.wholeNumberValue ?? 0 : 0))
        cells.append(row)
    }

    private mutating func number(of name: String) -> Int {
        if let known = numbers[name] { return known }
        let number = names.count
        numbers[name] = number
        names.append(name)
        return number
    }

    private mutating func add(_ rule: ValueRule) -> UInt16 {
        var bounds = 0...0
        let first = keywords.count
        switch rule {
        case .integer(let allowed):
            bounds = allowed
        case .oneOf(let words), .tokens(let words):
            for word in words {
                keywords.append(Grammar.Keyword(offset: keywordBytes.count, count: word.utf8.count))
                keywordBytes.append(contentsOf: word.utf8)
            }
        default:
            break
        }
        values.append(
            Grammar.Value(
                kind: rule.kind, least: bounds.lowerBound, most: bounds.upperBound, firstKeyword: first,
                endKeyword: keywords.count))
        return UInt16(values.count - 1)
    }
}
