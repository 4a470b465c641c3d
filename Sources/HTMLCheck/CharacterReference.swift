internal import CLibXML2

/// What stands behind an ampersand, where it names a character (HTML standard, 13.2.5.72 and on).
///
/// The names are those of HTML 4, which libxml2 knows; of HTML 5's many more, descriptions make no use: they stay as
/// they are written.
struct CharacterReference: Equatable {
    /// U+FFFD for a number that is no character.
    let character: Unicode.Scalar
    /// The characters behind the ampersand that belong to it.
    let length: Int

    /// - Parameter text: what follows the ampersand.
    init?(_ text: ArraySlice<Unicode.Scalar>) {
        if text.first == "#" { self.init(numbering: text) } else { self.init(naming: text) }
    }

    private init?(numbering text: ArraySlice<Unicode.Scalar>) {
        let isHexadecimal = text.dropFirst().first?.inLowerCase == "x"
        let digits = text.dropFirst(isHexadecimal ? 2 : 1).prefix { $0.isDigit(inHexadecimal: isHexadecimal) }
        guard !digits.isEmpty else { return nil }
        var number: UInt32 = 0
        for digit in digits where number <= 0x10FFFF {
            number = number * (isHexadecimal ? 16 : 10) + digit.digitValue
        }
        character = Self.windows1252[number] ?? Unicode.Scalar(number) ?? "\u{FFFD}"
        length = digits.endIndex - text.startIndex + (text[digits.endIndex...].first == ";" ? 1 : 0)
    }

    private init?(naming text: ArraySlice<Unicode.Scalar>) {
        let letters = text.prefix(Self.longestName).prefix { $0.isLetter || $0.isDigit(inHexadecimal: false) }
        var name = String(String.UnicodeScalarView(letters))
        if text[letters.endIndex...].first == ";", let character = Self.names[name] {
            self.character = character
            length = letters.count + 1
            return
        }
        // Names of Latin-1, and those of markup, need no semicolon: the longest that the text begins with.
        while !name.isEmpty {
            if name != "apos", let character = Self.names[name], character.value <= 0xFF {
                self.character = character
                length = name.utf8.count
                return
            }
            name.removeLast()
        }
        return nil
    }

    /// libxml2 looks through all its names for each: here they are put in order once.
    private static let names: [String: Unicode.Scalar] = {
        var names: [String: Unicode.Scalar] = [:]
        for number in 0..<UInt32(0x2700) {
            guard let entity = htmlEntityValueLookup(number), let character = Unicode.Scalar(number) else { continue }
            names[String(cString: entity.pointee.name)] = character
        }
        for name in ["amp", "lt", "gt", "quot", "copy", "reg"] { names[name.uppercased()] = names[name] }
        return names
    }()

    /// "thetasym".
    private static let longestName = 8

    /// What numbers of controls mean, from times when pages were in Windows-1252 (HTML standard, 13.2.5.80).
    private static let windows1252: [UInt32: Unicode.Scalar] = [
        0x80: "€", 0x82: "‚", 0x83: "ƒ", 0x84: "„", 0x85: "…", 0x86: "†", 0x87: "‡", 0x88: "ˆ", 0x89: "‰", 0x8A: "Š",
        0x8B: "‹",
        0x8C: "Œ", 0x8E: "Ž", 0x91: "‘", 0x92: "’", 0x93: "“", 0x94: "”", 0x95: "•", 0x96: "–", 0x97: "—", 0x98: "˜",
        0x99: "™",
        0x9A: "š", 0x9B: "›", 0x9C: "œ", 0x9E: "ž", 0x9F: "Ÿ",
    ]
}
