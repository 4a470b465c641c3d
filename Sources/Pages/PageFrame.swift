import Archive
package import Catalogue
package import Mustache

/// The values of one page that its frame shows.
package struct PageHead: Sendable {
    package let path: SitePath
    package let title: String
    package let description: String
    package let section: String
    package let picture: SitePath?
    package let type: String
    package let jsonLD: [(key: String, value: JSON)]

    package init(
        _ path: SitePath, title: String, description: String, section: String, picture: SitePath? = nil,
        type: String = "WebPage", jsonLD: [(key: String, value: JSON)] = []
    ) {
        self.path = path
        self.title = title.shortened
        self.description = description.shortened
        self.section = section
        self.picture = picture
        self.type = type
        self.jsonLD = jsonLD
    }
}

/// Provides the values that all pages of a site share. The layout template uses them.
package struct PageFrame: Sendable {
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

    func values(_ head: PageHead, in edition: Edition) -> Values {
        let path = edition.path(head.path)
        let home = head.path.root
        let sections = navigation[edition.index]
        let lang = Array(" lang=\"\(language)\" xml:lang=\"\(language)\"".utf8)
        return [
            "title": head.title, "description": head.description, "site": edition.texts[title],
            "root": path.root, "home": home, "language": edition.texts.language,
            "served": language, "lang": edition.texts.language == language ? Value.null : .html(lang),
            "sample": context.isSample, "generator": context.generator, "api": context.api,
            "navigation": sections[head.section] ?? sections[""] ?? .list([]), "translated": context.editions.count > 1,
            "translations": translations(head.path, edition, root: path.root),
            "feeds": feeds.map { Value.text($0.text) }, "canonical": context.address(of: path),
            "shareImage": (head.picture ?? picture).flatMap { context.address(of: $0) },
            "data": Value.html(data(head, path, edition)),
        ]
    }

    private func data(_ head: PageHead, _ path: SitePath, _ edition: Edition) -> [UInt8] {
        var members: [(key: String, value: JSON)] = [
            ("@context", .text("https://schema.org")), ("@type", .text(head.type)), ("name", .text(head.title)),
        ]
        members += head.jsonLD
        if let address = context.address(of: path) { members.append(("url", .text(address))) }
        if let image = head.picture.flatMap({ context.address(of: $0) }) { members.append(("image", .text(image))) }
        return JSON.object(members).bytes
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
