import Mustache
import Testing

struct InheritanceTests {
    private let layout =
        "<title>{{$title}}Amber{{/title}}</title>\n<main>\n  {{$main}}\n  nothing\n  {{/main}}\n</main>\n"

    @Test func `A block without an override keeps its content`() throws {
        #expect(
            try rendered("{{>layout}}", object([:]), with: ["layout": layout])
                == "<title>Amber</title>\n<main>\n  nothing\n</main>\n")
    }

    @Test func `An override is indented like the block it replaces`() throws {
        let template = """
            {{<layout}}
              {{$title}}{{name}}{{/title}}
              {{! remarks are allowed here }}
              {{$main}}
                <ul>
                  {{#items}}
                  <li>{{.}}</li>
                  {{/items}}
                </ul>
              {{/main}}
            {{/layout}}

            """
        let page = try rendered(
            template, object(["name": .text("Rick"), "items": .list([.integer(1), .integer(2)])]),
            with: ["layout": layout])

        #expect(page == "<title>Rick</title>\n<main>\n  <ul>\n    <li>1</li>\n    <li>2</li>\n  </ul>\n</main>\n")
    }

    @Test func `A block in a line is indented from its second line on`() throws {
        let template = "{{<layout}}\n{{$b}}\n{{#yes}}\n  {{>p}}\n{{/yes}}\nend\n{{/b}}\n{{/layout}}\n"
        let page = try rendered(
            template, object(["yes": .flag(true)]), with: ["layout": "<div>\n  {{$b}}{{/b}}</div>", "p": "1\n2\n"])

        #expect(page == "<div>\n    1\n    2\n  end\n</div>")
    }

    @Test func `The outermost override is used, and a block can contain a block`() throws {
        let partials: KeyValuePairs = [
            "base": "{{$a}}base{{/a}}", "middle": "{{<base}}{{$a}}middle {{$b}}b{{/b}}{{/a}}{{/base}}",
        ]

        #expect(try rendered("{{<middle}}{{/middle}}", object([:]), with: partials) == "middle b")
        #expect(try rendered("{{<middle}}{{$b}}own{{/b}}{{/middle}}", object([:]), with: partials) == "middle own")
        #expect(try rendered("{{<middle}}{{$a}}own{{/a}}{{/middle}}", object([:]), with: partials) == "own")
    }

    @Test func `A block inside a block of the same name does not contain itself`() throws {
        let page = try rendered(
            "{{<base}}{{$a}}({{$a}}inner{{/a}}){{/a}}{{/base}}", object([:]), with: ["base": "{{$a}}base{{/a}}"])

        #expect(page == "(inner)")
    }

    @Test func `Two parents in one template do not share their blocks`() throws {
        let page = try rendered(
            "{{<p}}{{$a}}1{{/a}}{{/p}}{{<p}}{{/p}}{{>p}}", object([:]), with: ["p": "<{{$a}}-{{/a}}>"])

        #expect(page == "<1><-><->")
    }

    @Test func `A line after a block without output has its own indentation`() throws {
        let partials: KeyValuePairs = [
            "outer": "  {{>inner}}\ntext\n", "inner": "{{<base}}{{$b}}{{#no}}x{{/no}}{{/b}}{{/base}}",
            "base": "{{$b}}{{/b}}",
        ]

        #expect(try rendered("  {{>outer}}\n", object(["no": .flag(false)]), with: partials) == "      text\n")
    }
}
