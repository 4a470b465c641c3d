package import Catalogue

extension APIDescription {
    /// The text of a declaration for people: one line for each list and field, without keys that have their default.
    /// - Parameters:
    ///   - name: the name of the catalogue.
    ///   - headers: fields of the header of each request.
    package func declaration(name: String, headers: [(key: String, value: JSON)]) -> String {
        var lines = ["  \"name\": \(text(.text(name)))", "  \"api\": \(text(.text(api)))"]
        if !headers.isEmpty { lines.append("  \"request\": \(text(.object([("headers", .object(headers))])))") }
        if kinds.contains(where: \.hasPictures) { lines.append("  \"hosts\": \(text(.list(hosts.map { .text($0) })))") }
        // The most frequent rules are shared.
        let rules = lists.map { text(.object($0.rules)) }
        let candidates = zip(lists, rules).filter { $0.0.pattern.contains("{list}") }.map(\.1)
        let counts = Dictionary(candidates.map { ($0, 1) }, uniquingKeysWith: +)
        let shared = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        if let shared { lines.append("  \"list\": \(shared)") }
        let names = zip(lists, rules).map { list, own -> String in
            if own == shared && list.name == list.kind { return text(.text(list.name)) }
            let kind: [(key: String, value: JSON)] = list.name == list.kind ? [] : [("kind", .text(list.kind))]
            return text(.object([("name", .text(list.name))] + kind + (own == shared ? [] : list.rules)))
        }
        let onOneLine = "  \"lists\": [\(names.joined(separator: ", "))]"
        lines.append(
            onOneLine.count <= 120 ? onOneLine : "  \"lists\": [\n    \(names.joined(separator: ",\n    "))\n  ]")
        let own = kinds.compactMap(\.lines)
        if !own.isEmpty { lines.append("  \"kinds\": {\n\(own.joined(separator: ",\n"))\n  }") }
        return "{\n\(lines.joined(separator: ",\n"))\n}\n"
    }
}

extension ListDescription {
    /// The path, with a placeholder for the name if it begins with it.
    fileprivate var pattern: String {
        path.utf8.starts(with: name.utf8) ? "{list}\(path.dropFirst(name.count))" : path
    }

    /// The keys of the list in a declaration.
    fileprivate var rules: [(key: String, value: JSON)] {
        var rules: [(key: String, value: JSON)] = []
        if pattern != "{list}" { rules.append(("path", .text(pattern))) }
        rules.append(("paginator", .object(paginator)))
        if !records.isEmpty { rules.append(("records", .text(records))) }
        if let count { rules.append(("count", .text(count))) }
        if let pages { rules.append(("pages", .text(pages))) }
        if let detail { rules.append(("detail", .text(detail))) }
        return rules
    }
}

extension KindDescription {
    /// The kind in a declaration; nil if all keys have their defaults.
    fileprivate var lines: String? {
        var keys: [String] = []
        if id != "id" { keys.append("\"id\": \(text(.text(id)))") }
        if hasTextIDs { keys.append("\"textIds\": true") }
        if let selfLink { keys.append("\"self\": \(text(.text(selfLink)))") }
        if hasHTMLTitle { keys.append("\"htmlTitle\": true") }
        if let title, title != "name" { keys.append("\"title\": \(text(.text(title)))") }
        if !fields.isEmpty {
            let lines = fields.map { "        \(text(.text($0.name))): \(text(.object($0.keys)))" }
            keys.append("\"fields\": {\n\(lines.joined(separator: ",\n"))\n      }")
        }
        if !facts.isEmpty { keys.append("\"facts\": \(text(.list(facts.map { .text($0) })))") }
        let layout: [(key: String, value: JSON)] =
            hasPictures ? [("layout", .text("cards")), ("perPage", .integer(20))] : []
        let columns: [(key: String, value: JSON)] =
            hasPictures || facts.isEmpty ? [] : [("columns", .list(facts.prefix(4).map { .text($0) }))]
        if !layout.isEmpty || !columns.isEmpty { keys.append("\"list\": \(text(.object(layout + columns)))") }
        guard !keys.isEmpty else { return nil }
        return "    \(text(.text(name))): {\n      \(keys.joined(separator: ",\n      "))\n    }"
    }
}

/// JSON on one line with spaces, as a person would write it.
private func text(_ value: JSON) -> String {
    switch value {
    case .list(let items): return "[\(items.map(text).joined(separator: ", "))]"
    case .object(let members):
        if members.isEmpty { return "{}" }
        return "{ \(members.map { "\(JSON.text($0.key)): \(text($0.value))" }.joined(separator: ", ")) }"
    default: return "\(value)"
    }
}
