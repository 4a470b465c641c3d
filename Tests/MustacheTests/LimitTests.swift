import Testing

@testable import Mustache

struct LimitTests {
    private func seconds(_ body: () throws -> Void) throws -> Double {
        let clock = ContinuousClock()
        return try clock.measure(body) / .seconds(1)
    }

    @Test(arguments: ["#", "$"])
    func `Nesting is limited, and a hundred thousand tags are refused quickly`(sigil: String) throws {
        let deep = { (count: Int) in
            String(repeating: "{{\(sigil)a}}", count: count) + "{{.}}" + String(repeating: "{{/a}}", count: count)
        }
        #expect(try message { _ = try library(["page": deep(64)]) } == "no error")
        let time = try seconds {
            for text in [deep(65), deep(100_000), "\n" + String(repeating: "{{\(sigil)a}}\n", count: 10_000)] {
                let refusal = try message { _ = try library(["page": text]) }
                #expect(refusal.contains(": tags are nested more than 64 deep here\n"))
            }
        }
        #expect(time < 30)
        #expect(
            try message { _ = try library(["page": deep(65)]) }.hasPrefix(
                "page.mustache:1:\(64 * 6 + 1): tags are nested more than 64 deep here\n"))
    }

    @Test func `Thousands of sibling tags are read quickly`() throws {
        let rows =
            String(repeating: "{{#a}}{{b}}{{/a}}\n", count: 3_000)
            + String(repeating: "{{<p}}{{$x}}y{{/x}}{{/p}}\n", count: 3_000)
        let shape = Shape("page", ["a": .text, "b": .text])
        let time = try seconds {
            let library = try library(["page": rows, "p": "{{$x}}{{/x}}"])
            try library.check("page", against: shape)
        }
        #expect(time < 60)
    }

    /// Templates that each include the next one twice.
    private func doubling(_ count: Int, _ body: (String) -> String) -> [TemplateFile] {
        (0...count).map { number in
            let text = number == count ? "x{{$a}}{{/a}}" : body("t\(number + 1)")
            return TemplateFile(
                name: number == 0 ? "page" : "t\(number)", file: "t\(number).mustache", bytes: Array(text.utf8))
        }
    }

    @Test func `Partials that double at each level are refused by the step limit`() throws {
        let library = try Library(doubling(60) { "{{>\($0)}}{{>\($0)}}" })
        try library.check("page", against: Shape("page", ["a": .text]))
        var renderer = Renderer(library)
        renderer.stepLimit = 10_000
        var output = Array("before".utf8)
        let text = try message {
            try renderer.render("page", .object(Object(Shape("page", ["a": .text]), [.text("")])), into: &output)
        }
        #expect(text.contains(": rendering the page takes more than 10000 steps here\n"))
        #expect(output == Array("before".utf8))
    }

    @Test func `Parents that double at each level are refused by the check`() throws {
        let library = try Library(
            doubling(60) { "{{<\($0)}}{{$a}}1{{/a}}{{/\($0)}}{{<\($0)}}{{$a}}2{{/a}}{{/\($0)}}{{$a}}{{/a}}" })
        let text = try message { try library.check("page", against: Shape("page", ["a": .text])) }
        #expect(text.contains(" combinations of sections and blocks lead here\n"))
    }

    @Test func `A long partial in many combinations of sections is refused by the check`() throws {
        let levels = (0..<12).map { level in
            let next = level == 11 ? "long" : "c\(level + 1)"
            return TemplateFile(
                name: "c\(level)", file: "c\(level).mustache",
                bytes: Array("{{#title}}{{>\(next)}}{{/title}}{{#sample}}{{>\(next)}}{{/sample}}".utf8))
        }
        let long = TemplateFile(
            name: "long", file: "long.mustache", bytes: Array(String(repeating: "{{title}}", count: 1_000).utf8))
        let shape = Shape("page", ["title": .text, "sample": .flag])
        let text = try message {
            try Library(levels + [long]).check([("c0", shape)], stepLimit: 100_000)
        }
        #expect(text.hasPrefix("long.mustache:1:"))
        #expect(text.contains(": checking the templates takes more than 100000 steps here; include long templates"))
    }

    @Test func `All page templates share one limit of steps`() throws {
        let shape = Shape("page", ["title": .text])
        let library = try library(["one": String(repeating: "{{title}}", count: 1_000), "two": "{{>one}}"])
        func refusal(_ pages: String...) throws -> String {
            try message { try library.check(pages.map { ($0, shape) }, stepLimit: 1_500) }
        }
        #expect(try refusal("one") == "no error" && refusal("two") == "no error")
        #expect(try refusal("one", "two").hasPrefix("one.mustache:1:"))
    }

    @Test func `Nested lists are refused by the step limit and the size limit`() throws {
        let items = Value.list(Array(repeating: .text("x"), count: 1_000))
        let model = object(["a": items, "b": .text(String(repeating: "y", count: 1 << 20))])
        var renderer = try Renderer(library(["page": "{{#a}}{{#a}}{{#a}}{{#a}}{{/a}}{{/a}}{{/a}}{{/a}}"]))
        renderer.stepLimit = 10_000
        var output: [UInt8] = []
        let steps = try message { try renderer.render("page", model, into: &output) }
        #expect(steps.contains(": rendering the page takes more than 10000 steps here\n"))
        let bytes = try message { _ = try rendered("{{#a}}\n{{{b}}}{{/a}}", model) }
        #expect(bytes.hasPrefix("page.mustache:2:4: the page has more than 67108864 bytes here\n"))
    }

    @Test func `Each further item of a list counts as a step, even if its section is empty`() throws {
        let model = object(["a": .list(Array(repeating: .text("x"), count: 1_000))])
        var renderer = try Renderer(library(["page": "{{#a}}{{#a}}{{/a}}{{/a}}"]))
        var output: [UInt8] = []
        try renderer.render("page", model, into: &output)
        #expect(renderer.steps > 999_000)
    }

    @Test func `The number of different names is limited`() throws {
        let names = (0...50_000).map { "{{a\($0)}}" }
        _ = try library(["page": names.dropLast().joined(separator: "\n")])
        let error = try message { _ = try library(["page": names.joined(separator: "\n")]) }
        #expect(error.hasPrefix("page.mustache:50001:3: the templates have more than 50000 different names; use fewer"))
    }

    @Test func `Open sections that are searched for a name count as steps`() throws {
        let model = object([
            "title": .text("x"), "a": .text("y"), "items": .list(Array(repeating: .text("z"), count: 1_000)),
        ])
        let page = "{{#a}}{{#a}}{{#a}}{{#items}}{{^title}}{{/title}}{{/items}}{{/a}}{{/a}}{{/a}}"
        var renderer = try Renderer(library(["page": page]))
        var output: [UInt8] = []
        try renderer.render("page", model, into: &output)
        #expect(renderer.steps > 4_000)
    }

    /// The steps of a page that shows tags for each item.
    /// - Parameter blocks: further blocks of the page, which are not shown.
    private func steps(
        _ items: Int, of tags: String, blocks: String = "", with partials: KeyValuePairs<String, String>,
        into output: inout [UInt8]
    ) throws -> Int {
        let page = TemplateFile(
            name: "page", file: "page.mustache",
            bytes: Array("{{#items}}\n\(tags)\n{{/items}}{{^items}}\(blocks){{/items}}".utf8))
        let others = partials.map { TemplateFile(name: $0, file: "\($0).mustache", bytes: Array($1.utf8)) }
        var renderer = try Renderer(Library([page] + others))
        let model = object(["items": .list(Array(repeating: .text("x"), count: items))])
        try renderer.render(others.first?.name.hasPrefix("all") == true ? "all" : "page", model, into: &output)
        return renderer.steps
    }

    @Test func `A block is found quickly among many overrides, and open scopes count as steps`() throws {
        let overrides = (0..<40_000).map { "{{$b\($0)}}{{/b\($0)}}" }.joined()
        var output: [UInt8] = []
        let time = try seconds {
            _ = try steps(
                10_000, of: "{{$c}}{{/c}}{{$b39999}}default{{/b39999}}", blocks: overrides,
                with: ["all": "{{<page}}\(overrides){{/page}}"], into: &output)
        }
        #expect(time < 60)
        #expect(output.firstRange(of: Array("default".utf8)) == nil)
        let layers = (0..<9).map { "{{<p\($0)}}{{$a}}{{/a}}{{/p\($0)}}" }
        let counted = try steps(
            1_000, of: "{{$c}}{{/c}}", blocks: "{{$a}}{{/a}}",
            with: [
                "all": layers[0], "p0": layers[1], "p1": layers[2], "p2": "{{<page}}{{$a}}{{/a}}{{/page}}",
            ], into: &output)
        #expect(counted > 4 * 1_000)
        let plain = try steps(1_000, of: "{{$c}}{{/c}}", with: [:], into: &output)
        #expect(counted - plain >= 4 * 1_000)
    }

    @Test func `Indentation is limited to 64 KiB and counts as steps`() throws {
        let blanks = String(repeating: " ", count: 1 << 16)
        var output: [UInt8] = []
        let counted = try steps(100, of: "\(blanks){{>leaf}}", with: ["leaf": "{{! nothing }}"], into: &output)
        #expect(counted > 100 * (1 << 16) / 64 && output.isEmpty)
        for tag in ["{{>leaf}}", "{{<leaf}}{{/leaf}}", "{{$a}}{{/a}}"] {
            let text = try message {
                _ = try rendered(
                    "{{<other}}{{$a}}y{{/a}}{{/other}}", object([:]),
                    with: ["leaf": "x", "other": " \(blanks)\(tag)\n{{$a}}{{/a}}"])
            }
            #expect(
                text.hasPrefix(
                    "other.mustache:1:65541: lines are indented by more than 65536 bytes here; indent this tag less\n"
                ),
                "\(tag): \(text.prefix(200))")
        }
    }

    @Test func `A text with many deeply indented lines is refused before it is written`() throws {
        let blanks = String(repeating: " ", count: 1 << 16)
        for line in ["x\n", "{{.}}x\n", "{{^items}}{{/items}}x\n"] {
            var output: [UInt8] = []
            let text = try message {
                _ = try steps(
                    1, of: "\(blanks){{>lines}}", with: ["lines": String(repeating: line, count: 5_000)], into: &output)
            }
            #expect(text.contains(": the page has more than 67108864 bytes here\n"), "\(line) \(text.prefix(200))")
            #expect(output.isEmpty && output.capacity < 256 << 20)
        }
    }

    @Test func `Nested overrides have the same depth limit as partials`() throws {
        let text = try message {
            _ = try rendered("{{>a}}", object([:]), with: ["a": "{{<b}}{{$x}}{{>a}}{{/x}}{{/b}}", "b": "{{$x}}{{/x}}"])
        }
        #expect(text.contains(": templates include one another more than 100 deep here\n"))
    }

    @Test func `More than 100,000 partial, parent and block tags are refused`() throws {
        let half = String(repeating: "{{>p}}", count: 49_999)
        let last = String(repeating: "{{>p}}", count: 49_998) + "{{<p}}{{$x}}{{/x}}{{/p}}"
        #expect(try message { _ = try library(["a": half, "b": last, "p": "{{$x}}{{/x}}"]) } == "no error")
        let text = try message { _ = try library(["a": half, "b": half + "{{>p}}{{>p}}{{>p}}", "p": ""]) }
        #expect(
            text.hasPrefix(
                "b.mustache:1:\(50_001 * 6 + 1): the templates have more than 100000 partial, parent and block tags; use fewer\n"
            ))
    }

    @Test func `The reach of long templates is found quickly`() throws {
        let texts = String(repeating: "{{a}}", count: 1_000)
        let sources = (0..<400).map { number in
            let partials = (number + 1..<min(400, number + 40)).map { "{{>t\($0)}}" }.joined()
            return TemplateFile(name: "t\(number)", file: "t\(number).mustache", bytes: Array((partials + texts).utf8))
        }
        let library = try Library(sources)
        let time = try seconds {
            for source in sources { #expect(library.reachableTemplates(from: source.name).contains("t399")) }
        }
        #expect(
            library.reachableTemplates(from: "t0").count == 400 && library.reachableTemplates(from: "t399") == ["t399"])
        #expect(time < 20)
    }
}
