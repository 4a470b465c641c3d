import Archive
import Catalogue
import Mustache
import Pages

/// The page of figures.
struct FigurePages: PageSet {
    let maker: PageMaker<RecordTables>
    /// The lists by value, by kind.
    let facets: [String: Facets]

    static let path = SitePath(fixed: "figures.html")

    var batchCount: Int { 1 }

    func pagePaths(inBatch batch: Int) -> [SitePath] { maker.editions.map { $0.path(Self.path) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let tables = maker.tables
        let figures = try tables.declaration.figures.map { figure -> Figure in
            let table = tables[figure.kind]
            return switch figure.type {
            case .bars: .bars(figure, parts(figure, table))
            case .most: .most(figure, try records(figure, table, reader))
            case .columns: .columns(figure, columns(figure, table))
            case .matrix: .matrix(figure, try records(figure, table, reader))
            }
        }
        return PageBatch(pages: maker.editions.map { edition in { page(figures, in: edition) } })
    }

    /// A chart with its data.
    private enum Figure {
        case bars(FigureDeclaration, [FigurePart])
        case most(FigureDeclaration, [FigureRecord])
        case columns(FigureDeclaration, [FigureColumns.Column])
        case matrix(FigureDeclaration, [FigureRecord])
    }

    private func page(_ figures: [Figure], in edition: Edition) -> Page {
        let texts = edition.texts
        let tables = maker.tables
        let head = PageHead(
            Self.path, title: texts[EngineTexts.figures], description: texts[EngineTexts.figuresDescription],
            section: "figures")
        let charts = figures.compactMap { figure -> Value? in
            var (bars, columns, matrix): (Value?, Value?, Value?)
            switch figure {
            case .bars(let figure, let parts): bars = FigureBars(figure, parts, tables, texts).value()
            case .most(let figure, let records): bars = FigureBars(figure, records, texts).value()
            case .columns(let figure, let records): columns = FigureColumns(figure, records, tables).value(texts)
            case .matrix(let figure, let records): matrix = FigureMatrix(figure, records, tables).value(texts)
            }
            guard bars != nil || columns != nil || matrix != nil else { return nil }
            return FigureShapes.chart(["bars": bars, "columns": columns, "matrix": matrix])
        }
        return maker.page(
            "figures", tables.models.figures, head, in: edition, ["charts": charts, "empty": charts.isEmpty])
    }
}

/// A value with the number of its records.
struct FigurePart: Sendable {
    let value: String
    let count: Int
    let path: String?
}

/// A record with the records that a field of it refers to.
struct FigureRecord: Sendable {
    let id: Int64
    let name: String
    let path: String
    /// The number of different records.
    let count: Int
    /// The ids of these records. Only a matrix needs them.
    let references: Set<Int64>
}

extension FigurePages {
    private func parts(_ figure: FigureDeclaration, _ table: RecordTable) -> [FigurePart] {
        let column = table.values(figure.field)
        let name = table.kind.fields[figure.field].name
        return zip(column.values, column.counts).map { value, count in
            FigurePart(value: value, count: count, path: facets[figure.kind]?.path(of: value, in: name)?.text)
        }
    }

    private func columns(_ figure: FigureDeclaration, _ table: RecordTable) -> [FigureColumns.Column] {
        let rule = table.kind.list?.group
        return table.ids.indices.map { row in
            FigureColumns.Column(
                code: rule.map { table.text($0.field, row) } ?? "", name: table.names[row],
                group: rule.flatMap { rule in rule.part.flatMap { table.part($0, of: rule.field, row) } },
                count: table.count(figure.field, row),
                path: table.kind.path(table.fileName(row)).text)
        }
    }

    /// The records with the most references, sorted by their number, then by id.
    private func records(_ figure: FigureDeclaration, _ table: RecordTable, _ reader: RevisionReader) throws
        -> [FigureRecord]
    {
        let counts = table.ids.indices.map { table.count(figure.field, $0) }
        let rows = table.ids.indices.filter { counts[$0] > 0 }.sorted {
            (-counts[$0], table.ids[$0]) < (-counts[$1], table.ids[$1])
        }
        // A cast has no duplicates. Other lists can have them, so twice as many records are read again.
        let isCast = table.kind.fields[figure.field].display == .cards
        let candidates = try rows.prefix(isCast ? figure.most : 2 * figure.most).map { row in
            let references = isCast ? [] : try references(figure.field, of: row, table, reader)
            return FigureRecord(
                id: table.ids[row], name: table.names[row], path: table.kind.path(table.fileName(row)).text,
                count: isCast ? counts[row] : references.count, references: references)
        }
        let sorted = candidates.filter { $0.count > 0 }.sorted { (-$0.count, $0.id) < (-$1.count, $1.id) }
        return Array(sorted.prefix(figure.most))
    }

    private func references(_ index: Int, of row: Int, _ table: RecordTable, _ reader: RevisionReader) throws
        -> Set<Int64>
    {
        let field = table.kind.fields[index]
        let links = try reader.records(of: table.kind.name, at: row..<row + 1) { record in
            try JSONFields(record.bytes).links(field.path)
        }
        let target = maker.tables[field.target ?? ""]
        return Set(
            links.joined().compactMap { link in
                maker.tables.links.key(link, kind: target.kind.name).map(\.id).flatMap {
                    target.row(of: $0) == nil ? nil : $0
                }
            })
    }
}

/// The texts of figures that no declaration names.
enum FigureTexts {
    static let unnamed = TextDeclaration("figureUnnamed")
    static let percent = TextDeclaration("figurePercent", filling: ["number"])

    static let all = [unnamed, percent]
}

extension Texts {
    /// The text for a name, which can be blank.
    func shown(_ name: String) -> String { name.isBlank ? self[FigureTexts.unnamed] : name }

    /// The percentage of the whole. It is 0% only for zero, and 100% only for the whole.
    func share(_ count: Int, of whole: Int) -> String {
        guard whole > 0 else { return filled(FigureTexts.percent, ["number": "0"]) }
        let percent = Double(count) * 100 / Double(whole)
        let number =
            if count > 0, percent < 1 { "<1" } else if count < whole, percent > 99 { ">99" } else {
                String(Int(percent.rounded()))
            }
        return filled(FigureTexts.percent, ["number": number])
    }
}
