/// Served text as it can be shown: whatever a server sends, it stays text, of bearable length, and turns nothing around
/// it about.
extension String {
    /// The most characters (Unicode scalars) of a text where it stands for its record: in lists, links, titles and the
    /// search.
    package static let shortLength = 300

    /// The most characters of a text on its own page. Seven such texts of nothing but quotation marks are 44 MiB of
    /// HTML.
    package static let fullLength = 1 << 20

    /// The text without what pages cannot hold.
    ///
    /// What HTML or XML forbids becomes U+FFFD: controls but for tab and line ends, and noncharacters (HTML standard,
    /// 13.2.3.5; XML 1.0, 2.2). Directional formatting that the text leaves open is closed at its end, and what closes
    /// more than it opened is left out (UAX #9, 2.7), so that the text behind it keeps its direction. It ends after
    /// `fullLength` characters.
    package var showable: String {
        let isLong = utf8.count > Self.fullLength
        guard isLong || utf8.contains(where: { Self.isSuspect[Int($0)] }) else { return self }
        guard isLong || unicodeScalars.contains(where: { $0.isForbidden || $0.isDirectional }) else { return self }
        var shown = ""
        shown.reserveCapacity(utf8.count)
        var direction = OpenDirections()
        for scalar in (isLong ? cut(to: Self.fullLength, closing: false) : self).unicodeScalars {
            if scalar.isForbidden {
                shown.unicodeScalars.append("\u{FFFD}")
            } else if direction.takes(scalar) {
                shown.unicodeScalars.append(scalar)
            }
        }
        shown.unicodeScalars.append(contentsOf: direction.closing)
        return shown
    }

    /// As much of a shown text as stands for its record elsewhere.
    package var shortened: String { cut(to: Self.shortLength, closing: true) }

    /// The text in quotation marks as a part of a sentence on one line of a terminal: visible characters only, the
    /// first 200.
    package var quoted: String {
        var shown = "\""
        for scalar in unicodeScalars.prefix(200) {
            shown.unicodeScalars.append(scalar.isVisible ? scalar : "\u{FFFD}")
        }
        return shown + (unicodeScalars.dropFirst(200).isEmpty ? "\"" : "…\"")
    }

    /// The text on one line of a terminal: visible characters only, the first thousand.
    package var onOneLine: String {
        String(
            String.UnicodeScalarView(
                cut(to: 1_000, closing: false).unicodeScalars.map { $0.isVisible ? $0 : "\u{FFFD}" }))
    }

    /// Whether there is nothing to see in it.
    package var isBlank: Bool {
        // Nearly every text begins with a letter or a digit.
        if let first = utf8.first, first > 0x20, first < 0x7F { return false }
        return unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
    }

    /// The beginning of a longer text, with an ellipsis. Counted in scalars: a single character can be of any length.
    private func cut(to limit: Int, closing: Bool) -> String {
        guard utf8.count > limit, let end = unicodeScalars.index(startIndex, offsetBy: limit, limitedBy: endIndex),
            end < endIndex
        else {
            return self
        }
        let cut = String(unicodeScalars[..<unicodeScalars.index(before: end)])
        return (closing ? cut.showable : cut) + "…"
    }

    /// Bytes that what is forbidden or directional begins with in UTF-8.
    private static let isSuspect: [Bool] = (0..<256).map { byte in
        byte < 0x20 && byte != 0x09 && byte != 0x0A && byte != 0x0D || [0x7F, 0xC2, 0xE2, 0xEF].contains(byte)
            || byte >= 0xF0
    }
}

extension Unicode.Scalar {
    /// Whether HTML or XML forbids it (HTML standard, 13.2.3.5; XML 1.0, 2.2).
    var isForbidden: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D: false
        case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: true
        default: value & 0xFFFE == 0xFFFE
        }
    }

    fileprivate var isDirectional: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }

    /// Whether a terminal shows it as itself and in its place.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: false
        default: true
        }
    }
}

/// The directional formatting that a text has opened and not closed (UAX #9, 3.3.2).
private struct OpenDirections {
    /// What closes each, the innermost last.
    private var closers: [Unicode.Scalar] = []
    /// How many of them close isolates: only then is one looked for, or each end of none would go through all that is
    /// open.
    private var isolates = 0

    private static let endOfEmbedding: Unicode.Scalar = "\u{202C}"
    private static let endOfIsolate: Unicode.Scalar = "\u{2069}"

    /// - Returns: whether the scalar may stay: it does not close what was opened outside the text.
    mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A, 0x202B, 0x202D, 0x202E: closers.append(Self.endOfEmbedding)
        case 0x2066, 0x2067, 0x2068:
            closers.append(Self.endOfIsolate)
            isolates += 1
        case 0x202C:
            guard closers.last == Self.endOfEmbedding else { return false }
            closers.removeLast()
        case 0x2069:
            // It closes the embeddings within the isolate too.
            guard isolates > 0, let isolate = closers.lastIndex(of: Self.endOfIsolate) else { return false }
            closers.removeSubrange(isolate...)
            isolates -= 1
        default: break
        }
        return true
    }

    var closing: ReversedCollection<[Unicode.Scalar]> { closers.reversed() }
}

/// A day of the calendar, in a year of four digits.
public struct Day: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Nil for a day that no calendar has: it would make its page invalid, and an invalid page stops the site.
    package init?(year: Int, month: Int, day: Int) {
        guard (1_000...9_999).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day)
        else {
            return nil
        }
        self.year = year
        self.month = month
        self.day = day
    }

    /// As machines read it: 2010-03-05.
    package var machineReadable: String { "\(year)-\(month.twoDigits)-\(day.twoDigits)" }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension Int {
    /// With a 0 before it where it has one digit: "05".
    package var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}

/// Lets parsers of bytes write ASCII characters: `byte == "{"`.
extension UInt8: @retroactive ExpressibleByUnicodeScalarLiteral {
    /// The character's code.
    @inlinable
    public init(unicodeScalarLiteral value: Unicode.Scalar) {
        self.init(ascii: value)
    }
}
