/// The elements of the grammar. Content models and attributes follow the HTML Living Standard, section 4, as far as the
/// Nu checker of 2020 supports them. All other elements are refused. An exclamation mark follows the name of a required
/// attribute.
enum ElementTable {
    static let all = page + sections + grouping + phrasing + tables + forms + svg

    /// Document, metadata, scripts (sections 4.1, 4.2, 4.12).
    private static let page: [Element] = [
        .init(
            "html", is: .document, order: [.one(.head, "a head"), .one(.body, "a body")],
            attributes: ["lang!": .ownLanguage]),
        .init("head", is: .head, allowedChildren: .metadata),
        .init("title", is: [.metadata, .text, .named]),
        .init(
            "meta", is: [.metadata, .void],
            attributes: [
                "name property": .nonEmpty, "content": .any, "charset": .oneOf("utf-8"),
                "http-equiv": .oneOf("Content-Security-Policy refresh"),
            ]),
        // Link types: section 4.6.7.
        .init(
            "link", is: [.metadata, .void],
            attributes: [
                "rel!": .tokens(
                    """
                    alternate author canonical dns-prefetch help icon apple-touch-icon license manifest next \
                    preconnect prefetch prev search stylesheet
                    """),
                "href!": .link, "type": .mediaType, "sizes": .iconSizes, "hreflang": .language, "media": .nonEmpty,
            ]),
        .init(
            "script", is: [.metadata, .phrase, .text],
            attributes: ["src": .link, "type": .oneOf("application/ld+json"), "defer async": .flag]),
        .init("style", is: [.metadata, .text]),
        .init("body", is: .body, allowedChildren: .flow),
    ]

    /// Sections and headings (section 4.3).
    private static let sections: [Element] = [
        .init("header footer", is: [.flow, .banner], allowedChildren: .flow, forbiddenDescendants: [.banner, .main]),
        .init("main", is: [.flow, .main], allowedChildren: .flow),
        .init(
            "nav section article aside", is: [.flow, .sectioning], allowedChildren: .flow, forbiddenDescendants: .main),
        .init("h1 h2 h3 h4 h5 h6", is: [.flow, .heading, .named], allowedChildren: .phrasing),
    ]

    /// Grouping content (section 4.4) and details (4.11).
    private static let grouping: [Element] = [
        .init("p pre", is: .flow, allowedChildren: .phrasing),
        .init("hr", is: [.flow, .void]),
        .init("blockquote", is: .flow, allowedChildren: .flow, forbiddenDescendants: .main, attributes: ["cite": .url]),
        .init(
            "ol", is: .flow, allowedChildren: .listItem,
            attributes: ["start": .integer(-99_999...99_999), "reversed": .flag, "type": .oneOf("1 a A i I")]),
        .init("ul", is: .flow, allowedChildren: .listItem),
        .init(
            "li", is: .listItem, allowedChildren: .flow, forbiddenDescendants: .main,
            attributes: ["value": .integer(-99_999...99_999)]),
        .init("dl", is: .flow, allowedChildren: [.term, .details, .group]),
        .init("dt", is: .term, allowedChildren: .flow, forbiddenDescendants: [.banner, .sectioning, .heading, .main]),
        .init("dd", is: .details, allowedChildren: .flow, forbiddenDescendants: .main),
        .init("figure", is: .flow, allowedChildren: [.flow, .figcaption], forbiddenDescendants: .main),
        .init("figcaption", is: .figcaption, allowedChildren: .flow),
        .init("div", is: [.flow, .group], allowedChildren: .flow),
        .init(
            "details", is: [.flow, .interactive], allowedChildren: .flow, forbiddenDescendants: .main,
            order: [.one(.summary, "a summary"), .any(.flow)], attributes: ["open": .flag]),
        .init("summary", is: [.summary, .named], allowedChildren: [.phrasing, .heading]),
        .init("dialog", is: .flow, allowedChildren: .flow, forbiddenDescendants: .main, attributes: ["open": .flag]),
    ]

    /// Text, edits, pictures (sections 4.5, 4.7, 4.8).
    private static let phrasing: [Element] = [
        .init(
            "a", is: [.phrase, .interactive, .named], allowedChildren: .transparent, forbiddenDescendants: .interactive,
            attributes: [
                "href!": .link, "target": .oneOf("_blank _self _parent _top"), "type": .mediaType,
                "rel": .tokens(
                    """
                    alternate author bookmark external help license next nofollow noopener noreferrer prev search tag
                    """),
                "hreflang": .language, "download": .any,
            ]),
        .init(
            "em strong small s cite abbr code var samp kbd sub sup i b u mark bdi span", is: .phrase,
            allowedChildren: .phrasing),
        .init("q", is: .phrase, allowedChildren: .phrasing, attributes: ["cite": .url]),
        .init("dfn", is: [.phrase, .definition], allowedChildren: .phrasing, forbiddenDescendants: .definition),
        .init("data", is: .phrase, allowedChildren: .phrasing, attributes: ["value!": .any]),
        .init("time", is: .phrase, allowedChildren: .phrasing, attributes: ["datetime!": .dateTime]),
        .init("bdo", is: .phrase, allowedChildren: .phrasing, attributes: ["dir!": .direction]),
        .init("br wbr", is: [.phrase, .void]),
        .init("ins del", is: .phrase, allowedChildren: .transparent, attributes: ["cite": .url, "datetime": .moment]),
        .init("picture", is: .phrase, order: [.any(.source), .one(.image, "an img")]),
        .init(
            "source", is: [.source, .void],
            attributes: ["srcset!": .srcset, "sizes media": .nonEmpty, "type": .mediaType]),
        .init(
            "img", is: [.phrase, .image, .void],
            attributes: [
                "src!": .link, "alt!": .any, "width! height!": .wholeNumber, "srcset": .srcset, "sizes": .nonEmpty,
                "loading": .oneOf("lazy eager"), "decoding": .oneOf("async sync auto"),
            ]),
    ]

    /// Tables (section 4.9). Rows require a tbody, because HTML parsers add a missing tbody, but XML parsers do not.
    private static let tables: [Element] = [
        .init(
            "table", is: [.flow, .table],
            order: [.maybe(.caption), .any(.columns), .maybe(.headRows), .any(.bodyRows), .maybe(.footRows)]),
        .init("caption", is: [.caption, .named], allowedChildren: .flow, forbiddenDescendants: [.table, .main]),
        .init("colgroup", is: .columns, allowedChildren: .column),
        .init("col", is: [.column, .void], attributes: ["span": .integer(1...1_000)]),
        .init("thead", is: .headRows, allowedChildren: .row),
        .init("tbody", is: .bodyRows, allowedChildren: .row),
        .init("tfoot", is: .footRows, allowedChildren: .row),
        .init("tr", is: .row, allowedChildren: .cell),
        .init(
            "td", is: .cell, allowedChildren: .flow, forbiddenDescendants: .main,
            attributes: ["colspan": .integer(1...1_000), "rowspan": .integer(0...65_534), "headers": .idrefs]),
        .init(
            "th", is: .cell, allowedChildren: .flow, forbiddenDescendants: [.banner, .sectioning, .heading, .main],
            attributes: [
                "colspan": .integer(1...1_000), "rowspan": .integer(0...65_534), "headers": .idrefs, "abbr": .nonEmpty,
                "scope": .oneOf("row col rowgroup colgroup"),
            ]),
    ]
}
