internal import CLibXML2

/// Reads text and tags from HTML like browsers do (HTML standard, 13.2.5), in one pass. Attributes, comments,
/// declarations and the content of raw text elements are skipped.
///
/// libxml2's HTML parser is not suitable. It closes `<b>` where a `<p>` begins, so the end of the formatting is lost.
/// It does not decode CDATA sections and references without a semicolon. For an unmatched end tag it searches all open
/// elements, so its time is quadratic in the length of the text.
struct MarkupReader {
    private let source: [Unicode.Scalar]
    private var place = 0

    enum Token: Equatable {
        /// A character of text, with references decoded. It is never one that HTML or XML forbids, or that changes the
        /// text direction.
        case character(Unicode.Scalar)
        /// A start tag with its name in lower case, and whether it ends in "/>".
        case start(String, isSelfClosing: Bool)
        case end(String)
    }

    /// Elements whose content is raw text up to the end tag (HTML standard, 13.2.6.4.4 and 13.2.6.4.7). The content is
    /// skipped.
    private static let rawText: Set = [
        "script", "style", "title", "textarea", "iframe", "noscript", "noembed", "noframes", "xmp",
    ]

    init(_ html: String) { source = Array(html.unicodeScalars) }

    /// The next character or tag. A tag, comment or raw text without an end extends to the end of the text.
    mutating func next() -> Token? {
        while place < source.count {
            if let token = token() { return token }
        }
        return nil
    }

    /// The token at the current position; nil if it is skipped.
    private mutating func token() -> Token? {
        guard source[place] == "<" else { return text() }
        switch self[1] {
        case let letter? where letter.isLetter:
            place += 1
            return tag().flatMap { startTag($0.name, isSelfClosing: $0.isSelfClosing) }
        case "/" where self[2]?.isLetter == true:
            place += 2
            // "</br>" is a line break (HTML standard, 13.2.6.4.7).
            return tag().map { $0.name == "br" ? .start("br", isSelfClosing: false) : .end($0.name) }
        case "!" where self[2] == "-" && self[3] == "-": skipComment()
        case "!", "?": skip(past: ">")
        case "/" where self[2] != nil: skip(past: ">")
        default: return text()
        }
        return nil
    }

    /// The character at this distance from the current position.
    private subscript(distance: Int) -> Unicode.Scalar? {
        place + distance < source.count ? source[place + distance] : nil
    }

    private mutating func text() -> Token? {
        var character = source[place]
        place += 1
        if character == "&", let reference = CharacterReference(source[place...]) {
            character = reference.character
            place += reference.length
        }
        if character.isForbiddenInPages { return .character("\u{FFFD}") }
        return character.formatsDirection ? nil : .character(character)
    }

    /// Reads a tag, starting at its name.
    private mutating func tag() -> (name: String, isSelfClosing: Bool)? {
        var name = ""
        while let letter = self[0], !letter.isBlank, letter != "/", letter != ">" {
            name.unicodeScalars.append(letter.inLowerCase)
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

    /// Skips the rest of an attribute's name, and its value.
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
        if let quote = self[0], quote == "\"" || quote == "'" {
            place += 1
            skip(past: quote)
        } else {
            skip { !$0.isBlank && $0 != ">" }
        }
    }

    /// Skips the content and the end tag of a raw text element.
    private mutating func startTag(_ name: String, isSelfClosing: Bool) -> Token? {
        if name == "plaintext" {
            place = source.count
            return nil
        }
        guard Self.rawText.contains(name) else { return .start(name, isSelfClosing: isSelfClosing) }
        let letters = Array(name.unicodeScalars)
        while place < source.count {
            skip(past: "<")
            guard self[0] == "/", letters.indices.allSatisfy({ self[$0 + 1]?.inLowerCase == letters[$0] }),
                let next = self[letters.count + 1], next.isBlank || next == "/" || next == ">"
            else { continue }
            place += 1
            _ = tag()
            break
        }
        return nil
    }

    /// Skips a comment, from "<!--" to "-->" or "--!>". "<!-->" and "<!--->" are also comments.
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

    /// Skips everything up to and including the next such character, or to the end of the text.
    private mutating func skip(past end: Unicode.Scalar) {
        skip { $0 != end }
        place = min(place + 1, source.count)
    }

    private mutating func skip(while isSkipped: (Unicode.Scalar) -> Bool) {
        while place < source.count, isSkipped(source[place]) { place += 1 }
    }
}

// MARK: - Characters as HTML's syntax sees them

extension Unicode.Scalar {
    /// Space, tab, line feed, form feed or carriage return.
    var isBlank: Bool { self == " " || self == "\n" || self == "\t" || self == "\r" || self == "\u{C}" }

    /// Whether it is an ASCII letter.
    var isLetter: Bool { UInt8(exactly: value)?.isLetter == true }

    /// An ASCII capital letter as a small one; any other character unchanged.
    var inLowerCase: Unicode.Scalar { ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) + 0x20) : self }

    /// Whether HTML or XML forbids it (HTML standard, 13.2.3.5; XML 1.0, 2.2). HTML's white space is not forbidden.
    var isForbiddenInPages: Bool { value < 0x20 && !isBlank || isForbiddenInHTML }

    /// Whether it starts or ends an embedding, override or isolate of text direction (UAX #9, 2).
    var formatsDirection: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}

/// A character reference after an ampersand (HTML standard, 13.2.5.72 and later).
///
/// Only the names of HTML 4 are decoded, which libxml2 has. The further names of HTML 5 stay as text.
struct CharacterReference {
    /// U+FFFD for a number that is not a character.
    let character: Unicode.Scalar
    /// The number of characters after the ampersand.
    let length: Int

    /// - Parameter text: the text after the ampersand.
    init?(_ text: ArraySlice<Unicode.Scalar>) {
        if text.first == "#" { self.init(numbering: text) } else { self.init(naming: text) }
    }

    private init?(numbering text: ArraySlice<Unicode.Scalar>) {
        let isHexadecimal = text.dropFirst().first?.inLowerCase == "x"
        let digits = text.dropFirst(isHexadecimal ? 2 : 1).prefix {
            ("0"..."9").contains($0) || isHexadecimal && ("a"..."f").contains($0.inLowerCase)
        }
        guard !digits.isEmpty else { return nil }
        // The result is nil if the number does not fit in 32 bits.
        let number = UInt32(String(String.UnicodeScalarView(digits)), radix: isHexadecimal ? 16 : 10) ?? .max
        character =
            (0x80...0x9F).contains(number)
            ? Self.windows1252[Int(number) - 0x80] : Unicode.Scalar(number) ?? "\u{FFFD}"
        length = digits.endIndex - text.startIndex + (text[digits.endIndex...].first == ";" ? 1 : 0)
    }

    private init?(naming text: ArraySlice<Unicode.Scalar>) {
        let letters = text.prefix(Self.longestName).prefix { $0.isLetter || ("0"..."9").contains($0) }
        var name = String(String.UnicodeScalarView(letters))
        if text[letters.endIndex...].first == ";", let character = Self.names[name] {
            self.character = character
            length = letters.count + 1
            return
        }
        // The names of Latin-1 and markup characters need no semicolon. The longest matching name counts.
        while !name.isEmpty {
            if name != "apos", let character = Self.names[name], character.value <= 0xFF {
                self.character = character
                length = name.utf8.count
                return
            }
            name.removeLast()
        }
        return nil
    }

    /// A dictionary, because libxml2 searches all its names for each lookup.
    private static let names: [String: Unicode.Scalar] = {
        var names: [String: Unicode.Scalar] = [:]
        for number in 0..<UInt32(0x2700) {
            guard let entity = htmlEntityValueLookup(number), let character = Unicode.Scalar(number) else { continue }
            names[String(cString: entity.pointee.name)] = character
        }
        for name in ["amp", "lt", "gt", "quot", "copy", "reg"] { names[name.uppercased()] = names[name] }
        return names
    }()

    /// The longest name is "thetasym".
    private static let longestName = 8

    /// The characters for the numbers 80 to 9F, which are read as Windows-1252 (HTML standard, 13.2.5.80).
    private static let windows1252 = Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
