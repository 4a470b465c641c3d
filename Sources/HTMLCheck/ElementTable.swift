/// The elements of the grammar. Content models and attributes follow the HTML Living Standard, section 4, as far as the
/// Nu checker of 2020 supports them. All other elements are refused.
enum ElementTable {
    static let all = page + sections + grouping + phrasing + tables + forms + svg

    /// Document, metadata, scripts (sections 4.1, 4.2, 4.12).
    private static let page: [Element] = [
        .init("html", is: .document, order: [.one(.head, "a head"), .one(.body, "a body")], required: ["lang"]),
        .init("head", is: .head, takes: .metadata),
        .init("title", is: [.metadata, .text, .named]),
        .init(
            "meta", is: [.metadata, .void],
            attributes: [
                "name property": .nonEmpty, "content": .any, "charset": .oneOf("utf-8"),
                "http-equiv": .oneOf("Content-Security-Policy"),
            ]),
        // Link types: section 4.6.7.
        .init(
            "link", is: [.metadata, .void],
            attributes: [
                "rel": .tokens(
                    """
                    alternate author canonical dns-prefetch help icon apple-touch-icon license manifest next \
                    preconnect prefetch prev search stylesheet
                    """),
                "href": .link, "type": .mediaType, "sizes": .iconSizes, "hreflang": .language, "media": .nonEmpty,
            ], required: ["rel", "href"]),
        .init(
            "script", is: [.metadata, .phrase, .text],
            attributes: ["src": .link, "type": .oneOf("application/ld+json"), "defer async": .flag]),
        .init("body", is: .body, takes: .flow),
    ]

    /// Sections and headings (section 4.3).
    private static let sections: [Element] = [
        .init("header footer", is: [.flow, .banner], takes: .flow, forbids: [.banner, .main]),
        .init("main", is: [.flow, .main], takes: .flow),
        .init("nav section article aside", is: [.flow, .sectioning], takes: .flow, forbids: .main),
        .init("h1 h2 h3 h4 h5 h6", is: [.flow, .heading, .named], takes: .phrasing),
    ]

    /// Grouping content (section 4.4) and details (4.11).
    private static let grouping: [Element] = [
        .init("p pre", is: .flow, takes: .phrasing),
        .init("hr", is: [.flow, .void]),
        .init("blockquote", is: .flow, takes: .flow, forbids: .main, attributes: ["cite": .url]),
        .init(
            "ol", is: .flow, takes: .listItem,
            attributes: ["start": .integer(-99_999...99_999), "reversed": .flag, "type": .oneOf("1 a A i I")]),
        .init("ul", is: .flow, takes: .listItem),
        .init("li", is: .listItem, takes: .flow, forbids: .main, attributes: ["value": .integer(-99_999...99_999)]),
        .init("dl", is: .flow, takes: [.term, .details, .group]),
        .init("dt", is: .term, takes: .flow, forbids: [.banner, .sectioning, .heading, .main]),
        .init("dd", is: .details, takes: .flow, forbids: .main),
        .init("figure", is: .flow, takes: [.flow, .figcaption], forbids: .main),
        .init("figcaption", is: .figcaption, takes: .flow),
        .init("div", is: [.flow, .group], takes: .flow),
        .init(
            "details", is: [.flow, .interactive], takes: .flow, forbids: .main,
            order: [.one(.summary, "a summary"), .any(.flow)], attributes: ["open": .flag]),
        .init("summary", is: [.summary, .named], takes: [.phrasing, .heading]),
        .init("dialog", is: .flow, takes: .flow, forbids: .main, attributes: ["open": .flag]),
    ]

    /// Text, edits, pictures (sections 4.5, 4.7, 4.8).
    private static let phrasing: [Element] = [
        .init(
            "a", is: [.phrase, .interactive, .named], takes: .transparent, forbids: .interactive,
            attributes: [
                "href": .link, "target": .oneOf("_blank _self _parent _top"), "type": .mediaType,
                "rel": .tokens(
                    """
                    alternate author bookmark external help license next nofollow noopener noreferrer prev search tag
                    """),
                "hreflang": .language, "download": .any,
            ], required: ["href"]),
        .init(
            "em strong small s cite abbr code var samp kbd sub sup i b u mark bdi span", is: .phrase,
            takes: .phrasing),
        .init("q", is: .phrase, takes: .phrasing, attributes: ["cite": .url]),
        .init("dfn", is: [.phrase, .definition], takes: .phrasing, forbids: .definition),
        .init("data", is: .phrase, takes: .phrasing, attributes: ["value": .any], required: ["value"]),
        .init("time", is: .phrase, takes: .phrasing, attributes: ["datetime": .dateTime], required: ["datetime"]),
        .init("bdo", is: .phrase, takes: .phrasing, required: ["dir"]),
        .init("br wbr", is: [.phrase, .void]),
        .init("ins del", is: .phrase, takes: .transparent, attributes: ["cite": .url, "datetime": .moment]),
        .init("picture", is: .phrase, order: [.any(.source), .one(.image, "an img")]),
        .init(
            "source", is: [.source, .void],
            attributes: ["srcset": .srcset, "sizes media": .nonEmpty, "type": .mediaType], required: ["srcset"]),
        .init(
            "img", is: [.phrase, .image, .void],
            attributes: [
                "src": .link, "alt": .any, "width height": .wholeNumber, "srcset": .srcset, "sizes": .nonEmpty,
                "loading": .oneOf("lazy eager"), "decoding": .oneOf("async sync auto"),
            ], required: ["src", "alt", "width", "height"]),
    ]

    /// Tables (section 4.9). A tbody is required, because HTML parsers add a missing one, but XML parsers do not.
    private static let tables: [Element] = [
        .init(
            "table", is: [.flow, .table],
            order: [.maybe(.caption), .any(.columns), .maybe(.headRows), .any(.bodyRows), .maybe(.footRows)]),
        .init("caption", is: [.caption, .named], takes: .flow, forbids: [.table, .main]),
        .init("colgroup", is: .columns, takes: .column),
        .init("col", is: [.column, .void], attributes: ["span": .integer(1...1_000)]),
        .init("thead", is: .headRows, takes: .row),
        .init("tbody", is: .bodyRows, takes: .row),
        .init("tfoot", is: .footRows, takes: .row),
        .init("tr", is: .row, takes: .cell),
        .init(
            "td", is: .cell, takes: .flow, forbids: .main,
            attributes: ["colspan": .integer(1...1_000), "rowspan": .integer(0...65_534), "headers": .idrefs]),
        .init(
            "th", is: .cell, takes: .flow, forbids: [.banner, .sectioning, .heading, .main],
            attributes: [
                "colspan": .integer(1...1_000), "rowspan": .integer(0...65_534), "headers": .idrefs, "abbr": .nonEmpty,
                "scope": .oneOf("row col rowgroup colgroup"),
            ]),
    ]
}
