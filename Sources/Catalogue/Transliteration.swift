/// Writes Latin and Cyrillic letters in ASCII, for addresses. Cyrillic letters are written as by BGN/PCGN, without
/// marks and apostrophes. Addresses of published pages depend on this table.
enum Transliteration {
    private static let table: [Character: String] = [
        "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ё": "yo", "ж": "zh", "з": "z", "и": "i",
        "й": "y", "к": "k", "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u",
        "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "", "э": "e",
        "ю": "yu", "я": "ya",
        // Belarusian and Ukrainian.
        "ґ": "g", "є": "ye", "і": "i", "ї": "yi", "ў": "w",
        // Serbian and Macedonian.
        "ђ": "dj", "ѓ": "g", "ѕ": "dz", "ј": "j", "ќ": "k", "љ": "lj", "њ": "nj", "ћ": "c", "џ": "dz",
        // Kazakh, Kyrgyz, Tatar and others.
        "ә": "a", "ғ": "g", "җ": "zh", "қ": "k", "ң": "n", "ө": "o", "ү": "u", "ұ": "u", "һ": "h",
    ]

    /// A text of at most `length` characters of ASCII. Other letters lose case and marks; characters that have no form
    /// in ASCII become spaces. A text that is only ASCII is cut, and not changed otherwise.
    static func ascii(_ text: String, length: Int) -> String {
        let start = text.utf8.prefix(length)
        if start.allSatisfy({ $0 < 0x80 }) { return String(decoding: start, as: UTF8.self) }
        var ascii = ""
        // Marks and letters without a sound of their own add nothing, so the input is limited as well.
        for character in String(String.UnicodeScalarView(text.unicodeScalars.prefix(4 * length))) {
            ascii += table[character] ?? character.lowercased().map { table[$0] ?? folded($0) }.joined()
            if ascii.utf8.count >= length { break }
        }
        return String(decoding: ascii.utf8.prefix(length), as: UTF8.self)
    }

    /// A character without its marks.
    private static func folded(_ character: Character) -> String {
        character.unicodeScalars.compactMap { Folding.folded($0.value) }.map { letter in
            letter.isASCII ? String(letter) : Folding.spelled(letter) ?? table[Character(letter)] ?? " "
        }.joined()
    }
}
