import Catalogue
import Testing

struct ShownTextTests {
    private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
    private func text(_ code: UInt32) -> String { Unicode.Scalar(code).map { String($0) } ?? "" }

    @Test func `Characters that HTML or XML forbid become U+FFFD or a line end, and all others are unchanged`() {
        for code in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(code), !(0x202A...0x202E).contains(code),
                !(0x2066...0x2069).contains(code)
            else { continue }
            let isControl = code < 0x20 && ![0x09, 0x0A, 0x0D].contains(code) || (0x7F...0x9F).contains(code)
            let isNoncharacter = (0xFDD0...0xFDEF).contains(code) || code & 0xFFFE == 0xFFFE
            let shown = String(scalar).showable.unicodeScalars.first?.value
            if shown != (code == 0x0C ? 0x0A : isControl || isNoncharacter ? 0xFFFD : code) {
                Issue.record("U+\(String(code, radix: 16)) became \(shown ?? 0)")
            }
        }
    }

    @Test(
        arguments: [
            ([0x202E, 0x61], [0x202E, 0x61, 0x202C]),
            ([0x202A, 0x202B, 0x202D], [0x202A, 0x202B, 0x202D, 0x202C, 0x202C, 0x202C]),
            ([0x2066, 0x2067, 0x2068], [0x2066, 0x2067, 0x2068, 0x2069, 0x2069, 0x2069]),
            ([0x202E, 0x61, 0x202C, 0x62], [0x202E, 0x61, 0x202C, 0x62]),
            ([0x2067, 0x202E, 0x61], [0x2067, 0x202E, 0x61, 0x202C, 0x2069]),
            // Additional closing characters would close the formatting of the surrounding text.
            ([0x2069, 0x202E, 0x61], [0x202E, 0x61, 0x202C]), ([0x202C, 0x202C, 0x61], [0x61]), ([0x2069], []),
            // The end of an isolate ends its embeddings; the end of an embedding does not end an isolate.
            ([0x2066, 0x202E, 0x2069, 0x61], [0x2066, 0x202E, 0x2069, 0x61]),
            ([0x202E, 0x2066, 0x202C], [0x202E, 0x2066, 0x2069, 0x202C]),
        ] as [([UInt32], [UInt32])])
    func `Text direction is restored at the end of the text`(served: [UInt32], shown: [UInt32]) {
        #expect(scalars(served.map(text).joined().showable) == shown)
    }

    // Searching all open characters for an isolate takes 2.7e11 steps.
    @Test(.timeLimit(.minutes(1)))
    func `Many unbalanced direction characters are processed in linear time`() {
        let half = String.fullLength / 2
        let openers = [UInt32](repeating: 0x202A, count: half)
        let served = String(repeating: "\u{202A}", count: half) + String(repeating: "\u{2069}", count: half)
        #expect(scalars(served.showable) == openers + [UInt32](repeating: 0x202C, count: half))
        let isolated = "\u{2067}" + served
        #expect(scalars(String(isolated.unicodeScalars.dropLast()).showable) == [0x2067] + openers + [0x2069])
    }

    @Test func `A text that is shortened besides another one shows their difference, also within a long word`() {
        let (words, word) = (String(repeating: "so ", count: 20), String(repeating: "x", count: 60))
        let tail = " \(String(repeating: "y", count: 60))"
        #expect("\(words)1\(tail)".shortened(besides: "\(words)2", to: 50).hasPrefix("… so so so 1 yyy"))
        #expect("\(word)1\(tail)".shortened(besides: "\(word)2", to: 50).hasPrefix("…xxxxxxxxxx1 yyy"))
        #expect("\(word)1".shortened(besides: "\(word)2", to: 100) == "\(word)1")
    }

    @Test func `A long text is shortened to its limit with an ellipsis`() {
        let full = String(repeating: "é", count: String.shortLength)
        #expect(full.shortened == full)
        #expect(scalars((full + "x").shortened) == [UInt32](repeating: 0xE9, count: String.shortLength - 1) + [0x2026])
        // One character that consists of a letter and a million marks.
        let flood = "a" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(flood.shortened.unicodeScalars.count == String.shortLength)
        #expect(flood.quoted.unicodeScalars.count == 203)
        let turned = "\u{202E}" + String(repeating: "x", count: 1_000)
        #expect(
            turned.shortened.unicodeScalars.suffix(2) == ["\u{202C}", "…"], "open directions are closed at the cut")
    }

    @Test func `A text of more than 1,048,576 characters is also shortened on its own page`() {
        let longest = String(repeating: "x", count: String.fullLength)
        #expect(longest.showable == longest)
        let cut = (longest + "yz").showable
        #expect(cut.unicodeScalars.count == String.fullLength && cut.hasSuffix("x…"))
    }

    @Test func `A text without visible characters is blank`() {
        for blank in [
            "", " \t\n", "\u{200B}\u{200D}\u{FEFF}", "\u{2067}\u{2069}", "\u{AD}\u{34F}\u{180E}", "\u{3164}",
            "\u{A0}\u{3000}",
        ] {
            #expect(blank.isBlank, "\(scalars(blank))")
        }
        for visible in ["x", ".", "\u{FFFD}", " \u{200B}é", "🛸"] { #expect(!visible.isBlank, "\(visible)") }
    }

    @Test func `A quoted text has one line and no control characters`() {
        #expect(
            "a\u{1B}[2J\n\u{9B}31m\u{202E}\u{0}\u{2028}é🛸".quoted
                == "\"a\u{FFFD}[2J\u{FFFD}\u{FFFD}31m\u{FFFD}\u{FFFD}\u{FFFD}é🛸\"")
        #expect(String(repeating: "x", count: 201).quoted == "\"" + String(repeating: "x", count: 200) + "…\"")
        #expect("Rick\r\n\u{7F}Sanchez".singleLine == "Rick\u{FFFD}\u{FFFD}\u{FFFD}Sanchez")
        #expect(String(repeating: "x", count: 5_000).singleLine.unicodeScalars.count == 1_000)
    }

    @Test func `A text in JSON has no forbidden characters and cannot end a script`() {
        let noncharacters = [0xFDD0, 0xFFFF, 0x10FFFF].map(text).joined()
        let text = "\u{0}\u{8}\t\n\r\u{B}\u{1F}\u{7F}\u{85}\(noncharacters)</script>&\u{2028}\u{2029}\"\\]]>"
        let replaced = { String(repeating: "\u{FFFD}", count: $0) }
        #expect(
            String(decoding: JSON.text(text).bytes, as: UTF8.self)
                == "\"\(replaced(2))\\u0009\\u000a\\u000d\(replaced(7))"
                + #"\u003c/script\u003e\u0026\u2028\u2029\"\\]]\u003e""#)
    }

    @Test func `A value that is read for pages has short names`() throws {
        let long = String(repeating: "x", count: 1_000)
        let json = Array(#"{"\#(long)":"\#(long)"}"#.utf8)
        let member = try #require(try JSON(json).members?.first)
        #expect(member.key == long.shortened && member.value.text == long)
        #expect(try JSON(json) { $0 }.members?.first?.key == long)
    }
}
