import Mustache
import Pages

/// A column for each record, in groups, such as episodes of seasons. Positions are in per cent, heights in font sizes.
struct FigureColumns {
    private let figure: FigureDeclaration
    private let texts: Texts
    private let columns: [FigureItem]
    /// The columns of each group, and the position of its first one. One empty column separates two groups.
    private let groups: [(number: Int?, start: Int, columns: [FigureItem])]
    private let highest: Int
    /// The number of records that are not shown.
    private let left: Int

    private static let top = 1.25
    private static let plot = 11.0

    init(_ figure: FigureDeclaration, _ all: [FigureItem], _ texts: Texts) {
        self.figure = figure
        self.texts = texts
        let byGroup = Dictionary(grouping: all.prefix(figure.most), by: \.group)
        // sorted: output order; records without a group come last
        let sorted = byGroup.sorted {
            ($0.key ?? .max, $0.key == nil ? 1 : 0) < ($1.key ?? .max, $1.key == nil ? 1 : 0)
        }
        var start = 0
        groups = sorted.map { number, columns in
            defer { start += columns.count + 1 }
            return (number, start, columns)
        }
        columns = sorted.flatMap(\.value)
        left = all.count - columns.count
        highest = columns.map(\.count).max() ?? 0
    }

    /// At most five round numbers from 0 to the highest count.
    static func lines(upTo highest: Int) -> [Int] {
        // 1, 2, 5, 10, 20, 50 and so on
        var step = 1
        while highest / step > 4 { step = "\(step)".hasPrefix("2") ? step / 2 * 5 : step * 2 }
        return Array(stride(from: 0, through: highest, by: step))
    }
}

extension FigureColumns {
    private var width: Int { groups.last.map { $0.start + $0.columns.count } ?? 0 }

    func value() -> Value? {
        guard width > 0 else { return nil }
        // The names of many groups would overlap, so only every n-th group is named.
        let every = (groups.count + 11) / 12
        let count = texts.plural(figure.kind.count, columns.count)
        return FigureShapes.columns([
            "id": figure.id, "caption": texts[figure.text("caption")],
            "note": left > 0 ? "\(count) \(texts.plural(PageFrame.more, left))" : count,
            "alternative": alternative(count), "nameHead": texts[figure.text("head")],
            "countHead": texts[figure.text("counted")], "height": FigureBars.rounded(Self.top + Self.plot + 1.75),
            "labelAt": FigureBars.rounded(Self.top + Self.plot + 1.4), "roomy": width <= 60,
            "fewGroups": groups.count <= 8,
            "lines": Self.lines(upTo: highest).map { number in
                FigureShapes.figureLine(["number": number, "at": above(height(number))])
            },
            "groups": groups.enumerated().map { index, group in
                let name = group.number.map { texts.filled(figure.text("group"), ["number": String($0)]) }
                return FigureShapes.columnGroup([
                    "name": name ?? texts[figure.text("noGroup")],
                    "short": index % every == 0 ? group.number.map(String.init) ?? "–" : "",
                    "middle": across(Double(group.start) + Double(group.columns.count) / 2),
                    "columns": group.columns.enumerated().map { column($1, at: Double(group.start + $0)) },
                ])
            },
        ])
    }

    private func column(_ record: FigureItem, at position: Double) -> Value {
        let height = height(record.count)
        return FigureShapes.column([
            "code": record.code, "name": texts.shown(record.name), "served": true, "path": record.path,
            "count": record.count, "left": across(position + 0.14), "width": across(0.72),
            "middle": across(position + 0.5), "top": above(height), "height": FigureBars.rounded(height),
            "countAt": above(height, 0.4),
        ])
    }

    private func across(_ columns: Double) -> Value { FigureBars.rounded(columns * 100 / Double(width)) }

    /// The distance from the upper edge to a point above a height.
    private func above(_ height: Double, _ gap: Double = 0) -> Value {
        FigureBars.rounded(Self.top + Self.plot - height - gap)
    }

    private func height(_ count: Int) -> Double { highest > 0 ? Double(count) * Self.plot / Double(highest) : 0 }

    private func alternative(_ count: String) -> String {
        guard let most = columns.first(where: { $0.count == highest }),
            let fewest = columns.min(by: { $0.count < $1.count }), fewest.count < highest
        else {
            return texts.filled(
                figure.text("equal"), ["records": count, "references": texts.plural(figure.counted, highest)])
        }
        return texts.filled(
            figure.text("alternative"),
            [
                "records": count, "most": "\(most.code) \(most.name)", "high": String(highest),
                "fewest": "\(fewest.code) \(fewest.name)", "low": String(fewest.count),
            ])
    }
}
