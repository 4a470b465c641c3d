/// Turns HTML of unknown origin into what a page may hold: a few elements without attributes, around plain text.
///
/// Nothing is passed on: the text is read as a browser reads it, and written again. What is written is well-formed XML
/// and valid HTML within a `<div>`, of `p`, `br`, `b`, `i`, `em`, `strong`, `ul`, `ol` and `li` alone, and reads back as
/// itself.
///
/// - Text outside of a block becomes a paragraph; a paragraph in an item of a list becomes lines of it. Text directly
///   in a list becomes an item, an item outside of a list gets one. Lists deeper than 8 are flattened.
/// - Formatting that spans blocks is written in each. Empty elements are left out.
/// - A `br` is written between texts only, two at most; other white space but U+00A0 is one space.
/// - Of other elements the text stays, in a paragraph of its own where they are blocks. Scripts, styles, forms'
///   choices, drawings and the like go with their content, and so do comments.
/// - Characters that HTML or XML forbids become U+FFFD; those that change the direction of the text around them are
///   left out.
///
/// Time and output grow with the input alone, however it is nested: what is open is four kinds of formatting and eight
/// lists.
public struct HTMLSanitizer {
    /// The text as blocks.
    ///
    /// - Parameter html: any text. The caller limits its length: each character can become 13 bytes.
    /// - Returns: UTF-8, for an element that holds flow content; empty where there is nothing to show.
    public static func blocks(_ html: String) -> [UInt8] {
        var reader = MarkupReader(html)
        var writer = BlockWriter()
        var dropped: (name: String, depth: Int)?
        while let token = reader.next() {
            if let (name, depth) = dropped {
                switch token {
                case .start(name, isSelfClosing: false): dropped = (name, depth + 1)
                case .end(name): dropped = depth > 1 ? (name, depth - 1) : nil
                default: break
                }
                continue
            }
            switch token {
            case .character(let character): writer.write(character)
            case .start(let name, let isSelfClosing):
                switch role(of: name) {
                // Only foreign elements close themselves (HTML standard, 13.2.6.5).
                case .dropped(let isForeign): dropped = isForeign && isSelfClosing ? nil : (name, 1)
                case let role: writer.start(role)
                }
            case .end(let name): writer.end(role(of: name))
            }
        }
        return writer.finished()
    }

    /// The text alone, as an attribute or a preview shows it, not escaped: one space for the end of a block or line.
    public static func text(_ html: String) -> String {
        var text = ""
        var reader = MarkupReader(String(decoding: blocks(html), as: UTF8.self))
        var isApart = false
        while let token = reader.next() {
            switch token {
            case .character(let character):
                if isApart, !text.isEmpty { text.unicodeScalars.append(" ") }
                isApart = false
                text.unicodeScalars.append(character)
            case .start(let name, _), .end(let name):
                if case .format = role(of: name) { continue }
                isApart = true
            }
        }
        return text
    }

    /// What an element of foreign HTML is to the sanitizer.
    enum Role {
        /// Formatting that is kept.
        case format(String)
        case lineBreak
        case list(isOrdered: Bool)
        case item
        /// A paragraph, or another element whose text is apart from what is around it.
        case block
        /// It goes with its content.
        case dropped(isForeign: Bool)
        /// Its tags go, its text stays where it is.
        case other
    }

    private static func role(of name: String) -> Role { roles[name] ?? .other }

    private static let roles: [String: Role] = {
        let kinds: KeyValuePairs<String, Role> = [
            "br": .lineBreak, "li": .item, "ol": .list(isOrdered: true),
            // All three are shown alike (HTML standard, 15.3.8).
            "ul menu dir": .list(isOrdered: false),
            "svg math": .dropped(isForeign: true), "template object select": .dropped(isForeign: false),
            // What browsers show as blocks (HTML standard, 15.3.3 and on), and the cells of tables.
            """
            address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure \
            footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend listing main nav optgroup option p pre search \
            section summary table tbody td tfoot th thead tr
            """: .block,
        ]
        var roles: [String: Role] = [:]
        for (names, role) in kinds {
            for name in names.split(separator: " ") { roles[String(name)] = role }
        }
        for name in ["b", "i", "em", "strong"] { roles[name] = .format(name) }
        return roles
    }()
}
