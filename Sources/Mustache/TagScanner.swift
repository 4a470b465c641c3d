/// Finds the tags of a template, in one pass.
struct TagScanner {
    private static let longestDelimiter = 16

    private let source: Source
    private let bytes: [UInt8]
    private let mode: Library.Mode

    private var opening = Array("{{".utf8)
    private var closing = Array("}}".utf8)
    private var position = 0

    private var lineStart = 0
    private var lineHasTag = false

    init(_ source: Source, mode: Library.Mode) {
        self.source = source
        self.mode = mode
        bytes = source.bytes
    }
}

extension TagScanner {
    /// - Throws: for a tag that is not closed, has no name or is no tag.
    static func tags(of source: Source, mode: Library.Mode) throws(TemplateError) -> [Tag] {
        var scanner = TagScanner(source, mode: mode)
        var tags: [Tag] = []
        while let tag = try scanner.next() {
            tags.append(tag)
        }

        return tags
    }

    private mutating func next() throws(TemplateError) -> Tag? {
        guard let start = findOpening() else {
            return nil
        }

        let inside = start + opening.count
        let (kind, sigil, extraClosing) = kind(at: inside)
        let closer = extraClosing + closing
        guard let inner = find(closer, from: inside + sigil) else {
            throw source.error(
                at: start, "this tag is not closed; \"\(String(decoding: closer, as: UTF8.self))\" is missing")
        }

        let content = inside + sigil..<inner
        let extent = start..<inner + closer.count
        let isFirst = !lineHasTag && bytes[lineStart..<start].allSatisfy(\.isBlank)
        position = extent.upperBound
        lineHasTag = true

        let (name, isDynamic) = try name(of: kind, in: content, of: extent)
        if kind == .delimiters {
            try setDelimiters(content, of: extent)
        }

        return Tag(
            kind: kind, name: name, isDynamic: isDynamic, extent: extent, lineStart: isFirst ? lineStart : nil,
            lineEnd: lineEnd(after: extent.upperBound))
    }

    private mutating func findOpening() -> Int? {
        while position < bytes.count {
            if bytes[position] == opening[0], bytes.has(opening, at: position) {
                return position
            }

            if bytes[position] == .newline {
                lineStart = position + 1
                lineHasTag = false
            }

            position += 1
        }

        return nil
    }

    private func find(_ wanted: [UInt8], from start: Int) -> Int? {
        var place = start
        while place < bytes.count {
            if bytes[place] == wanted[0], bytes.has(wanted, at: place) {
                return place
            }

            place += 1
        }

        return nil
    }

    /// The kind, how many bytes say so, and what stands before the closing delimiter.
    private func kind(at place: Int) -> (Tag.Kind, sigil: Int, closing: [UInt8]) {
        guard place < bytes.count else {
            return (.name, 0, [])
        }

        switch bytes[place] {
        case UInt8(ascii: "#"): return (.section, 1, [])
        case UInt8(ascii: "^"): return (.inverted, 1, [])
        case UInt8(ascii: "/"): return (.close, 1, [])
        case UInt8(ascii: ">"): return (.partial, 1, [])
        case UInt8(ascii: "<"): return (.parent, 1, [])
        case UInt8(ascii: "$"): return (.block, 1, [])
        case UInt8(ascii: "!"): return (.comment, 1, [])
        case UInt8(ascii: "&"): return (.raw, 1, [])
        case UInt8(ascii: "{"): return (.raw, 1, [UInt8(ascii: "}")])
        case .equals: return (.delimiters, 1, [.equals])
        default: return (.name, 0, [])
        }
    }

    private func lineEnd(after place: Int) -> Int? {
        var end = place
        while end < bytes.count, bytes[end].isBlank {
            end += 1
        }

        if end == bytes.count { return end }
        if bytes[end] == .newline { return end + 1 }

        return bytes.has([.carriageReturn, .newline], at: end) ? end + 2 : nil
    }
}

extension TagScanner {
    private func name(
        of kind: Tag.Kind, in content: Range<Int>, of extent: Range<Int>
    ) throws(TemplateError) -> (Range<Int>, isDynamic: Bool) {
        guard kind != .comment, kind != .delimiters else {
            return (content, false)
        }

        var name = bytes.trimmed(content)
        let mayBeDynamic = kind == .partial || kind == .parent || kind == .close
        let isDynamic = mayBeDynamic && bytes[name].first == .star
        if isDynamic {
            name = bytes.trimmed(name.dropFirst())
        }

        guard !name.isEmpty else {
            throw source.error(at: extent.lowerBound, "this tag has no name")
        }

        if mode == .strict {
            let isPath = isDynamic || kind == .name || kind == .raw || kind == .section || kind == .inverted
            try requireName(name, isPath: isPath)
        }

        return (name, isDynamic)
    }

    private func requireName(_ name: Range<Int>, isPath: Bool) throws(TemplateError) {
        let text = source.text(name)
        if let end = bytes[name].firstIndex(where: {
            $0 == .newline || $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "<")
        }) {
            let begun = source.text(name.lowerBound..<end)
            throw source.error(
                at: name.lowerBound, "the tag that begins with \"\(begun)\" is not closed; it ends in }}")
        }
        if bytes[name].contains(where: \.isSpace) {
            throw source.error(at: name.lowerBound, "\"\(text)\" is not a name: it has a space in it")
        }

        if isPath, text != ".",
            bytes[name].split(separator: .dot, omittingEmptySubsequences: false).contains(where: \.isEmpty)
        {
            throw source.error(at: name.lowerBound, "\"\(text)\" is not a name: there is nothing on one side of a dot")
        }
    }

    private mutating func setDelimiters(_ content: Range<Int>, of extent: Range<Int>) throws(TemplateError) {
        let pair = bytes[content].split(whereSeparator: \.isSpace)
        guard pair.count == 2, !bytes[content].contains(.equals) else {
            throw source.error(
                at: extent.lowerBound,
                "this tag must hold two new delimiters with a space between them, as in {{=<% %>=}}")
        }

        // To look for a long one at each byte takes a time that grows with the square of the template's length.
        guard pair.allSatisfy({ $0.count <= Self.longestDelimiter }) else {
            throw source.error(at: extent.lowerBound, "a delimiter has at most \(Self.longestDelimiter) bytes")
        }

        opening = Array(pair[0])
        closing = Array(pair[1])
    }
}
