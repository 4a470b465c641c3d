import Mustache
import Testing

@Suite("Shapes") struct ShapeTests {
    @Test func `an object gives its values by name`() {
        let shape = Shape("point", ["x": .number, "y": .number])
        let point = shape.object(["x": .integer(1), "y": .integer(2)])

        guard case .integer(let y) = point["y"] else {
            Issue.record("y is \(String(describing: point["y"]))")
            return
        }

        #expect(y == 2)
        #expect(point["z"].map { _ in true } == nil)
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
