import Archive
package import Mustache

/// What one page says of itself to the frame around it.
public struct PageHead: Sendable {
    package let path: SitePath
    package let title: String
    package let description: String
    package let section: String
    package let picture: SitePath?
    package let type: String
    package let data: [(key: String, value: JSON)]

    package init(
        _ path: SitePath, title: String, description: String, section: String, picture: SitePath? = nil,
        type: String = "WebPage", data: [(key: String, value: JSON)] = []
    ) {
        self.path = path
        self.title = title.shortened
        self.description = description.shortened
        self.section = section
        self.picture = picture
        self.type = type
        self.data = data
    }
}

/// Makes what all pages of a site have in common: the names that the layout uses.
public struct PageFrame: Sendable {
    package let context: SiteContext
    package let outline: SiteOutline
    private let navigation: [[String: Value]]
    /// `lang` attributes for served text, by edition.
    private let servedLanguage: [Value]

    package init(_ context: SiteContext, _ outline: SiteOutline) {
        self.context = context
        self.outline = outline
        let sections = outline.sections + Self.sharedSections
        navigation = context.editions.map { edition in
            Dictionary(
                sections.map { ($0.name, Self.navigation(sections, current: $0.name, edition.texts)) } + [
                    ("", Self.navigation(sections, current: "", edition.texts))
                ], uniquingKeysWith: { first, _ in first })
        }
        servedLanguage = context.editions.map { edition in
            let code = outline.language
            return edition.texts.language == code ? .null : .html(Array(" lang=\"\(code)\" xml:lang=\"\(code)\"".utf8))
        }
    }
}

extension PageFrame {
    package static let search = SiteOutline.Section("search", at: SitePath(fixed: "search.html"), TextNeed("search"))

    package static let settings = SiteOutline.Section(
        "settings", at: SitePath(fixed: "settings.html"), TextNeed("settings"))

    private static let sharedSections = [search, settings]

    package static let numberedTitle = TextNeed("numberedTitle", filling: ["title", "number"])

    package static let incomplete = TextNeed(plural: "incomplete")

    package static let texts =
        sharedSections.map(\.label) + [
            incomplete, numberedTitle, Facets.noValue, Facets.valueTitle, Facets.listDescription, Paging.pageOf,
        ] + Provenance.texts
        + HistoryTeller.texts

    private static let section = Shape(
        "section",
        [
            .init("label", .text, "what the section is called"),
            .init("path", .text, "its first page, relative to the edition's root"),
            .init("current", .flag, "whether the page shown belongs to it"),
            .init("search", .flag, "whether it is the search"),
        ])
    private static let translation = Shape(
        "translation",
        [
            .init("language", .text, "the language's code, as ru"),
            .init("name", .text, "what the language calls itself"),
            .init("path", .text, "this page in that language, relative to the site's root"),
            .init("address", .text, "the same as links in the head have it: with the base URL where there is one"),
            .init("current", .flag, "whether it is the language shown"),
        ])

    package static let fields: [Shape.Field] = [
        .init("title", .text, "the page's title"),
        .init("description", .text, "one sentence about the page"),
        .init("site", .text, "what the site as a whole is called"),
        .init("root", .text, "leads from the page to the site's root: empty, ../ and so on"),
        .init("home", .text, "leads from the page to the root of its language's pages"),
        .init("language", .text, "the page's language: en"),
        .init("served", .text, "the language of text as served: en; empty where it is not known"),
        .init("lang", .html, "attributes for text as served, where its language is not the page's"),
        .init("sample", .flag, "whether the data is the invented universe"),
        .init("generator", .text, "Amber and its version"),
        .init("api", .text, "the API's address that was captured"),
        .init("navigation", .list(.object(section)), "the site's sections"),
        .init("translated", .flag, "whether there are several languages"),
        .init("translations", .list(.object(translation)), "the page in each language; empty where there is one only"),
        .init("canonical", .optional(.text), "the page's absolute address, where a base URL is configured"),
        .init("shareImage", .optional(.text), "the absolute address of a picture, where a base URL is configured"),
        .init("data", .html, "what the page is about, as JSON-LD"),
    ]

    package func values(_ head: PageHead, in edition: Edition) -> KeyValuePairs<String, any TemplateValue> {
        let path = edition.path(head.path)
        let home = head.path.root
        let sections = navigation[edition.index]
        return [
            "title": head.title, "description": head.description, "site": edition.texts[outline.title],
            "root": path.root, "home": home, "language": edition.texts.language,
            "served": outline.language, "lang": servedLanguage[edition.index],
            "sample": context.isSample, "generator": context.generator, "api": context.api,
            "navigation": sections[head.section] ?? sections[""] ?? .list([]),
            "translated": context.editions.count > 1,
            "translations": translations(head.path, edition, root: path.root), "canonical": context.address(of: path),
            "shareImage": (head.picture ?? outline.picture).flatMap { context.address(of: $0) },
            "data": Value.html(data(head, path, edition)),
        ]
    }

    private func data(_ head: PageHead, _ path: SitePath, _ edition: Edition) -> [UInt8] {
        var members: [(key: String, value: JSON)] = [
            ("@context", .text("https://schema.org")), ("@type", .text(head.type)), ("name", .text(head.title)),
        ]
        members += head.data
        if let address = context.address(of: path) { members.append(("url", .text(address))) }
        if let image = head.picture.flatMap({ context.address(of: $0) }) { members.append(("image", .text(image))) }
        return JSON.object(members).bytes
    }

    private func translations(_ path: SitePath, _ edition: Edition, root: String) -> [Value] {
        guard context.editions.count > 1 else { return [] }
        return context.editions.map { other in
            let there = other.path(path)
            return Self.translation([
                "language": other.texts.language, "name": other.texts.name, "path": there,
                "address": context.address(of: there) ?? root + there.text, "current": other.index == edition.index,
            ])
        }
    }

    private static func navigation(_ sections: [SiteOutline.Section], current: String, _ texts: Texts) -> Value {
        .list(
            sections.map { entry in
                section([
                    "label": texts[entry.label], "path": entry.path, "current": entry.name == current,
                    "search": entry.name == "search",
                ])
            })
    }
}

/// What the pages that every site has need to know of a catalogue's site: its name, its sections, what it counts.
public struct SiteOutline: Sendable {
    /// A part of the site that every page's navigation leads to.
    public struct Section: Sendable {
        package let name: String
        package let path: SitePath
        package let label: TextNeed

        package init(_ name: String, at path: SitePath, _ label: TextNeed) {
            self.name = name
            self.path = path
            self.label = label
        }
    }

    package let title: TextNeed
    /// The language of served names and texts: "en".
    package let language: String
    package let sections: [Section]
    /// Plural texts, as "{count} characters", with how many there are.
    package let counts: [(label: TextNeed, count: Int)]
    /// The picture that stands for pages without one of their own where they are shared.
    package let picture: SitePath?
    package let searchLabel: TextNeed
    package let searchDescription: TextNeed
    /// What a capture without gaps is: as much as the API lets anyone prove.
    package let complete: TextNeed

    /// An outline with its parts.
    /// - Parameter language: empty where served texts are in any language.
    package init(
        title: TextNeed, language: String, sections: [Section], counts: [(label: TextNeed, count: Int)],
        picture: SitePath?,
        searchLabel: TextNeed, searchDescription: TextNeed, complete: TextNeed = TextNeed("complete")
    ) {
        self.title = title
        self.language = language
        self.sections = sections
        self.counts = counts
        self.picture = picture
        self.searchLabel = searchLabel
        self.searchDescription = searchDescription
        self.complete = complete
    }
}
