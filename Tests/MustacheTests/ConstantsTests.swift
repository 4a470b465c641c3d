import Mustache
import Testing

@Suite("Constants") struct ConstantsTests {
    private func rendered(_ template: String, _ texts: [String: String], model: Value = object(["x": .text("X")]))
        throws -> String
    {
        let sources = [Source(name: "page", file: "page.mustache", bytes: Array(template.utf8))]
        var renderer = try Library(sources, mode: .strict, constants: Constants(prefix: "t", texts, from: "strings"))
            .renderer()
        var output: [UInt8] = []
        try renderer.render("page", model, into: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `are written into the template, escaped unless asked for raw`() throws {
        #expect(try rendered("{{t.a}}{{x}}\n{{t.a}} {{{t.a}}}!", ["a": "1 < 2"]) == "1 &lt; 2X\n1 &lt; 2 1 < 2!")
        #expect(try rendered("{{#x}}{{t.empty}}{{/x}}.", ["empty": ""]) == ".")
    }

    @Test func `stand before the model's own names, and need no model`() throws {
        #expect(try rendered("{{t.a}}", ["a": "text"], model: object(["t": .text("T")])) == "text")
    }

    @Test func `of all languages together have a limit, which counts the escaped bytes`() throws {
        let sources = [Source(name: "page", file: "page.mustache", bytes: Array("{{t.a}}".utf8))]
        func compiled(_ text: String, after usedText: Int) throws -> String {
            try message {
                let constants = Constants(prefix: "t", ["a": text], from: "strings")
                let library = try Library(sources, mode: .strict, constants: constants, usedText: usedText)
                #expect(library.textSize == 4)
            }
        }
        #expect(try compiled("abcd", after: (64 << 20) - 4) == "no error")
        #expect(try compiled("<", after: (64 << 20) - 4) == "no error")
        #expect(
            try compiled("<", after: (64 << 20) - 3).hasPrefix(
                "page.mustache:1:3: the templates with their texts, in all languages, have more than 67108864 bytes here; "
                    + "use shorter texts\n"))
    }

    @Test func `that are not there are an error with its place and the names there are`() throws {
        let text = try message { _ = try rendered("one\n{{t.naem}}", ["name": "n", "other": "o"]) }
        #expect(text.hasPrefix("page.mustache:2:3: there is no text \"naem\""), "\(text)")
        #expect(
            text.contains("did you mean \"name\"") && text.hasSuffix("\na new text goes into every file of strings"))
    }
}
