import Testing

@testable import CatalogueEngine

struct ValueFormatTests {
    @Test(arguments: [
        ("S{season}E{number}", "S01E12", [1, 12]), ("S{season}E{number}", "S1E", nil),
        ("S{season}E{number}", "S1E2 ", nil),
        ("S{season}E{number}", "s1E2", nil), ("{n}", "9223372036854775807", [Int.max]),
        ("{n}", "9223372036854775808", nil),
        ("{n}", "-1", nil), ("{n}", "١", nil), ("No. {n}!", "No. 7!", [7]),
    ])
    func `The numbers of a formatted value are read`(format: String, text: String, numbers: [Int]?) throws {
        #expect(try #require(ValueFormat(format)).numbers(in: text) == numbers)
    }

    @Test(arguments: ["{a}{b}", "x{a}{b}", "{a", "S{a}E{b", "{", "", "all", "{}"])
    func `A format without parts, or whose parts cannot be separated, is refused`(format: String) {
        #expect(ValueFormat(format) == nil)
    }
}
