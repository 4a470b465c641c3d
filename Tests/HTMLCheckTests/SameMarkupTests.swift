import HTMLCheck
import Testing

/// A page that differs from a valid page only in texts is not checked again.
struct SameMarkupTests {
    @Test(arguments: [
        ("<p>Text</p>", "<p>Текст, longer</p>", true),
        ("<p title=\"a > b\">one</p>", "<p title=\"a > b\">two</p>", true),
        ("<p title=\"a > b\">x</p>", "<p title=\"a > c\">x</p>", false),
        ("<p title='\">'>x</p>", "<p title='\">'>y</p>", true),
        ("<p title='a\">b'>x</p>", "<p title='a\">c'>x</p>", false),
        ("<p>x</p>", "<p> </p>", false), ("<p></p>", "<p>x</p>", false), ("<ul> </ul>", "<ul>x</ul>", false),
        ("<p>x</p>", "<p>a &amp; b</p>", false), ("<p>x</p>", "<p>]]></p>", false), ("<p>x</p>", "<p>\u{1}</p>", false),
        ("<p>x</p>", "<p>\u{85}</p>", false), ("<p>x</p>", "<p>\u{FFFE}</p>", false),
        ("<p>x</p>", "<p>x<br/></p>", false), ("<p>x</p>", "<p>x</p><p>y</p>", false), ("<p>x</p>", "<b>x</b>", false),
        ("<p title=\"a >\">x</p>", "<p title=\"a >y</p>", false),
        ("<!-- a > b --><p>x</p>", "<!-- a > b<p>x</p>", false),
        ("<!-- a -->", "<!-- a --", false),
    ])
    func `Only texts may differ`(_ valid: String, _ page: String, isSame: Bool) {
        let (valid, page) = (Array(Pages.page(valid).utf8), Array(Pages.page(page).utf8))
        #expect(PageChecker.hasSameMarkup(page, asValid: valid) == isSame)
    }

    @Test func `Texts of styles and scripts may not differ`() {
        for (text, other) in [("color: red", "color: tan"), ("\"name\":", "\"nam\":"), ("defer", "async")] {
            #expect(!PageChecker.hasSameMarkup(Array(Pages.card.replacing(text, with: other).utf8), asValid: Self.card))
        }
    }

    @Test func `Bytes that are no page are compared without a trap`() {
        for (page, valid) in [("", "<p>"), ("x", "y"), ("<p", "<p"), ("<p>", ""), ("<", "<"), ("'<", "'>")] {
            _ = PageChecker.hasSameMarkup(Array(page.utf8), asValid: Array(valid.utf8))
        }
        #expect(!PageChecker.hasSameMarkup(Array(Self.card.dropLast()) + [0xFF], asValid: Self.card))
    }

    @Test func `A changed page with the same markup has no faults, and the same links and ids`() {
        let checker = PageChecker()
        let report = checker.check(Self.card)
        var accepted = 0
        for position in stride(from: 0, to: Self.card.count, by: 3) {
            for (removed, text) in [
                (1, ""), (0, "x"), (1, "x"), (1, "<"), (0, "<b>"), (0, ">"), (1, "&"), (0, "\""), (1, "'"), (1, " "),
                (3, "Ж"),
                (0, "\u{7F}"), (0, "-->"), (9, "x y"),
            ] {
                var page = Self.card
                page.replaceSubrange(position..<min(position + removed, page.count), with: Array(text.utf8))
                guard PageChecker.hasSameMarkup(page, asValid: Self.card) else { continue }
                accepted += 1
                let found = checker.check(page)
                #expect(found.faults == [] && found.ids == report.ids, "\(position) \(text)")
                #expect(found.shownLinks.count == report.shownLinks.count, "\(position) \(text)")
            }
        }
        #expect(accepted > 500)
    }

    private static let card = Array(Pages.card.utf8)
}
