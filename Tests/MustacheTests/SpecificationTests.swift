import FoundationEssentials
import Mustache
import Testing

/// The official test data; it is not part of the package.
@Suite("The Mustache specification") struct SpecificationTests {
    @Test(
        "renders as the specification expects",
        .enabled(
            if: SpecificationFile.isPresent, "no mustache-spec folder at \(SpecificationFile.folder); set AMBER_SHARED")
    )
    func rendersAsExpected() throws {
        let core = try ["comments", "delimiters", "interpolation", "inverted", "partials", "sections"].map(run).reduce(
            0, +)
        let inheritance = try run("~inheritance")
        let dynamicNames = try run("~dynamic-names")

        let summary = "mustache spec: \(core) core, \(inheritance) inheritance, \(dynamicNames) dynamic names"
        print(summary)
        #expect(summary == "mustache spec: 136 core, 27 inheritance, 21 dynamic names")
    }

    /// - Returns: how many tests of the file were run.
    private func run(_ name: String) throws -> Int {
        let tests = try SpecificationFile.read(name).tests
        for (index, test) in tests.enumerated() {
            #expect(throws: Never.self, "\(name) \(index): \(test.name): \(test.desc)") {
                let output = try test.render()
                #expect(output == test.expected, "\(name) \(index): \(test.name): \(test.desc)")
            }
        }

        return tests.count
    }
}
