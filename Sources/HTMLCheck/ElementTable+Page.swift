/// The elements of the grammar, one a line. Content models and attributes follow the HTML Living Standard, section 4,
/// narrowed to what the Nu checker of 2020 knows too; what is not listed is refused.
enum ElementTable {
    static let all = page + sections + grouping + phrasing + tables + forms + svg

    /// Document, metadata, scripts (sections 4.1, 4.2, 4.12).
    static let page: [ElementRule] = [
        .init(
            "html", is: .document, order: [.one(.head, "a head"), .one(.body, "a body")], check: .html,
            required: ["lang"]),
        .init("head", is: .head, takes: .metadata, check: .head),
        .init("title", is: .metadata, [.text, .named], check: .title),
        .init(
            "meta", is: .metadata, .void, check: .meta,
            attributes: [
                "name": .nonEmpty, "content": .any, "property": .nonEmpty, "charset": .oneOf(["utf-8"]),
                "http-equiv": .oneOf(["Content-Security-Policy"]),
            ]),
        .init(
            "link", is: .metadata, .void, check: .link,
            attributes: [
                "rel": .tokens(linkTypes), "href": .link, "type": .mediaType, "sizes": .iconSizes,
                "hreflang": .language,
                "media": .nonEmpty,
            ], required: ["rel", "href"]),
        .init(
            "script", is: [.metadata, .phrase], .text, check: .script,
            attributes: ["src": .link, "type": .oneOf(["application/ld+json"]), "defer": .flag, "async": .flag]),
        .init("body", is: .body, takes: .flow, check: .body),
    ]

    /// Sections and headings (section 4.3).
    static let sections: [ElementRule] = [
        .init("header", is: [.flow, .banner], takes: .flow, forbids: [.banner, .main]),
        .init("footer", is: [.flow, .banner], takes: .flow, forbids: [.banner, .main]),
        .init("main", is: [.flow, .main], takes: .flow, check: .main),
        .init("nav", is: [.flow, .sectioning], takes: .flow, forbids: .main, check: .nav),
        .init("section", is: [.flow, .sectioning], takes: .flow, forbids: .main),
        .init("article", is: [.flow, .sectioning], takes: .flow, forbids: .main),
        .init("aside", is: [.flow, .sectioning], takes: .flow, forbids: .main),
        .init("h1", is: [.flow, .heading], takes: .phrasing, .named, check: .heading),
        .init("h2", is: [.flow, .heading], takes: .phrasing, .named, check: .heading),
        .init("h3", is: [.flow, .heading], takes: .phrasing, .named, check: .heading),
        .init("h4", is: [.flow, .heading], takes: .phrasing, .named, check: .heading),
        .init("h5", is: [.flow, .heading], takes: .phrasing, .named, check: .heading),
        .init("h6", is: [.flow, .heading], takes: .phrasing, .named, check: .heading),
    ]

    /// Grouping content (section 4.4) and details (4.11).
    static let grouping: [ElementRule] = [
        .init("p", is: .flow, takes: .phrasing),
        .init("hr", is: .flow, .void),
        .init("pre", is: .flow, takes: .phrasing),
        .init("blockquote", is: .flow, takes: .flow, forbids: .main, attributes: ["cite": .url]),
        .init(
            "ol", is: .flow, takes: .listItem,
            attributes: [
                "start": .integer(-99_999...99_999), "reversed": .flag, "type": .oneOf(["1", "a", "A", "i", "I"]),
            ]),
        .init("ul", is: .flow, takes: .listItem),
        .init(
            "li", is: .listItem, takes: .flow, forbids: .main, check: .listItem,
            attributes: ["value": .integer(-99_999...99_999)]),
        .init("dl", is: .flow, takes: [.term, .details, .group], check: .list),
        .init("dt", is: .term, takes: .flow, forbids: [.banner, .sectioning, .heading, .main], check: .term),
        .init("dd", is: .details, takes: .flow, forbids: .main, check: .details),
        .init("figure", is: .flow, takes: [.flow, .figcaption], forbids: .main, check: .figure),
        .init("figcaption", is: .figcaption, takes: .flow, check: .figcaption),
        .init("div", is: [.flow, .group], takes: .flow, check: .division),
        .init(
            "details", is: [.flow, .interactive], takes: .flow, forbids: .main,
            order: [.one(.summary, "a summary"), .any(.flow)],
            attributes: ["open": .flag]),
        .init("summary", is: .summary, takes: [.phrasing, .heading], .named),
        .init("dialog", is: .flow, takes: .flow, forbids: .main, attributes: ["open": .flag]),
    ]

    /// Text, edits, pictures (sections 4.5, 4.7, 4.8).
    static let phrasing: [ElementRule] = [
        .init(
            "a", is: [.phrase, .interactive], takes: .transparent, forbids: .interactive, .named, check: .anchor,
            attributes: [
                "href": .link, "rel": .tokens(anchorTypes), "target": .oneOf(["_blank", "_self", "_parent", "_top"]),
                "type": .mediaType,
                "hreflang": .language, "download": .any,
            ], required: ["href"]),
        .init("em", is: .phrase, takes: .phrasing),
        .init("strong", is: .phrase, takes: .phrasing),
        .init("small", is: .phrase, takes: .phrasing),
        .init("s", is: .phrase, takes: .phrasing),
        .init("cite", is: .phrase, takes: .phrasing),
        .init("q", is: .phrase, takes: .phrasing, attributes: ["cite": .url]),
        .init("dfn", is: [.phrase, .definition], takes: .phrasing, forbids: .definition),
        .init("abbr", is: .phrase, takes: .phrasing),
        .init("data", is: .phrase, takes: .phrasing, attributes: ["value": .any], required: ["value"]),
        .init("time", is: .phrase, takes: .phrasing, attributes: ["datetime": .dateTime], required: ["datetime"]),
        .init("code", is: .phrase, takes: .phrasing),
        .init("var", is: .phrase, takes: .phrasing),
        .init("samp", is: .phrase, takes: .phrasing),
        .init("kbd", is: .phrase, takes: .phrasing),
        .init("sub", is: .phrase, takes: .phrasing),
        .init("sup", is: .phrase, takes: .phrasing),
        .init("i", is: .phrase, takes: .phrasing),
        .init("b", is: .phrase, takes: .phrasing),
        .init("u", is: .phrase, takes: .phrasing),
        .init("mark", is: .phrase, takes: .phrasing),
        .init("bdi", is: .phrase, takes: .phrasing),
        .init("bdo", is: .phrase, takes: .phrasing, required: ["dir"]),
        .init("span", is: .phrase, takes: .phrasing),
        .init("br", is: .phrase, .void),
        .init("wbr", is: .phrase, .void),
        .init("ins", is: .phrase, takes: .transparent, attributes: ["cite": .url, "datetime": .moment]),
        .init("del", is: .phrase, takes: .transparent, attributes: ["cite": .url, "datetime": .moment]),
        .init("picture", is: .phrase, order: [.any(.source), .one(.image, "an img")]),
        .init(
            "source", is: .source, .void, check: .source,
            attributes: ["srcset": .srcset, "sizes": .nonEmpty, "media": .nonEmpty, "type": .mediaType],
            required: ["srcset"]),
        .init(
            "img", is: [.phrase, .image], .void, check: .image,
            attributes: [
                "src": .link, "alt": .any, "width": .wholeNumber, "height": .wholeNumber, "srcset": .srcset,
                "sizes": .nonEmpty,
                "loading": .oneOf(["lazy", "eager"]), "decoding": .oneOf(["async", "sync", "auto"]),
            ], required: ["src", "alt", "width", "height"]),
    ]

    /// Tables (section 4.9). A tbody is required: HTML would put one in, XML would not.
    static let tables: [ElementRule] = [
        .init(
            "table", is: [.flow, .table],
            order: [
                .maybe(.caption, "a caption"), .any(.columns), .maybe(.headRows, "a thead"), .any(.bodyRows),
                .maybe(.footRows, "a tfoot"),
            ]),
        .init("caption", is: .caption, takes: .flow, forbids: [.table, .main], .named),
        .init("colgroup", is: .columns, takes: .column),
        .init("col", is: .column, .void, attributes: ["span": .integer(1...1_000)]),
        .init("thead", is: .headRows, takes: .row),
        .init("tbody", is: .bodyRows, takes: .row),
        .init("tfoot", is: .footRows, takes: .row),
        .init("tr", is: .row, takes: .cell, check: .row),
        .init(
            "td", is: .cell, takes: .flow, forbids: .main,
            attributes: ["colspan": .integer(1...1_000), "rowspan": .integer(0...65_534), "headers": .idrefs]),
        .init(
            "th", is: .cell, takes: .flow, forbids: [.banner, .sectioning, .heading, .main],
            attributes: [
                "colspan": .integer(1...1_000), "rowspan": .integer(0...65_534), "headers": .idrefs, "abbr": .nonEmpty,
                "scope": .oneOf(["row", "col", "rowgroup", "colgroup"]),
            ]),
    ]

    /// Link types of link elements (section 4.6.7).
    private static let linkTypes = [
        "alternate", "author", "canonical", "dns-prefetch", "help", "icon", "apple-touch-icon", "license", "manifest",
        "next", "preconnect",
        "prefetch", "prev", "search", "stylesheet",
    ]

    /// Link types of a elements (section 4.6.7).
    private static let anchorTypes = [
        "alternate", "author", "bookmark", "external", "help", "license", "next", "nofollow", "noopener", "noreferrer",
        "prev", "search",
        "tag",
    ]
}
