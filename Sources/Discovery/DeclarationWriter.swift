package import Catalogue
import CatalogueEngine
import Platform

extension APIDescription {
    /// The text of a declaration for people: one line for each list and field, without keys that have their default.
    /// - Parameters:
    ///   - name: the name of the catalogue.
    ///   - title: the title of the site.
    ///   - language: the language of the site's pages.
    ///   - headers: fields of the header of each request.
    package func declaration(name: String, title: String, language: String, headers: [JSON.Member]) -> String {
        let hosts = Set(kinds.flatMap(\.hosts)).sorted()
        // The most frequent rules are shared, without keys that another list lacks, because it would inherit them.
        let rules = lists.map(\.rules)
        let candidates = zip(lists, rules).filter { $0.0.pattern.contains("{list}") }.map(\.1)
        let counts = Dictionary(candidates.map { ($0, 1) }, uniquingKeysWith: +)
        let frequent = counts.max { ($0.value, text($1.key)) < ($1.value, text($0.key)) }?.key
        let shared = (frequent?.members ?? []).filter { rule in rules.allSatisfy { $0[rule.key] != nil } }
        let names = zip(lists, rules).map { list, rules -> JSON in
            let own = (rules.members ?? []).filter { rule in !shared.contains { $0 == rule } }
            let names: JSON = ["name": .text(list.name), "kind": list.name == list.kind ? nil : .text(list.kind)]
            return own.isEmpty && list.name == list.kind ? .text(list.name) : .object((names.members ?? []) + own)
        }
        let own = kinds.map { ($0.name, $0.keys) }.filter { $1.members?.isEmpty == false }
        let figures = kinds.flatMap { kind in
            kind.charts.map { field -> JSON in
                [
                    "id": .text("\(kind.name)_\(field)".replacing("-", with: "_")),
                    "of": .text("\(kind.name).\(field)"), "most": .integer(12), "rest": .text("Other values ({count})"),
                    "caption": .text("\(kind.name.pluralised.label): \(field.inWords)"),
                ]
            }
        }
        let file: JSON = [
            "name": .text(name), "title": .text(title), "languages": .list([.text(language)]), "api": .text(api),
            "request": headers.isEmpty ? nil : ["headers": .object(headers)],
            "hosts": kinds.contains(where: \.hasPictures) ? .list(hosts.map { .text($0) }) : nil,
            "list": shared.isEmpty ? nil : .object(shared), "lists": .list(names),
            "lookup": lookup.map { ["path": .text($0)] },
            "kinds": own.isEmpty ? nil : .object(own),
            "figures": figures.isEmpty ? nil : .list(figures.unique { $0["id"]?.text }),
        ]
        return text(file, at: []) + "\n"
    }
}

extension ListDescription {
    /// The path. If it begins with the name, or has the name as a segment, a placeholder replaces the name.
    fileprivate var pattern: String {
        if path.utf8.starts(with: name.utf8) { return "{list}\(path.dropFirst(name.count))" }
        let (own, query) = (path.prefix { $0 != "?" }, path.drop { $0 != "?" })
        let segments = own.split(separator: "/", omittingEmptySubsequences: false).map { $0 == name ? "{list}" : $0 }
        return segments.joined(separator: "/") + query
    }

    /// The keys of the list in a declaration.
    fileprivate var rules: JSON {
        let hasNameOfList = records == name && !APISurvey.recordNames.contains(name)
        let place = hasNameOfList ? "{list}" : records
        return [
            "path": pattern == "{list}" ? nil : .text(pattern), "paginator": paginator,
            "records": place.isEmpty ? nil : .text(place), "count": count.map { .text($0) },
            "pages": pages.map { .text($0) }, "detail": detail.map { .text($0) }, "record": record.map { .text($0) },
            "responses": endsWithout ? ["404": .text("end")] : nil,
        ]
    }
}

extension KindDescription {
    /// The keys of the kind in a declaration that do not have their defaults.
    fileprivate var keys: JSON {
        func list(_ names: [String]) -> JSON? { names.isEmpty ? nil : .list(names.map { .text($0) }) }
        return [
            "id": id == "id" ? nil : .text(id), "textIds": hasTextIDs ? .flag(true) : nil,
            "self": selfLink.map { .text($0) }, "htmlTitle": hasHTMLTitle ? .flag(true) : nil,
            "title": title.flatMap { $0 == "name" ? nil : .text($0) }, "template": template.map { .text($0) },
            "fields": fields.isEmpty ? nil : .object(fields.map { ($0.name, $0.keys) }),
            "facts": list(facts), "card": hasPictures ? list(card) : nil, "row": hasPictures ? nil : list(row),
            "list": hasPictures
                ? ["layout": .text("cards"), "perPage": .integer(20)] : list(columns).map { ["columns": $0] },
        ]
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

/// Writes members of the file, of kinds and of fields, and elements of long lists and figures, each on its own line.
private func text(_ value: JSON, at path: [String]) -> String {
    let indent = String(repeating: "  ", count: path.count)
    switch value {
    case .object(let members)
    where path.count < 3 && ["kinds", nil].contains(path.first) || path.count == 3 && path[2] == "fields":
        let lines = members.map { "\(indent)  \(JSON.text($0.key)): \(text($0.value, at: path + [$0.key]))" }
        return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    case .list(let items) where path.count == 1 && text(value).count > 120 - "  \"lists\": ".count:
        return "[\n    \(items.map(text).joined(separator: ",\n    "))\n  ]"
    default: return text(value)
    }
}
