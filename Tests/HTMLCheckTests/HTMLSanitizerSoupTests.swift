import Testing

@testable import HTMLCheck

struct HTMLSanitizerSoupTests {
    /// Random tags, parts of tags, references and texts from a seed (SplitMix64).
    private struct Soup {
        private static let pieces =
            ["b", "i", "em", "strong"].flatMap { ["<\($0)>", "</\($0)>", "<\($0) onclick=x>"] }
                + """
                p br ul ol li div h1 h2 h4 table caption thead tfoot tr td th dl dt dd figure figcaption blockquote pre hr \
                a code q
                """.split(separator: " ").flatMap { ["<\($0)>", "<\($0) onclick=x>", "</\($0)>", "</\($0)>"] } + [
                "<br/>", "</br>", "<span>", "<a href='javascript:x'>", "<a href=http://a.b/?c&d>",
                "<img src=x onerror=y>",
                "<img src=http://a.b/c.png alt=d>", "<img src=http://a.b/c.png alt=''>",
                "<img src=x alt='\u{600}\"\u{200D} onerror=x'>", "<td colspan=2 rowspan=2>",
                "<abbr title='\"'>", "<abbr title='\"\u{301}'>", "</abbr>", "<time datetime=2020-01-01>", "</time>",
                "<ol start=3>",
                "<iframe src=http://a.b/>",
                "<script>", "</script>", "<style>", "</style>", "<svg>", "</svg>", "<svg/>", "<template>",
                "</template>",
                "<title>", "</title>", "<!--", "-->", "<!", "<?", "<![CDATA[", "]]>", "<", ">", "</", "/>", "\"", "'",
                "=",
                "&", "&lt;", "&amp;", "&gt", "&#", "&#x", "&#1;", "&#xFFFE;", "&nbsp;", ";", "\0", "\u{7F}",
                "\u{202E}", "\u{2069}", "\u{FFFF}", "\u{301}", "\u{200D}", "\u{600}", "é", "😀", " ", "\n", "a", "b c",
                "x", "</main>", "</body>",
                "<html>",
            ] + [String](repeating: "x", count: 20)
        var state: UInt64

        private mutating func draw(below limit: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
        }

        mutating func next() -> String {
            (0..<draw(below: 60)).map { _ in Self.pieces[draw(below: Self.pieces.count)] }.joined()
        }
    }

    @Test func `Random markup becomes a valid page, and sanitizing twice changes nothing`() {
        var soup = Soup(state: 7)
        let checker = PageChecker()
        var shown = 0
        for number in 0..<4_000 {
            let html = soup.next()
            let blocks = HTMLSanitizer.blocks(html)
            let written = String(decoding: blocks, as: UTF8.self)
            let faults = checker.check(Array(Pages.page("<div>\(written)</div>").utf8)).faults
            #expect(faults == [], "soup \(number): \(html.debugDescription) became \(written)")
            #expect(HTMLSanitizer.blocks(written) == blocks, "soup \(number): \(html.debugDescription)")
            for tag in Self.tags(in: written) {
                #expect(tag.wholeMatch(of: Self.allowed) != nil, "soup \(number): \(html.debugDescription) has \(tag)")
            }
            #expect(
                !["</", "<ul>", "<ol>", "<br /><br />"].contains { written.contains("<br />\($0)") },
                "soup \(number): \(written)")
            let shifted = HTMLSanitizer.blocks(html, headings: 3) { _ in
                "../x.html"
            } picture: { _ in
                (path: "../x.png", width: 1, height: 2)
            }
            let page = Pages.page("<h2>x</h2><div>\(String(decoding: shifted, as: UTF8.self))</div>")
            #expect(checker.check(Array(page.utf8)).faults == [], "soup \(number): \(html.debugDescription)")
            if !written.isEmpty { shown += 1 }
            if !faults.isEmpty { break }
        }
        #expect(shown > 3_000)
    }

    // Scalars are compared, because a mark can join a quote to one `Character`.
    private static nonisolated(unsafe) let allowed =
        /\/?(p|b|i|em|strong|ul|ol|li|h[2-6]|table|caption|thead|tbody|tr|td|th|dl|dt|dd|figure|figcaption|blockquote|pre(?: tabindex="0")?|a|code|q|abbr|time|div)|[bh]r \/|div class="scroll" tabindex="0"|ol start="3"|td colspan="2" rowspan="2"|abbr title="&quot;\u{301}?"|time datetime="2020-01-01"|a href="http:\/\/a.b\/[^"]*" rel="nofollow"/
        .matchingSemantics(.unicodeScalar)

    /// Everything between "<" and ">", including attributes.
    private static func tags(in written: String) -> Set<String> {
        let parts = written.unicodeScalars.split(separator: "<").filter { $0.contains(">") }
        return Set(parts.map { String($0.prefix { $0 != ">" }) })
    }

    @Test(arguments: ["\"\u{301}", "\"\u{200D}", "\u{600}\"", "&lt;\u{301}", "\u{600}&amp;"])
    func `A mark does not hide markup in an attribute`(markup: String) {
        let html = "<abbr title='\(markup) x=y'>a</abbr>"
        let escaped = markup.unicodeScalars.map { $0 == "\"" ? "&quot;" : String($0) }.joined()
        #expect(HTMLSanitizer.blocks(html) == Array("<p><abbr title=\"\(escaped) x=y\">a</abbr></p>".utf8))
    }

    @Test func `A text keeps at most 200 combining marks in a row from references`() {
        let (marks, shown) = (
            String(repeating: "<b></b>&#x301;", count: 1_000), String(repeating: "\u{301}", count: 200)
        )
        #expect(HTMLSanitizer.blocks("a\(marks)b") == Array("<p>a\(shown)b</p>".utf8))
        let title = marks.replacing("<b></b>", with: "")
        #expect(
            HTMLSanitizer.blocks("<abbr title='a\(title)b'>c")
                == Array("<p><abbr title=\"a\(shown)b\">c</abbr></p>".utf8))
    }

    /// Work and output grow linearly with the input.
    @Test(
        arguments: [
            "<b><i>x", "<b>", "<p>x", "<p>&", "<ul>", "<ul>x", "<ul><li>x", "<li>", "</i>", "<!--", "<a b=\"",
            "<a b=c ", "&", "&#",
            "&thetasym",
            "<?", "</",
            "<", "<script>", "</script ", "<svg>", "<object>", "</ol><ul>x", "<div>", "<p>x<a href=http://a.b>",
            "<h2>x", "<pre>\n",
            "<table>", "<table>x", "<td>", "<td>x", "<dl>x", "<dd>", "<blockquote>", "<figure>x<figcaption>y", "<hr>x",
            "<a title='\"&'>", "<abbr title='\"\"\"\"'>x<p>x", "<img src=http://a.b>", "<a href=", "<td/",
        ])
    func `Each character is read once, and the output stays small`(piece: String) {
        let opening = "<b><i><em><strong>"
        for count in [100, 10_000] {
            let html = opening + String(repeating: piece, count: count) + "x"
            var reader = MarkupReader(html)
            var tokens = 0
            while reader.next() != nil { tokens += 1 }
            #expect(tokens <= html.unicodeScalars.count)
            #expect(HTMLSanitizer.blocks(html).count <= 32 * html.unicodeScalars.count)
        }
    }

    @Test func `Deep nesting loses no text`() {
        let html =
            String(repeating: "<b><i><div>", count: 100_000) + "x" + String(repeating: "</i></b></em>", count: 100_000)
            + "y"
        #expect(HTMLSanitizer.blocks(html) == Array("<p><b><i>x</i></b>y</p>".utf8))
    }
}
