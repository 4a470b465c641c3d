import Catalogue
import Mustache
import Pages

extension PageMaker {
    /// The page of figures.
    func figures() -> ListPages {
        ListPages(1, in: frame.editions, path: { _ in FigureShapes.path }) { _, edition in
            let texts = edition.texts
            let charts = tables.declaration.figures.compactMap { figure -> Value? in
                let items = items(figure)
                var (bars, columns, matrix): (Value?, Value?, Value?)
                switch figure.type {
                case .bars: bars = FigureBars(figure: figure, texts: texts).parts(items, tables[figure.kind.name].count)
                case .most: bars = FigureBars(figure: figure, texts: texts).records(items)
                case .columns: columns = FigureColumns(figure, items, texts).value()
                case .matrix:
                    let shared = SharedReferences(items.map(\.references))
                    matrix = FigureMatrix(figure: figure, records: items, texts: texts, shared: shared).value()
                }
                guard bars != nil || columns != nil || matrix != nil else { return nil }
                return FigureShapes.chart(["bars": bars, "columns": columns, "matrix": matrix])
            }
            return frame.page(
                ("figures", FigureShapes.path, EngineTexts.figures), EngineTexts.figuresDescription, FigureShapes.page,
                in: edition, ["charts": charts, "empty": charts.isEmpty])
        }
    }

    /// The data of a chart.
    private func items(_ figure: FigureDeclaration) -> [FigureItem] {
        let table = tables[figure.kind.name]
        guard figure.type != .bars else {
            let column = table.values(figure.field).elements.column
            return zip(column.values, column.counts).map { value, count in
                let path = facets[figure.kind.name]?[figure.field.name, value]?.path()
                return FigureItem(name: value, count: count, path: path?.text)
            }
        }
        var counts = table.ids.indices.map { (row: $0, count: table.count(figure.field, $0)) }
        if figure.type != .columns {
            counts.removeAll { $0.count == 0 }
            counts.sort { (-$0.count, table.ids[$0.row]) < (-$1.count, table.ids[$1.row]) }
        }
        let rule = table.kind.list?.group
        return counts.prefix(figure.type == .columns ? counts.count : figure.most).map { row, count in
            FigureItem(
                name: table.names[row], count: count, path: table.path(row).text,
                code: rule.map { table.text($0.field, row) } ?? "",
                group: rule.flatMap { rule in rule.part.flatMap { table.part($0, of: rule.field, row) } },
                references: Set(figure.type == .matrix ? table.relatedRows(figure.field, row)?.rows ?? [] : []))
        }
    }
}

/// A value with the number of its records, or a record with the number of different records that it refers to.
struct FigureItem: Sendable {
    let name: String
    let count: Int
    let path: String?
    /// The text before the name of a column, and the number of its group; nil for none.
    var code = ""
    var group: Int?
    /// The rows of the records that a record refers to. Only a matrix needs them.
    var references: Set<Int32> = []
}

extension Texts {
    /// The text for a name, which can be blank.
    func shown(_ name: String) -> String { name.isBlank ? self[EngineTexts.unnamed] : name }

    /// The percentage of the whole. It is 0% only for zero, and 100% only for the whole.
    func share(_ count: Int, of whole: Int) -> String {
        let percent = whole > 0 ? Double(count) * 100 / Double(whole) : 0
        let (isLow, isHigh) = (count > 0 && percent < 1, count < whole && percent > 99)
        let number = isLow ? "<1" : isHigh ? ">99" : "\(Int(percent.rounded()))"
        return filled(EngineTexts.percent, ["number": number])
    }
}
