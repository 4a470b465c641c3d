import Catalogue

/// The words of the figures in an edition's language.
protocol FigureTexts {
    /// A text without numbers; `{name}` stands for what is put in.
    func text(_ key: String) -> String

    /// The form for this count, which stands in it already.
    func plural(_ key: String, _ count: Int) -> String

    /// A served value in the edition's language; as served where it has no translation. Groups: status, species,
    /// gender.
    func value(_ group: String, _ value: String) -> String
}

extension FigureTexts {
    /// A text with values for its placeholders.
    func text(_ key: String, _ values: KeyValuePairs<String, String>) -> String {
        TextPattern(text(key)).filled(values)
    }

    /// A name that can be shown: the API promises no text in it.
    func shown(_ name: String) -> String {
        name.isBlank ? text("figureUnnamed") : name
    }

    /// A part of a whole in per cent; never 0% for something nor 100% for less than all.
    func share(_ count: Int, of whole: Int) -> String {
        guard whole > 0 else { return text("figurePercent", ["number": "0"]) }
        let percent = Double(count) * 100 / Double(whole)
        let number =
            if count > 0, percent < 1 { "<1" } else if count < whole, percent > 99 { ">99" } else {
                String(Int(percent.rounded()))
            }
        return text("figurePercent", ["number": number])
    }

    /// The first five as text, and how many more there are.
    func listed(_ bars: [FigureBar]) -> String {
        let first = bars.prefix(5).map { "\($0.name) \($0.count)" }.joined(separator: ", ")
        guard bars.count > 5 else { return first }
        return first + text("figureMore", ["count": String(bars.count - 5)])
    }
}
