import Platform

/// One tag of a template. All positions are byte offsets.
struct TemplateTag {
    enum Kind { case name, raw, section, inverted, close, partial, parent, block, comment, delimiters }

    let kind: Kind
    /// The name, without white space around it.
    let name: Range<Int>
    /// The tag with its delimiters.
    let extent: Range<Int>
    /// The start of the tag's line, if only blanks are before the tag.
    let lineStart: Int?
    /// The start of the next line, if only blanks are after the tag.
    let lineEnd: Int?
    /// The index of the closing tag; of the tag itself if it is not an opening tag.
    var closing = 0
    /// Whether nothing else is on the tag's lines. Then the lines are removed from the output.
    var isAlone: Bool { lineStart != nil && lineEnd != nil }

    var opens: Bool { kind == .section || kind == .inverted || kind == .parent || kind == .block }

    /// The blanks before the tag, if nothing else is before it on its line.
    var margin: Range<Int>? { lineStart.map { $0..<extent.lowerBound } }
}

/// Finds the tags of a template, in one pass.
struct TagScanner {
    private static let maximumDelimiterLength = 16

    /// The maximum depth of nested tags in one template. It limits the sections in which a name is looked up.
    static let depthLimit = 64

    private let source: TemplateFile
    private let bytes: [UInt8]

    /// The kinds of tags by their first character. A tag with another first character is a name.
    private static let kinds: [Unicode.Scalar: TemplateTag.Kind] = [
        "#": .section, "^": .inverted, "/": .close, ">": .partial, "<": .parent, "$": .block, "!": .comment, "&": .raw,
        "{": .raw, "=": .delimiters,
    ]

    private var opening = Array("{{".utf8)
    private var closing = Array("}}".utf8)
    private var position = 0

    private var lineStart = 0
    private var lineHasTag = false

    /// - Throws: `TemplateError` for an invalid tag, for an opening tag without a closing tag, and for a closing tag
    ///   that closes nothing or has another name.
    static func tags(of source: TemplateFile) throws -> [TemplateTag] {
        var scanner = TagScanner(source: source, bytes: source.bytes)
        var tags: [TemplateTag] = []
        var open: [Int] = []
        func name(of tag: TemplateTag) -> String { "\"\(source.text(tag.name))\"" }
        while var tag = try scanner.next() {
            let index = tags.count
            tag.closing = index
            if tag.opens {
                try source.require(
                    open.count < depthLimit, at: tag.extent.lowerBound,
                    "tags are nested more than \(depthLimit) deep here")
                open.append(index)
            } else if tag.kind == .close {
                let offset = tag.name.lowerBound
                guard let opener = open.popLast() else {
                    throw source.error(at: offset, "\(name(of: tag)) is closed here, but nothing is open")
                }
                let other = tags[opener]
                try source.require(
                    source.bytes[tag.name] == source.bytes[other.name], at: offset,
                    "\(name(of: tag)) is closed here, but \(name(of: other)) was opened on line "
                        + "\(source.line(at: other.extent.lowerBound))")
                tags[opener].closing = index
            }
            tags.append(tag)
        }
        if let opener = open.last.map({ tags[$0] }) {
            throw source.error(at: opener.name.lowerBound, "\(name(of: opener)) is opened here and never closed")
        }
        return tags
    }
}

extension TagScanner {
    private mutating func next() throws -> TemplateTag? {
        guard let start = findOpening() else { return nil }

        let inside = start + opening.count
        let sigil = inside < bytes.count ? Unicode.Scalar(bytes[inside]) : " "
        let kind = Self.kinds[sigil] ?? .name
        let closer = (sigil == "{" ? Array("}".utf8) : sigil == "=" ? ["="] : []) + closing
        let begin = kind == .name ? inside : inside + 1
        guard let inner = (begin..<bytes.count).first(where: { bytes.has(closer, at: $0) }) else {
            throw source.error(
                at: start, "this tag is not closed; \"\(String(decoding: closer, as: UTF8.self))\" is missing")
        }

        let content = begin..<inner
        let extent = start..<inner + closer.count
        let isFirst = !lineHasTag && bytes[lineStart..<start].allSatisfy(\.isBlank)
        let rest = bytes[extent.upperBound...].firstIndex { !$0.isBlank } ?? bytes.count
        position = extent.upperBound
        lineHasTag = true

        let name = try name(of: kind, in: content, of: extent)
        if kind == .delimiters { try setDelimiters(content, of: extent) }
        return TemplateTag(
            kind: kind, name: name, extent: extent, lineStart: isFirst ? lineStart : nil,
            lineEnd: rest == bytes.count ? rest : bytes.endOfLine(at: rest))
    }

    private mutating func findOpening() -> Int? {
        while position < bytes.count {
            if bytes.has(opening, at: position) { return position }
            if bytes[position] == "\n" {
                lineStart = position + 1
                lineHasTag = false
            }
            position += 1
        }
        return nil
    }

    private func name(of kind: TemplateTag.Kind, in content: Range<Int>, of extent: Range<Int>) throws -> Range<Int> {
        if kind == .comment || kind == .delimiters { return content }

        let name = bytes[content].trimmed(while: \.isSpace).indices
        try source.require(!name.isEmpty, at: extent.lowerBound, "this tag has no name")
        let text = source.text(name)
        if let end = bytes[name].firstIndex(where: { "\n{<".utf8.contains($0) }) {
            let beginning = source.text(name.lowerBound..<end)
            throw source.error(at: name.lowerBound, "the tag that begins with \"\(beginning)\" is not closed; add }}")
        }
        try source.require(
            !bytes[name].contains(where: \.isSpace), at: name.lowerBound,
            "\"\(text)\" is not a name: it has a space in it")
        let isPath = kind == .name || kind == .raw || kind == .section || kind == .inverted
        try source.require(
            !isPath || text == "."
                || !bytes[name].split(separator: ".", omittingEmptySubsequences: false).contains(where: \.isEmpty),
            at: name.lowerBound, "\"\(text)\" is not a name: a dot has nothing on one side")
        return name
    }

    private mutating func setDelimiters(_ content: Range<Int>, of extent: Range<Int>) throws {
        let pair = bytes[content].split(whereSeparator: \.isSpace)
        try source.require(
            pair.count == 2 && !bytes[content].contains("="), at: extent.lowerBound,
            "this tag must contain two new delimiters with a space between them, such as {{=<% %>=}}")
        // The time to search for long delimiters grows with the square of the template's length.
        try source.require(
            pair.allSatisfy { $0.count <= Self.maximumDelimiterLength }, at: extent.lowerBound,
            "this delimiter is too long; it can have at most \(Self.maximumDelimiterLength) bytes")
        opening = Array(pair[0])
        closing = Array(pair[1])
    }
}

// MARK: - Bytes that mean something to the parser

extension UInt8 {
    /// Space or tab, which are allowed around a tag that is alone on its line.
    var isBlank: Bool { self == " " || self == "\t" }
}

extension [UInt8] {
    func has(_ other: [UInt8], at start: Int) -> Bool { self[start] == other[0] && self[start...].starts(with: other) }

    /// The start of the next line, if there is a line end at this offset.
    func endOfLine(at offset: Int) -> Int? {
        if self[offset] == "\n" { return offset + 1 }
        return self[offset] == "\r" && offset + 1 < count && self[offset + 1] == "\n" ? offset + 2 : nil
    }
}
