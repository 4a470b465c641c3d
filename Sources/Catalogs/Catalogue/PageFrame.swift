import Archive
package import Mustache

/// What one page says of itself to the frame around it.
public struct PageHead: Sendable {
    /// Where it stands in each edition.
    package let path: SitePath
    /// Its title.
    package let title: String
    /// One sentence about it.
    package let description: String
    /// The section that it belongs to.
    package let section: String
    /// Its own picture.
    package let picture: SitePath?
    /// What it is about, as a type of https://schema.org.
    package let type: String
    /// What else machines are told of it, as that type's properties.
    package let data: [(key: String, value: JSON)]

    /// A page's head; title and description are shortened.
    package init(
        _ path: SitePath, title: String, description: String, section: String, picture: SitePath? = nil,
        type: String = "WebPage",
        data: [(key: String, value: JSON)] = []
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
    /// What the site is made from and for.
    package let context: SiteContext
    /// What the catalogue says of it.
    package let outline: SiteOutline
    /// The navigation by edition and section.
    private let navigation: [[String: Value]]
    /// `lang` attributes for served text, by edition.
    private let servedLanguage: [Value]

    /// A frame for the pages of one build.
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
    /// The section of every site that searches it.
    package static let search = SiteOutline.Section("search", at: SitePath(fixed: "search.html"), TextNeed("search"))

    /// The section of every site where the reader chooses how it is shown.
    package static let settings = SiteOutline.Section(
        "settings", at: SitePath(fixed: "settings.html"), TextNeed("settings"))

    private static let sharedSections = [search, settings]

    /// The title of a page behind the first.
    package static let numberedTitle = TextNeed("numberedTitle", filling: ["title", "number"])

    /// Says how many gaps the capture has.
    package static let incomplete = TextNeed(plural: "incomplete")

    /// The texts that the frame asks for.
    package static let texts =
        sharedSections.map(\.label) + [incomplete, numberedTitle, Facets.noValue, Paging.pageOf] + Provenance.texts
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

    /// What every page has; the layout uses these.
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

    /// The values for `fields`.
    package func values(_ head: PageHead, in edition: Edition) -> KeyValuePairs<String, Value> {
        let path = edition.path(head.path)
        let home = head.path.root
        let sections = navigation[edition.index]
        return [
            "title": .text(head.title), "description": .text(head.description),
            "site": .text(edition.texts[outline.title]),
            "root": .text(path.root), "home": .text(home), "language": .text(edition.texts.language),
            "served": .text(outline.language), "lang": servedLanguage[edition.index],
            "sample": .flag(context.isSample), "generator": .text(context.generator), "api": .text(context.api),
            "navigation": sections[head.section] ?? sections[""] ?? .list([]),
            "translated": .flag(context.editions.count > 1),
            "translations": translations(head.path, edition, root: path.root),
            "canonical": context.address(of: path).map { .text($0) } ?? .null,
            "shareImage": (head.picture ?? outline.picture).flatMap { context.address(of: $0) }.map { .text($0) }
                ?? .null,
            "data": .html(data(head, path, edition)),
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

    private func translations(_ path: SitePath, _ edition: Edition, root: String) -> Value {
        guard context.editions.count > 1 else { return .list([]) }
        return .list(
            context.editions.map { other in
                let there = other.path(path)
                return .object(
                    Object(
                        Self.translation,
                        [
                            .text(other.texts.language), .text(other.texts.name), .text(there.text),
                            .text(context.address(of: there) ?? root + there.text), .flag(other.index == edition.index),
                        ]))
            })
    }

    private static func navigation(_ sections: [SiteOutline.Section], current: String, _ texts: Texts) -> Value {
        .list(
            sections.map { entry in
                .object(
                    Object(
                        section,
                        [
                            .text(texts[entry.label]), .text(entry.path.text), .flag(entry.name == current),
                            .flag(entry.name == "search"),
                        ]))
            })
    }
}
