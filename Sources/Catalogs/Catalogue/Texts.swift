/// The texts of one language, as its strings' file has them.
public struct Texts: Sendable {
    /// A text, or its forms: by plural category among texts, by another value among values.
    enum Entry: Sendable, Equatable {
        case text(TextPattern)
        case forms([String: TextPattern])
    }

    package let language: String
    package let name: String
    package let plurals: PluralRules

    let texts: [String: Entry]
    let scripts: [String: Entry]
    let values: [String: [String: Entry]]
}

extension Texts {
    package subscript(need: TextNeed) -> String { filled(need, [:]) }

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

    package var constants: [String: String] {
        texts.compactMapValues { entry in
            if case .text(let text) = entry, text.slots.isEmpty { text.source } else { nil }
        }
    }

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

/// A text taken apart where values go in: "page {number} of {pages}".
public struct TextPattern: Sendable, Equatable {
    /// A part of the text, or the name of a value to fill in.
    enum Part: Sendable, Equatable {
        case text(String)
        case slot(String)
    }

    let source: String
    private let parts: [Part]

    package init(_ source: String) {
        self.source = source
        var parts: [Part] = []
        var rest = source[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            parts.append(.slot(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    var slots: Set<String> {
        Set(parts.compactMap { if case .slot(let name) = $0 { name } else { nil } })
    }

    /// The text with values in the places of their names; what is put in is not looked into, and a name without a value
    /// stays.
    package func filled(_ values: KeyValuePairs<String, String>, count: String? = nil) -> String {
        var filled = ""
        for part in parts {
            switch part {
            case .text(let text): filled += text
            case .slot("count") where count != nil: filled += count ?? ""
            case .slot(let name): filled += values.first { $0.key == name }?.value ?? "{\(name)}"
            }
        }
        return filled
    }
}

/// A text that a catalogue or the site asks for by name; all languages have to have it.
public struct TextNeed: Sendable, Hashable {
    package let key: String
    /// The names that it has in braces: "{number}".
    package let placeholders: Set<String>
    /// Whether it has a form for each kind of count; "count" is then one of its placeholders.
    package let isPlural: Bool

    package init(_ key: String, filling placeholders: Set<String> = []) {
        self.key = key
        self.placeholders = placeholders
        isPlural = false
    }

    package init(plural key: String, filling placeholders: Set<String> = []) {
        self.key = key
        self.placeholders = placeholders.union(["count"])
        isPlural = true
    }
}
