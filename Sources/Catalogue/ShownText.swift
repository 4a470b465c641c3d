import Platform

/// Makes served text safe to show: without invalid characters, of limited length, and with its own text direction.
extension String {
    /// The maximum number of characters (Unicode scalars) of a record's name in lists, links, titles and the search.
    package static let shortLength = 300

    /// The maximum number of characters of a text on its record's page. Seven such texts of quotes make 44 MiB of HTML.
    package static let fullLength = 1 << 20

    /// The text without characters that a page cannot contain. It has at most `fullLength` characters.
    ///
    /// A form feed becomes a line end. Other characters that HTML or XML forbids become U+FFFD: noncharacters, and
    /// control characters except tab and line ends (HTML standard, 13.2.3.5; XML 1.0, 2.2). So that the following text
    /// keeps its direction, open formatting is closed, and unmatched ends of formatting are removed (UAX #9, 2.7).
    package var showable: String {
        let isLong = utf8.count > Self.fullLength
        guard isLong || hasSuspectBytes else { return self }
        guard isLong || unicodeScalars.contains(where: { $0.isForbidden || $0.isDirectional }) else { return self }
        var shown = ""
        shown.reserveCapacity(utf8.count)
        var direction = OpenDirections()
        for scalar in (isLong ? cut(to: Self.fullLength, closing: false) : self).unicodeScalars {
            if scalar.isForbidden {
                shown.unicodeScalars.append(scalar == "\u{0C}" ? "\n" : "\u{FFFD}")
            } else if direction.accepts(scalar) {
                shown.unicodeScalars.append(scalar)
            }
        }
        shown.unicodeScalars.append(contentsOf: direction.closing)
        return shown
    }

    /// The first `shortLength` characters of a text that `showable` returned.
    package var shortened: String { cut(to: Self.shortLength, closing: true) }

    /// A text that `showable` returned, shortened. A long text begins shortly before its difference from another one.
    package func shortened(besides other: String, to length: Int = shortLength) -> String {
        guard utf8.count > length else { return self }
        let common = zip(unicodeScalars, other.unicodeScalars).prefix { $0 == $1 }.count
        let context = length / 5
        guard common > 2 * context, !utf8.elementsEqual(other.utf8) else { return cut(to: length, closing: true) }
        let start = unicodeScalars.dropFirst(common - context)
        let word = start.prefix(context).firstIndex { $0.properties.isWhitespace } ?? start.startIndex
        return ("…" + String(start[word...])).showable.cut(to: length, closing: true)
    }

    /// The `safeText` in quotation marks.
    package var quoted: String { "\"\(safeText)\"" }

    /// The text for one line of a terminal. It has at most 1,000 characters; invisible characters become U+FFFD.
    package var singleLine: String { cut(to: 1_000, closing: false).visible }

    /// Whether the text has only white space and invisible characters.
    package var isBlank: Bool {
        // A fast path: nearly every text begins with a letter or a digit.
        if let first = utf8.first, first > 0x20, first < 0x7F { return false }
        return unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
    }

    /// The beginning of a longer text, with an ellipsis. It counts scalars, because a `Character` can have any length.
    private func cut(to limit: Int, closing: Bool) -> String {
        guard utf8.count > limit, let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex),
            end < endIndex
        else { return self }
        let cut = String(unicodeScalars[..<unicodeScalars.index(before: end)])
        return (closing ? cut.showable : cut) + "…"
    }

    /// Whether the text may have forbidden or directional characters.
    private var hasSuspectBytes: Bool {
        utf8.withContiguousStorageIfAvailable { bytes in
            Self.isSuspect.withUnsafeBufferPointer { isSuspect in bytes.contains { isSuspect[Int($0)] } }
        } ?? true
    }

    /// The first UTF-8 bytes of forbidden or directional characters. Other characters share some of them.
    private static let isSuspect: [Bool] = (0..<256).map { byte in
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || [0x7F, 0xC2, 0xE2, 0xEF].contains(byte)
            || byte >= 0xF0
    }
}

/// The directional formatting that a text has opened and not closed (UAX #9, 3.3.2).
private struct OpenDirections {
    /// The closing character of each open formatting, the innermost last.
    private var closers: [Unicode.Scalar] = []
    /// The number of open isolates. If it is zero, the end of an isolate is rejected without a search in `closers`.
    private var isolates = 0

    /// - Returns: false if the scalar closes formatting that the text has not opened.
    mutating func accepts(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A, 0x202B, 0x202D, 0x202E: closers.append("\u{202C}")
        case 0x2066, 0x2067, 0x2068:
            closers.append("\u{2069}")
            isolates += 1
        case 0x202C:
            guard closers.last == scalar else { return false }
            closers.removeLast()
        case 0x2069:
            // This also closes the embeddings in the isolate.
            guard isolates > 0, let isolate = closers.lastIndex(of: scalar) else { return false }
            closers.removeSubrange(isolate...)
            isolates -= 1
        default: break
        }
        return true
    }

    var closing: ReversedCollection<[Unicode.Scalar]> { closers.reversed() }
}
