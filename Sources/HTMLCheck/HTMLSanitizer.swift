import Platform

/// Converts untrusted HTML into the elements of a text: paragraphs, headings, lists, quotations, code, tables, figures,
/// formatting, links and pictures.
///
/// The input is parsed as in a browser, and new markup is written; no markup is copied. The output is well-formed XML,
/// and valid HTML in a `<div>`. It has no scripts, styles, event handlers or ids, and no classes from the input. If the
/// output is sanitized again, it does not change.
///
/// - Text outside of a block becomes a paragraph. A paragraph in a list item, a cell or a figure becomes lines. Text
///   directly in a list becomes an item, and text directly in a table becomes a cell. An item outside of a list gets a
///   list. Blocks deeper than 8 are flattened.
/// - Formatting that spans several blocks is written in each of them. Empty elements are omitted, except for cells.
/// - Headings begin at a given level, and skip none.
/// - `br` elements are written only between texts, at most two in a row. Other white space becomes one space, except
///   for U+00A0, and in preformatted text.
/// - A picture that the site lacks becomes a link to the original, or its alternative text if that is not allowed.
/// - Tags of other elements are removed, and their text is kept, that of block elements as a separate paragraph.
///   Scripts, styles, select lists, drawings and similar elements are removed with their content, and so are comments.
/// - Characters that HTML or XML forbids become U+FFFD. Characters that change the text direction are removed.
///
/// Time and output are linear in the length of the input for any nesting, because at most four kinds of formatting and
/// eight blocks are open at the same time, and attributes are repeated at most four times.
package struct HTMLSanitizer {
    /// A picture of the site, with its size in pixels.
    package typealias Picture = (path: String, width: Int, height: Int)

    /// Converts HTML to blocks.
    ///
    /// - Parameters:
    ///   - html: any text. The caller must limit its length, because each character can become 32 bytes.
    ///   - headings: the level of the first heading; 0 if headings become paragraphs. The page must have a heading of
    ///     the level above.
    ///   - origin: the scheme and the host of addresses that are paths.
    ///   - link: the relative path of the page of the site for an address; nil if there is none.
    ///   - picture: the picture of the site for an address; nil if there is none.
    /// - Returns: HTML in UTF-8 for an element that allows flow content; empty if the input has no text.
    package static func blocks(
        _ html: String, headings: Int = 2, origin: String = "", link: (String) -> String? = { _ in nil },
        picture: (String) -> Picture? = { _ in nil }
    ) -> [UInt8] {
        func absolute(_ address: String) -> String {
            address.utf8.first == "/" && !address.utf8.starts(with: "//".utf8) ? origin + address : address
        }
        let target = { (address: String) in
            let address = absolute(address)
            return link(address).map { " href=\"\(escaped($0))\"" } ?? Self.address(address).map(outside)
        }
        var reader = MarkupReader(html)
        var writer = BlockWriter(headings: headings)
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
                case .media:
                    let alternative = reader.attributes["alt"] ?? ""
                    guard let source = reader.attributes["src"] else { continue }
                    if name == "img", let picture = picture(source) {
                        writer.write(picture, alternative, name: fileName(source))
                    } else if let address = address(absolute(source)) {
                        writer.write(link: outside(address), alternative.isEmpty ? fileName(address) : alternative)
                    } else if !alternative.isEmpty {
                        writer.write(link: nil, alternative)
                    }
                case let role: writer.start(role, attributes(of: name, reader.attributes, target))
                }
            case .end(let name): writer.end(role(of: name))
            }
        }
        return writer.finish()
    }

    /// The addresses of the pictures that `blocks` looks up, in the order of the text.
    package static func pictures(in html: String) -> [String] {
        var found: [String] = []
        func store(_ address: String) -> Picture? {
            found.append(address)
            return nil
        }
        _ = blocks(html, picture: store)
        return found.filter { !$0.isEmpty }
    }

    /// The address of the first `<link>` element with a relation.
    package static func link(_ relation: String, in html: String) -> String? {
        var reader = MarkupReader(html)
        while let token = reader.next() {
            if case .start("link", _) = token, reader.attributes["rel"] == relation { return reader.attributes["href"] }
        }
        return nil
    }

    /// Converts HTML to unescaped text, for attributes and previews. Ends of blocks and lines become one space.
    package static func text(_ html: String) -> String {
        var text = ""
        var reader = MarkupReader(String(decoding: blocks(html), as: UTF8.self))
        var needsSpace = false
        while let token = reader.next() {
            switch token {
            case .character(let character):
                if needsSpace || character.isBlank, !text.isEmpty, text.unicodeScalars.last != " " {
                    text.unicodeScalars.append(" ")
                }
                needsSpace = false
                if !character.isBlank { text.unicodeScalars.append(character) }
            case .start(let name, _), .end(let name):
                if case .format = role(of: name) { continue }
                needsSpace = true
            }
        }
        return text
    }

    /// How the sanitizer treats an element.
    enum Role {
        /// Formatting that is kept, or a link.
        case format(String)
        case lineBreak
        /// A list, table, quotation or figure.
        case container(String)
        /// A part of a list, table or figure.
        case part(String)
        /// A heading, or preformatted text.
        case leaf(String)
        case rule
        /// A picture, or another embedded file.
        case media
        /// A paragraph or another block element.
        case block
        /// Removed with its content.
        case dropped(isForeign: Bool)
        /// The tags are removed, and the content is kept.
        case other
    }

    private static func role(of name: String) -> Role { roles[name] ?? .other }

    private static let roles: [String: Role] = {
        let kinds: KeyValuePairs<String, (String) -> Role> = [
            "a b i em strong sub sup small s del ins mark abbr time cite q kbd code samp var": Role.format,
            "ol table dl blockquote figure": Role.container, "h1 h2 h3 h4 h5 h6": Role.leaf,
            "li dt dd figcaption caption thead tr td th": Role.part,
            "br": { _ in .lineBreak }, "hr": { _ in .rule }, "img iframe embed video audio source": { _ in .media },
            // Browsers show all three in the same way (HTML standard, 15.3.8).
            "ul menu dir": { _ in .container("ul") }, "tbody tfoot": { _ in .part("tbody") },
            "pre listing": { _ in .leaf("pre") }, "svg math": { _ in .dropped(isForeign: true) },
            "template object select": { _ in .dropped(isForeign: false) },
            // The elements that browsers show as blocks (HTML standard, 15.3.3 and later).
            """
            address article aside body center details dialog div fieldset footer form header hgroup html legend main \
            nav optgroup option p search section summary
            """: { _ in .block },
        ]
        return Dictionary(uniqueKeysWithValues: kinds.flatMap { names, role in names.words.map { ($0, role($0)) } })
    }()

    /// The attributes of a link to another site.
    private static func outside(_ address: String) -> String { " href=\"\(escaped(address))\" rel=\"nofollow\"" }

    /// The attributes of an element in the output; nil if the element requires one that it does not have.
    private static func attributes(
        of name: String, _ values: [String: String], _ link: (String) -> String?
    ) -> String? {
        func number(_ name: String, _ allowed: ClosedRange<Int>) -> String {
            guard let number = values[name].flatMap({ Int($0) }), allowed.contains(number) else { return "" }
            return " \(name)=\"\(number)\""
        }
        switch name {
        case "a": return values["href"].flatMap(link)
        case "abbr": return values["title"].map { " title=\"\(escaped($0))\"" } ?? ""
        case "time":
            guard var moment = values["datetime"], moment.withUTF8(DateTimeSyntax.isValid) else { return nil }
            return " datetime=\"\(moment)\""
        case "ol": return number("start", -99_999...99_999)
        case "td", "th": return number("colspan", 2...100) + number("rowspan", 2...1_000)
        default: return ""
        }
    }

    /// An absolute address with the scheme http, https or mailto, with other characters encoded; nil for others.
    static func address(_ text: String) -> String? {
        guard text.utf8.count <= 2_048 else { return nil }
        var address = (text.hasPrefix("//") ? "https:" : "") + addressEncoded(text)
        if let colon = address.utf8.prefix(7).firstIndex(of: ":") {
            address = address[..<colon].lowercased() + address[colon...]
        }
        if WebAddress.isValid(address) { return address }
        let isMail = address.hasPrefix("mailto:") && address.dropFirst(7).contains("@")
        return isMail && address.withUTF8 { ValueSyntax.urlProblem($0) } == nil ? address : nil
    }

    /// The name of the file at an address, or else the address without its scheme.
    private static func fileName(_ address: String) -> String {
        let last = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last ?? ""
        return last.contains(".") ? String(last) : String(address.drop { $0 != "/" }.drop { $0 == "/" })
    }

    /// A value of an attribute. Bytes are compared, because a mark can join a quote to one `Character`.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { "&<>\"".utf8.contains($0) }) else { return text }
        let bytes = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")].reduce(Array(text.utf8)) {
            $0.replacing($1.0.utf8, with: $1.1.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
