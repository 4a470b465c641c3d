import Testing

@testable import HTMLCheck

#if canImport(Glibc)
    import Glibc
#endif

@Suite(.serialized)
struct HostilePageTests {
    @Test func `An empty page is refused`() {
        #expect(Pages.faults("") == ["line 1: the page is empty [not-well-formed]"])
    }

    @Test func `A page over 64 MiB is refused`() {
        let page = Pages.page("<p>" + String(repeating: "x", count: 64 << 20) + "</p>")
        #expect(
            Pages.faults(page) == ["line 1: the page has \(page.utf8.count) bytes, more than 67108864 [page-too-large]"]
        )
    }

    /// libxml2 itself has limits of 10 MB for a text and for its look-ahead.
    @Test(arguments: ["x", "&quot;", "\u{FFFD}"])
    func `Texts and values of 12 MB are accepted`(letter: String) {
        let text = String(repeating: letter, count: 12_000_000 / letter.utf8.count)
        #expect(Pages.faults(Pages.page("<p>\(text)</p><p>\(text)</p>")) == [])
    }

    @Test func `A long tag at the end of a page of 11 MB is accepted`() {
        let lines = String(repeating: "<p>some text in a paragraph of its own</p>\n", count: 270_000)
        let last = "<p title=\"\(String(repeating: "x", count: 600))\">x</p>"
        #expect(Pages.faults(Pages.page(lines + last)) == [])
    }

    @Test func `A page nested 300 elements deep is refused`() {
        let page = Pages.page(String(repeating: "<div>", count: 300) + String(repeating: "</div>", count: 300))
        #expect(Pages.faults(page) == ["line 11: <div> is nested more than 100 elements deep [nested-too-deep]"])
    }

    @Test(arguments: [[0xC3, 0x28], [0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82]] as [[UInt8]])
    func `Invalid UTF-8 is refused`(bytes: [UInt8]) {
        let parts = Pages.page("<p>@</p>").utf8.split(separator: UInt8(ascii: "@"))
        let faults = PageChecker().check(Array(parts[0]) + bytes + Array(parts[1])).faults
        #expect(faults.map(\.line) == [11])
        #expect(faults.allSatisfy { $0.message.contains("not UTF-8") })
    }

    @Test func `Entity declarations are refused without being read`() {
        var subset = "<!ENTITY a0 \"aaaaaaaaaa\">"
        for level in 1...9 { subset += "<!ENTITY a\(level) \"\(String(repeating: "&a\(level - 1);", count: 10))\">" }
        for declarations in [
            subset, "<!ENTITY x SYSTEM \"file:///etc/passwd\">", "<!ENTITY % p SYSTEM \"http://127.0.0.1/\"> %p;",
        ] {
            let page = Pages.page("<p>&a9;&x;</p>").replacing(
                "<!DOCTYPE html>", with: "<!DOCTYPE html [\(declarations)]>")
            #expect(
                Pages.faults(page) == [
                    "line 1: the page does not begin with exactly <!DOCTYPE html> [doctype]",
                    "line 1: the doctype must be exactly <!DOCTYPE html>, without declarations; the rest of the page was not checked [doctype]",
                ])
        }
    }

    @Test func `A page with very many faults is read up to the limit`() {
        let faults = Pages.faults(Pages.page(String(repeating: "<x></x>\n", count: 1_000)))
        #expect(faults.count == 100)
        #expect(
            faults.last
                == "line 110: the page has more than 99 faults; the rest of the page was not checked [too-many-faults]")
    }

    @Test func `Very many attribute names do not fill the dictionary`() {
        let checker = PageChecker()
        for round in 0..<80 {
            let attributes = (0..<250).map { "data-a\(round)-\($0)=\"\"" }.joined(separator: " ")
            #expect(checker.check(Array(Pages.page("<p \(attributes)>x</p>").utf8)).faults == [])
        }
        #expect(checker.check(Array(Pages.card.utf8)).faults == [])
    }

    @Test func `A page cut off at any byte is refused without a crash`() {
        let checker = PageChecker()
        let page = Array(Pages.card.utf8)
        for length in stride(from: 0, to: page.count - 9, by: 7) {
            #expect(!checker.check(Array(page[..<length])).faults.isEmpty)
        }
        #expect(checker.check(page).faults == [])
    }

    @Test(
        arguments: ["", "<!-- it's -->", String(repeating: "=\n", count: 2_000)])
    func `An element may have 256 attributes in any context`(before: String) {
        func page(_ count: Int) -> String {
            let attributes = (0..<count).map { "data-a\($0)=\"=>'\"" }.joined(separator: " ")
            return Pages.page("<p>\(before)</p>\n<p \(attributes)>x</p>")
        }
        #expect(PageChecker().check(Array(page(PageScan.maximumAttributes).utf8)).faults == [])
        let faults = PageChecker().check(Array(page(100_000).utf8)).faults
        let line = page(0).split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.hasPrefix("<p >") }
            .map { $0 + 1 }
        #expect(faults.map(\.rule) == [.tooManyAttributes] && faults.first?.line == line)
        #expect(!PageChecker().check(Array(page(PageScan.maximumAttributes + 1).utf8)).faults.isEmpty)
    }

    @Test func `Nothing is printed on standard error`() throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        #expect(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        let saved = dup(2)
        dup2(ends[1], 2)
        for page in [
            "", "<!DOCTYPE html><p", "<!DOCTYPE html [<!ENTITY x \"&x;\">]><p>&x;</p>", "<!DOCTYPE html><p>&x;</q>",
            "<!DOCTYPE html>\u{1}",
        ] {
            _ = PageChecker().check(Array(page.utf8))
            _ = HTMLParserCheck.faults(in: Array(page.utf8))
        }
        dup2(saved, 2)
        close(saved)
        close(ends[1])

        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = read(ends[0], &buffer, buffer.count)
        close(ends[0])
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "")
    }
}
