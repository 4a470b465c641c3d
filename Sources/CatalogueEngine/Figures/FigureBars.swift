import Mustache
import Pages

/// Horizontal bars, each below its name and number. Widths are percentages.
struct FigureBars {
    let figure: FigureDeclaration
    let texts: Texts

    /// Bars for the parts of all records, the largest first; numbers in their order. The other parts become one bar.
    /// - Parameter whole: the number of all records. The parts of lists overlap, so they have no percentages.
    func parts(_ parts: [FigureItem], _ whole: Int) -> Value? {
        let field = figure.field
        let sorted = parts.filter { $0.count > 0 }.sorted { (-$0.count, $0.name) < (-$1.count, $1.name) }
        let shown = Array(sorted.prefix(figure.most))
        func share(_ count: Int) -> String { field.type == .list ? "" : texts.share(count, of: whole) }
        var bars = (field.type == .number ? shown.byNumber(\.name) : shown).map { part in
            let name = texts.shown(texts.label(field.name, part.name) ?? field.text(part.name, texts))
            return bar(
                name, isServed: name == part.name, part.count, of: whole, share: share(part.count),
                path: part.path, kind: field.tones.isEmpty ? "plain" : field.tone(part.name))
        }
        let rest = sorted.dropFirst(figure.most)
        if !rest.isEmpty {
            let count = rest.reduce(0) { $0 + $1.count }
            let name = texts.plural(figure.text("rest"), rest.count)
            bars.append(bar(name, isServed: false, count, of: whole, share: share(count)))
        }
        return value(bars, note: texts.plural(figure.kind.count, whole))
    }

    /// Bars for the records with the most references.
    func records(_ records: [FigureItem]) -> Value? {
        let bars = records.map { record in
            bar(texts.shown(record.name), isServed: true, record.count, of: records[0].count, path: record.path)
        }
        return value(bars, note: texts[figure.text("note")])
    }

    private func value(_ bars: [Value], note: String) -> Value? {
        guard !bars.isEmpty else { return nil }
        let caption = texts[figure.text("caption")]
        return FigureShapes.figure(["id": figure.id, "caption": caption, "note": note, "bars": bars])
    }

    /// - Parameter full: the count that a bar of full width would have.
    private func bar(
        _ name: String, isServed: Bool, _ count: Int, of full: Int, share: String = "", path: String? = nil,
        kind: String = "plain"
    ) -> Value {
        FigureShapes.figureBar([
            "name": name, "served": isServed, "path": path, "count": count, "share": share, "kind": kind,
            "width": Self.rounded(Self.width(count, of: full)),
        ])
    }

    /// In per cent. A count above zero stays visible.
    static func width(_ count: Int, of full: Int) -> Double {
        guard count > 0, full > 0 else { return 0 }
        return min(100, max(0.75, Double(count) * 100 / Double(full)))
    }

    /// Rounded to two decimals, which is finer than a pixel.
    static func rounded(_ number: Double) -> Value { .decimal((number * 100).rounded() / 100) }
}
