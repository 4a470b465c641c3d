/// Characters as HTML's syntax sees them.
extension Unicode.Scalar {
    /// Space, tab, line feed, form feed or carriage return.
    var isBlank: Bool { self == " " || self == "\n" || self == "\t" || self == "\r" || self == "\u{C}" }

    /// Whether it is one of ASCII's letters.
    var isLetter: Bool { ("a"..."z").contains(inLowerCase) }

    /// ASCII's capitals as small letters, all others as they are.
    var inLowerCase: Unicode.Scalar { ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) + 0x20) : self }

    func isDigit(inHexadecimal isHexadecimal: Bool) -> Bool {
        ("0"..."9").contains(self) || isHexadecimal && ("a"..."f").contains(inLowerCase)
    }

    /// Of a digit that is one, up to "f".
    var digitValue: UInt32 { self <= "9" ? value - 0x30 : inLowerCase.value - 0x57 }

    /// Whether HTML or XML forbids it (HTML standard, 13.2.3.5; XML 1.0, 2.2), and it is no white space to HTML.
    var isForbiddenInPages: Bool {
        switch value {
        case 0..<0x20 where isBlank: false
        case 0..<0x20, 0x7F...0x9F, 0xFDD0...0xFDEF: true
        default: value & 0xFFFE == 0xFFFE
        }
    }

    /// Whether it embeds, overrides or isolates direction, or ends that (UAX #9, 2).
    var formatsDirection: Bool { (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value) }
}
