import Platform

/// The text between tags.
extension Compiler {
    /// Emits the text before a tag, and moves the cursor past the tag. Lines with only the tag are removed.
    mutating func emitText(before tag: TemplateTag) {
        guard let start = tag.lineStart, let end = tag.lineEnd else { return emitTextInline(before: tag) }
        literal(upTo: start)
        cursor = end
    }

    /// Like `emitText`, but the rest of the tag's line is kept.
    mutating func emitTextInline(before tag: TemplateTag) {
        literal(upTo: tag.extent.lowerBound)
        if atLineStart { emit(.lineStart, at: tag.extent.lowerBound) }
        atLineStart = false
        cursor = tag.extent.upperBound
    }

    /// Emits the text from the cursor to an offset, without the indentation of the enclosing override.
    mutating func literal(upTo end: Int) {
        guard cursor < end else { return }
        let startsLine = atLineStart
        let start = library.text.count
        var offset = cursor
        cursor = end

        if dedent.isEmpty { library.text.append(contentsOf: source.bytes[offset..<end]) }
        while !dedent.isEmpty, offset < end {
            offset = atLineStart ? withoutIndentation(offset..<end) : offset
            let lineEnd = source.bytes[offset..<end].firstIndex(of: "\n").map { $0 + 1 } ?? end
            library.text.append(contentsOf: source.bytes[offset..<lineEnd])
            offset = lineEnd
            atLineStart = true
        }
        guard start < library.text.count else { return }
        atLineStart = library.text.last == "\n"
        addLiteral(from: start, startsLine: startsLine)
    }

    /// Emits a text that replaces a tag. It has no line ends.
    mutating func literal(_ text: String, isEscaped: Bool) {
        let start = library.text.count
        library.text += (isEscaped ? Escaping.escaped(text) : text).utf8
        if start < library.text.count { addLiteral(from: start, startsLine: false) }
    }

    /// Emits the library's text from `start` as a literal, or extends the literal before it.
    private mutating func addLiteral(from start: Int, startsLine: Bool) {
        let end = library.text.count
        if canExtendLiteral, case .literal(let before, let startsBefore) = library.operations.last,
            before.upperBound == start
        {
            library.operations[library.operations.count - 1] = .literal(
                before.lowerBound..<end, startsLine: startsBefore)
        } else {
            emit(.literal(start..<end, startsLine: startsLine), at: cursor)
        }
        canExtendLiteral = true
    }

    /// The offset after the enclosing override's indentation in a line.
    private func withoutIndentation(_ line: Range<Int>) -> Int {
        line.lowerBound + zip(source.bytes[line], source.bytes[dedent]).prefix { $0 == $1 }.count
    }

    /// Stores the blanks at the start of a line as an indentation, without the enclosing override's indentation.
    mutating func indentation(_ range: Range<Int>) -> Range<Int> {
        let start = library.text.count
        library.text.append(contentsOf: source.bytes[withoutIndentation(range)..<range.upperBound])
        return start..<library.text.count
    }

    /// The indentation of the first line that is not blank; nil if all lines are blank.
    func intrinsicIndentation(_ content: Range<Int>) -> Range<Int>? {
        var start = content.lowerBound
        while let end = source.bytes[start..<content.upperBound].firstIndex(where: { !$0.isBlank }) {
            guard let next = source.bytes.endOfLine(at: end) else { return start..<end }
            guard next < content.upperBound else { return nil }
            start = next
        }
        return nil
    }
}
