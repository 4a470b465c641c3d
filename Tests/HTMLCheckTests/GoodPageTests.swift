import HTMLCheck
import Testing

@Suite("A good page")
struct GoodPageTests {
    let report = PageChecker().check(Array(Pages.card.utf8))

    @Test("has no fault")
    func noFault() {
        #expect(report.faults == [])
    }

    @Test("gives its links with their lines, and its ids, in document order")
    func linksAndIDs() {
        #expect(
            report.shownLinks == [
                "9 ../style.css", "10 ../icon.png", "11 ../app.js", "15 #content", "16 ../index.html",
                "19 ../search.html", "30 a.webp", "30 b.webp", "30 a.png", "37 https://example.org/", "38 1.html",
                "38 b.png", "43 ../about.html#us",
            ])
        #expect(report.ids == ["content", "q", "names", "episodes", "c", "g"])
    }

    @Test("gives its links decoded")
    func decodedLinks() {
        let report = PageChecker().check(
            Array(Pages.page("<a href=\"b.html?c=1&amp;d=&#50;&#38;e\" title=\"&lt;\">x</a>").utf8))
        #expect(report.faults == [])
        #expect(report.shownLinks == ["11 b.html?c=1&d=2&e"])
    }

    @Test("has the HTML parser's approval too")
    func htmlParser() {
        #expect(HTMLParserCheck.faults(in: Array(Pages.card.utf8)) == [])
    }

    @Test(
        "may have these",
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
    func allowed(main: String) {
        #expect(Pages.faults(Pages.page(main)) == [])
    }
}
