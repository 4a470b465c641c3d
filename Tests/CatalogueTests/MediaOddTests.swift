import Archive
import Catalogue
import Testing

@testable import ITunes

struct MediaOddTests {
    private static let song = #""kind":"song","trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1""#
    private static let us = Kind(.search, .music, .us)

    private func searchResults(_ rows: [String]) throws -> SearchResults {
        try SearchResults(
            try AnswerBody(Array(#"{"resultCount":\#(rows.count),"results":[\#(rows.joined(separator: ","))]}"#.utf8)),
            Self.us)
    }

    @Test(arguments: ["trackTimeMillis", "fileSizeBytes"], ["9223372036854775807", "-9223372036854775808", "0", "-1"])
    func `An absurd number is skipped and reported`(member: String, number: String) throws {
        let row = #""trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1","\#(member)":\#(number)"#
        let item = try Item(Array(#"{"kind":"ebook",\#(row)}"#.utf8), .ebook)
        #expect(item.faults.map(\.keyPath) == [member])
        #expect(item.milliseconds == nil && item.size == nil)
    }

    @Test(arguments: [
        "https://music.apple.com/[x]", "https://music.apple.com/%zz", "https://music.apple.com/a#b#c",
        "https://a:99999999/x",
        "https://a:/x", "https://user@a/x", "https://a b/", "https:///x", "ftp://a/x", "//a/x", "https://[::1]/x",
        "https://яблоко/x",
    ])
    func `An invalid link is reported and affects nothing else in its item`(link: String) throws {
        let item = try Item(Array(#"{\#(Self.song),"artistViewUrl":"\#(link)"}"#.utf8), .music)
        #expect(item.artistLink == nil && item.faults.map(\.keyPath) == ["artistViewUrl"])
        #expect(throws: ContentFault.self) {
            try Item(Array(#"{"kind":"song","trackId":1,"trackName":"One","trackViewUrl":"\#(link)"}"#.utf8), .music)
        }
    }

    @Test(arguments: [
        "https://a.test", "http://a.test:8080/x?y=%D0%B6#z", "https://1a.test/ru/album/%D0%BC/id1?i=2&uo=4",
    ])
    func `A link of the store is accepted`(link: String) throws {
        #expect(try Item(Array(#"{\#(Self.song),"artistViewUrl":"\#(link)"}"#.utf8), .music).artistLink == link)
    }

    @Test(arguments: [
        "http://api.test/https://127.0.0.1:9/evil.png", "http://api.test//evil.test/x.png", "http://api.test/a//b.png",
        "http://api.test/a/../b.png", "http://api.test/./b.png", "http://api.test/%2e%2e/b.png",
        "http://api.test/a?b.png",
        "http://api.test/",
    ])
    func `Artwork below the API's address cannot lead away from it`(url: String) {
        #expect(Artwork.path(of: url, bases: ["http://api.test"]) == nil)
    }

    @Test(arguments: [#""kind":null,"#, #""kind":"","#, #""kind":5,"#, ""])
    func `An item without a kind has no page and is not skipped as another kind`(kind: String) throws {
        let row = #"{"wrapperType":"track",\#(kind)"trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1"}"#
        let found = try searchResults([row])
        guard case .broken(let fault, let title)? = found.results.first else {
            Issue.record("it is \(String(describing: found.results.first))")
            return
        }
        #expect("\(fault)" == "kind: is missing" && title == "One")
        #expect(found.faults.map { "\($0)" } == ["results[0].kind: is missing; the item has no page"])
    }

    @Test(arguments: [Kind.Role.search, .albums])
    func `The complete answer must be valid JSON`(role: Kind.Role) throws {
        let key = RecordKey(Kind(role, .music, .us).name, 1)
        func facts(_ more: String) throws -> RecordFacts {
            try ITunes([]).facts(
                of: Array(#"{"resultCount":0,\#(more)"results":[]}"#.utf8)[...], requested: [key], base: "http://a.test"
            )
        }
        _ = try facts(#""x":{"a":[]},"#)
        for more in [#""x":"\q","#, #""x":{"a":[}],"#, #""x":01,"#] {
            #expect(throws: ContentFault.self, "\(more)") { try facts(more) }
        }
    }

    @Test func `A fault of an item is reported at its lookup, not again for each search`() throws {
        #expect(try searchResults([#"{\#(Self.song),"releaseDate":"soon"}"#]).faults.isEmpty)
        let facts = try ITunes([]).facts(
            of: Array(#"{\#(Self.song),"releaseDate":"soon"}"#.utf8)[...], kind: "song-us", base: "http://a.test")
        #expect(facts.refused.map(\.keyPath) == ["releaseDate"])
    }

    @Test func `Results beyond the maximum limit are skipped and reported`() throws {
        let rows = (1...203).map {
            #"{"kind":"song","trackId":\#($0),"trackName":"n","trackViewUrl":"https://m.test/1","artistId":\#($0)}"#
        }
        let found = try searchResults(rows)
        #expect(found.results.count == 200)
        #expect(
            found.faults.map { "\($0)" } == ["results: are 3 more than the 200 that were asked for; they are skipped"])
        let albums = found.references(of: RecordKey("search-music-us", 5)).filter { $0.path != nil }
        #expect(albums.map(\.key.id) == [80, 81, 82, 83] && Set(albums.map(\.key)).count == 4)
    }

    @Test func `A collection of any type is an album`() throws {
        let rows = [
            #"{"wrapperType":"artist","artistId":7,"artistName":"A"}"#,
            #"{"wrapperType":"collection","collectionType":"Compilation","collectionId":8,"collectionName":"Best"}"#,
        ]
        let albums = try Albums(
            try AnswerBody(Array(#"{"resultCount":2,"results":[\#(rows.joined(separator: ","))]}"#.utf8)))
        #expect(albums.faults.isEmpty && albums.byArtist[7]?.map(\.title) == ["Best"])
    }

    @Test func `A rating of 0 is left out, and a studio is not a director`() throws {
        let book =
            #"{"kind":"ebook","trackId":1,"trackName":"n","trackViewUrl":"https://m.test/1","averageUserRating":0,"userRatingCount":3}"#
        #expect(try Item(Array(book.utf8), .ebook).rating == nil)
        func film(_ link: String) throws -> Item {
            let row =
                #""kind":"feature-movie","trackId":1,"trackName":"n","trackViewUrl":"https://m.test/1","artistName":"P""#
            return try Item(Array(#"{\#(row),"artistViewUrl":"\#(link)"}"#.utf8), .movie)
        }
        #expect(try film("https://m.test/us/studio/p/1").isByStudio && !film("https://m.test/us/artist/p/1").isByStudio)
    }

    @Test func `A call may have a comment before it and any valid function name`() throws {
        for call in ["/**/f({0});", "$f ({0})", "jQuery.cb_1({0});\n"] {
            let body = call.replacing("{0}", with: #"{"resultCount":0,"results":[]}"#)
            if call.hasPrefix("$f ") {
                #expect(throws: ContentFault.self) { try AnswerBody(Array(body.utf8)) }
            } else {
                #expect(
                    String(decoding: try AnswerBody(Array(body.utf8)).bytes, as: UTF8.self)
                        == #"{"resultCount":0,"results":[]}"#)
            }
        }
    }
}
