/// The text between tags.
extension Compiler {
    /// Ends the text before the tag and starts the text after it; a tag that is alone takes its lines with it.
    mutating func place(_ tag: Tag) {
        guard let start = tag.lineStart, let end = tag.lineEnd else { return placeInline(tag) }
        literal(upTo: start)
        cursor = end
    }

    /// As `place`, for a tag whose line stays.
    mutating func placeInline(_ tag: Tag) {
        literal(upTo: tag.extent.lowerBound)
        if atLineStart { emit(.lineStart, at: tag.extent.lowerBound) }
        atLineStart = false
        cursor = tag.extent.upperBound
    }

    /// Adds the text from the cursor to this place, without the indentation of the override it stands in.
    mutating func literal(upTo end: Int) {
        guard cursor < end else { return }
        let startsLine = atLineStart
        let start = library.text.count
        var place = cursor
        cursor = end

        if dedent.isEmpty { library.text.append(contentsOf: source.bytes[place..<end]) }
        while !dedent.isEmpty, place < end {
            place = atLineStart ? withoutIndentation(place..<end) : place
            let lineEnd = source.bytes[place..<end].firstIndex(of: .newline).map { $0 + 1 } ?? end
            library.text.append(contentsOf: source.bytes[place..<lineEnd])
            place = lineEnd
            atLineStart = true
        }
        guard start < library.text.count else { return }
        atLineStart = library.text.last == .newline
        addLiteral(from: start, startsLine: startsLine)
    }

    /// Adds a text that stands in the place of a tag, without line ends of its own.
    mutating func literal(_ text: String, isEscaped: Bool) {
        let start = library.text.count
        if isEscaped {
            Escaping(library.mode).append(text, to: &library.text)
        } else {
            library.text.append(contentsOf: text.utf8)
        }
        if start < library.text.count { addLiteral(from: start, startsLine: false) }
    }

    /// Adds the end of the library's text as a literal, or to the literal before it.
    private mutating func addLiteral(from start: Int, startsLine: Bool) {
        let end = library.text.count
        if literalMayGrow, case .literal(let before, let startsBefore) = library.operations.last,
            before.upperBound == start
        {
            library.operations[library.operations.count - 1] = .literal(
                before.lowerBound..<end, startsLine: startsBefore)
        } else {
            emit(.literal(start..<end, startsLine: startsLine), at: cursor)
        }
        literalMayGrow = true
    }

    /// Where the line goes on after what an override's indentation takes from it.
    private func withoutIndentation(_ line: Range<Int>) -> Int {
        line.lowerBound + zip(source.bytes[line], source.bytes[dedent]).prefix { $0 == $1 }.count
    }

    /// Keeps the blanks at the beginning of a line as an indentation, less what the override takes.
    mutating func indentation(_ range: Range<Int>) -> Range<Int> {
        let start = library.text.count
        library.text.append(contentsOf: source.bytes[withoutIndentation(range)..<range.upperBound])
        return start..<library.text.count
    }

    /// The blanks at the beginning of the first line that has anything else, or nil where there is none.
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
