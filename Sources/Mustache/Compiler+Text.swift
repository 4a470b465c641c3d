/// The text between tags.
extension Compiler {
    /// Ends the text before the tag and starts the text after it; a tag that is alone takes its lines with it.
    mutating func place(_ tag: Tag) {
        guard let start = tag.lineStart, let end = tag.lineEnd else {
            return placeInline(tag)
        }

        literal(upTo: start)
        cursor = end
    }

    /// As `place`, for a tag whose line stays.
    mutating func placeInline(_ tag: Tag) {
        literal(upTo: tag.extent.lowerBound)
        beginLine(at: tag.extent.lowerBound)
        cursor = tag.extent.upperBound
    }

    /// Says that the line begins with a tag, if it does.
    mutating func beginLine(at offset: Int) {
        guard atLineStart else { return }

        emit(.lineStart, at: offset)
        atLineStart = false
    }

    /// Adds the text from the cursor to this place, without the indentation of the override it stands in.
    mutating func literal(upTo end: Int) {
        guard cursor < end else { return }

        let startsLine = atLineStart
        let start = program.text.count
        var place = cursor
        cursor = end

        if dedent.isEmpty {
            program.text.append(contentsOf: source.bytes[place..<end])
        }

        while !dedent.isEmpty, place < end {
            place = atLineStart ? withoutIndentation(place..<end) : place
            let lineEnd = source.bytes[place..<end].firstIndex(of: .newline).map { $0 + 1 } ?? end
            program.text.append(contentsOf: source.bytes[place..<lineEnd])
            place = lineEnd
            atLineStart = true
        }

        guard start < program.text.count else { return }

        atLineStart = program.text.last == .newline
        addLiteral(start..<program.text.count, startsLine: startsLine)
    }

    /// Adds a text that stands in the place of a tag, without line ends of its own.
    mutating func literal(_ text: String, isEscaped: Bool) {
        let start = program.text.count
        if isEscaped {
            Escaping(program.mode).append(text, to: &program.text)
        } else {
            program.text.append(contentsOf: text.utf8)
        }
        guard start < program.text.count else { return }

        addLiteral(start..<program.text.count, startsLine: false)
    }

    private mutating func addLiteral(_ range: Range<Int>, startsLine: Bool) {
        if literalMayGrow, case .literal(let before, let startsBefore) = program.operations.last,
            Int(before.end) == range.lowerBound
        {
            program.operations[program.operations.count - 1] = .literal(
                .init(before.range.lowerBound..<range.upperBound), startsLine: startsBefore)
        } else {
            emit(.literal(.init(range), startsLine: startsLine), at: cursor)
        }

        literalMayGrow = true
    }

    /// Where the line goes on after what an override's indentation takes from it.
    func withoutIndentation(_ line: Range<Int>) -> Int {
        var place = line.lowerBound
        for byte in source.bytes[dedent] {
            guard place < line.upperBound, source.bytes[place] == byte else { break }

            place += 1
        }

        return place
    }

    /// Keeps the blanks at the beginning of a line as an indentation, less what the override takes.
    mutating func indentation(_ range: Range<Int>) -> Operation.Stretch {
        let start = program.text.count
        program.text.append(contentsOf: source.bytes[withoutIndentation(range)..<range.upperBound])

        return .init(start..<program.text.count)
    }

    /// The blanks at the beginning of the first line that has anything else, or nil where there is none.
    func intrinsicIndentation(_ content: Range<Int>) -> Range<Int>? {
        var start = content.lowerBound
        while start < content.upperBound {
            let end = source.bytes[start..<content.upperBound].firstIndex { !$0.isBlank } ?? content.upperBound
            guard end < content.upperBound else { return nil }

            if source.bytes[end] == .newline {
                start = end + 1
            } else if source.bytes.has([.carriageReturn, .newline], at: end) {
                start = end + 2
            } else {
                return start..<end
            }
        }

        return nil
    }
}
