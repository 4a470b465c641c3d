import Mustache
import Testing

struct ConstantsTests {
    private func rendered(_ template: String, _ texts: [String: String], model: Value = object(["x": .text("X")]))
        throws -> String
    {
        let sources = [TemplateFile(name: "page", file: "page.mustache", bytes: Array(template.utf8))]
        var renderer = try Renderer(Library(sources, constants: (texts, "strings")))
        var output: [UInt8] = []
        try renderer.render("page", model, into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `Constants are written into the template, escaped unless raw`() throws {
        #expect(try rendered("{{t.a}}{{x}}\n{{t.a}} {{{t.a}}}!", ["a": "1 < 2"]) == "1 &lt; 2X\n1 &lt; 2 1 < 2!")
        #expect(try rendered("{{#x}}{{t.empty}}{{/x}}.", ["empty": ""]) == ".")
    }

    @Test func `Constants have precedence over the model's names and need no model`() throws {
        #expect(try rendered("{{t.a}}", ["a": "text"], model: object(["t": .text("T")])) == "text")
    }

    @Test func `The constants of all languages have a common limit in escaped bytes`() throws {
        let sources = [TemplateFile(name: "page", file: "page.mustache", bytes: Array("{{t.a}}".utf8))]
        func compiled(_ text: String, after usedText: Int) throws -> String {
            try message {
                let constants = (texts: ["a": text], folder: "strings")
                let library = try Library(sources, constants: constants, usedText: usedText)
                #expect(library.text.count == 4)
            }
        }
        #expect(try compiled("abcd", after: (64 << 20) - 4) == "no error")
        #expect(try compiled("<", after: (64 << 20) - 4) == "no error")
        #expect(
            try compiled("<", after: (64 << 20) - 3).hasPrefix(
                "page.mustache:1:3: the templates with their texts, in all languages together, have more than 67108864 bytes; "
                    + "use shorter texts\n"))
    }

    @Test func `A missing constant is reported with its position and similar names`() throws {
        let text = try message { _ = try rendered("one\n{{t.naem}}", ["name": "n", "other": "o"]) }
        #expect(text.hasPrefix("page.mustache:2:3: there is no text \"naem\""), "\(text)")
        #expect(
            text.contains("did you mean \"name\"") && text.hasSuffix("\nadd a new text to every file in strings"))
    }
}
