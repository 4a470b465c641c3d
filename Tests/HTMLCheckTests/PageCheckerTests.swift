import HTMLCheck
import Testing

@Suite("A checker")
struct PageCheckerTests {
    @Test("works on after a broken page as before")
    func reuse() {
        let checker = PageChecker()
        let good = Array(Pages.card.utf8)
        let before = checker.check(good)
        for broken in [
            "", "<", "<!DOCTYPE html><html", Pages.page("<p>&x;</p>"), Pages.page("<ul>x<b id=\"content\">"),
            Pages.page("\u{1}"),
        ] {
            #expect(!checker.check(Array(broken.utf8)).faults.isEmpty)
            let after = checker.check(good)
            #expect(after.faults == [] && after.ids == before.ids)
            #expect(after.shownLinks == before.shownLinks)
        }
    }

    @Test("in parallel tasks finds what one alone finds")
    func parallel() async {
        let pages = FaultTests.contents.map { Array(Pages.page($0.0).utf8) } + [Array(Pages.card.utf8)]
        let alone = Self.faults(pages, rounds: 1)
        await withTaskGroup(of: [[Fault]].self) { group in
            for _ in 0..<4 { group.addTask { Self.faults(pages, rounds: 20) } }
            for await found in group { #expect(found == alone) }
        }
    }

    private static func faults(_ pages: [[UInt8]], rounds: Int) -> [[Fault]] {
        let checker = PageChecker()
        for _ in 1..<rounds { for page in pages { _ = checker.check(page) } }
        return pages.map { checker.check($0).faults }
    }

    @Test("tells faults in the order of their lines, also those found at the end")
    func order() {
        let faults = Pages.faults(Pages.page("<a href=\"#none\">x</a>\n<x></x>"))
        #expect(
            faults == [
                "line 11: <a> refers by href to the id \"none\", which no element of the page has [unknown-id]",
                "line 12: <x> is not an element that pages may use [unknown-element]",
            ])
    }
}

@Suite("The HTML parser's second opinion")
struct HTMLParserCheckTests {
    @Test("names the line and lets HTML5 names pass")
    func opinion() {
        let faults = HTMLParserCheck.faults(in: Array(Pages.page("<section><b>x</i></section><blink>x</blink>").utf8))
        #expect(
            faults.map(\.description) == [
                "line 11: the HTML parser says: Unexpected end tag : i [not-well-formed]",
                "line 11: the HTML parser says: Opening and ending tag mismatch: section and b [not-well-formed]",
                "line 11: the HTML parser says: Tag blink invalid [not-well-formed]",
            ])
    }
}
