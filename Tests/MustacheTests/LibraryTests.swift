import Mustache
import Testing

struct LibraryTests {
    @Test func `The reach of a template includes partials, parents and blocks`() throws {
        let library = try library([
            "page": "{{<layout}}{{$main}}{{#x}}{{>card}}{{/x}}{{/main}}{{/layout}}",
            "layout": "{{>head}}{{$main}}{{/main}}", "head": "",
            "card": "{{>icon}}",
            "icon": "{{>icon}}", "other": "{{>page}}",
        ])

        #expect(library.reachableTemplates(from: "page") == ["card", "head", "icon", "layout", "page"])
        #expect(library.reachableTemplates(from: "icon") == ["icon"])
        #expect(library.reachableTemplates(from: "nothing") == [])
    }
}

struct ShapeTests {
    @Test func `An object holds its values in the order of its fields`() throws {
        let shape = Shape("point", ["x": .number, "y": .number])
        let point = object(["point": .object(shape.object(["x": .integer(1), "y": .integer(2)]))])
        #expect(try rendered("{{point.y}}{{point.x}}", point) == "21")
    }

    @Test func `Fields keep their order and their summaries`() {
        let shape = Shape("point", [.init("x", .number, "to the right"), .init("y", .number)])

        #expect(shape.fields.map(\.name) == ["x", "y"])
        #expect(shape.fields.map(\.summary) == ["to the right", ""])
    }

    @Test func `A shape is equal only to itself`() {
        let one = Shape("point", ["x": .number])

        #expect(one == one)
        #expect(one != Shape("point", ["x": .number]))
    }

    #if DEBUG
        @Test func `A debug build stops at a misspelt field`() async {
            await #expect(processExitsWith: .failure) {
                _ = Shape("point", ["x": .number]).object(["y": .integer(1)])
            }
        }
    #endif

    @Test func `A missing value stops the program`() async {
        await #expect(processExitsWith: .failure) {
            _ = Object(Shape("point", ["x": .number]), [])
        }
    }
}
