import HTMLCheck
import Testing

struct PageCheckerTests {
    @Test func `A broken page does not affect the next page`() {
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

    @Test func `Parallel checks find the same faults as a single check`() async {
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

    @Test(
        arguments: [
            (#"<p id="a">x</p><b id='b'>y</b>"#, true), ("<p\n\tid = 'a' title='t'>x</p>", true), ("<p>id</p>", true),
            (#"<p id="a"><b id="c">x</b></p>"#, false), (#"<p title='id="c"'>x</p>"#, true),
            ("<p\nid\n=\n'c'>x</p>", false), ("<p data-id='c'>x</p>", true), ("<p> id='c'</p>", false),
            ("<p> id=</p>", true), (#"<p id="a&amp;">x</p>"#, false),
        ])
    func `A page is compared with the ids of an earlier version`(earlier: String, hasAll: Bool) {
        let checker = PageChecker()
        let report = checker.check(Array(Pages.page(#"<p id="a">x</p><p id="b">y</p>"#).utf8))
        #expect(report.hasIDs(of: Array(Pages.page(earlier).utf8)) == hasAll)
    }

    @Test func `Faults are sorted by line`() {
        let faults = Pages.faults(Pages.page("<a href=\"#none\">x</a>\n<x></x>"))
        #expect(
            faults == [
                "line 11: <a> refers to the id \"none\" in href, but no element of the page has this id [unknown-id]",
                "line 12: <x> is not an element that pages may use [unknown-element]",
            ])
    }
}

struct HTMLParserCheckTests {
    @Test func `The fault has its line, and HTML5 elements are accepted`() {
        let faults = HTMLParserCheck.faults(in: Array(Pages.page("<section><b>x</i></section><blink>x</blink>").utf8))
        #expect(
            faults.map(\.description) == [
                "line 11: the HTML parser reports: Unexpected end tag : i [not-well-formed]",
                "line 11: the HTML parser reports: Opening and ending tag mismatch: section and b [not-well-formed]",
                "line 11: the HTML parser reports: Tag blink invalid [not-well-formed]",
            ])
    }
}

struct GoodPageTests {
    let report = PageChecker().check(Array(Pages.card.utf8))

    @Test func `A complete page has no faults`() {
        #expect(report.faults == [])
    }

    @Test func `Links with their lines and ids are in document order`() {
        #expect(
            report.shownLinks == [
                "9 ../style.css", "10 ../card.html", "12 ../icon.png", "13 ../app.js", "17 #content",
                "18 ../index.html", "21 ../search.html", "32 a.webp", "32 b.webp", "32 a.png",
                "39 https://example.org/", "40 1.html", "40 b.png", "45 ../about.html#us",
            ])
        #expect(report.ids == ["content", "q", "names", "episodes", "c", "g"])
    }

    @Test func `Links are decoded`() {
        let report = PageChecker().check(
            Array(Pages.page("<a href=\"b.html?c=1&amp;d=&#50;&#38;e\" title=\"&lt;\">x</a>").utf8))
        #expect(report.faults == [])
        #expect(report.shownLinks == ["11 b.html?c=1&d=2&e"])
    }

    @Test func `The HTML parser accepts a complete page`() {
        #expect(HTMLParserCheck.faults(in: Array(Pages.card.utf8)) == [])
    }

    @Test(
        arguments: [
            "<p>a &amp; b &lt; c &#160; \u{A0} \u{1F600}</p>",
            "<ul></ul>",
            "<p data-a-1=\"x\" title=\"t\" dir=\"rtl\" translate=\"no\">x</p>",
            "<a href=\"x.html\" aria-label=\"X\"><span></span></a>",
            "<p><a href=\"#top\">Top</a></p>",
            "<p><ins><del>a</del></ins></p>",
            "<label for=\"i\">a <input id=\"i\"/></label>",
            "<button type=\"button\"><span>x</span></button>",
            "<h2>a</h2><h3>b</h3><h4>c</h4><h2>d</h2>",
            "<time datetime=\"PT1H30M\">x</time><time datetime=\"2017-11-10T12:56:33.798Z\">x</time><time datetime=\"2017-W40\">x</time>",
            "<figure><figcaption>a</figcaption><p>b</p></figure>",
            "<p><img src=\"a.png\" alt=\"\" width=\"1\" height=\"1\" srcset=\"a.png 1x, b.png 2x\"/></p>",
            "<!-- a comment -->",
            "<details><summary><h2>x</h2></summary></details>",
            "<input list=\"l\"/><datalist id=\"l\"><option value=\"1\"></option></datalist>",
            "<div role=\"tablist\"><button type=\"button\" role=\"tab\" aria-selected=\"true\">x</button></div>",
        ])
    func `Valid content is accepted`(main: String) {
        #expect(Pages.faults(Pages.page(main)) == [])
    }
}
