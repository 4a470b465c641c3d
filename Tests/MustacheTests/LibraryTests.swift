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

@Suite("Shapes") struct ShapeTests {
    @Test func `an object holds its values in the order of its fields`() throws {
        let shape = Shape("point", ["x": .number, "y": .number])
        let point = object(["point": .object(shape.object(["x": .integer(1), "y": .integer(2)]))])
        #expect(try rendered("{{point.y}}{{point.x}}", point) == "21")
    }

    @Test func `fields keep their order and their summaries`() {
        let shape = Shape("point", [.init("x", .number, "to the right"), .init("y", .number)])

        #expect(shape.fields.map(\.name) == ["x", "y"])
        #expect(shape.fields.map(\.summary) == ["to the right", ""])
    }

    @Test func `two shapes are equal only when they are one`() {
        let one = Shape("point", ["x": .number])

        #expect(one == one)
        #expect(one != Shape("point", ["x": .number]))
    }

    @Test func `a debug build stops at a misspelt field`() async {
        #if DEBUG
            await #expect(processExitsWith: .failure) {
                _ = Shape("point", ["x": .number]).object(["y": .integer(1)])
            }
        #endif
    }

    @Test func `a missing value stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = Object(Shape("point", ["x": .number]), [])
        }
    }
}
