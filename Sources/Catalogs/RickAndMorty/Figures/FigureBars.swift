import Catalogue
import Mustache

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

/// Horizontal bars, each below its name and number. Widths are percentages of the drawing, and heights are multiples of
/// the font size, so that the text keeps its size on a phone.
struct FigureBars {
    let id: String
    let caption: String
    let note: String
    let nameHead: String
    let countHead: String
    /// The count that a bar of full width would have.
    let full: Int
    let bars: [FigureBar]

    /// The number of letters that fit next to the number on a phone 320 pixels wide.
    static let longestLabel = 30
    private static let row = 2.75
    private static let baseline = 1.05
    private static let barTop = 1.5
}

extension FigureBars {
    func value(_ texts: Texts) -> Value? {
        guard !bars.isEmpty else { return nil }
        return CharacterModels.figure([
            "id": id, "caption": caption, "note": note, "alternative": texts.listed(bars),
            "nameHead": nameHead, "countHead": countHead, "hasShares": bars.contains { !$0.share.isEmpty },
            "height": Self.rounded(Double(bars.count) * Self.row),
            "bars": bars.enumerated().map { value(of: $1, at: $0) },
        ])
    }

    private func value(of bar: FigureBar, at place: Int) -> Value {
        let top = Double(place) * Self.row
        return CharacterModels.figureBar([
            "name": bar.name, "label": Self.shortened(bar.name), "served": bar.served,
            "path": bar.path, "count": bar.count, "share": bar.share, "kind": bar.kind,
            "width": Self.rounded(width(bar.count)), "labelAt": Self.rounded(top + Self.baseline),
            "barAt": Self.rounded(top + Self.barTop),
        ])
    }

    /// In per cent. A count above zero stays visible.
    func width(_ count: Int) -> Double {
        guard count > 0, full > 0 else { return 0 }
        return min(100, max(0.75, Double(count) * 100 / Double(full)))
    }

    static func shortened(_ name: String) -> String {
        name.count <= longestLabel ? name : name.prefix(longestLabel - 1).trimmed + "…"
    }

    /// Rounded to two decimals, which is finer than a pixel.
    static func rounded(_ number: Double) -> Value { .decimal((number * 100).rounded() / 100) }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

extension Texts {
    func text(_ key: String, _ values: KeyValuePairs<String, String> = [:]) -> String {
        filled(TextDeclaration(key), values)
    }

    func plural(_ key: String, _ count: Int) -> String { plural(TextDeclaration(plural: key), count) }

    /// The text for a name, which can be blank.
    func shown(_ name: String) -> String {
        name.isBlank ? text("figureUnnamed") : name
    }

    /// The percentage of the whole. It is 0% only for zero, and 100% only for the whole.
    func share(_ count: Int, of whole: Int) -> String {
        guard whole > 0 else { return text("figurePercent", ["number": "0"]) }
        let percent = Double(count) * 100 / Double(whole)
        let number =
            if count > 0, percent < 1 { "<1" } else if count < whole, percent > 99 { ">99" } else {
                String(Int(percent.rounded()))
            }
        return text("figurePercent", ["number": number])
    }

    func listed(_ bars: [FigureBar]) -> String {
        let first = bars.prefix(5).map { "\($0.name) \($0.count)" }.joined(separator: ", ")
        guard bars.count > 5 else { return first }
        return first + text("figureMore", ["count": String(bars.count - 5)])
    }
}
