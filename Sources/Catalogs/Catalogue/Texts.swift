/// The texts of one language, as its strings' file has them.
public struct Texts: Sendable {
    /// A text, or its forms: by plural category among texts, by another value among values.
    enum Entry: Sendable, Equatable {
        case text(TextPattern)
        case forms([String: TextPattern])
    }

    /// The language's code, as BCP 47 has it: "ru".
    package let language: String
    /// What the language calls itself: "Русский".
    package let name: String
    /// How it counts.
    package let plurals: PluralRules

    let texts: [String: Entry]
    let scripts: [String: Entry]
    let values: [String: [String: Entry]]
}

extension Texts {
    /// A text without anything to fill in.
    package subscript(need: TextNeed) -> String { filled(need, [:]) }

    /// A text with its braces filled.
    package func filled(_ need: TextNeed, _ values: KeyValuePairs<String, String>) -> String {
        guard case .text(let text)? = texts[need.key] else { return missing(need) }
        return text.filled(values)
    }

    /// The form of a text that goes with a count, filled with the count and more.
    package func plural(_ need: TextNeed, _ count: Int, _ values: KeyValuePairs<String, String> = [:]) -> String {
        guard case .forms(let forms)? = texts[need.key] else { return missing(need) }
        let category = plurals.category(of: count)
        guard let form = forms[category.rawValue] else { return missing(need) }
        return form.filled(values, count: grouped(count))
    }

    /// The translation of a served value; nil where it has none and stays as it is.
    /// - Parameter other: the value that its form depends on: a status has one for each gender in some languages.
    package func value(_ group: String, _ value: String, by other: String = "") -> String? {
        // No text has a longer key, and to compare long runs of combining marks takes a time that grows with the
        // square.
        guard value.utf8.count <= 200, other.utf8.count <= 200 else { return nil }
        return switch values[group]?[value] {
        case .text(let text): text.source
        case .forms(let forms): (forms[other] ?? forms["other"])?.source
        case nil: nil
        }
    }

    /// What a served value is called as the name of a group: the form "label" where there is one.
    package func label(_ group: String, _ value: String) -> String? { self.value(group, value, by: "label") }

    /// The texts that templates can use as they are.
    package var constants: [String: String] {
        texts.compactMapValues { entry in
            if case .text(let text) = entry, text.slots.isEmpty { text.source } else { nil }
        }
    }

    /// What scripts on pages need: their texts and the translations of served values.
    package var forScripts: JSON {
        func json(_ entries: [String: Entry]) -> JSON {
            .object(
                entries.sorted { $0.key < $1.key }.map { key, entry in
                    switch entry {
                    case .text(let text): (key, .text(text.source))
                    case .forms(let forms):
                        (key, .object(forms.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value.source)) }))
                    }
                })
        }
        return .object([
            ("language", .text(language)), ("plurals", .text(plurals.rawValue)), ("texts", json(scripts)),
            ("values", .object(values.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })),
        ])
    }

    /// A count with groups of three digits, joined by no-break spaces where it has five or more.
    package func grouped(_ number: Int) -> String {
        guard number > 9_999 else { return "\(number)" }
        let digits = Array("\(number)")
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "\u{A0}" }
            text.append(digit)
        }
        return text
    }

    /// All needs are checked when the files are read, so this is a text that the program did not declare.
    private func missing(_ need: TextNeed) -> String {
        assertionFailure("the text \(need.key) was not declared, or not as this kind")
        return need.key
    }
}
