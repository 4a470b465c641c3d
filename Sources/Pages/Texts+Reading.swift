import Catalogue

extension Texts {
    /// Reads a file of texts.
    /// - Parameter language: the language's code, which is the file's name without ".json".
    /// - Throws: `ContentFault` for the first fault, with its key path.
    package convenience init(_ bytes: [UInt8], language: String) throws {
        let file = try Self.file(bytes, ["language", "plurals"] + Self.groups)
        let name = try Self.text(file["language"], "language")
        let rules = try Self.text(file["plurals"], "plurals")
        guard let plurals = PluralRules(rawValue: rules) else {
            let known = PluralRules.allCases.map(\.rawValue).joined(separator: ", ")
            throw ContentFault("plurals", "is \"\(rules)\"; the known rule sets are: \(known)")
        }
        self.init(
            language, name: name, plurals, texts: try Self.entries(file["texts"], "texts"),
            scripts: try Self.entries(file["scripts"], "scripts"),
            values: try Self.object(file["values"], "values", Self.entries))
        try check()
    }

    /// Adds the texts of a catalogue's file ("texts", "scripts", "values"). They replace shared ones of the same key.
    /// - Throws: `ContentFault` for the first fault, with its key path.
    package func adding(_ bytes: [UInt8]) throws -> Texts {
        let (file, none) = (try Self.file(bytes, Self.groups), JSON.object([]))
        let result = Texts(
            language, name: name, plurals,
            texts: texts.merging(try Self.entries(file["texts"] ?? none, "texts")) { $1 },
            scripts: scripts.merging(try Self.entries(file["scripts"] ?? none, "scripts")) { $1 },
            values: values.merging(try Self.object(file["values"] ?? none, "values", Self.entries)) {
                $0.merging($1) { $1 }
            }, standards: standards)
        try result.check()
        return result
    }

    /// The key paths of the texts of a file.
    package static func keyPaths(_ bytes: [UInt8]) throws -> [String] {
        let file = try JSON(bytes) { $0 }
        func keys(_ path: String) -> [String] { (file.value(path)?.members ?? []).map { "\(path).\($0.key)" } }
        return keys("texts") + keys("scripts") + keys("values").flatMap(keys)
    }

    private static let groups = ["texts", "scripts", "values"]

    private static func file(_ bytes: [UInt8], _ groups: [String]) throws -> [String: JSON] {
        let file = try object(try JSON(bytes) { $0 }, "") { value, _ in value }
        if let unknown = file.keys.filter({ !groups.contains($0) }).min() {
            throw ContentFault(unknown, "is unknown; the groups are: \(groups.joined(separator: ", "))")
        }
        return file
    }

    /// Reads the members of an object, each with its key path. The first of equal names is used.
    private static func object<Value>(_ value: JSON?, _ path: String, _ read: (JSON, String) throws -> Value) throws
        -> [String: Value]
    {
        guard let value else { throw ContentFault(path, "is missing") }
        guard let members = value.members else { throw ContentFault(path, "is not an object") }
        return Dictionary(try members.map { ($0.key, try read($0.value, "\(path).\($0.key)")) }) { first, _ in first }
    }

    private static func entries(_ group: JSON?, _ path: String) throws -> [String: Entry] {
        try object(group, path) { value, path in
            if value.text != nil { return Entry(text: TextPattern(try text(value, path))) }
            return Entry(forms: try object(value, path) { TextPattern(try text($0, $1)) })
        }
    }

    private static func text(_ value: JSON?, _ path: String) throws -> String {
        guard let value else { throw ContentFault(path, "is missing") }
        guard let text = value.text else { throw ContentFault(path, "is not a string") }
        return try ContentFault.inside(path) { try JSONText.intact(text) }
    }

    private var groups: [(name: String, entries: [String: Entry])] {
        [("texts", texts), ("scripts", scripts)]
            + values.sorted { $0.key < $1.key }.map { ("values.\($0.key)", $0.value) }
    }

    private func check() throws {
        guard !name.isEmpty else {
            throw ContentFault("language", "is empty; give the name of the language in that language")
        }
        for (group, entries) in groups {
            for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
                if let reason = fault(of: entry, at: key, in: entries, isValue: group.hasPrefix("values.")) {
                    throw ContentFault("\(group).\(key)", reason)
                }
            }
        }
    }

    private func fault(of entry: Entry, at key: String, in entries: [String: Entry], isValue: Bool) -> String? {
        if entry.all.contains(where: { $0.source.unicodeScalars.contains { $0.value < 32 } }) {
            return "has a line end or another control character"
        }
        guard entry.isForms else { return nil }
        if isValue {
            return entry.forms["other"] == nil ? "has no form \"other\", which is used when no other form fits" : nil
        }
        if let category = plurals.categories.first(where: entry.lacks) {
            let others = entries.filter { $0.key != key && $0.value.lacks(category) }.keys.sorted()
            return "has no form \"\(category.rawValue)\", which \"\(plurals.rawValue)\" needs"
                + (others.isEmpty ? "" : "; also missing in \(others.joined(separator: ", "))")
        }
        let unknown = entry.forms.keys.sorted().first { PluralRules.Category(rawValue: $0) == nil }
        return unknown.map { "has a form \"\($0)\", which is not a plural category" }
    }

    /// Checks that this language translates the fields that another one translates.
    package func requireValues(of fields: [String], in other: Texts) throws {
        for field in fields where values[field] == nil && other.values[field] != nil {
            throw ContentFault("values", "has no group \(field.quoted); \(other.language).json has it")
        }
    }

    /// Checks that two languages have the same texts with the same placeholders. Groups of values that only one of them
    /// has are not compared. The other language can lack words for values, which are then shown as served.
    /// - Throws: the first difference, as a fault of this language's file.
    package func requireSame(as other: Texts) throws {
        let others = Dictionary(uniqueKeysWithValues: other.groups.map { ($0.name, $0.entries) })
        let pairs = groups.compactMap { name, own in others[name].map { (name, own, $0) } }
        let missing = pairs.flatMap { name, own, others in
            others.keys.filter { own[$0] == nil }.sorted().map { "\(name).\($0)" }
        }
        if let first = missing.first {
            let more = missing.dropFirst().joined(separator: ", ")
            throw ContentFault(
                first, "is missing; \(other.language).json has it\(more.isEmpty ? "" : "; also missing: \(more)")")
        }
        for (group, own, others) in pairs {
            let isValue = group.hasPrefix("values.")
            for (key, entry) in own.sorted(by: { $0.key < $1.key }) {
                func fault(_ reason: String) -> ContentFault { ContentFault("\(group).\(key)", reason) }
                guard let counterpart = others[key] else {
                    if isValue { continue }
                    throw fault("is not in \(other.language).json")
                }
                guard isValue || entry.isForms == counterpart.isForms else {
                    throw fault("has plural forms either here or in \(other.language).json, but not in both")
                }
                guard entry.placeholders == counterpart.placeholders else {
                    throw fault(
                        "has the placeholders \(entry.listed), but \(other.language).json has \(counterpart.listed); "
                            + "use the same placeholders in both files")
                }
            }
        }
    }

    package func hasScriptText(_ key: String) -> Bool { scripts[key] != nil }

    /// The key of the first declared text that does not exist.
    package func missing(_ declarations: [TextDeclaration]) -> String? {
        declarations.first { entry($0) == nil }?.key
    }

    /// Checks that every declared text exists, with the declared placeholders and plural forms.
    package func require(_ declarations: [TextDeclaration]) throws {
        for declaration in declarations {
            func fault(_ reason: String) -> ContentFault { ContentFault("texts.\(declaration.key)", reason) }
            guard let entry = entry(declaration) else { throw fault("is missing") }
            guard entry.isForms == declaration.isPlural else {
                throw fault(
                    declaration.isPlural ? "needs a form for each plural category" : "must be one text without forms")
            }
            if let unknown = entry.placeholders.subtracting(declaration.placeholders).min() {
                let known = declaration.placeholders.sorted().joined(separator: ", ")
                throw fault("has the unknown placeholder {\(unknown)}; the known ones are: \(known)")
            }
        }
    }
}

extension Texts.Entry {
    var all: [TextPattern] { text.map { [$0] } ?? Array(forms.values) }

    /// Whether the entry has forms, but no form for this category.
    func lacks(_ category: PluralRules.Category) -> Bool { isForms && forms[category.rawValue] == nil }

    var isForms: Bool { text == nil }

    /// The placeholders of all forms. A form may leave a placeholder out: "one episode".
    var placeholders: Set<String> { all.reduce(into: []) { $0.formUnion($1.placeholders) } }

    /// The placeholders in words.
    var listed: String {
        placeholders.isEmpty ? "none" : placeholders.sorted().map { "{\($0)}" }.joined(separator: ", ")
    }
}
