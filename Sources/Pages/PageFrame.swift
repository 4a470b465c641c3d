package import Catalogue
package import Mustache

/// Provides the values that all pages of a site share. The layout template uses them.
package final class PageFrame: Sendable {
    /// A part of the site with a link in the navigation.
    package typealias Section = (name: String, path: SitePath, label: TextDeclaration)

    package let context: SiteContext
    package let title: TextDeclaration
    /// The language of the API's names and texts, such as "en".
    private let language: String
    /// The numbers that the page about the site shows. The label is a plural text such as "{count} characters".
    package let counts: [(label: TextDeclaration, count: Int)]
    /// The preview picture of shared pages that have no picture of their own.
    private let picture: SitePath?
    package let searchLabel: TextDeclaration
    /// The statement about a capture without gaps. It claims only facts that the API's answers can prove.
    package let complete: TextDeclaration
    /// The feeds of records, relative to the language's root.
    private let feeds: [SitePath]
    private let navigation: [[String: Value]]

    /// - Parameters:
    ///   - language: empty if the API's texts can be in any language.
    ///   - sections: the catalogue's sections.
    package init(
        _ context: SiteContext, title: TextDeclaration, language: String, sections: [Section],
        counts: [(label: TextDeclaration, count: Int)], picture: SitePath?, searchLabel: TextDeclaration,
        complete: TextDeclaration = TextDeclaration("complete"), feeds: [SitePath] = []
    ) {
        self.context = context
        self.title = title
        self.language = language
        self.counts = counts
        self.picture = picture
        self.searchLabel = searchLabel
        self.complete = complete
        self.feeds = feeds
        // The settings have a link in the footer.
        let sections = sections + [Self.search]
        navigation = context.editions.map { edition in
            let names = sections.map(\.name) + [""]
            return Dictionary(names.map { ($0, Self.navigation(sections, current: $0, edition.texts)) }) { $1 }
        }
    }
}

extension PageFrame {
    package static let search: Section = ("search", SitePath(fixed: "search.html"), TextDeclaration("search"))
    package static let searchDescription = TextDeclaration("searchDescription")
    package static let settings: Section = ("settings", SitePath(fixed: "settings.html"), TextDeclaration("settings"))

    package static let numberedTitle = TextDeclaration("numberedTitle", filling: ["title", "number"])

    package static let incomplete = TextDeclaration(plural: "incomplete")
    package static let noValue = TextDeclaration("noValue")
    package static let valueTitle = TextDeclaration("valueTitle", filling: ["title", "value"])
    package static let more = TextDeclaration(plural: "andMore")
    package static let listDescription = TextDeclaration("listDescription", filling: ["count", "page"])

    package static let texts =
        [
            search.label, searchDescription, settings.label, incomplete, numberedTitle, Texts.digitGroups,
            Texts.dayInWords, noValue, valueTitle, listDescription, more, Paging.pageOf,
        ] + Texts.months + HistoryShapes.texts + HistoryPresenter.texts

    private static let section = Shape(
        "section",
        .init("label", .text, "the section's name"),
        .init("path", .text, "its first page, relative to the language's root"),
        .init("current", .flag, "whether the current page belongs to it"),
        .init("search", .flag, "whether it is the search"))
    private static let translation = Shape(
        "translation",
        .init("language", .text, "the language's code, such as ru"),
        .init("name", .text, "the language's own name"),
        .init("path", .text, "this page in that language, relative to the site's root"),
        .init("address", .text, "the same page for links in the head; absolute if a base URL is configured"),
        .init("current", .flag, "whether it is the language of this page"),
        .init("main", .flag, "whether it is the language at the site's root"))

    package static let fields: [Shape.Field] = [
        .init("title", .text, "the page's title"),
        .init("description", .text, "one sentence about the page"),
        .init("site", .text, "the site's name"),
        .init("root", .text, "the relative path to the site's root: empty, ../ and so on"),
        .init("home", .text, "the relative path to the root of the language's pages"),
        .init("language", .text, "the code of the page's language, such as en"),
        .init("served", .text, "the code of the language of the API's texts, such as en; empty if unknown"),
        .init("lang", .html, "language attributes for text from the API; empty if it has the page's language"),
        .init("sample", .flag, "whether the data is the invented sample"),
        .init("generator", .text, "Amber and its version"),
        .init("api", .text, "the address of the captured API"),
        .init("navigation", .list(.object(section)), "the site's sections"),
        .init("translated", .flag, "whether the site has several languages"),
        .init("translations", .list(.object(translation)), "the page in each language; empty if there is only one"),
        .init("feeds", .list(.text), "the feeds of records, relative to the language's root"),
        .init("canonical", .optional(.text), "the page's absolute address, if a base URL is configured"),
        .init("shareImage", .optional(.text), "the absolute address of a preview picture, if a base URL is configured"),
        .init("data", .html, "a description of the page as JSON-LD"),
    ]

    /// A page with the values of the frame and its own values.
    /// - Parameters:
    ///   - path: relative to the language's root.
    ///   - number: the number of the page in a list, from 0. The title of further pages contains it.
    ///   - type: the type of the page in JSON-LD, whose other members are in `jsonLD`.
    package func page(
        _ template: String, _ shape: Shape, _ path: SitePath, number: Int = 0, title: String, description: String,
        section: String, picture: SitePath? = nil, type: String = "WebPage", jsonLD: [JSON.Member] = [],
        in edition: Edition, _ own: Values...
    ) -> Page {
        let texts = edition.texts
        var title = title
        if number > 0 {
            title = texts.filled(Self.numberedTitle, ["title": title, "number": texts.grouped(number + 1)])
        }
        title = title.shortened
        let file = edition.path(path)
        let sections = navigation[edition.index]
        let lang = Array(" lang=\"\(language)\" xml:lang=\"\(language)\"".utf8)
        var data: [JSON.Member] =
            [("@context", .text("https://schema.org")), ("@type", .text(type)), ("name", .text(title))] + jsonLD
        if let address = context.address(of: file) { data.append(("url", .text(address))) }
        if let image = picture.flatMap({ context.address(of: $0) }) { data.append(("image", .text(image))) }
        let shared: Values = [
            "title": title, "description": description.shortened, "site": texts[self.title],
            "root": file.root, "home": path.root, "language": texts.language,
            "served": language, "lang": texts.language == language ? Value.null : .html(lang),
            "sample": context.isSample, "generator": context.generator, "api": context.api,
            "navigation": sections[section] ?? sections[""] ?? .list([]), "translated": context.editions.count > 1,
            "translations": translations(path, edition, root: file.root),
            "feeds": feeds.map { Value.text($0.text) }, "canonical": context.address(of: file),
            "shareImage": (picture ?? self.picture).flatMap { context.address(of: $0) },
            "data": Value.html(JSON.object(data).bytes),
        ]
        return (file, template, shape.object([shared] + own), edition.index)
    }

    private func translations(_ path: SitePath, _ edition: Edition, root: String) -> [Value] {
        guard context.editions.count > 1 else { return [] }
        return context.editions.map { other in
            let otherPath = other.path(path)
            return Self.translation([
                "language": other.texts.language, "name": other.texts.name, "path": otherPath,
                "address": context.address(of: otherPath) ?? root + otherPath.text,
                "current": other.index == edition.index, "main": other.index == 0,
            ])
        }
    }

    private static func navigation(_ sections: [Section], current: String, _ texts: Texts) -> Value {
        let links = sections.map { entry in
            section([
                "label": texts[entry.label], "path": entry.path, "current": entry.name == current,
                "search": entry.name == "search",
            ])
        }
        return .list(links)
    }
}
