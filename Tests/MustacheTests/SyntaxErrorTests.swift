import Mustache
import Testing

struct SyntaxErrorTests {
    @Test func `A tag that is not closed is an error`() throws {
        let text = try message { _ = try library(["page": "<p>\n  {{name\n</p>"]) }

        #expect(
            text == """
                page.mustache:2:3: this tag is not closed; "}}" is missing
                      {{name
                      ^
                """)
    }

    @Test func `A triple tag with a double closing delimiter is an error`() throws {
        #expect(
            try message { _ = try library(["page": "{{{name}}"]) }.hasPrefix(
                "page.mustache:1:1: this tag is not closed; \"}}}\" is missing\n"))
    }

    @Test func `An unclosed section is reported at its opening tag`() throws {
        let text = try message { _ = try library(["page": "<p>\n{{#episodes}}\n{{name}}\n"]) }

        #expect(
            text == """
                page.mustache:2:4: "episodes" is opened here and never closed
                    {{#episodes}}
                       ^
                """)
    }

    @Test func `A closing tag with another name is an error`() throws {
        let text = try message { _ = try library(["page": "{{#a}}\n{{^b}}\n\n\t{{/a}}{{/b}}"]) }

        #expect(
            text == """
                page.mustache:4:5: "a" is closed here, but "b" was opened on line 2
                    \t{{/a}}{{/b}}
                    \t   ^
                """)
    }

    @Test func `An extra closing tag is an error`() throws {
        let text = try message { _ = try library(["page": "ä€𝄞{{#a}}{{/a}}{{/a}}\r\n"]) }

        #expect(
            text == """
                page.mustache:1:19: "a" is closed here, but nothing is open
                    ä€𝄞{{#a}}{{/a}}{{/a}}
                                      ^
                """)
    }

    @Test(arguments: ["{{}}", "{{ }}", "{{# }}", "{{/}}", "{{>}}", "{{{}}}", "{{&}}"])
    func `A tag without a name is an error`(tag: String) throws {
        let text = try message { _ = try library(["page": "\(tag)"]) }

        #expect(text == "page.mustache:1:1: this tag has no name\n    \(tag)\n    ^")
    }

    @Test(arguments: ["{{=<%=}}", "{{==}}", "{{=a b c=}}", "{{=<= =>=}}"])
    func `Invalid delimiters are an error`(tag: String) throws {
        let text = try message { _ = try library(["page": tag]) }

        #expect(
            text == """
                page.mustache:1:1: this tag must contain two new delimiters with a space between them, such as {{=<% %>=}}
                    \(tag)
                    ^
                """)
    }

    @Test func `Long delimiters are an error`() throws {
        _ = try library(["page": "{{=\(String(repeating: "a", count: 16)) ]]=}}"])
        let text = try message { _ = try library(["page": "{{=\(String(repeating: "a", count: 17)) ]]=}}"]) }

        #expect(text.hasPrefix("page.mustache:1:1: this delimiter is too long; it can have at most 16 bytes\n"))
    }

    @Test(
        arguments: [
            ("{{a</p>\n<p>{{b}}", "the tag that begins with \"a\" is not closed; add }}"),
            ("{{a b}}", "\"a b\" is not a name: it has a space in it"),
            ("{{>a b}}", "\"a b\" is not a name: it has a space in it"),
            ("{{a..b}}", "\"a..b\" is not a name: a dot has nothing on one side"),
            ("{{#.a}}{{/.a}}", "\".a\" is not a name: a dot has nothing on one side"),
        ])
    func `An invalid name is an error`(tag: String, reason: String) throws {
        #expect(try message { _ = try library(["page": tag]) }.contains(": \(reason)\n"))
    }

    @Test func `A very long line is shown only around the error`() throws {
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
