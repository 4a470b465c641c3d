package import Catalogue
import Platform

/// The texts of one language, read from its file in Templates/strings.
///
/// It is a class, because every page keeps it, and copying a structure copies all its references.
package final class Texts: Sendable {
    /// A text, or several forms of it, named by plural category, or in `values` by another value.
    final class Entry: Sendable {
        let text: TextPattern?
        let forms: [String: TextPattern]

        init(text: TextPattern) { (self.text, forms) = (text, [:]) }

        init(forms: [String: TextPattern]) { (text, self.forms) = (nil, forms) }

        var json: JSON {
            let forms = forms.sorted { $0.key < $1.key }.map { (key: $0.key, value: JSON.text($0.value.source)) }
            return text.map { .text($0.source) } ?? .object(forms)
        }
    }

    package let language: String
    package let name: String
    package let plurals: PluralRules

    let texts: [String: Entry]
    let scripts: [String: Entry]
    let values: [String: [String: Entry]]
    /// Texts of declarations that no file has. Shared texts can have the same key with another meaning.
    let standards: [String: Entry]

    init(
        _ language: String, name: String, _ plurals: PluralRules, texts: [String: Entry], scripts: [String: Entry],
        values: [String: [String: Entry]], standards: [String: Entry] = [:]
    ) {
        (self.language, self.name, self.plurals) = (language, name, plurals)
        (self.texts, self.scripts, self.values, self.standards) = (texts, scripts, values, standards)
    }
}

extension Texts {
    package subscript(declaration: TextDeclaration) -> String { filled(declaration, [:]) }

    package func filled(_ declaration: TextDeclaration, _ values: KeyValuePairs<String, String>) -> String {
        entry(declaration)?.text?.filled(values) ?? missing(declaration)
    }

    package func filled(_ declaration: TextDeclaration, with values: [String: String]) -> String {
        entry(declaration)?.text?.filled(with: values) ?? missing(declaration)
    }

    /// The plural form for a count, with the count and other values filled in.
    package func plural(_ declaration: TextDeclaration, _ count: Int, _ values: KeyValuePairs<String, String> = [:])
        -> String
    {
        let form = entry(declaration)?.forms[plurals.category(of: count).rawValue]
        return form?.filled(values, count: grouped(count)) ?? missing(declaration)
    }

    /// The plural form for a count; empty if the count is not positive.
    package func pluralIfAny(_ declaration: TextDeclaration, _ count: Int) -> String {
        count > 0 ? plural(declaration, count) : ""
    }

    /// The translation of a served value; nil if there is none.
    /// - Parameter other: the value that selects the form. In some languages a status has a form for each gender.
    package func value(_ group: String, _ value: String, by other: String = "") -> String? {
        // No text has a longer key. Comparing combining marks takes a time that grows with the square of their number.
        guard value.utf8.count <= 200, other.utf8.count <= 200 else { return nil }
        guard let entry = values[group]?[value] else { return nil }
        return entry.text?.source ?? (entry.forms[other] ?? entry.forms["other"])?.source
    }

    /// The translation of a served value for use without a noun, such as in a filter: the form "label", if it exists.
    package func label(_ group: String, _ value: String) -> String? { self.value(group, value, by: "label") }

    package var constants: [String: String] {
        texts.compactMapValues(\.text).filter { $0.value.placeholders.isEmpty }.mapValues(\.source)
    }

    /// - Parameter counts: the texts with numbers of results.
    package func forScripts(counts: [TextDeclaration]) -> JSON {
        func json(_ entries: [String: Entry]) -> JSON {
            .object(entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
        }
        let flags = texts.filter { ["yes", "no"].contains($0.key) }
        return .object([
            ("language", .text(language)), ("plurals", .text(plurals.rawValue)),
            ("texts", json(scripts.merging(flags) { own, _ in own })),
            ("counts", json(Dictionary(counts.compactMap { count in entry(count).map { (count.key, $0) } }) { $1 })),
            ("values", .object(values.sorted { $0.key < $1.key }.map { ($0.key, json($0.value)) })),
        ])
    }

    /// The text between groups of three digits.
    package static let digitGroups = TextDeclaration("digitGroups")
    static let dayInWords = TextDeclaration("dateOf", filling: ["day", "month", "year"])
    static let months = (1...12).map { TextDeclaration("month\($0)") }

    /// A day in the words of the language, such as "December 2, 2013".
    package func date(_ day: Day) -> String {
        filled(
            Self.dayInWords, ["day": "\(day.day)", "month": self[Self.months[day.month - 1]], "year": "\(day.year)"])
    }

    /// The same for a day such as "2013-12-02"; other texts are returned as they are.
    package func date(_ day: String) -> String { Day(day.utf8).map(date) ?? day }

    /// A number in decimal digits, in groups of three as usual in the language.
    /// - Parameter least: the smallest number with groups. For a value it is larger, because it can be a year.
    package func grouped(_ number: Int, from least: Int = 1_000) -> String {
        number < least ? "\(number)" : number.grouped(by: self[Self.digitGroups])
    }

    /// Declared texts are checked when the files are read. A missing text was therefore not declared.
    private func missing(_ declaration: TextDeclaration) -> String {
        assertionFailure("the text \(declaration.key) was not declared, or not as this kind")
        return declaration.key
    }
}

/// A text with placeholders for values, such as "page {number} of {pages}".
package struct TextPattern: Sendable {
    let source: String
    /// The placeholders, each with the text before it.
    private let parts: [(before: String, name: String)]
    private let end: String

    package init(_ source: String) {
        self.source = source
        var parts: [(before: String, name: String)] = []
        var rest = source[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            parts.append((String(rest[..<open]), String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        (self.parts, end) = (parts, String(rest))
    }

    package var placeholders: Set<String> { Set(parts.map(\.name)) }

    /// The first placeholder, if the text is only this placeholder, or has a query after it; nil for other texts.
    package var address: String? {
        parts.first.map(\.name).flatMap { source == "{\($0)}" || source.hasPrefix("{\($0)}?") ? $0 : nil }
    }

    /// The text with values for its placeholders. Braces in a value and placeholders without a value are kept.
    package func filled(_ values: KeyValuePairs<String, String>, count: String? = nil) -> String {
        filled { name in name == "count" && count != nil ? count : values.first { $0.key == name }?.value }
    }

    package func filled(with values: [String: String]) -> String { filled { values[$0] } }

    private func filled(_ value: (String) -> String?) -> String {
        var filled = ""
        for (before, name) in parts {
            filled += before
            filled += value(name) ?? "{\(name)}"
        }
        return filled + end
    }
}

/// The declaration of a text that a catalogue or the site uses. Every language must have it.
package struct TextDeclaration: Sendable, Hashable {
    package let key: String
    /// The names of its placeholders, without braces.
    package let placeholders: Set<String>
    /// Whether it has plural forms. Then "count" is one of its placeholders.
    package let isPlural: Bool
    /// The text of languages that lack the key, if the text is not required.
    package let standard: String?
    /// The same for the plural category "one".
    let standardOne: String?
}

extension TextDeclaration {
    /// - Parameter standard: the text of languages that lack the key; by default the key, if it is a text.
    package init(_ key: String, filling placeholders: Set<String> = [], standard: String? = nil) {
        self.init(
            key: key, placeholders: placeholders, isPlural: false, standard: standard ?? Self.text(key),
            standardOne: nil)
    }

    package init(
        plural key: String, filling placeholders: Set<String> = [], standard: String? = nil, one: String? = nil
    ) {
        self.init(
            key: key, placeholders: placeholders.union(["count"]), isPlural: true,
            standard: standard ?? Self.text(key), standardOne: one)
    }

    /// The texts of two declarations with the same key are the same.
    package static func == (left: TextDeclaration, right: TextDeclaration) -> Bool { left.key == right.key }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// The key, if it is a text itself: with a space or a placeholder, or with a capital letter at the start.
    private static func text(_ key: String) -> String? {
        key.contains(" ") || key.contains("{") || key.first?.isUppercase == true ? key : nil
    }
}

extension Texts {
    /// Adds the standard texts of declarations that are not required, unless the catalogue has its own.
    /// - Parameters:
    ///   - own: the keys of the catalogue's own texts.
    ///   - filters: the names of the fields with filters, and their labels.
    package func adding(
        standards declarations: [TextDeclaration], own: Set<String> = [],
        filters: [(field: String, label: TextDeclaration)] = []
    ) -> Texts {
        var (scripts, standards) = (scripts, standards)
        for declaration in declarations where !own.contains(declaration.key) {
            guard let standard = declaration.standard.map(TextPattern.init) else { continue }
            // The standard texts are English. In other languages the form for 1 may also be that for 0 or 21.
            let isForOne = plurals.category(of: 0) != .one && plurals.category(of: 21) != .one
            let one = isForOne ? declaration.standardOne.map(TextPattern.init) ?? standard : standard
            let forms = plurals.categories.map { ($0.rawValue, $0 == .one ? one : standard) }
            standards[declaration.key] =
                declaration.isPlural ? Entry(forms: Dictionary(forms) { first, _ in first }) : Entry(text: standard)
        }
        for (field, label) in filters where scripts["filter.\(field)"] == nil {
            scripts["filter.\(field)"] = standards[label.key] ?? texts[label.key]
        }
        return Texts(
            language, name: name, plurals, texts: texts, scripts: scripts, values: values, standards: standards)
    }

    /// The text of a declaration. A declaration without a standard text can name one that another declaration has.
    func entry(_ declaration: TextDeclaration) -> Entry? {
        if declaration.standard == nil, let own = texts[declaration.key] { return own }
        return standards[declaration.key] ?? texts[declaration.key]
    }
}
