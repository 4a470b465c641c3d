/// Converts untrusted HTML into text with a few elements and no attributes.
///
/// The input is parsed as in a browser, and new markup is written; no markup is copied. The output is well-formed XML,
/// and valid HTML in a `<div>`. It contains only the elements `p`, `br`, `b`, `i`, `em`, `strong`, `ul`, `ol` and `li`.
/// If the output is sanitized again, it does not change.
///
/// - Text outside of a block becomes a paragraph. A paragraph in a list item becomes lines of the item. Text directly
///   in a list becomes an item. An item outside of a list gets a list. Lists deeper than 8 are flattened.
/// - Formatting that spans several blocks is written in each of them. Empty elements are omitted.
/// - `br` elements are written only between texts, at most two in a row. Other white space becomes one space, except
///   for U+00A0.
/// - Tags of other elements are removed, and their text is kept. The text of block elements becomes a separate
///   paragraph. Scripts, styles, select lists, drawings and similar elements are removed with their content. Comments
///   are removed.
/// - Characters that HTML or XML forbids become U+FFFD. Characters that change the text direction are removed.
///
/// Time and output are linear in the length of the input for any nesting, because at most four kinds of formatting and
/// eight lists are open at the same time.
public struct HTMLSanitizer {
    /// Converts HTML to blocks.
    ///
    /// - Parameter html: any text. The caller must limit its length, because each character can become 13 bytes.
    /// - Returns: HTML in UTF-8 for an element that allows flow content; empty if the input has no text.
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
                // Only foreign elements can be self-closing (HTML standard, 13.2.6.5).
                case .dropped(let isForeign): dropped = isForeign && isSelfClosing ? nil : (name, 1)
                case let role: writer.start(role)
                }
            case .end(let name): writer.end(role(of: name))
            }
        }
        return writer.finish()
    }

    /// Converts HTML to plain text, for attributes and previews. The text is not escaped. Ends of blocks and lines
    /// become one space.
    public static func text(_ html: String) -> String {
        var text = ""
        var reader = MarkupReader(String(decoding: blocks(html), as: UTF8.self))
        var needsSpace = false
        while let token = reader.next() {
            switch token {
            case .character(let character):
                if needsSpace, !text.isEmpty { text.unicodeScalars.append(" ") }
                needsSpace = false
                text.unicodeScalars.append(character)
            case .start(let name, _), .end(let name):
                if case .format = role(of: name) { continue }
                needsSpace = true
            }
        }
        return text
    }

    /// How the sanitizer treats an element.
    enum Role {
        /// Formatting that is kept.
        case format(String)
        case lineBreak
        /// A list, which is written as this element.
        case list(String)
        case item
        /// A paragraph or another block element.
        case block
        /// Removed with its content.
        case dropped(isForeign: Bool)
        /// The tags are removed, and the content is kept.
        case other
    }

    private static func role(of name: String) -> Role { roles[name] ?? .other }

    private static let roles: [String: Role] = {
        let kinds: KeyValuePairs<String, Role> = [
            "br": .lineBreak, "li": .item, "ol": .list("ol"),
            // Browsers show all three in the same way (HTML standard, 15.3.8).
            "ul menu dir": .list("ul"),
            "svg math": .dropped(isForeign: true), "template object select": .dropped(isForeign: false),
            // The elements that browsers show as blocks (HTML standard, 15.3.3 and later), and table cells.
            """
            address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure \
            footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend listing main nav optgroup option p pre search \
            section summary table tbody td tfoot th thead tr
            """: .block,
        ]
        var roles: [String: Role] = [:]
        for (names, role) in kinds {
            for name in names.words { roles[name] = role }
        }
        for name in ["b", "i", "em", "strong"] { roles[name] = .format(name) }
        return roles
    }()
}
