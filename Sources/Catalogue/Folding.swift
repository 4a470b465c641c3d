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

    /// The small letters with marks, in groups after their letter without marks: the canonical decompositions of
    /// UnicodeData.txt. The standard library cannot decompose letters.
    private static let markedLetters = """
        aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ bḃḅḇ cçćĉċčḉ dďḋḍḏḑḓ eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ fḟ gĝğġģǧǵḡ hĥȟḣḥḧḩḫẖ
        iìíîïĩīĭįǐȉȋḭḯỉị jĵǰ kķǩḱḳḵ lĺļľḷḹḻḽ mḿṁṃ nñńņňǹṅṇṉṋ oòóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ pṕṗ rŕŗřȑȓṙṛṝṟ
        sśŝşšșṡṣṥṧṩ tţťțṫṭṯṱẗ uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự vṽṿ wŵẁẃẅẇẉẘ xẋẍ yýÿŷȳẏẙỳỵỷỹ zźżžẑẓẕ æǣǽ øǿ ſẛ ʒǯ
        αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ εέἐἑἒἓἔἕὲέ ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ ιΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ οόὀὁὂὃὄὅὸό ρῤῥ
        υΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ ϒϓϔ аӑӓ гѓ еѐёӗ жӂӝ зӟ ийѝӣӥ кќ оӧ уўӯӱӳ чӵ ыӹ эӭ ії ѵѷ әӛ
        өӫ \u{3B}\u{37E} \u{60}\u{1FEF} \u{A8}\u{385}\u{1FC1}\u{1FED}\u{1FEE} \u{B4}\u{1FFD} \u{B7}\u{387}
        \u{2B9}\u{374} \u{1FBF}\u{1FCD}\u{1FCE}\u{1FCF} \u{1FFE}\u{1FDD}\u{1FDE}\u{1FDF}
        """

    /// The lower-case base letter of each code point in the ranges.
    private static let table: [UInt32] = {
        var bases: [UInt32: UInt32] = [:]
        for group in markedLetters.unicodeScalars.split(whereSeparator: \.properties.isWhitespace) {
            for letter in group.dropFirst() { bases[letter.value] = group.first?.value }
        }
        return ranges.joined().map { letter in
            let small = lowered(letter)
            return bases[small] ?? small
        }
    }()

    /// The lower-case letter. Both lower-case sigmas become the same letter.
    private static func lowered(_ scalar: UInt32) -> UInt32 {
        let lowered = Unicode.Scalar(scalar)?.properties.lowercaseMapping.unicodeScalars.first?.value ?? scalar
        return lowered == 0x3C2 ? 0x3C3 : lowered
    }
}
