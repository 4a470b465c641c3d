import Mustache
import Testing

struct CheckTests {
    private static let date = Shape("date", ["text": .text, "iso": .text])
    private static let episode = Shape("episode", ["code": .text, "aired": .optional(.object(date))])
    private static let site = Shape("site", ["title": .text])
    private let character = Shape(
        "character",
        [
            "site": .object(site), "name": .text, "type": .optional(.text), "count": .number, "age": .optional(.number),
            "alive": .flag,
            "note": .html, "episodes": .list(.object(episode)), "tags": .optional(.list(.text)),
        ])

    private func check(_ templates: KeyValuePairs<String, String>) throws -> String {
        let library = try library(templates)

        return try message { try library.check("page", against: character) }
    }

    @Test func `Names of the shape are accepted in sections, partials, parents and blocks`() throws {
        let text = try check([
            "page": """
            {{<layout}}{{$main}}{{name}}{{#type}}{{.}}{{/type}}{{count}}{{#age}}{{.}}{{/age}}{{^alive}}dead{{/alive}}{{note}}
            {{#episodes}}{{>episode}}{{/episodes}}{{#tags}}{{.}}{{/tags}}{{site.title}}{{/main}}{{/layout}}
            """,
            "episode": "{{code}} {{name}} {{aired.iso}} {{#aired}}{{text}}{{/aired}}",
            "layout": "{{#site}}{{title}}{{$main}}{{/main}}{{/site}}",
        ])

        #expect(text == "no error")
    }

    @Test func `A wrong name is found in a section that data may never enter`() throws {
        let text = try check(["page": "{{#episodes}}\n  {{#aired}}{{code}} {{txet}}{{/aired}}\n{{/episodes}}"])

        #expect(
            text == """
                page.mustache:2:24: there is no name "txet" here; did you mean "text"?
                      {{#aired}}{{code}} {{txet}}{{/aired}}
                                           ^
                names here: iso, text; around it: age, aired, alive, code, count, episodes, name, note, site, tags, type
                """)
    }

    @Test func `A wrong name is found in an inverted section`() throws {
        #expect(
            try check(["page": "{{^alive}}{{nam}}{{/alive}}"]).hasPrefix(
                "page.mustache:1:13: there is no name \"nam\" here; did you mean \"name\"?\n"))
    }

    @Test func `A wrong name is found in a partial that the page includes`() throws {
        let text = try check(["page": "{{>row}}{{#episodes}}{{>row}}{{/episodes}}", "row": "\n{{code}}"])

        #expect(
            text.hasPrefix(
                "row.mustache:2:3: there is no name \"code\" here\n    {{code}}\n      ^\nnames here: age, "
            ) && text.hasSuffix("\nincluded at page.mustache:1:4"))
    }

    @Test func `A partial with a wrong name in one of its two uses is refused`() throws {
        let text = try check(["page": "{{#episodes}}{{>row}}{{/episodes}}{{>row}}", "row": "{{code}}"])

        #expect(text.hasPrefix("row.mustache:1:3: there is no name \"code\" here"))
    }

    @Test func `A block is checked with the names at its position in the parent`() throws {
        let layout = "{{#episodes}}{{$row}}{{none}}{{/row}}{{/episodes}}"

        #expect(try check(["page": "{{<layout}}{{$row}}{{code}}{{/row}}{{/layout}}", "layout": layout]) == "no error")
        #expect(
            try check(["page": "{{<layout}}{{/layout}}", "layout": layout]).hasPrefix(
                "layout.mustache:1:24: there is no name \"none\" here"))
        #expect(
            try check(["page": "{{<layout}}{{$row}}{{cod}}{{/row}}{{/layout}}", "layout": layout])
                .hasPrefix("page.mustache:1:22: there is no name \"cod\" here; did you mean \"code\"?\n"))
    }

    @Test func `A block inside a block of the same name is checked`() throws {
        let text = try check([
            "page": "{{<layout}}{{$a}}{{$a}}{{nam}}{{/a}}{{/a}}{{/layout}}", "layout": "{{$a}}{{/a}}",
        ])

        #expect(text.hasPrefix("page.mustache:1:26: there is no name \"nam\" here; did you mean \"name\"?\n"))
    }

    @Test(
        arguments: [
            ("{{episodes}}", "\"episodes\" is a list and cannot be shown"),
            ("{{tags}}", "\"tags\" is a list and cannot be shown"),
            ("{{{site}}}", "\"site\" is an object and cannot be shown"),
            ("{{#episodes}}{{.}}{{/episodes}}", "\".\" is an object and cannot be shown"),
            ("{{#count}}{{/count}}", "\"count\" is a number and cannot open a section, because it is never empty"),
            ("{{^count}}{{/count}}", "\"count\" is a number and cannot open a section, because it is never empty"),
            ("{{name.first}}", "\"name\" is text and has no name \"first\""),
            ("{{type.first}}", "\"type\" is text and has no name \"first\""),
            ("{{#episodes}}{{aired.text.year}}{{/episodes}}", "\"aired.text\" is text and has no name \"year\""),
            ("{{episodes.count}}", "\"episodes\" is a list and has no name \"count\""),
            ("{{note.x}}", "\"note\" is markup and has no name \"x\""),
            ("{{alive.x}}", "\"alive\" is a flag and has no name \"x\""),
        ])
    func `A value of a wrong kind is reported`(tags: String, reason: String) throws {
        #expect(try check(["page": tags]).contains(": \(reason)\n"))
    }

    @Test func `A dotted name that its object does not have is reported`() throws {
        let text = try check(["page": "<p>{{site.titel}}"])

        #expect(
            text == """
                page.mustache:1:6: there is no name "titel" in "site"; did you mean "title"?
                    <p>{{site.titel}}
                         ^
                names of site: title
                """)
    }

    @Test func `A template that opens its own section without end is refused`() throws {
        let text = try check(["page": "{{#episodes}}{{>page}}{{/episodes}}"])

        #expect(
            text == """
                page.mustache:1:17: templates include one another more than 100 deep here
                    {{#episodes}}{{>page}}{{/episodes}}
                                    ^
                the cycle: page.mustache:1:17 includes "page"
                """)
    }

    @Test func `A template that includes itself without end is refused`() throws {
        let text = try check([
            "page": "<p>{{name}}</p>\n{{#alive}}{{>row}}{{/alive}}", "row": "{{^type}}\n  {{>row}}{{/type}}",
        ])

        #expect(
            text == """
                row.mustache:2:6: "row" includes itself here without end
                      {{>row}}{{/type}}
                         ^
                the cycle: row.mustache:2:6 includes "row"
                """)
    }

    @Test func `Templates that include one another without end are refused`() throws {
        let text = try check([
            "page": "{{>row}}", "row": "{{<frame}}{{$main}}{{>cell}}{{/main}}{{/frame}}", "frame": "{{$main}}{{/main}}",
            "cell": "{{>row}}",
        ])

        #expect(
            text == """
                cell.mustache:1:4: "row" includes itself here without end
                    {{>row}}
                       ^
                the cycle: row.mustache:1:4 includes "frame", row.mustache:1:23 includes "cell", cell.mustache:1:4 includes "row"
                """)
    }

    @Test func `A template may be used inside its own blocks and twice at the same position`() throws {
        let text = try check([
            "page":
                "{{>row}}{{>row}}{{#episodes}}{{>row}}{{/episodes}}{{<frame}}{{$main}}{{<frame}}{{/frame}}{{/main}}{{/frame}}",
            "row": "{{name}}",
            "frame": "{{$main}}{{name}}{{/main}}",
        ])

        #expect(text == "no error")
    }

    @Test func `A missing template is reported with the most similar name`() throws {
        let library = try library(["page": ""])

        #expect(
            try message { try library.check("pag", against: character) }
                == "there is no template \"pag\"; did you mean \"page\"?\ntemplates: page")
    }

    @Test func `A name is suggested only if its length is similar`() {
        let name = "name" + String(repeating: "\u{301}", count: 5)
        #expect(Spelling.hint(for: "name", among: [name]).isEmpty)
        #expect(Spelling.hint(for: "name", among: [name, "nane"]) == "; did you mean \"nane\"?")
    }
}
