import Mustache
import Testing

@Suite("What cannot be parsed") struct SyntaxErrorTests {
    @Test func `a tag that is not closed`() throws {
        let text = try message { _ = try library(["page": "<p>\n  {{name\n</p>"]) }

        #expect(
            text == """
                page.mustache:2:3: this tag is not closed; "}}" is missing
                      {{name
                      ^
                """)
    }

    @Test func `a triple tag that is closed like a double one`() throws {
        #expect(
            try message { _ = try library(["page": "{{{name}}"]) }.hasPrefix(
                "page.mustache:1:1: this tag is not closed; \"}}}\" is missing\n"))
    }

    @Test func `a section that is not closed says where it is opened`() throws {
        let text = try message { _ = try library(["page": "<p>\n{{#episodes}}\n{{name}}\n"]) }

        #expect(
            text == """
                page.mustache:2:4: "episodes" is opened here and never closed
                    {{#episodes}}
                       ^
                """)
    }

    @Test func `a section that another name closes`() throws {
        let text = try message { _ = try library(["page": "{{#a}}\n{{^b}}\n\n\t{{/a}}{{/b}}"]) }

        #expect(
            text == """
                page.mustache:4:5: "a" is closed here, but "b" is open since line 2
                    \t{{/a}}{{/b}}
                    \t   ^
                """)
    }

    @Test func `a closing tag too many`() throws {
        let text = try message { _ = try library(["page": "ä€𝄞{{#a}}{{/a}}{{/a}}\r\n"]) }

        #expect(
            text == """
                page.mustache:1:19: "a" is closed here, but nothing is open
                    ä€𝄞{{#a}}{{/a}}{{/a}}
                                      ^
                """)
    }

    @Test(arguments: ["{{}}", "{{ }}", "{{# }}", "{{/}}", "{{>}}", "{{> * }}", "{{{}}}", "{{&}}"])
    func `a tag without a name`(tag: String) throws {
        let text = try message { _ = try library(["page": "\(tag)"]) }

        #expect(text == "page.mustache:1:1: this tag has no name\n    \(tag)\n    ^")
    }

    @Test(arguments: ["{{=<%=}}", "{{==}}", "{{=a b c=}}", "{{=<= =>=}}"])
    func `delimiters that are none`(tag: String) throws {
        let text = try message { _ = try library(["page": tag]) }

        #expect(
            text == """
                page.mustache:1:1: this tag must hold two new delimiters with a space between them, as in {{=<% %>=}}
                    \(tag)
                    ^
                """)
    }

    @Test func `delimiters that are long`() throws {
        _ = try library(["page": "{{=\(String(repeating: "a", count: 16)) ]]=}}"])
        let text = try message { _ = try library(["page": "{{=\(String(repeating: "a", count: 17)) ]]=}}"]) }

        #expect(text.hasPrefix("page.mustache:1:1: a delimiter has at most 16 bytes\n"))
    }

    @Test(
        "a name that is none",
        arguments: [
            ("{{a</p>\n<p>{{b}}", "the tag that begins with \"a\" is not closed; it ends in }}"),
            ("{{a b}}", "\"a b\" is not a name: it has a space in it"),
            ("{{>a b}}", "\"a b\" is not a name: it has a space in it"),
            ("{{a..b}}", "\"a..b\" is not a name: there is nothing on one side of a dot"),
            ("{{#.a}}{{/.a}}", "\".a\" is not a name: there is nothing on one side of a dot"),
        ])
    func badName(tag: String, reason: String) throws {
        #expect(try message { _ = try library(["page": tag]) }.contains(": \(reason)\n"))
    }

    @Test func `a very long line is shown where it matters`() throws {
        let text = try message {
            _ = try library([
                "page": String(repeating: "x", count: 500_000) + "{{}}" + String(repeating: "y", count: 500_000)
            ])
        }

        #expect(
            text == """
                page.mustache:1:500001: this tag has no name
                    …\(String(repeating: "x", count: 60)){{}}\(String(repeating: "y", count: 56))…
                    \(String(repeating: " ", count: 61))^
                """)
    }
}
