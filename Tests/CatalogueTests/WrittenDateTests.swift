import Catalogue
import Testing

@testable import CatalogueEngine

struct WrittenDateTests {
    @Test(
        arguments: [
            ("December 2, 2013", "2013-12-02"), ("January 27, 2014", "2014-01-27"), ("February 29, 2016", "2016-02-29"),
            ("February 29, 2000", "2000-02-29"), ("April 30, 2020", "2020-04-30"), ("December 31, 9999", "9999-12-31"),
            ("2013-12-02", "2013-12-02"),
        ])
    func `A valid date in words or in ISO 8601 is read`(text: String, date: String) {
        #expect(Day(written: text)?.machineReadable == date)
    }

    @Test(
        arguments: [
            "", "unknown", "2013-12-32", "Dec 2, 2013", "december 2, 2013", "December 2 2013", "December 2, 2013 extra",
            "December 0, 2013",
            "December 32, 2013", "December 2, 999", "December 2, 10000", "December , 2013", "December x, 2013",
            "December 2, x",
            "February 30, 2016", "February 29, 2015", "February 29, 1900", "April 31, 2020", "December +2, 2013",
            "December 2, +2013",
            "December -2, 2013",
        ])
    func `Any other text is not a date`(
        text: String
    ) {
        #expect(Day(written: text)?.machineReadable == nil)
    }

    @Test(
        arguments: [
            ("[2020,5,1]", "2020-05-01"), ("[2020,12]", "2020-12"), ("[1999]", "1999"), ("[[2020,5,1]]", "2020-05-01"),
            ("[[2020]]", "2020"),
        ])
    func `An array of numbers is a date`(json: String, date: String) throws {
        #expect(try JSON(Array(json.utf8)).date == date)
    }

    @Test(
        arguments: [
            "[]", "[[]]", "[null]", "[[null]]", "[2020,13]", "[2021,2,29]", "[2020,5,1,2]", "[20]", "[\"2020\"]",
            "[2020.5]", "[[[2020]]]", "[[2020],[2021]]", "2020", "{\"a\":[2020]}", "[2020,0]", "[-2020]",
        ])
    func `Any other value is not a date`(json: String) throws {
        #expect(try JSON(Array(json.utf8)).date == nil)
    }

    @Test func `Only a valid date is converted to the start of its day`() {
        #expect(Day("1970-01-01".utf8)?.start == 0)
        #expect(Day("2018-05-01".utf8)?.start == 1_525_132_800_000)
        #expect(Day("2000-02-29".utf8)?.start == 951_782_400_000)
        for text in [
            "2018-06-31", "2019-02-29", "2018-13-01", "2018-00-10", "2018-5-1", "2018-05-01Z", "+018-05-01",
            "２018-05-01", "", "today",
        ] {
            #expect(Day(text.utf8) == nil, "\(text)")
        }
    }
}
