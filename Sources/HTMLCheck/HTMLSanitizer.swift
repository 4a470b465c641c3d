/// Makes of HTML that somebody else wrote what a page of ours may hold: a few elements without attributes, around plain
/// text.
///
/// Nothing is passed on: the text is read as a browser would read it, and written anew. What is written is well-formed
/// XML and valid HTML within a `<div>`, of `p`, `br`, `b`, `i`, `em`, `strong`, `ul`, `ol` and `li` alone, and reads
/// back as itself.
///
/// - Text outside of a block becomes a paragraph; a paragraph in an item of a list becomes lines of it. A list holds
///   items only: text right in one becomes an item, an item outside of one gets a list. Lists are nested to a depth of
///   8, deeper ones are flattened.
/// - Formatting that spans blocks is written in each, and once where it is nested in itself. Empty elements are left
///   out.
/// - A `br` stands between texts only, no more than two of them together; other white space is one space. U+00A0 stays.
/// - Of other elements the text stays, in a paragraph of its own where they are blocks. Scripts, styles, forms'
///   choices, drawings and the like go with all that is in them, and so do comments: see `MarkupRole`.
/// - What HTML or XML forbids as characters becomes U+FFFD, also where a reference names it. U+202A to U+202E and
///   U+2066 to U+2069, which would turn the direction of what stands around, are left out; direction by the letters
///   themselves is not touched.
///
/// Time and output grow with the input alone, however it is nested: what is open is four kinds of formatting and eight
/// lists.
public struct HTMLSanitizer {
    /// The text as blocks.
    ///
    /// - Parameter html: any text, as a server sends it. A caller bounds its length: of each character may come 13
    ///   bytes.
    /// - Returns: UTF-8, to be put into an element that holds flow content; empty where there is nothing to show.
    public static func blocks(_ html: String) -> [UInt8] {
        var reader = MarkupReader(html)
        var writer = BlockWriter()
        var dropped: (name: String, depth: Int)?
        while let token = reader.next() {
            if let open = dropped {
                let depth = open.depth + token.change(of: open.name)
                dropped = depth > 0 ? (open.name, depth) : nil
                continue
            }
            switch token {
            case .character(let character): writer.write(character)
            case .start(let name, let isSelfClosing):
                switch MarkupRole(of: name) {
                // Only foreign elements close themselves (HTML standard, 13.2.6.5).
                case .dropped(let isForeign): dropped = isForeign && isSelfClosing ? nil : (name, 1)
                case let role: writer.start(role)
                }
            case .end(let name): writer.end(MarkupRole(of: name))
            }
        }
        return writer.finished()
    }

    /// The text alone, as an attribute or a preview shows it, not escaped: one space stands for the end of a block or
    /// line.
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
                if case .format = MarkupRole(of: name) { continue }
                isApart = true
            }
        }
        return text
    }
}

extension MarkupToken {
    /// How much deeper in elements of this name it leads.
    fileprivate func change(of name: String) -> Int {
        switch self {
        case .start(name, let isSelfClosing): isSelfClosing ? 0 : 1
        case .end(name): -1
        default: 0
        }
    }
}
