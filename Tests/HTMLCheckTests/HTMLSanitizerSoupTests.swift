import Testing

@testable import HTMLCheck

struct HTMLSanitizerSoupTests {
    /// Random tags, parts of tags, references and texts from a seed (SplitMix64).
    private struct Soup {
        private static let pieces =
            ["b", "i", "em", "strong"].flatMap { ["<\($0)>", "</\($0)>", "<\($0) onclick=x>"] } + [
                "<p>", "</p>", "<br>", "<br/>", "</br>", "<ul>", "</ul>", "<ol>", "</ol>", "<li>", "</li>", "<div>",
                "</div>", "<h1>",
                "<td>",
                "</table>", "<span>", "<a href='javascript:x'>", "</a>", "<img src=x onerror=y>", "<script>",
                "</script>", "<style>",
                "</style>",
                "<svg>", "</svg>", "<svg/>", "<template>", "</template>", "<title>", "</title>", "<!--", "-->", "<!",
                "<?", "<![CDATA[",
                "]]>",
                "<", ">", "</", "/>", "\"", "'", "=", "&", "&lt;", "&amp;", "&gt", "&#", "&#x", "&#1;", "&#xFFFE;",
                "&nbsp;", ";", "\0",
                "\u{7F}",
                "\u{202E}", "\u{2069}", "\u{FFFF}", "é", "😀", " ", "\n", "a", "b c", "x", "</main>", "</body>",
                "<html>",
            ]
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
            #expect(
                Self.names(in: written).isSubset(of: Self.allowed),
                "soup \(number): \(html.debugDescription) became \(written)")
            #expect(
                !["</", "<ul>", "<ol>", "<br /><br />"].contains { written.contains("<br />\($0)") },
                "soup \(number): \(written)")
            if !written.isEmpty { shown += 1 }
            if !faults.isEmpty { break }
        }
        #expect(shown > 3_000)
    }

    private static let allowed: Set = ["p", "br /", "b", "i", "em", "strong", "ul", "ol", "li"].reduce(
        into: Set<String>()
    ) {
        $0.formUnion([$1, "/" + $1])
    }

    /// Everything between "<" and ">", including attributes.
    private static func names(in written: String) -> Set<String> {
        Set(written.split(separator: "<").filter { $0.contains(">") }.map { String($0.prefix { $0 != ">" }) })
    }

    /// Work and output grow linearly with the input.
    @Test(
        arguments: [
            "<b><i>x", "<b>", "<p>x", "<p>&", "<ul>", "<ul>x", "<ul><li>x", "<li>", "</i>", "<!--", "<a b=\"",
            "<a b=c ", "&", "&#",
            "&thetasym",
            "<?", "</",
            "<", "<script>", "</script ", "<svg>", "<object>", "</ol><ul>x", "<div>",
        ])
    func `Each character is read once, and the output stays small`(piece: String) {
        let opening = "<b><i><em><strong>"
        for count in [100, 10_000] {
            let html = opening + String(repeating: piece, count: count) + "x"
            var reader = MarkupReader(html)
            var tokens = 0
            while reader.next() != nil { tokens += 1 }
            #expect(tokens <= html.unicodeScalars.count)
            #expect(HTMLSanitizer.blocks(html).count <= 13 * html.unicodeScalars.count)
        }
    }

    @Test func `Deep nesting loses no text`() {
        let html =
            String(repeating: "<b><i><div>", count: 100_000) + "x" + String(repeating: "</i></b></em>", count: 100_000)
            + "y"
        #expect(HTMLSanitizer.blocks(html) == Array("<p><b><i>x</i></b>y</p>".utf8))
    }
}
