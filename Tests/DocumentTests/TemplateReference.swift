import Catalogue
import CatalogueEngine
import KnownCatalogues
import Mustache
import Pages
import TestSupport

@testable import Site

/// Every name in the page models, as Markdown: for each page, and once for each kind of object in pages.
struct TemplateReference {
    private struct Group {
        let title: String
        let note: String
        let pages: [PageTemplate]
    }

    private let groups: [Group]
    /// The templates of each catalogue.
    private let templates: [TemplateFolder]
    /// The titles of objects. Objects with the same name and fields share one.
    private var titles: [Shape: String] = [:]
    /// The objects of each group in order of appearance, one for each title.
    private var objects: [[Shape]] = []

    init() throws {
        let catalogues: [any SiteCatalogue] = [try DeclaredCatalogue.rickAndMorty(), try DeclaredCatalogue.itunes()]
        groups =
            [
                Group(
                    title: "every site", note: "Pages that every site has.",
                    pages: SharedPages.templates)
            ]
            + catalogues.map {
                Group(title: $0.name, note: "Pages of sites whose catalogue is `\($0.name)`.", pages: $0.pageTemplates)
            }
        templates = try catalogues.map {
            try TemplateFolder(
                TemplateSource("\(Program.root)/Templates", catalogue: "\(Program.root)/Catalogues/\($0.name)"))
        }
        collect()
    }
}

extension TemplateReference {
    var text: String {
        var lines =
            ["", "## Every page", "", "The names that the layout uses. Every page has them.", ""]
            + table(PageFrame.fields)
        lines +=
            ["## Numbered lists", "", "The names that pages of long lists have in addition to their own.", ""]
            + table(Paging.fields)
        for (group, objects) in zip(groups, objects) {
            lines += ["## Pages of \(group.title)", "", group.note, ""]
            for page in group.pages { lines += section(page, of: group) }
            lines += ["## Objects of \(group.title)", ""]
            for shape in objects { lines += ["### \(titles[shape] ?? shape.name)", ""] + table(shape.fields) }
        }
        lines += [
            "## Partials", "", "Templates that others include, and the pages that contain them.", "",
            "| partial | pages |",
            "| --- | --- |",
        ]
        for (partial, pages) in partials() {
            lines.append("| `\(partial).mustache` | \(pages.joined(separator: ", ")) |")
        }
        lines += [
            "", "## Plural rules", "",
            "The values of `plurals` in a file of texts, and the forms that its counted texts need.", "",
            "| rules | forms |", "| --- | --- |",
        ]
        for rules in PluralRules.allCases {
            lines.append(
                "| `\(rules.rawValue)` | \(rules.categories.map { "`\($0.rawValue)`" }.joined(separator: ", ")) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func section(_ page: PageTemplate, of group: Group) -> [String] {
        var own = page.shape.fields
        var shared: [String] = []
        if own.map(\.name).starts(with: PageFrame.fields.map(\.name)) {
            own.removeFirst(PageFrame.fields.count)
            shared.append("the names of [every page](#every-page)")
        }
        if own.map(\.name).suffix(Paging.fields.count) == Paging.fields.map(\.name)[...] {
            own.removeLast(Paging.fields.count)
            shared.append("the names of [numbered lists](#numbered-lists)")
        }
        let names = own.isEmpty ? "It has only " : shared.isEmpty ? "" : "In addition to "
        let introduction =
            shared.isEmpty ? [] : [names + shared.joined(separator: " and ") + (own.isEmpty ? "." : ":"), ""]
        let hasNamesake = groups.count { $0.pages.contains { $0.name == page.name } } > 1
        let heading = "### \(page.name).mustache\(hasNamesake ? " of \(group.title)" : "")"
        return [heading, ""] + introduction + (own.isEmpty ? [] : table(own))
    }

    private func table(_ fields: [Shape.Field]) -> [String] {
        ["| name | kind | what it is |", "| --- | --- | --- |"]
            + fields.map { "| `\($0.name)` | \(kind($0.kind)) | \($0.summary.isEmpty ? "?" : $0.summary) |" } + [""]
    }

    private func kind(_ kind: Shape.Kind) -> String {
        switch kind {
        case .text: "text"
        case .number: "number"
        case .flag: "flag"
        case .html: "markup"
        case .object(let shape): link(shape)
        case .list(let item): "list of \(self.kind(item))"
        case .optional(let value): "\(self.kind(value)), or nothing"
        }
    }

    private func link(_ shape: Shape) -> String {
        let title = titles[shape] ?? shape.name
        return "[\(shape.name)](#\(Document.anchor(title)))"
    }

    private func partials() -> [(String, [String])] {
        let pages = groups.flatMap(\.pages)
        var found: [String: Set<String>] = [:]
        for page in pages {
            for name in templates.flatMap({ $0.libraries[0].reachableTemplates(from: page.name) }) {
                found[name, default: []].insert(page.name)
            }
        }
        let names = Set(pages.map(\.name))
        return found.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }.map {
            ($0.key, Self.summary($0.value, of: names))
        }
    }

    /// The pages, or "every page but …" if fewer than three are missing.
    private static func summary(_ pages: Set<String>, of all: Set<String>) -> [String] {
        let others = all.subtracting(pages).sorted()
        guard others.count < 3 else { return pages.sorted() }
        return [others.isEmpty ? "every page" : "every page but \(others.joined(separator: ", "))"]
    }
}

extension TemplateReference {
    /// Collects the objects of all groups. An object that two groups use belongs to the first.
    private mutating func collect() {
        var known: [String: [(fields: [String], title: String)]] = [:]
        for group in groups {
            var found: [Shape] = []
            for page in group.pages { for field in page.shape.fields { Self.visit(field.kind, &found) } }
            var own: [Shape] = []
            for shape in found where titles[shape] == nil {
                let fields = shape.fields.map { "\($0.name)\n\($0.summary)" }
                if let same = known[shape.name]?.first(where: { $0.fields == fields }) {
                    titles[shape] = same.title
                    continue
                }
                let count = known[shape.name]?.count ?? 0
                let title = count == 0 ? "Object: \(shape.name)" : "Object: \(shape.name) \(count + 1)"
                known[shape.name, default: []].append((fields, title))
                titles[shape] = title
                own.append(shape)
            }
            objects.append(own)
        }
    }

    private static func visit(_ kind: Shape.Kind, _ found: inout [Shape]) {
        switch kind {
        case .object(let shape):
            guard !found.contains(shape) else { return }
            found.append(shape)
            for field in shape.fields { visit(field.kind, &found) }
        case .list(let item), .optional(let item): visit(item, &found)
        case .text, .number, .flag, .html: return
        }
    }
}
