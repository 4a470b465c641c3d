extension Texts {
    /// Reads a strings' file.
    /// - Parameter language: the language's code, as the file's name has it.
    /// - Throws: what is wrong with it, with its place in the JSON.
    package init(_ bytes: [UInt8], language: String) throws(ContentFault) {
        let file = try JSONRecord.decode(File.self, from: bytes)
        guard let plurals = PluralRules(rawValue: file.plurals) else {
            let known = PluralRules.allCases.map(\.rawValue).joined(separator: ", ")
            throw ContentFault("plurals", "is \"\(file.plurals)\"; the rule sets that there are: \(known)")
        }
        self.language = language
        self.plurals = plurals
        name = file.language
        texts = file.texts
        scripts = file.scripts
        values = file.values
        try check()
    }

    private struct File: Decodable {
        let language: String
        let plurals: String
        let texts: [String: Entry]
        let scripts: [String: Entry]
        let values: [String: [String: Entry]]
    }

    private var groups: [(name: String, entries: [String: Entry])] {
        [("texts", texts), ("scripts", scripts)]
            + values.sorted { $0.key < $1.key }.map { ("values.\($0.key)", $0.value) }
    }

    private func check() throws(ContentFault) {
        guard !name.isEmpty else { throw ContentFault("language", "is empty; it is what the language calls itself") }
        let categories = plurals.categories
        for (group, entries) in groups {
            for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
                for text in entry.all where text.source.unicodeScalars.contains(where: { $0.value < 32 }) {
                    throw ContentFault("\(group).\(key)", "has a line end or another control character")
                }
                guard case .forms(let forms) = entry else { continue }
                if group.hasPrefix("values.") {
                    guard forms["other"] != nil else {
                        throw ContentFault("\(group).\(key)", "has no form \"other\", for what none is given for")
                    }
                    continue
                }
                for category in categories where forms[category.rawValue] == nil {
                    let others = entries.filter { $0.key != key && $0.value.lacks(category) }.keys.sorted()
                    throw ContentFault(
                        "\(group).\(key)",
                        "has no form \"\(category.rawValue)\", which \"\(plurals.rawValue)\" needs"
                            + (others.isEmpty ? "" : "; nor have \(others.joined(separator: ", "))"))
                }
                for form in forms.keys.sorted() where PluralRules.Category(rawValue: form) == nil {
                    throw ContentFault("\(group).\(key)", "has a form \"\(form)\", which is no plural category")
                }
            }
        }
    }

    /// Looks whether two languages have the same texts with the same things to fill in.
    /// - Throws: the first difference, as what the other language lacks.
    package func requireSame(as other: Texts) throws(ContentFault) {
        guard groups.map(\.name) == other.groups.map(\.name) else {
            throw ContentFault("values", "does not have the same groups as in \(other.language).json")
        }
        let missing = zip(groups, other.groups).flatMap { own, others in
            others.entries.keys.filter { own.entries[$0] == nil }.sorted().map { "\(own.name).\($0)" }
        }
        if let first = missing.first {
            let more = missing.dropFirst().joined(separator: ", ")
            throw ContentFault(
                first, "is missing; \(other.language).json has it" + (more.isEmpty ? "" : ", and \(more)"))
        }
        for ((group, entries), (_, others)) in zip(groups, other.groups) {
            for key in entries.keys.sorted() {
                guard let entry = entries[key], let twin = others[key] else {
                    throw ContentFault("\(group).\(key)", "is not in \(other.language).json")
                }
                guard group.hasPrefix("values.") || entry.isForms == twin.isForms else {
                    throw ContentFault(
                        "\(group).\(key)", "has plural forms in one language and none in \(other.language).json")
                }
                guard entry.placeholders == twin.placeholders else {
                    func shown(_ entry: Entry) -> String {
                        entry.placeholders.isEmpty
                            ? "none" : entry.placeholders.sorted().map { "{\($0)}" }.joined(separator: ", ")
                    }
                    throw ContentFault(
                        "\(group).\(key)",
                        "has in braces \(shown(entry)), and in \(other.language).json \(shown(twin)); one of them is "
                            + "wrong"
                    )
                }
            }
        }
    }

    package func hasScriptText(_ key: String) -> Bool { scripts[key] != nil }

    /// Looks whether everything asked for is there as it is asked for.
    package func require(_ needs: [TextNeed]) throws(ContentFault) {
        for need in needs {
            guard let entry = texts[need.key] else { throw ContentFault("texts.\(need.key)", "is missing") }
            guard entry.isForms == need.isPlural else {
                throw ContentFault(
                    "texts.\(need.key)",
                    need.isPlural ? "needs a form for each plural category" : "is one text, without forms")
            }
            let unknown = entry.placeholders.subtracting(need.placeholders).sorted()
            guard unknown.isEmpty else {
                throw ContentFault(
                    "texts.\(need.key)",
                    "has {\(unknown[0])}; what it can be filled with: "
                        + "\(need.placeholders.sorted().joined(separator: ", "))"
                )
            }
        }
    }
}

extension Texts.Entry: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            self = .text(TextPattern(try container.decode(String.self)))
        } catch {
            self = .forms(try container.decode([String: String].self).mapValues(TextPattern.init))
        }
    }
}

extension Texts.Entry {
    var all: [TextPattern] {
        switch self {
        case .text(let text): [text]
        case .forms(let forms): forms.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Whether it has forms, and not this one.
    func lacks(_ category: PluralRules.Category) -> Bool {
        if case .forms(let forms) = self { forms[category.rawValue] == nil } else { false }
    }

    var isForms: Bool { if case .forms = self { true } else { false } }

    /// A form may leave a placeholder out: "one episode".
    var placeholders: Set<String> { all.reduce(into: []) { $0.formUnion($1.slots) } }
}
