import Mustache
import Platform
import Testing

struct RenderingTests {
    @Test func `Text is escaped, and markup is unchanged`() throws {
        let model = object([
            "text": .text("a < b"), "html": .html(Array("<b>x</b>".utf8)), "count": .integer(-120),
            "least": .integer(.min),
            "share": .decimal(0.25), "whole": .decimal(3), "yes": .flag(true), "nothing": .null,
        ])

        let page = try rendered(
            "{{text}}|{{{text}}}|{{&text}}|{{html}}|{{{html}}}|{{count}}|{{least}}|{{share}}|{{whole}}|{{yes}}|{{nothing}}|",
            model)
        #expect(page == "a &lt; b|a < b|a < b|<b>x</b>|<b>x</b>|-120|-9223372036854775808|0.25|3|true||")
    }

    @Test(arguments: [Value.null, .flag(false), .text(""), .html([]), .list([])])
    func `An empty value skips a section`(value: Value) throws {
        #expect(
            try rendered("{{#value}}shown{{/value}}{{^value}}left out{{/value}}", object(["value": value]))
                == "left out")
    }

    @Test(arguments: [Value.flag(true), .text(" "), .html([0x20]), .integer(0), .decimal(0), object([:])])
    func `Any other value opens a section`(value: Value) throws {
        #expect(
            try rendered("{{#value}}shown{{/value}}{{^value}}left out{{/value}}", object(["value": value])) == "shown")
    }

    @Test func `A deferred value is made once, and only if the template uses it`() throws {
        let made = Locked<[String]>([])
        func deferred(_ name: String, _ value: Value) -> Value {
            .deferred {
                made.withLock { $0.append(name) }
                return value
            }
        }
        let model = object([
            "rows": deferred("rows", .list([.integer(1), .integer(2)])), "empty": deferred("empty", .html([])),
            "unused": deferred("unused", .null), "inner": deferred("inner", object(["name": .text("<")])),
        ])
        let page = try rendered(
            "{{#rows}}{{.}}{{#empty}}shown{{/empty}}{{inner.name}}{{#inner}}{{name}}{{/inner}}{{/rows}}", model)
        #expect(page == "1&lt;&lt;2&lt;&lt;")
        #expect(made.withLock { $0 } == ["rows", "empty", "inner"])
    }

    @Test func `A section repeats for each item and can use the outer names`() throws {
        let model = object([
            "mark": .text("-"),
            "rows": .list([
                object(["cells": .list([.integer(1), .integer(2)])]), object(["cells": .list([.integer(3)])]),
            ]),
        ])

        #expect(try rendered("{{#rows}}[{{#cells}}{{mark}}{{.}}{{/cells}}]{{/rows}}", model) == "[-1-2][-3]")
    }

    @Test func `An inner name hides an outer one, and a list may mix shapes`() throws {
        let model = object([
            "name": .text("outer"), "items": .list([object(["name": .text("inner")]), object(["id": .integer(7)])]),
        ])

        #expect(try rendered("{{#items}}{{name}} {{/items}}", model) == "inner outer ")
    }

    @Test func `A dotted name selects a value of an object, and a null prints nothing`() throws {
        let model = object(["origin": object(["planet": object(["name": .text("Earth")])]), "lost": .null])

        #expect(
            try rendered("{{origin.planet.name}}{{lost.planet.name}}{{#lost.planet}}x{{/lost.planet}}", model)
                == "Earth")
    }

    @Test func `Standalone tags remove their lines, with any line ending`() throws {
        let template =
            "a\r\n  {{#yes}}\r\nb\r\n  {{/yes}}\r\n{{! a\r\n remark }}\r\nc {{! inline }}\r\n{{=<% %>=}}\r\n<%yes%> {{yes}}"

        #expect(try rendered(template, object(["yes": .flag(true)])) == "a\r\nb\r\nc \r\ntrue {{yes}}")
    }

    @Test func `A standalone partial is indented, except empty lines and values`() throws {
        let page = try rendered(
            "<ul>\n  {{>item}}\n</ul>\n", object(["text": .text("x\ny")]),
            with: ["item": "<li>\n\n  {{>text}}\n</li>\n", "text": "{{text}}.\n"])

        #expect(page == "<ul>\n  <li>\n\n    x\ny.\n  </li>\n</ul>\n")
    }

    @Test func `A partial in a line is not indented`() throws {
        let page = try rendered("  {{>outer}}\n", object([:]), with: ["outer": "({{>inner}})\n", "inner": "1\n2"])

        #expect(page == "  (1\n2)\n")
    }

    @Test func `A renderer continues after an error and removes its partial output`() throws {
        var renderer = try Renderer(library(["page": "<p>{{#deep}}{{name}}{{/deep}}"]))
        var output = Array("before ".utf8)
        #expect(throws: TemplateError.self) {
            try renderer.render("page", object(["deep": object([:])]), into: &output)
        }
        #expect(output == Array("before ".utf8))

        try renderer.render("page", object(["deep": object(["name": .text("x")])]), into: &output)
        #expect(String(decoding: output, as: UTF8.self) == "before <p>x")
    }

    @Test func `A template of one megabyte is rendered completely`() throws {
        let line = "<p>{{name}}</p>{{#name}}\n  text\n{{/name}}{{! remark }}\n"
        let count = 1_000_000 / line.utf8.count + 1
        let page = try rendered(String(repeating: line, count: count), object(["name": .text("x")]))

        #expect(page == String(repeating: "<p>x</p>\n  text\n\n", count: count))
    }
}
