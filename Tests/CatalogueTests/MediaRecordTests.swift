import Archive
import Catalogue
import KnownCatalogues
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

/// Values of the items of the media catalogue.
struct MediaRecordTests {
    private static let types = ["song-us": "song", "movie-us": "feature-movie", "book-us": "ebook"]
    private let catalogue: DeclaredCatalogue

    init() throws {
        catalogue = try DeclaredCatalogue.itunes()
    }

    /// An item with these members in addition to those that every item needs.
    private func bytes(_ members: String, _ kind: String) -> [UInt8] {
        let start = #"{"kind":"\#(Self.types[kind] ?? "")","trackId":1,"trackName":"One""#
        let link = members.contains("trackViewUrl") ? "" : #","trackViewUrl":"https://m.test/1""#
        return Array("\(start)\(link)\(members.isEmpty ? "" : ",")\(members)}".utf8)
    }

    private func refused(_ members: String, _ kind: String = "song-us") throws -> [String] {
        try catalogue.facts(of: bytes(members, kind)[...], kind: kind, base: "http://a.test").refused.map { "\($0)" }
    }

    private func field(_ name: String, _ kind: String) throws -> FieldDeclaration {
        let kind = try #require(catalogue.declaration.kind(kind))
        return try #require(kind.field(name))
    }

    /// The value of a field as text of a language.
    private func text(_ name: String, _ members: String, _ kind: String, _ texts: Texts? = nil) throws -> String {
        let field = try field(name, kind)
        let value = field.shown(try JSONFields(bytes(members, kind)))
        return texts.map { field.text(value, $0) } ?? value
    }

    @Test func `An item needs a kind, a number, a title and a link`() throws {
        #expect(try refused("") == [])
        for record in [
            #"{"trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1"}"#,
            #"{"kind":"song","trackName":"One","trackViewUrl":"https://m.test/1"}"#,
            #"{"kind":"song","trackId":0,"trackName":"One","trackViewUrl":"https://m.test/1"}"#,
            #"{"kind":"song","trackId":1,"trackViewUrl":"https://m.test/1"}"#,
            #"{"kind":"song","trackId":1,"trackName":" ","trackViewUrl":"https://m.test/1"}"#,
            #"{"kind":"song","trackId":1,"trackName":"One"}"#,
            #"{"kind":"song","trackId":1,"trackName":"One","trackViewUrl":""}"#,
            #"{"kind":"ebook","trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1"}"#,
        ] {
            #expect(throws: ContentFault.self, "\(record)") {
                try catalogue.facts(of: Array(record.utf8)[...], kind: "song-us", base: "http://a.test")
            }
        }
    }

    @Test(arguments: [
        (#""trackTimeMillis":0"#, #"trackTimeMillis: is "0", not a duration up to 11 days"#),
        (
            #""trackTimeMillis":-9223372036854775808"#,
            #"trackTimeMillis: is "-9223372036854775808", not a duration up to 11 days"#
        ),
        (#""releaseDate":"yesterday""#, #"releaseDate: is "yesterday", not a moment as 2010-03-05T08:00:00Z"#),
        (
            #""releaseDate":"0001-01-01T00:00:00Z""#,
            #"releaseDate: is "0001-01-01T00:00:00Z", not a moment as 2010-03-05T08:00:00Z"#
        ),
        (
            #""artistViewUrl":"javascript:alert(1)""#,
            #"artistViewUrl: is "javascript:alert(1)", which is no address on the web"#
        ),
        (
            #""artworkUrl100":"https://evil.test/a.jpg""#,
            #"artworkUrl100: is "https://evil.test/a.jpg", which is not on the service's picture hosts"#
        ),
    ])
    func `An unusable member is skipped and reported`(member: String, sentence: String) throws {
        #expect(try refused(member) == [sentence])
        for name in ["duration", "released", "artist_link"] { #expect(try text(name, member, "song-us") == "") }
    }

    @Test(arguments: [
        "https://music.apple.com/[x]", "https://music.apple.com/%zz", "https://music.apple.com/a#b#c",
        "https://a:99999999/x", "https://a:/x", "https://user@a/x", "https://a b/", "https:///x", "ftp://a/x",
        "//a/x", "https://[::1]/x", "https://яблоко/x", "https://",
    ])
    func `An invalid link is reported and affects nothing else in its item`(link: String) throws {
        let member = #""artistViewUrl":"\#(link)""#
        #expect(try refused(member).count == 1 && text("artist_link", member, "song-us") == "")
        #expect(throws: ContentFault.self) { try refused(#""trackViewUrl":"\#(link)""#) }
    }

    @Test(arguments: [
        "https://a.test", "http://a.test:8080/x?y=%D0%B6#z", "https://1a.test/ru/album/%D0%BC/id1?i=2&uo=4",
    ])
    func `A link of the store is accepted`(link: String) throws {
        let member = #""artistViewUrl":"\#(link)""#
        #expect(try refused(member).isEmpty && text("artist_link", member, "song-us") == link)
    }

    @Test func `A clean edit is listed as not explicit`() throws {
        let field = try field("explicit", "song-us")
        #expect(
            ["explicit", "cleaned", "notExplicit"].map(field.listed) == ["explicit", "notExplicit", "notExplicit"])
        #expect(["explicit", "cleaned", ""].map(field.tone) == ["explicit", "", ""])
        #expect(try text("explicit", #""trackExplicitness":"explicit""#, "book-us") == "")
    }

    @Test func `A rating needs its count, and the genre of all books is left out`() throws {
        func rating(_ members: String) throws -> String { try text("rating", members, "book-us") }
        #expect(try rating(#""averageUserRating":4.5,"userRatingCount":12"#) == "4.5 12")
        for members in [
            #""averageUserRating":4.5"#, #""userRatingCount":3"#, #""averageUserRating":0,"userRatingCount":0"#,
            #""averageUserRating":0,"userRatingCount":3"#, #""averageUserRating":50,"userRatingCount":1"#,
        ] { #expect(try rating(members) == "", "\(members)") }
        let genres = #""genres":["Fiction","Books","Sea"],"genreIds":["9031","38","1"]"#
        #expect(try text("genre", genres, "book-us") == "Fiction\tSea")
        #expect(try text("genre", genres, "book-us", Strings.english()) == "Fiction, Sea")
    }

    @Test func `Genres beyond the limit are skipped and reported`() throws {
        let genres = (0..<1_000).map { "\"\($0) g\"" }.joined(separator: ",")
        let member = #""genres":[\#(genres)]"#
        let shown = try field("genre", "book-us").elements(text("genre", member, "book-us"))
        #expect(shown.count == 100 && shown.last == "99 g")
        let long = (10..<100).map { "\($0)" + String(repeating: "x", count: 98) }.joined(separator: "\t")
        #expect(try field("genre", "book-us").listed(long).utf8.count == 40 * 101 - 1)
        #expect(
            try refused(member, "book-us") == [
                "genres: are 1000, more than the 100 that are shown; the others are skipped"
            ])
    }

    @Test func `The long description is preferred, and a studio is recognized by its page`() throws {
        #expect(try text("description", #""shortDescription":"Short""#, "movie-us") == "Short")
        let both = #""longDescription":"Long","shortDescription":"Short""#
        #expect(try text("description", both, "movie-us") == "Long")
        func studio(_ link: String) throws -> String {
            try text("studio", #""artistViewUrl":"\#(link)""#, "movie-us")
        }
        #expect(try studio("https://m.test/us/studio/p/1") == "studio")
        #expect(try studio("https://m.test/us/artist/p/1") == "")
    }

    @Test(arguments: [
        (225_499, "3:45", "PT0H3M45S"), (225_500, "3:46", "PT0H3M46S"), (59_499, "0:59", "PT0H0M59S"),
        (59_500, "1:00", "PT0H1M0S"), (600_000, "10:00", "PT0H10M0S"), (3_599_499, "59:59", "PT0H59M59S"),
        (3_661_000, "1:01:01", "PT1H1M1S"), (0, "", ""), (-5, "", ""),
    ])
    func `The length of a song is in minutes and seconds, rounded`(milliseconds: Int, shown: String, period: String)
        throws
    {
        let member = #""trackTimeMillis":\#(milliseconds)"#
        #expect(try text("duration", member, "song-us", Strings.english()) == shown)
        let field = try field("duration", "song-us")
        #expect(field.machineReadable(field.shown(try JSONFields(bytes(member, "song-us")))) == period)
    }

    @Test(arguments: [
        (6_420_000, "1 ч 47 мин"), (1_380_000, "23 мин"), (15_780_000, "4 ч 23 мин"), (3_600_000, "1 ч 0 мин"),
        (3_899_000, "1 ч 4 мин"),
    ])
    func `The length of a film is in hours and minutes`(milliseconds: Int, shown: String) throws {
        let member = #""trackTimeMillis":\#(milliseconds)"#
        #expect(try text("duration", member, "movie-us", Strings.russian()) == shown)
    }

    @Test(arguments: [
        (1, "4.5", "4.5 out of 5, 1 rating", "4,5 из 5, 1 оценка"),
        (2, "4.0", "4 out of 5, 2 ratings", "4 из 5, 2 оценки"),
        (5, "5", "5 out of 5, 5 ratings", "5 из 5, 5 оценок"),
        (11, "0.5", "0.5 out of 5, 11 ratings", "0,5 из 5, 11 оценок"),
        (104, "1", "1 out of 5, 104 ratings", "1 из 5, 104 оценки"),
        (12_345, "2.5", "2.5 out of 5, 12,345 ratings", "2,5 из 5, 12\u{A0}345 оценок"),
    ])
    func `A rating includes the number of ratings`(count: Int, average: String, english: String, russian: String) throws
    {
        let members = #""averageUserRating":\#(average),"userRatingCount":\#(count)"#
        #expect(try text("rating", members, "book-us", Strings.english()) == english)
        #expect(try text("rating", members, "book-us", Strings.russian()) == russian)
    }

    @Test(arguments: [
        ("1.29", "1.29\u{A0}USD", "1,29\u{A0}USD"), ("9.9", "9.90\u{A0}USD", "9,90\u{A0}USD"),
        ("15.00", "15\u{A0}USD", "15\u{A0}USD"), ("12345.5", "12,345.50\u{A0}USD", "12\u{A0}345,50\u{A0}USD"),
        ("0.00", "Free", "Бесплатно"), ("-1.0", "Not sold separately", "Отдельно не продаётся"),
        ("\"x\"", "", ""), ("null", "", ""),
    ])
    func `A price has the decimal mark of the language, and its currency`(
        served: String, english: String, russian: String
    ) throws {
        let members = #""trackPrice":\#(served),"collectionPrice":\#(served),"currency":"USD""#
        #expect(try text("price", members, "song-us", Strings.english()) == english)
        #expect(try text("price", members, "song-us", Strings.russian()) == russian)
        #expect(try text("album_price", members, "song-us").isEmpty == ["-1.0", "\"x\"", "null"].contains(served))
        #expect(try text("price", #""trackPrice":2.5"#, "song-us", Strings.russian()) == "2,50")
    }

    @Test func `An unknown director is left out`() throws {
        #expect(try text("artist", #""artistName":"Unknown""#, "movie-us") == "")
        #expect(try text("artist", #""artistName":"Unknown""#, "song-us") == "Unknown")
    }

    @Test func `A file size is in kilobytes or megabytes`() throws {
        for (bytes, english, russian) in [
            (5_954_321, "6 MB", "6 МБ"), (1_234_567, "1.2 MB", "1,2 МБ"), (10, "0.1 kB", "0,1 КБ"),
            (3_733, "3.7 kB", "3,7 КБ"), (0, "", ""),
        ] {
            #expect(try text("size", #""fileSizeBytes":\#(bytes)"#, "book-us", Strings.english()) == english)
            #expect(try text("size", #""fileSizeBytes":\#(bytes)"#, "book-us", Strings.russian()) == russian)
        }
    }

    @Test(arguments: [
        ("2010-03-05T08:00:00Z", "2010-03-05"), ("2020-02-29T23:59:59Z", "2020-02-29"),
        ("1851-12-31T00:00:00Z", "1851-12-31"), ("2000-02-29T00:00:00Z", "2000-02-29"),
        ("2010-03-05T02:06:49Z", "2010-03-05"), ("2019-02-29T00:00:00Z", nil), ("1900-02-29T00:00:00Z", nil),
        ("2010-13-01T00:00:00Z", nil), ("2010-04-31T00:00:00Z", nil), ("2010-00-10T00:00:00Z", nil),
        ("2010-03-05", "2010-03-05"), ("2010-03-05T08:00:00.123+02:00", "2010-03-05"),
        ("2010-03-05 08:00", "2010-03-05"), ("2010-03-05T23:00:00.25-08:00", "2010-03-05"),
        ("0001-01-01T00:00:00Z", nil), ("2010-03-05T08:00:00+0", nil), ("2010-03", nil), ("2010-03-05T8:00Z", nil),
        ("201é-03-05T08:00:0Z", nil), ("", nil), ("2010-03-05T08:00:00", "2010-03-05"),
        ("2010-03-05T08:00:00.2x", nil),
    ])
    func `A moment has the day of its time zone, and the day must exist in the calendar`(moment: String, day: String?) {
        #expect(Day(moment: moment)?.machineReadable == day)
    }

    @Test func `Dates have the names of months in each language`() throws {
        let months = [
            ("January", "января"), ("February", "февраля"), ("March", "марта"), ("April", "апреля"), ("May", "мая"),
            ("June", "июня"), ("July", "июля"), ("August", "августа"), ("September", "сентября"),
            ("October", "октября"), ("November", "ноября"), ("December", "декабря"),
        ]
        for (index, month) in months.enumerated() {
            let member = #""releaseDate":"2010-\#(index < 9 ? "0" : "")\#(index + 1)-05T08:00:00Z""#
            #expect(try text("released", member, "song-us", Strings.english()) == "\(month.0) 5, 2010")
            #expect(try text("released", member, "song-us", Strings.russian()) == "5 \(month.1) 2010 г.")
        }
    }

    @Test func `The last paragraph has all text beyond the limit`() {
        func paragraphs(_ count: Int) -> [String] { (1...count).map { "\($0)" }.joined(separator: "\n").paragraphs }
        #expect(paragraphs(1_000).last == "1000")
        #expect(paragraphs(1_000).count == 1_000 && paragraphs(500_000).count == 1_000)
        #expect(paragraphs(1_002).suffix(2) == ["999", "1000\n1001\n1002"])
    }
}
