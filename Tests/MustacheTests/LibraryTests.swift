import Mustache
import Testing

@Suite("A library") struct LibraryTests {
    @Test func `names its templates in order`() throws {
        #expect(try library(["page": "", "layout": "", "card": ""]).names == ["card", "layout", "page"])
        #expect(try library([:]).names == [])
    }

    @Test func `knows what a template can reach, through partials, parents and blocks`() throws {
        let library = try library([
            "page": "{{<layout}}{{$main}}{{#x}}{{>card}}{{/x}}{{/main}}{{/layout}}",
            "layout": "{{>head}}{{$main}}{{/main}}", "head": "",
            "card": "{{>icon}}",
            "icon": "{{>icon}}", "other": "{{>page}}",
        ])

        #expect(library.reach(of: "page") == ["card", "head", "icon", "layout", "page"])
        #expect(library.reach(of: "icon") == ["icon"])
        #expect(library.reach(of: "nothing") == [])
    }

    @Test func `takes a dynamic name for any template`() throws {
        let library = try library(["page": "{{>card}}", "card": "{{>*kind}}", "other": "", "alone": ""])

        #expect(library.reach(of: "page") == ["alone", "card", "other", "page"])
        #expect(library.reach(of: "other") == ["other"])
    }
}
