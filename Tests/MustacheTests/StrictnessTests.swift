import Mustache
import Testing

struct StrictnessTests {
    @Test func `A missing partial is an error`() throws {
        let text = try message { _ = try library(["page": "<ul>\n  {{>episod}}", "episode": "", "layout": ""]) }

        #expect(
            text == """
                page.mustache:2:6: there is no template "episod"; did you mean "episode"?
                      {{>episod}}
                         ^
                templates: episode, layout, page
                """)
    }

    @Test func `A block that the parent does not have is an error`() throws {
        let text = try message {
            _ = try library([
                "page": "{{<layout}}\n{{$tilte}}x{{/tilte}}{{/layout}}", "layout": "{{$title}}{{/title}}{{>foot}}",
                "foot": "{{$foot}}{{/foot}}",
            ])
        }

        #expect(
            text == """
                page.mustache:2:4: "layout" has no block "tilte"; did you mean "title"?
                    {{$tilte}}x{{/tilte}}{{/layout}}
                       ^
                its blocks: foot, title
                """)
    }

    @Test func `Text inside a parent tag is an error`() throws {
        let text = try message { _ = try library(["page": "{{<layout}}\n\n  <p>\n{{/layout}}", "layout": ""]) }

        #expect(
            text == """
                page.mustache:3:3: this text would not be shown: a parent tag can contain only blocks, such as {{$title}}
                      <p>
                      ^
                """)
    }

    @Test func `A block that is replaced twice is an error`() throws {
        let templates: KeyValuePairs = [
            "page": "{{<p}}\n{{$b}}1{{/b}}\n{{$a}}1{{/a}}\n{{$b}}2{{/b}}\n{{/p}}", "p": "{{$a}}{{/a}}{{$b}}{{/b}}",
        ]
        #expect(
            try message { _ = try library(templates) }.hasPrefix(
                "page.mustache:4:4: the block \"b\" is replaced twice in this parent tag, first on line 2; remove one\n"
            ))
    }

    @Test func `Another tag inside a parent tag is an error`() throws {
        let text = try message { _ = try library(["page": "{{<layout}}{{name}}{{/layout}}", "layout": ""]) }

        #expect(
            text == """
                page.mustache:1:12: a parent tag can contain only blocks, such as {{$title}}
                    {{<layout}}{{name}}{{/layout}}
                               ^
                """)
    }

    @Test func `A missing name is an error even without a check`() throws {
        let model = object(["page": .text(""), "character": object(["species": .text(""), "name": .text("")])])
        let text = try message { _ = try rendered("{{#character}}\n<h1>{{naem}}</h1>\n{{/character}}", model) }

        #expect(
            text == """
                page.mustache:2:7: there is no name "naem" here; did you mean "name"?
                    <h1>{{naem}}</h1>
                          ^
                names here: name, species; around it: character, page
                """)
    }

    @Test func `A name is an error if there is no object`() throws {
        let text = try message { _ = try rendered("{{name}}", .text("x")) }

        #expect(
            text == "page.mustache:1:3: there is no name \"name\" here\n    {{name}}\n      ^\nthere are no names here")
    }

    @Test(
        arguments: [
            ("{{list}}", "\"list\" is a list and cannot be shown"),
            ("{{{thing}}}", "\"thing\" is an object and cannot be shown"),
            ("{{.}}", "\".\" is an object and cannot be shown"),
            ("{{text.name}}", "\"text\" is text and has no name \"name\""),
            ("{{list.count}}", "\"list\" is a list and has no name \"count\""),
            ("{{thing.tex}}", "there is no name \"tex\" in \"thing\"; did you mean \"text\"?"),
        ])
    func `A value of a wrong kind is an error`(tag: String, reason: String) throws {
        let model = object(["list": .list([.null]), "thing": object(["text": .text("")]), "text": .text("")])

        #expect(try message { _ = try rendered(tag, model) }.contains(": \(reason)\n"))
    }

    @Test func `A template that includes itself without end is an error`() throws {
        let text = try message { _ = try rendered("{{>loop}}", object([:]), with: ["loop": "x{{>loop}}"]) }

        #expect(
            text
                == "loop.mustache:1:5: templates include one another more than 100 deep here\n    x{{>loop}}\n        ^"
        )
    }

    @Test func `A template may include itself as deep as its data`() throws {
        let leaf = object(["kids": .null])
        let tree = object(["kids": .list([leaf, object(["kids": .list([leaf])])])])

        #expect(try rendered("{{>node}}", tree, with: ["node": "({{#kids}}{{>node}}{{/kids}})"]) == "(()(()))")
    }

    @Test func `A missing template is an error with the most similar name`() throws {
        var renderer = try Renderer(library(["page": "", "layout": ""]))
        var output: [UInt8] = []
        let text = try message { try renderer.render("pages", .null, into: &output) }

        #expect(text == "there is no template \"pages\"; did you mean \"page\"?\ntemplates: layout, page")
    }
}
