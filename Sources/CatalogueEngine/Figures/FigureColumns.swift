import Catalogue
import Mustache
import Pages

/// A column for each record, in groups, such as the episodes of seasons. Positions across are in per cent, and heights
/// are multiples of the font size.
struct FigureColumns {
    private let figure: FigureDeclaration
    /// The plural texts for the number of records, and for the number of those that a record refers to.
    private let counted: TextDeclaration
    private let references: TextDeclaration
    private let groups: [Group]
    private let highest: Int
    private let lines: [Int]
    /// The number of records that are not shown.
    private let left: Int

    /// A record with the number of records that it refers to.
    struct Column {
        let code: String
        let name: String
        /// The number of its group; nil for none.
        let group: Int?
        let count: Int
        let path: String
    }

    /// The columns of a group and the index of its first column. One empty column separates two groups.
    private struct Group {
        let number: Int?
        let start: Int
        let columns: [Column]
    }

    private static let top = 1.25
    private static let plot = 11.0

    init(_ figure: FigureDeclaration, _ all: [Column], _ tables: RecordTables) {
        self.figure = figure
        let kind = tables[figure.kind].kind
        counted = kind.count
        let field = kind.fields[figure.field]
        references = field.count ?? TextDeclaration(plural: field.name)
        let columns = all.prefix(figure.most)
        left = all.count - columns.count
        let byGroup = Dictionary(grouping: columns, by: \.group)
        // sorted: output order; records without a group come last
        let numbers = byGroup.keys.sorted { ($0 ?? .max, $0 == nil ? 1 : 0) < ($1 ?? .max, $1 == nil ? 1 : 0) }
        var start = 0
        groups = numbers.map { number in
            let own = byGroup[number] ?? []
            defer { start += own.count + 1 }
            return Group(number: number, start: start, columns: own)
        }
        highest = columns.map(\.count).max() ?? 0
        lines = Self.lines(upTo: highest)
    }

    /// At most five round numbers from 0 to the highest count.
    static func lines(upTo highest: Int) -> [Int] {
        var step = 1
        var factors = [2, 5, 10].makeIterator()
        var power = 1
        while highest / step > 4 {
            if let factor = factors.next() {
                step = power * factor
            } else {
                power *= 10
                factors = [2, 5, 10].makeIterator()
            }
        }
        return Array(stride(from: 0, through: highest, by: step))
    }
}

extension FigureColumns {
    private var width: Int { (groups.last.map { $0.start + $0.columns.count }) ?? 0 }
    private var columns: [Column] { groups.flatMap(\.columns) }

    func value(_ texts: Texts) -> Value? {
        guard width > 0 else { return nil }
        // The names of many seasons would overlap, so only every n-th season is named.
        let every = (groups.count + 11) / 12
        return FigureShapes.columns([
            "id": figure.id, "caption": texts[figure.text("caption")], "note": note(texts),
            "alternative": alternative(texts), "nameHead": texts[figure.text("head")],
            "countHead": texts[figure.text("counted")], "height": FigureBars.rounded(Self.top + Self.plot + 1.75),
            "labelAt": FigureBars.rounded(Self.top + Self.plot + 1.4), "roomy": width <= 60,
            "fewGroups": groups.count <= 8, "lines": lines.map(line),
            "groups": groups.enumerated().map { value(of: $1, named: $0 % every == 0, texts) },
        ])
    }

    private func note(_ texts: Texts) -> String {
        let count = texts.plural(counted, columns.count)
        return left > 0 ? "\(count) \(texts.plural(EngineTexts.more, left))" : count
    }

    private func line(_ number: Int) -> Value {
        FigureShapes.figureLine(["number": number, "at": FigureBars.rounded(Self.top + Self.plot - height(number))])
    }

    private func value(of group: Group, named: Bool, _ texts: Texts) -> Value {
        let name =
            group.number.map { texts.filled(figure.text("group"), ["number": String($0)]) }
            ?? texts[figure.text("noGroup")]
        return FigureShapes.columnGroup([
            "name": name, "short": named ? group.number.map(String.init) ?? "–" : "",
            "middle": FigureBars.rounded(across(Double(group.start) + Double(group.columns.count) / 2)),
            "columns": group.columns.enumerated().map { value(of: $1, at: group.start + $0, texts) },
        ])
    }

    private func value(of record: Column, at column: Int, _ texts: Texts) -> Value {
        let height = height(record.count)
        return FigureShapes.column([
            "code": record.code, "name": texts.shown(record.name), "served": true,
            "path": record.path, "count": record.count,
            "left": FigureBars.rounded(across(Double(column) + 0.14)), "width": FigureBars.rounded(across(0.72)),
            "middle": FigureBars.rounded(across(Double(column) + 0.5)),
            "top": FigureBars.rounded(Self.top + Self.plot - height),
            "height": FigureBars.rounded(height), "countAt": FigureBars.rounded(Self.top + Self.plot - height - 0.4),
        ])
    }

    private func across(_ columns: Double) -> Double { columns * 100 / Double(width) }

    private func height(_ count: Int) -> Double { highest > 0 ? Double(count) * Self.plot / Double(highest) : 0 }

    private func alternative(_ texts: Texts) -> String {
        let counts = columns.map(\.count)
        let count = texts.plural(counted, counts.count)
        guard let most = columns.first(where: { $0.count == highest }), let low = counts.min(), low < highest,
            let fewest = columns.first(where: { $0.count == low })
        else {
            return texts.filled(
                figure.text("equal"), ["records": count, "references": texts.plural(references, highest)])
        }
        return texts.filled(
            figure.text("alternative"),
            [
                "records": count, "most": Self.title(most), "high": String(highest), "fewest": Self.title(fewest),
                "low": String(low),
            ])
    }

    private static func title(_ column: Column) -> String { "\(column.code) \(column.name)" }
}
