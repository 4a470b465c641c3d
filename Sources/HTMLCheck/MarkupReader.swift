internal import CLibXML2
import Platform

/// Reads text and tags from HTML like browsers do (HTML standard, 13.2.5), in one pass. Comments, declarations, the
/// content of raw text elements and the attributes of most elements are skipped.
///
/// libxml2's HTML parser is not suitable for this. It closes `<b>` where a `<p>` begins, so the end of the formatting
/// is lost. It does not decode CDATA sections and references without a semicolon. For an unmatched end tag it searches
/// all open elements, so its time is quadratic in the length of the text.
struct MarkupReader {
    private let source: [Unicode.Scalar]
    private var position = 0
    private var marks = MarkCount()
    /// The attributes of the last start tag, with references decoded, if the element is one of `attributed`.
    private(set) var attributes: [String: String] = [:]

    enum Token: Equatable {
        /// A character of text, with references decoded. HTML and XML allow it, and it does not change the direction.
        case character(Unicode.Scalar)
        /// A start tag with its name in lower case, and whether it ends in "/>".
        case start(String, isSelfClosing: Bool)
        case end(String)
    }

    /// Elements whose content is raw text, which is skipped (HTML standard, 13.2.6.4.4 and 13.2.6.4.7).
    private static let rawText: Set = [
        "script", "style", "title", "textarea", "iframe", "noscript", "noembed", "noframes", "xmp",
    ]
    private static let attributed: Set = [
        "a", "abbr", "audio", "embed", "iframe", "img", "link", "ol", "source", "td", "th", "time", "video",
    ]

    init(_ html: String) { source = Array(html.unicodeScalars) }

    /// The next character or tag. A tag, comment or raw text without an end extends to the end of the text.
    mutating func next() -> Token? {
        while position < source.count { if let token = token() { return token } }
        return nil
    }

    /// Reads the token at the current position; nil if the token is skipped.
    private mutating func token() -> Token? {
        guard source[position] == "<" else { return text() }
        switch self[1] {
        case let letter? where letter.isLetter:
            position += 1
            return tag().flatMap { startTag($0.name, isSelfClosing: $0.isSelfClosing) }
        case "/" where self[2]?.isLetter == true:
            position += 2
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
        position + distance < source.count ? source[position + distance] : nil
    }

    private mutating func text() -> Token? { character(before: source.count, inValue: false).map { .character($0) } }

    /// Reads a character or a reference; nil for a character that pages may not contain. In a value, a name without a
    /// semicolon is no reference if a letter, a digit or "=" follows, as in "?a=1&copy=2" (HTML standard, 13.2.5.73).
    private mutating func character(before end: Int, inValue: Bool) -> Unicode.Scalar? {
        var character = source[position]
        var isReference = false
        position += 1
        if character == "&", let reference = CharacterReference.decoded(source[position..<end]) {
            let next = position + reference.length
            let isClosed = !inValue || source[next - 1] == ";" || source[position] == "#" || next == end
            if isClosed || source[next] != "=" && !source[next].isLetter && !("0"..."9").contains(source[next]) {
                (character, isReference, position) = (reference.character, true, next)
            }
        }
        return character.isDirectional || !marks.allows(character, isReference) ? nil : character.allowed
    }

    /// Reads a tag, starting at its name.
    private mutating func tag() -> (name: String, isSelfClosing: Bool)? {
        var name = ""
        while let letter = self[0], !letter.isBlank, letter != "/", letter != ">" {
            name.unicodeScalars.append(letter.inLowerCase)
            position += 1
        }
        var isSelfClosing = false
        // A "=" at the start of an attribute is a part of its name.
        var hasName = false
        let isRead = Self.attributed.contains(name)
        attributes = [:]
        var start = position
        var end = position
        while let character = self[0] {
            position += 1
            if character == ">" { return (name, isSelfClosing) }
            isSelfClosing = character == "/"
            if character == "=", hasName {
                let value = value()
                hasName = false
                guard isRead else { continue }
                let name = String(String.UnicodeScalarView(source[start..<end].prefix(40).map(\.inLowerCase)))
                if attributes[name] == nil { attributes[name] = decoded(value) }
            } else if !character.isBlank {
                if !hasName || end < position - 1 { start = position - 1 }
                end = position
                hasName = !isSelfClosing
            }
        }
        return nil
    }

    /// Skips the value of an attribute.
    private mutating func value() -> Range<Int> {
        skip { $0.isBlank }
        guard let quote = self[0], quote == "\"" || quote == "'" else {
            let start = position
            skip { !$0.isBlank && $0 != ">" }
            return start..<position
        }
        position += 1
        let start = position
        skip { $0 != quote }
        defer { position = min(position + 1, source.count) }
        return start..<position
    }

    /// The words of a value, without characters that pages may not contain.
    private mutating func decoded(_ value: Range<Int>) -> String {
        var text: [Unicode.Scalar] = []
        let outside = (position, marks)
        (position, marks) = (value.lowerBound, MarkCount())
        while position < value.upperBound {
            if let character = character(before: value.upperBound, inValue: true) { text.append(character) }
        }
        (position, marks) = outside
        return String(String.UnicodeScalarView(text.split(whereSeparator: \.isBlank).joined(separator: [" "])))
    }

    /// The token of a start tag. A raw text element is skipped up to its end; only an embedded page has a token.
    private mutating func startTag(_ name: String, isSelfClosing: Bool) -> Token? {
        if name == "plaintext" {
            position = source.count
            return nil
        }
        guard Self.rawText.contains(name) else { return .start(name, isSelfClosing: isSelfClosing) }
        let letters = Array(name.unicodeScalars)
        let attributes = attributes
        while position < source.count {
            skip(past: "<")
            guard self[0] == "/", letters.indices.allSatisfy({ self[$0 + 1]?.inLowerCase == letters[$0] }),
                let next = self[letters.count + 1], next.isBlank || next == "/" || next == ">"
            else { continue }
            position += 1
            _ = tag()
            break
        }
        self.attributes = attributes
        return name == "iframe" ? .start(name, isSelfClosing: false) : nil
    }

    /// Skips a comment, from "<!--" to "-->" or "--!>". "<!-->" and "<!--->" are also comments.
    private mutating func skipComment() {
        let start = position + 4
        position = start
        while position < source.count {
            skip(past: ">")
            if source[..<(position - 1)].suffix(2).elementsEqual("--".unicodeScalars) { break }
            if source[start..<max(start, position - 1)].suffix(3).elementsEqual("--!".unicodeScalars) { break }
        }
    }

    /// Skips everything up to and including the next `end`. Without one, skips the rest of the text.
    private mutating func skip(past end: Unicode.Scalar) {
        skip { $0 != end }
        position = min(position + 1, source.count)
    }

    private mutating func skip(while isSkipped: (Unicode.Scalar) -> Bool) {
        while position < source.count, isSkipped(source[position]) { position += 1 }
    }
}

// MARK: - Character classes of HTML's syntax

extension Unicode.Scalar {
    /// Space, tab, line feed, form feed or carriage return.
    var isBlank: Bool { self == " " || self == "\n" || self == "\t" || self == "\r" || self == "\u{C}" }

    var isLetter: Bool { UInt8(exactly: value)?.isLetter == true }

    /// The lower-case letter for an ASCII capital letter; any other character unchanged.
    var inLowerCase: Unicode.Scalar { ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) + 0x20) : self }

    /// The character, or U+FFFD if HTML or XML forbids it. White space is allowed.
    var allowed: Unicode.Scalar { isForbidden && !isBlank ? "\u{FFFD}" : self }
}

/// Counts combining marks in a row, because the time to compare texts grows with the square of their number. Texts from
/// JSON have few marks, so only marks from character references, and the marks after them, are counted.
private struct MarkCount {
    private var count = 0

    mutating func allows(_ character: Unicode.Scalar, _ isReference: Bool) -> Bool {
        guard isReference || count > 0 else { return true }
        let isMark = character.value >= 0x300 && character.properties.canonicalCombiningClass != .notReordered
        count = isMark ? count + 1 : 0
        return count <= 200
    }
}

/// Character references (HTML standard, 13.2.5.72 and later).
/// Only the names of HTML 4 are decoded, because libxml2 has no others. The other names of HTML 5 remain text.
private enum CharacterReference {
    /// - Parameter text: the text after an ampersand.
    /// - Returns: the character, which is U+FFFD for a number that is not a character, and the number of characters
    ///   after the ampersand; nil if there is no reference.
    static func decoded(_ text: ArraySlice<Unicode.Scalar>) -> (character: Unicode.Scalar, length: Int)? {
        text.first == "#" ? numbered(text) : named(text)
    }

    private static func numbered(_ text: ArraySlice<Unicode.Scalar>) -> (character: Unicode.Scalar, length: Int)? {
        let isHexadecimal = text.dropFirst().first?.inLowerCase == "x"
        let digits = text.dropFirst(isHexadecimal ? 2 : 1).prefix {
            ("0"..."9").contains($0) || isHexadecimal && ("a"..."f").contains($0.inLowerCase)
        }
        guard !digits.isEmpty else { return nil }
        // The result is nil if the number does not fit in 32 bits.
        let number = UInt32(String(String.UnicodeScalarView(digits)), radix: isHexadecimal ? 16 : 10) ?? .max
        let isWindows1252 = (0x80...0x9F).contains(number)
        let character = isWindows1252 ? windows1252[Int(number) - 0x80] : Unicode.Scalar(number) ?? "\u{FFFD}"
        let hasSemicolon = text[digits.endIndex...].first == ";"
        return (character, digits.endIndex - text.startIndex + (hasSemicolon ? 1 : 0))
    }

    private static func named(_ text: ArraySlice<Unicode.Scalar>) -> (character: Unicode.Scalar, length: Int)? {
        // The longest name is "thetasym".
        let letters = text.prefix(8).prefix { $0.isLetter || ("0"..."9").contains($0) }
        var name = String(String.UnicodeScalarView(letters))
        if text[letters.endIndex...].first == ";", let character = names[name] { return (character, letters.count + 1) }
        // The names of Latin-1 and markup characters require no semicolon. The longest matching name is used.
        while !name.isEmpty {
            if name != "apos", let character = names[name], character.value <= 0xFF {
                return (character, name.utf8.count)
            }
            name.removeLast()
        }
        return nil
    }

    /// A copy of libxml2's names, because libxml2 searches all its names for each lookup.
    private static let names: [String: Unicode.Scalar] = {
        var names: [String: Unicode.Scalar] = [:]
        for number in 0..<UInt32(0x2700) {
            guard let entity = htmlEntityValueLookup(number), let character = Unicode.Scalar(number) else { continue }
            names[String(cString: entity.pointee.name)] = character
        }
        for name in ["amp", "lt", "gt", "quot", "copy", "reg"] { names[name.uppercased()] = names[name] }
        return names
    }()

    /// The characters for the numbers 80 to 9F, which are read as Windows-1252 (HTML standard, 13.2.5.80).
    private static let windows1252 = Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
