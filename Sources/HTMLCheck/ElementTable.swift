/// The elements of the grammar; all others are refused. Content models and attributes follow the HTML Living Standard,
/// section 4, as far as the Nu checker of 2020 supports them. "!" follows the name of a required attribute.
enum ElementTable {
    static let all = page + sections + grouping + phrasing + tables + forms + svg

    /// Document, metadata, scripts (sections 4.1, 4.2, 4.12).
    private static let page: [Element] = [
        .init("html", [.document], order: [.one([.head], "a head"), .one([.body], "a body")]).having([
            "lang!": .ownLanguage
        ]),
        .init("head", [.head], content: [.metadata]),
        .init("title", [.metadata, .text, .named]),
        .init("meta", [.metadata, .void]).having([
            "name property": .nonEmpty, "content": .any, "charset": .oneOf("utf-8"),
            "http-equiv": .oneOf("Content-Security-Policy refresh"),
        ]),
        // Link types: section 4.6.7.
        .init("link", [.metadata, .void]).having([
            "rel!": .tokens(
                """
                alternate author canonical dns-prefetch help icon apple-touch-icon license manifest next \
                preconnect prefetch prev search stylesheet
                """),
            "href!": .link, "type": .mediaType, "sizes": .iconSizes, "hreflang": .language, "media": .nonEmpty,
        ]),
        .init("script", .phrase(.metadata, .text)).having([
            "src": .link, "type": .oneOf("application/ld+json"), "defer async": .flag,
        ]),
        .init("style", [.metadata, .text]),
        .init("body", [.body], content: [.flow]),
    ]

    /// Sections and headings (section 4.3).
    private static let sections: [Element] = [
        .init("header footer", [.flow, .banner], content: [.flow], without: [.banner, .main]),
        .init("main", [.flow, .main], content: [.flow]),
        .init("nav section article aside", [.flow, .sectioning], content: [.flow], without: [.main]),
        .init("h1 h2 h3 h4 h5 h6", [.flow, .heading, .named], content: [.phrasing]),
    ]

    /// Grouping content (section 4.4) and details (4.11).
    private static let grouping: [Element] = [
        .init("p pre", [.flow], content: [.phrasing]),
        .init("hr", [.flow, .void]),
        .init("blockquote", [.flow], content: [.flow], without: [.main]).having(["cite": .url]),
        .init("ol", [.flow], content: [.listItem]).having([
            "start": .integer(-99_999...99_999), "reversed": .flag, "type": .oneOf("1 a A i I"),
        ]),
        .init("ul", [.flow], content: [.listItem]),
        .init("li", [.listItem], content: [.flow], without: [.main]).having(["value": .integer(-99_999...99_999)]),
        .init("dl", [.flow], content: [.term, .details, .group]),
        .init("dt", [.term], content: [.flow], without: [.banner, .sectioning, .heading, .main]),
        .init("dd", [.details], content: [.flow], without: [.main]),
        // The caption is the first or the last child.
        .init(
            "figure", [.flow], without: [.main],
            order: [.maybe([.figcaption]), .any([.flow]), .maybe([.figcaption])]),
        .init("figcaption", [.figcaption], content: [.flow]),
        .init("div", [.flow, .group], content: [.flow]),
        .init(
            "details", [.flow, .interactive], content: [.flow], without: [.main],
            order: [.one([.summary], "a summary"), .any([.flow])]
        ).having(["open": .flag]),
        .init("summary", [.summary, .named], content: [.phrasing, .heading]),
        .init("dialog", [.flow], content: [.flow], without: [.main]).having(["open": .flag]),
    ]

    /// Text, edits, pictures (sections 4.5, 4.7, 4.8).
    private static let phrasing: [Element] = [
        .init("a", .phrase(.interactive, .named), content: [.transparent], without: [.interactive]).having([
            "href!": .link, "target": .oneOf("_blank _self _parent _top"), "type": .mediaType,
            "rel": .tokens(
                """
                alternate author bookmark external help license next nofollow noopener noreferrer prev search tag
                """),
            "hreflang": .language, "download": .any,
        ]),
        .init(
            "em strong small s cite abbr code var samp kbd sub sup i b u mark bdi span", .phrase(), content: [.phrasing]
        ),
        .init("q", .phrase(), content: [.phrasing]).having(["cite": .url]),
        .init("dfn", .phrase(.definition), content: [.phrasing], without: [.definition]),
        .init("data", .phrase(), content: [.phrasing]).having(["value!": .any]),
        .init("time", .phrase(), content: [.phrasing]).having(["datetime!": .dateTime]),
        .init("bdo", .phrase(), content: [.phrasing]).having(["dir!": .direction]),
        .init("br wbr", .phrase(.void)),
        .init("ins del", .phrase(), content: [.transparent]).having(["cite": .url, "datetime": .moment]),
        .init("picture", .phrase(), order: [.any([.source]), .one([.image], "an img")]),
        .init("source", [.source, .void]).having(["srcset!": .srcset, "sizes media": .nonEmpty, "type": .mediaType]),
        .init("img", .phrase(.image, .void)).having([
            "src!": .link, "alt!": .any, "width! height!": .wholeNumber, "srcset": .srcset, "sizes": .nonEmpty,
            "loading": .oneOf("lazy eager"), "decoding": .oneOf("async sync auto"),
        ]),
        .init("audio", .phrase(.interactive)).having([
            "src!": .link, "controls!": .flag, "preload": .oneOf("none metadata"),
        ]),
    ]

    /// Tables (section 4.9). Rows require a tbody, because HTML parsers add a missing tbody, but XML parsers do not.
    private static let tables: [Element] = [
        .init(
            "table", [.flow, .table],
            order: [.maybe([.caption]), .any([.columns]), .maybe([.headRows]), .any([.bodyRows]), .maybe([.footRows])]),
        .init("caption", [.caption, .named], content: [.flow], without: [.table, .main]),
        .init("colgroup", [.columns], content: [.column]),
        .init("col", [.column, .void]).having(["span": .integer(1...1_000)]),
        .init("thead", [.headRows], content: [.row]),
        .init("tbody", [.bodyRows], content: [.row]),
        .init("tfoot", [.footRows], content: [.row]),
        .init("tr", [.row], content: [.cell]),
        .init("td", [.cell], content: [.flow], without: [.main]).having([
            "colspan": .integer(1...1_000), "rowspan": .integer(0...65_534), "headers": .idrefs,
        ]),
        .init("th", [.cell], content: [.flow], without: [.banner, .sectioning, .heading, .main]).having([
            "colspan": .integer(1...1_000), "rowspan": .integer(0...65_534), "headers": .idrefs, "abbr": .nonEmpty,
            "scope": .oneOf("row col rowgroup colgroup"),
        ]),
    ]
}
