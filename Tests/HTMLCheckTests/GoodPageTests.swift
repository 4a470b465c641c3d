import HTMLCheck
import Testing

@Suite("A good page")
struct GoodPageTests {
    let report = PageChecker().check(Array(Pages.card.utf8))

    @Test("has no fault")
    func noFault() {
        #expect(report.faults == [])
    }

    @Test("gives its links in document order, with line, element and attribute")
    func links() {
        #expect(
            report.links.map(\.target) == [
                "../style.css", "../icon.png", "../app.js", "#content", "../index.html", "../search.html", "a.webp",
                "b.webp", "a.png",
                "https://example.org/", "1.html", "b.png", "../about.html#us",
            ])
        #expect(report.links[6] == Link(line: 30, element: "source", attribute: "srcset", target: "a.webp"))

        var bytes: [String] = []
        report.forEachLink { target, line in bytes.append("\(line) \(String(decoding: target, as: UTF8.self))") }
        #expect(bytes == report.links.map { "\($0.line) \($0.target)" })
    }

    @Test("gives its links decoded")
    func decodedLinks() {
        let report = PageChecker().check(
            Array(Pages.page("<a href=\"b.html?c=1&amp;d=&#50;&#38;e\" title=\"&lt;\">x</a>").utf8))
        #expect(report.faults == [])
        #expect(report.links.map(\.target) == ["b.html?c=1&d=2&e"])
    }

    @Test("gives its ids")
    func ids() {
        #expect(report.ids == ["content", "q", "names", "episodes", "c", "g"])
        var bytes: [String] = []
        report.forEachID { bytes.append(String(decoding: $0, as: UTF8.self)) }
        #expect(bytes == report.ids)
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
