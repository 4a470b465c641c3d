import Catalogue
import Mustache
import Pages

/// A name with its count, drawn as a bar.
struct FigureBar: Sendable {
    let name: String
    /// Whether the name is served by the API, in English.
    let served: Bool
    let count: Int
    /// The percentage of the whole, as text; empty if there is no whole.
    var share = ""
    var path: String?
    /// A class for the colour: alive, dead, unknown or plain.
    var kind = "plain"
}

/// Horizontal bars, each below its name and number. Widths are percentages.
struct FigureBars {
    let id: String
    let caption: String
    let note: String
    /// The count that a bar of full width would have.
    let full: Int
    let bars: [FigureBar]
}

extension FigureBars {
    /// Bars for the parts of all records, the largest first. The parts that are not shown become one bar.
    init(_ figure: FigureDeclaration, _ parts: [FigurePart], _ tables: RecordTables, _ texts: Texts) {
        let kind = tables[figure.kind].kind
        let field = kind.fields[figure.field]
        let sorted = parts.filter { $0.count > 0 }.sorted { (-$0.count, $0.value) < (-$1.count, $1.value) }
        let whole = sorted.reduce(0) { $0 + $1.count }
        var bars = sorted.prefix(figure.most).map { part in
            let name = texts.label(field.name, part.value) ?? part.value
            return FigureBar(
                name: texts.shown(name), served: name == part.value && texts.shown(name) == name, count: part.count,
                share: texts.share(part.count, of: whole), path: part.path,
                kind: field.tones.isEmpty ? "plain" : field.tone(part.value))
        }
        let rest = sorted.dropFirst(figure.most)
        if !rest.isEmpty {
            let count = rest.reduce(0) { $0 + $1.count }
            bars.append(
                FigureBar(
                    name: texts.plural(figure.text("rest"), rest.count), served: false, count: count,
                    share: texts.share(count, of: whole)))
        }
        self.init(
            id: figure.id, caption: texts[figure.text("caption")], note: texts.plural(kind.count, whole),
            full: whole, bars: bars)
    }

    /// Bars for the records with the most references.
    init(_ figure: FigureDeclaration, _ records: [FigureRecord], _ texts: Texts) {
        let bars = records.map { FigureBar(name: texts.shown($0.name), served: true, count: $0.count, path: $0.path) }
        self.init(
            id: figure.id, caption: texts[figure.text("caption")], note: texts[figure.text("note")],
            full: bars.first?.count ?? 0, bars: bars)
    }

    func value() -> Value? {
        guard !bars.isEmpty else { return nil }
        return FigureShapes.figure([
            "id": id, "caption": caption, "note": note, "bars": bars.map(value),
        ])
    }

    private func value(of bar: FigureBar) -> Value {
        FigureShapes.figureBar([
            "name": bar.name, "served": bar.served, "path": bar.path, "count": bar.count, "share": bar.share,
            "kind": bar.kind, "width": Self.rounded(width(bar.count)),
        ])
    }

    /// In per cent. A count above zero stays visible.
    func width(_ count: Int) -> Double {
        guard count > 0, full > 0 else { return 0 }
        return min(100, max(0.75, Double(count) * 100 / Double(full)))
    }

    /// Rounded to two decimals, which is finer than a pixel.
    static func rounded(_ number: Double) -> Value { .decimal((number * 100).rounded() / 100) }
}
