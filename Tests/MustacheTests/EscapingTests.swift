import Mustache
import Testing

struct EscapingTests {
    private func shown(_ text: String) throws -> String {
        try rendered("{{text}}", object(["text": .text(text)]))
    }

    @Test func `The five markup characters become references`() throws {
        #expect(try shown("&<>\"'") == "&amp;&lt;&gt;&quot;&#39;")
    }

    @Test func `Long runs are copied completely`() throws {
        let run = String(repeating: "Größe 𝄞 漢字 ", count: 10_000)

        #expect(try shown(run) == run)
        #expect(try shown("<" + run + "&" + run + ">") == "&lt;" + run + "&amp;" + run + "&gt;")
    }

    @Test(
        arguments: [
            0x00...0x08, 0x0B...0x0C, 0x0E...0x1F, 0x7F...0x9F, 0xFDD0...0xFDEF, 0xFFFE...0xFFFF, 0x1FFFE...0x1FFFF,
            0x10FFFE...0x10FFFF,
        ])
    func `Characters that HTML or XML forbid become U+FFFD`(range: ClosedRange<UInt32>) throws {
        for scalar in range.compactMap(Unicode.Scalar.init) {
            #expect(try shown("a\(scalar)b") == "a\u{FFFD}b", "U+\(String(scalar.value, radix: 16))")
        }
    }

    @Test(
        arguments: [
            0x09, 0x0A, 0x0D, 0x20, 0x7E, 0xA0, 0xFDCF, 0xFDF0, 0xFFFD, 0xE000, 0xFEFF, 0x10000, 0x1FFFD, 0x20000,
            0x10FFFD,
        ]
            as [UInt32])
    func `Characters next to forbidden ones are unchanged`(code: UInt32) throws {
        let text = "a" + (Unicode.Scalar(code).map { String($0) } ?? "") + "b"

        #expect(try shown(text) == text)
    }

    @Test func `Noncharacters at the end of each plane become U+FFFD`() throws {
        for plane in UInt32(0)...16 {
            let scalars = [plane << 16 | 0xFFFE, plane << 16 | 0xFFFF].compactMap(Unicode.Scalar.init)
            #expect(try shown(String(String.UnicodeScalarView(scalars))) == "\u{FFFD}\u{FFFD}", "plane \(plane)")
        }
    }
}
