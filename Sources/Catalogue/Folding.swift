/// Converts text to the words of the search index. Latin, Greek and Cyrillic letters lose case and marks, other Latin
/// letters are spelled in ASCII, apostrophes are removed, and punctuation separates words. All other characters are
/// unchanged. scripts/records.js must implement exactly the same rules, because words are parts of file names.
package enum Folding {
    /// The ranges in which letters lose marks and case: Latin, Greek and Cyrillic; Latin and Greek extended.
    private static let ranges: [ClosedRange<UInt32>] = [0xC0...0x52F, 0x1E00...0x1FFF]

    package static func forEachWord(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.utf8.count * 2 + 4) { word in
            var length = 0
            func end() {
                if length > 0 { body(UnsafeBufferPointer(rebasing: word[..<length])) }
                length = 0
            }
            // A folded letter has at most one byte more than its capital letter.
            func append(_ byte: UInt8) {
                word[length] = byte
                length += 1
            }
            for scalar in text.unicodeScalars {
                guard let letter = folded(scalar.value) else { continue }
                if letter == " " {
                    end()
                } else if let text = spelled(letter) {
                    text.utf8.forEach(append)
                } else {
                    (UTF8.encode(letter) ?? UTF8.encodedReplacementCharacter).forEach(append)
                }
            }
            end()
        }
    }

    /// The spelling of a small Latin letter that is not a letter of ASCII with a mark.
    static func spelled(_ letter: Unicode.Scalar) -> String? {
        (0xDF...0x153).contains(letter.value) ? spellings[letter] : nil
    }

    private static let spellings: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h", "ŋ": "ng",
        "ı": "i",
    ]

    /// The letter of the search index; a space for a character that separates words, nil for one that is removed.
    static func folded(_ scalar: UInt32) -> Unicode.Scalar? {
        if scalar < 0x80 { return classified(scalar >= 0x41 && scalar <= 0x5A ? scalar + 0x20 : scalar) }
        if ranges[0].contains(scalar) { return classified(table[Int(scalar - ranges[0].lowerBound)]) }
        if ranges[1].contains(scalar) { return classified(table[Int(scalar - ranges[1].lowerBound) + ranges[0].count]) }
        return classified(scalar)
    }

    private static func classified(_ scalar: UInt32) -> Unicode.Scalar? {
        switch scalar {
        case 0x61...0x7A, 0x30...0x39: Unicode.Scalar(scalar)
        case 0x27, 0x2019, 0x2BC, 0x300...0x36F, 0x483...0x489: nil
        case ..<0xC0, 0xD7, 0xF7, 0x2000...0x206F, 0x3000...0x303F: " "
        default: Unicode.Scalar(scalar) ?? " "
        }
    }

    /// The combining marks in the decompositions of letters in the ranges, from UnicodeData.txt.
    private static let marks: [ClosedRange<UInt32>] = [
        0x300...0x304, 0x306...0x30C, 0x30F...0x30F, 0x311...0x311, 0x313...0x314, 0x31B...0x31B, 0x323...0x328,
        0x32D...0x32E, 0x330...0x331, 0x338...0x338, 0x342...0x342, 0x345...0x345,
    ]

    /// The lower-case base letter of each code point in the ranges. The standard library cannot decompose letters, but
    /// if a letter is canonically equivalent to another letter with a mark, the other letter is its base.
    private static let table: [UInt32] = {
        let letters = ranges.joined()
        let equals = Dictionary(grouping: letters) { text($0) }
        var bases: [UInt32: UInt32] = [:]
        for base in [0x21...0xBF, ranges[0], ranges[1]].joined() {
            for mark in marks.joined() {
                for letter in equals[text(base) + text(mark)] ?? [] where letter != base { bases[letter] = base }
            }
        }
        // Letters that are equal to another one with a different code point, such as U+1FBE.
        for base in [0x21...0xBF, ranges[0]].joined() where bases[base] == nil {
            for letter in equals[text(base)] ?? [] where letter > base && bases[letter] == nil { bases[letter] = base }
        }
        return letters.map { letter in
            var base = letter
            while let next = bases[base] { base = next }
            return lowered(base)
        }
    }()

    private static func text(_ scalar: UInt32) -> String { Unicode.Scalar(scalar).map { String($0) } ?? "" }

    /// The lower-case letter. Both lower-case sigmas become the same letter.
    private static func lowered(_ scalar: UInt32) -> UInt32 {
        let lowered = Unicode.Scalar(scalar)?.properties.lowercaseMapping.unicodeScalars.first?.value ?? scalar
        return lowered == 0x3C2 ? 0x3C3 : lowered
    }
}
