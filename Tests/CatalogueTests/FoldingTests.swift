import Testing

@testable import Catalogue

@Suite struct FoldingTests {
    private static let marks: [ClosedRange<UInt32>] = [
        0x300...0x304, 0x306...0x30C, 0x30F...0x30F, 0x311...0x311, 0x313...0x314, 0x31B...0x31B, 0x323...0x328,
        0x32D...0x32E, 0x330...0x331, 0x338...0x338, 0x342...0x342, 0x345...0x345,
    ]

    /// The standard library cannot decompose letters, but it knows that a letter equals another one with a mark.
    @Test("Letters lose exactly the marks that Unicode gives them") func marks() {
        func text(_ scalar: UInt32) -> String { Unicode.Scalar(scalar).map { String($0) } ?? "" }
        let ranges: [ClosedRange<UInt32>] = [0x21...0xBF, 0xC0...0x52F, 0x1E00...0x1FFF]
        let letters = ranges.dropFirst().joined().filter { !(0x300...0x36F).contains($0) }
        let equals = Dictionary(grouping: letters) { text($0) }
        var bases: [UInt32: UInt32] = [:]
        for base in ranges.joined() {
            // A letter can also equal another one without a mark, such as U+1FBE.
            for letter in equals[text(base)] ?? [] where letter > base { bases[letter] = bases[letter] ?? base }
            for mark in Self.marks.joined() {
                for letter in equals[text(base) + text(mark)] ?? [] where letter != base { bases[letter] = base }
            }
        }
        #expect(bases.count > 800)
        for letter in letters {
            var base = letter
            while let next = bases[base] { base = next }
            let small = Unicode.Scalar(base)?.properties.lowercaseMapping.unicodeScalars.first?.value ?? base
            let (folded, expected) = (Folding.folded(letter), Folding.folded(small))
            #expect(folded == expected, "U+\(String(letter, radix: 16))")
            // Both lower-case sigmas become the same letter.
            let isKept = expected.map { $0 == " " || $0.value == small } ?? true
            #expect(isKept || small == 0x3C2, "U+\(String(letter, radix: 16))")
        }
    }
}
