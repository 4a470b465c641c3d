import Archive
import Catalogue
import Pages
import Testing

@testable import ITunes

struct MediaFactsTests {
    private func facts(_ members: String, _ medium: Search.Medium = .music, _ texts: Texts) throws -> Facts {
        let start = #"{"kind":"\#(medium.kind)","trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1""#
        return Facts(try Item(Array("\(start),\(members)}".utf8), medium), texts, isFilm: medium == .movie)
    }

    @Test(arguments: [
        ("2010-03-05T08:00:00Z", "2010-03-05"), ("2020-02-29T23:59:59Z", "2020-02-29"),
        ("1851-12-31T00:00:00Z", "1851-12-31"),
        ("2000-02-29T00:00:00Z", "2000-02-29"), ("2010-03-05T02:06:49Z", "2010-03-05"), ("2019-02-29T00:00:00Z", nil),
        ("1900-02-29T00:00:00Z", nil), ("2010-13-01T00:00:00Z", nil), ("2010-04-31T00:00:00Z", nil),
        ("2010-00-10T00:00:00Z", nil),
        ("0001-01-01T00:00:00Z", nil), ("2010-03-05", nil), ("2010-03-05T08:00:00+0", nil),
        ("201é-03-05T08:00:0Z", nil), ("", nil),
    ])
    func `A day is in UTC and must exist in the calendar`(moment: String, day: String?) {
        #expect(Day(moment)?.machineReadable == day)
    }

    @Test func `Any search number is read without a crash`() throws {
        let song = #"{"kind":"song","trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1","artistId":2}"#
        let answer = Array(#"{"resultCount":1,"results":[\#(song)]}"#.utf8)
        for number in [1, Int64.max, .min] {
            let facts = try ITunes([]).facts(
                of: answer[...], requested: [RecordKey("search-music-us", number)], base: "https://m.test")
            #expect(facts.card.count == 2)
        }
    }

    @Test func `Dates have the names of months in each language`() throws {
        let (english, russian) = (try Strings.english(), try Strings.russian())
        let months = [
            ("January", "января"), ("February", "февраля"), ("March", "марта"), ("April", "апреля"), ("May", "мая"),
            ("June", "июня"),
            ("July", "июля"), ("August", "августа"), ("September", "сентября"), ("October", "октября"),
            ("November", "ноября"),
            ("December", "декабря"),
        ]
        for (index, month) in months.enumerated() {
            let day = try #require(Day("2010-\(index < 9 ? "0" : "")\(index + 1)-05T08:00:00Z"))
            #expect(
                Facts.date(day, english) == "\(month.0) 5, 2010" && Facts.date(day, russian) == "5 \(month.1) 2010 г.")
        }
    }

    @Test(arguments: [
        (225_499, "3:45", "PT0H3M45S"), (225_500, "3:46", "PT0H3M46S"), (59_499, "0:59", "PT0H0M59S"),
        (59_500, "1:00", "PT0H1M0S"),
        (600_000, "10:00", "PT0H10M0S"), (3_599_499, "59:59", "PT0H59M59S"), (3_661_000, "1:01:01", "PT1H1M1S"),
        (0, "", ""), (-5, "", ""),
    ])
    func `The length of a song is in minutes and seconds, rounded`(milliseconds: Int, text: String, period: String)
        throws
    {
        let facts = try facts(#""trackTimeMillis":\#(milliseconds)"#, .music, Strings.english())
        #expect((facts.duration, facts.period) == (text, period))
    }

    @Test(arguments: [
        (6_420_000, "1:47"), (1_380_000, "0:23"), (15_780_000, "4:23"), (3_600_000, "1:00"), (3_899_000, "1:04"),
    ])
    func `The length of a film is in hours and minutes`(milliseconds: Int, text: String) throws {
        #expect(try facts(#""trackTimeMillis":\#(milliseconds)"#, .movie, Strings.russian()).duration == text)
    }

    @Test(arguments: [
        (1, "4.5", "4.5 out of 5, 1 rating", "4,5 из 5, 1 оценка"),
        (2, "4.0", "4 out of 5, 2 ratings", "4 из 5, 2 оценки"),
        (5, "5", "5 out of 5, 5 ratings", "5 из 5, 5 оценок"),
        (11, "0.5", "0.5 out of 5, 11 ratings", "0,5 из 5, 11 оценок"),
        (21, "3.5", "3.5 out of 5, 21 ratings", "3,5 из 5, 21 оценка"),
        (104, "1", "1 out of 5, 104 ratings", "1 из 5, 104 оценки"),
        (12_345, "2.5", "2.5 out of 5, 12\u{A0}345 ratings", "2,5 из 5, 12\u{A0}345 оценок"),
    ])
    func `A rating includes the number of ratings`(count: Int, average: String, english: String, russian: String) throws
    {
        let members = #""averageUserRating":\#(average),"userRatingCount":\#(count)"#
        #expect(try facts(members, .ebook, Strings.english()).rating == english)
        #expect(try facts(members, .ebook, Strings.russian()).rating == russian)
    }

    @Test func `A file size is in megabytes`() throws {
        for (bytes, english, russian) in [
            (5_954_321, "6 MB", "6 МБ"), (1_234_567, "1.2 MB", "1,2 МБ"), (10, "0.1 MB", "0,1 МБ"), (0, "", ""),
        ] {
            #expect(try facts(#""fileSizeBytes":\#(bytes)"#, .ebook, Strings.english()).size == english)
            #expect(try facts(#""fileSizeBytes":\#(bytes)"#, .ebook, Strings.russian()).size == russian)
        }
    }
}
