/// Reads any text as browsers read HTML (HTML standard, 13.2.5), in one pass: its text and its tags. Attributes,
/// comments, declarations and the content of raw text elements are passed over.
///
/// libxml2's HTML parser is not used for it. It closes `<b>` where a `<p>` begins, so that it cannot be told how far
/// formatting went; it shows CDATA sections, and references without a semicolon, as they are written; and an unmatched
/// end tag is looked for among all open elements: 256 KiB of `<b>` and then `</i>` take it 2.7 seconds, and four times
/// as many take sixteen times as long.
struct MarkupReader {
    private let source: [Unicode.Scalar]
    private var place = 0

    init(_ html: String) { source = Array(html.unicodeScalars) }

    /// The next character or tag. A tag, comment or raw text without an end has nothing after it.
    mutating func next() -> MarkupToken? {
        while place < source.count {
            if let token = token() { return token }
        }
        return nil
    }

    /// What stands here, or nil where it is passed over.
    private mutating func token() -> MarkupToken? {
        guard source[place] == "<" else { return text() }
        switch self[1] {
        case let letter? where letter.isLetter:
            place += 1
            return tag().flatMap { afterStart($0.name, isSelfClosing: $0.isSelfClosing) }
        case "/" where self[2]?.isLetter == true:
            place += 2
            // It is a line break (HTML standard, 13.2.6.4.7).
            return tag().map { $0.name == "br" ? .start("br", isSelfClosing: false) : .end($0.name) }
        case "!" where self[2] == "-" && self[3] == "-": skipComment()
        case "!", "?": skip(past: ">")
        case "/" where self[2] != nil: skip(past: ">")
        default: return text()
        }
        return nil
    }

    /// The character so far from here.
    private subscript(distance: Int) -> Unicode.Scalar? {
        place + distance < source.count ? source[place + distance] : nil
    }
}

// MARK: - Text

extension MarkupReader {
    private mutating func text() -> MarkupToken? {
        var character = source[place]
        var length = 1
        if character == "&", let reference = CharacterReference(source[(place + 1)...]) {
            character = reference.character
            length += reference.length
        }
        place += length
        if character.isForbiddenInPages { return .character("\u{FFFD}") }
        return character.formatsDirection ? nil : .character(character)
    }
}

// MARK: - Tags

extension MarkupReader {
    /// Reads a tag from its name to its end.
    private mutating func tag() -> (name: String, isSelfClosing: Bool)? {
        var name = ""
        while let letter = self[0], !letter.isBlank, letter != "/", letter != ">" {
            // One more than a name that matters may have, so that no longer one is taken for it.
            if name.utf8.count <= MarkupRole.longestName { name.unicodeScalars.append(letter.inLowerCase) }
            place += 1
        }
        var isSelfClosing = false
        while let character = self[0] {
            place += 1
            if character == ">" { return (name, isSelfClosing) }
            isSelfClosing = character == "/"
            if !isSelfClosing, !character.isBlank { skipAttribute() }
        }
        return nil
    }

    /// Passes over the rest of an attribute's name, and its value.
    private mutating func skipAttribute() {
        skip { !$0.isBlank && $0 != "/" && $0 != ">" && $0 != "=" }
        let end = place
        skip { $0.isBlank }
        guard self[0] == "=" else {
            place = end
            return
        }
        place += 1
        skip { $0.isBlank }
        switch self[0] {
        case let quote? where quote == "\"" || quote == "'":
            place += 1
            skip(past: quote)
        case ">"?, nil: break
        default: skip { !$0.isBlank && $0 != ">" }
        }
    }

    /// Passes over what only looks like markup after the start tag of a raw text element.
    private mutating func afterStart(_ name: String, isSelfClosing: Bool) -> MarkupToken? {
        if name == "plaintext" {
            place = source.count
            return nil
        }
        guard MarkupRole.rawText.contains(name) else { return .start(name, isSelfClosing: isSelfClosing) }
        let letters = Array(name.unicodeScalars)
        while place < source.count {
            skip(past: "<")
            guard self[0] == "/", letters.indices.allSatisfy({ self[$0 + 1]?.inLowerCase == letters[$0] }) else {
                continue
            }
            guard let next = self[letters.count + 1], next.isBlank || next == "/" || next == ">" else { continue }
            place += 1
            _ = tag()
            break
        }
        return nil
    }
}

// MARK: - What is passed over

extension MarkupReader {
    /// Passes over a comment, from its "<!--" to "-->" or "--!>"; "<!-->" and "<!--->" are comments too.
    private mutating func skipComment() {
        let start = place + 4
        place = start
        while place < source.count {
            skip(past: ">")
            if source[place - 3] == "-", source[place - 2] == "-" { break }
            if place - 4 >= start, source[place - 4] == "-", source[place - 3] == "-", source[place - 2] == "!" {
                break
            }
        }
    }

    /// Passes over all up to and with the next of these characters, or all there is.
    private mutating func skip(past end: Unicode.Scalar) {
        skip { $0 != end }
        place = min(place + 1, source.count)
    }

    private mutating func skip(while isPassedOver: (Unicode.Scalar) -> Bool) {
        while place < source.count, isPassedOver(source[place]) { place += 1 }
    }
}
