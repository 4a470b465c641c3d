/// What an element of foreign HTML is to the sanitizer.
enum MarkupRole: Equatable {
    /// The formatting that is kept.
    enum Format: String, CaseIterable {
        case b, i, em, strong
    }

    case format(Format)
    case lineBreak
    case list(isOrdered: Bool)
    case item
    /// A paragraph, or another element whose text stands apart from what is around it.
    case block
    /// It goes with all that is in it.
    case dropped(isForeign: Bool)
    /// Its tags go, its text stays where it is.
    case other

    /// - Parameter name: in lower case.
    init(of name: String) { self = Self.roles[name] ?? .other }

    /// Elements whose content is text up to their end tag (HTML standard, 13.2.6.4.4 and 13.2.6.4.7): none of it is for
    /// reading.
    static let rawText: Set = [
        "script", "style", "title", "textarea", "iframe", "noscript", "noembed", "noframes", "xmp",
    ]

    /// The longest of the names that matter.
    static let longestName = 10

    private static let roles: [String: MarkupRole] = {
        var roles: [String: MarkupRole] = [
            "br": .lineBreak, "li": .item, "ol": .list(isOrdered: true),
            "svg": .dropped(isForeign: true), "math": .dropped(isForeign: true),
        ]
        for format in Format.allCases { roles[format.rawValue] = .format(format) }
        // All three are shown alike (HTML standard, 15.3.8).
        for name in ["ul", "menu", "dir"] { roles[name] = .list(isOrdered: false) }
        for name in ["template", "object", "select"] { roles[name] = .dropped(isForeign: false) }
        // What browsers show as blocks (HTML standard, 15.3.3 and on), and the cells of tables.
        let blocks = [
            "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "div",
            "dl", "dt",
            "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header",
            "hgroup", "hr", "html",
            "legend", "listing", "main", "nav", "optgroup", "option", "p", "pre", "search", "section", "summary",
            "table", "tbody", "td",
            "tfoot", "th", "thead", "tr",
        ]
        for name in blocks { roles[name] = .block }
        return roles
    }()
}
