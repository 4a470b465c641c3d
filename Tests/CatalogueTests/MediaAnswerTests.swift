import Archive
import Catalogue
import KnownCatalogues
import TestSupport
import Testing

@testable import CatalogueEngine

struct MediaAnswerTests {
    private static let object = #"{"resultCount":1, "results": [{"a": ")(é"}]}"#

    private func fault(_ body: String) -> String? {
        errorText { _ = try SearchAnswer(Array(body.utf8)) }
    }

    @Test(arguments: [
        (object, 0), ("\n\n\n\(object)\n\n\n", 3), (" \r\n\t\(object)", 4),
    ])
    func `The object is found after line feeds`(body: String, start: Int) throws {
        let bytes = Array(body.utf8)
        let answer = try SearchAnswer(bytes)
        #expect(String(decoding: bytes[answer.place], as: UTF8.self) == Self.object)
        #expect(answer.place == start..<start + Self.object.utf8.count)
        #expect(answer.rows.map { String(decoding: bytes[$0], as: UTF8.self) } == [#"{"a": ")(é"}"#])
    }

    @Test(arguments: [
        ("", "is empty"), ("\n\n\n\n", "ends in the middle"),
        ("<html>Your request produced an error.</html>", "is not an object"),
        (
            #"{"errorMessage":"Invalid value(s) for key(s): [country]","queryParameters":{}}"#,
            #"errorMessage: says "Invalid value(s) for key(s): [country]" where results belong"#
        ),
        (#"{"errorMessage":5,"resultCount":0,"results":[]}"#, #"errorMessage: says "5" where results belong"#),
        (#"{"resultCount":0}"#, "results: is missing"),
        (#"{"resultCount":1,"results":{}}"#, "results: is not an array"),
        (#"{"results":[]}"#, "resultCount: is missing"),
        (#"{"resultCount":"1","results":[1]}"#, "resultCount: is not a whole number"),
        (#"{"resultCount":2,"results":[{}]}"#, "resultCount: is 2, though there are 1 results"),
        (#"{"resultCount":0,"results":[{}]}"#, "resultCount: is 0, though there are 1 results"),
        (#"f({"resultCount":0,"results":[]});"#, "is not an object"),
    ])
    func `A body that is not an answer is refused with its reason`(body: String, sentence: String) throws {
        let told = try #require(fault(body))
        #expect(told.hasPrefix(sentence), "\(told)")
    }

    @Test func `An empty result is an answer`() throws {
        let answer = try SearchAnswer(Array("\n\n\n{\n \"resultCount\":0,\n \"results\": []\n}\n\n\n".utf8))
        #expect(answer.rows.isEmpty)
    }

    @Test func `Results of another kind are skipped, and incomplete ones are reported`() throws {
        let rows = [
            #"{"kind":"song","trackId":7,"trackName":"Seven","trackViewUrl":"https://m.test/7","artistId":70}"#,
            #"{"kind":"music-video","trackId":8,"trackName":"Eight","trackViewUrl":"https://m.test/8"}"#,
            #"{"kind":"song","trackId":9,"trackViewUrl":"https://m.test/9"}"#,
            #"{"kind":"song","trackId":10,"trackName":"Ten"}"#,
            #"{"kind":"song","trackName":"Eleven","trackViewUrl":"https://m.test/11"}"#,
            #"{"trackId":12,"trackName":"Twelve"}"#, "5",
            #"{"kind":"song","trackId":6,"trackName":"Six","trackViewUrl":"https://m.test/6","artistId":60,"trackTimeMillis":"x"}"#,
        ]
        let body = Array("{\"resultCount\":8,\"results\":[\(rows.joined(separator: ","))]}".utf8)
        let declaration = try DeclaredCatalogue.itunes().declaration
        let findings = try SearchResults(body, try #require(declaration.kind("song-ru")), limit: 30)
        let told = findings.results.map { result in
            switch result {
            case .record(let id, _): "item \(id)"
            case .broken(_, let title): "broken \(title.isEmpty ? "-" : title)"
            case .odd: "odd"
            }
        }
        #expect(told == ["item 7", "odd", "broken -", "broken Ten", "broken Eleven", "broken Twelve", "odd", "item 6"])
        let faults = findings.faults.map { "\($0)" }
        #expect(
            faults.filter { !$0.hasPrefix("results[6]") } == [
                #"results[1].kind: is "music-video", not "song"; it is skipped"#,
                "results[2].trackName: is missing; the item has no page",
                "results[3].trackViewUrl: is missing; the item has no page",
                "results[4].trackId: is missing; the item has no page",
                "results[5].kind: is missing; the item has no page",
            ])
        #expect(faults.contains { $0.hasPrefix("results[6]") && $0.hasSuffix("; it is skipped") }, "\(faults)")
        let references = try CatalogueExtension.facts(
            of: body, RecordKey("search-music-ru", 3), limit: 30, declaration
        ).card
        #expect(references.map { "\($0.key)" } == ["song-ru 7", "song-ru 6", "albums-ru 48"])
        #expect(references.compactMap(\.path) == ["lookup?id=60,70&entity=album&limit=6&country=RU"])
    }

    @Test func `One request returns the albums of many artists, and each request has its own key`() throws {
        let rows = (1...120).map {
            #"{"kind":"song","trackId":\#($0),"trackName":"T","trackViewUrl":"https://m.test/","artistId":\#($0 % 110 + 1)}"#
        }
        let body = Array("{\"resultCount\":120,\"results\":[\(rows.joined(separator: ","))]}".utf8)
        let references = try CatalogueExtension.facts(
            of: body, RecordKey("search-music-us", 5), limit: 200, DeclaredCatalogue.itunes().declaration
        ).card
        let calls = references.compactMap(\.path)
        #expect(calls.count == 3 && references.count == 123 && Set(references.map(\.key)).count == 123)
        let numbers = calls.flatMap {
            $0.split(separator: "=")[1].split(separator: "&")[0].split(separator: ",").compactMap { Int($0) }
        }
        #expect(numbers == Array(1...110))
    }

    @Test func `Albums follow their artist, and albums without an artist are reported`() throws {
        let rows = [
            #"{"wrapperType":"collection","collectionType":"Album","collectionId":1,"collectionName":"Orphan"}"#,
            #"{"wrapperType":"artist","artistId":5,"artistName":"Five"}"#,
            #"{"wrapperType":"collection","collectionType":"Album","collectionId":3,"collectionName":"Three","artistId":99,"releaseDate":"2010-03-05T08:00:00Z","collectionViewUrl":"https://m.test/3"}"#,
            #"{"wrapperType":"collection","collectionType":"Album","collectionId":2,"collectionName":"Two","artistId":5}"#,
            #"{"wrapperType":"artist","artistId":6}"#, #"{"wrapperType":"track","kind":"song","trackId":4}"#,
            #"{"wrapperType":"collection","collectionType":"Album","collectionId":7}"#,
            #"{"wrapperType":"collection","collectionType":"Album","collectionName":"No number"}"#,
        ]
        let albums = try ArtistAlbums(
            Array("{\"resultCount\":8,\"results\":[\(rows.joined(separator: ","))]}".utf8))
        #expect(albums.byArtist.mapValues { $0.map(\.title) } == [5: ["Three", "Two"]])
        #expect(albums.byArtist[5]?.map(\.year) == ["2010", ""])
        #expect(albums.byArtist[5]?.map(\.link) == ["https://m.test/3", ""])
        #expect(
            albums.faults.map { "\($0)" } == [
                "results[0]: is an album without an artist before it",
                "results[5]: is neither an artist nor an album; it is skipped",
                "results[6].collectionName: is missing",
                "results[7].collectionId: is missing",
            ])
    }

    @Test(arguments: ["search-music-us", "albums-us"])
    func `The complete answer must be valid JSON`(kind: String) throws {
        let catalogue = try DeclaredCatalogue.itunes()
        func facts(_ more: String) throws -> RecordFacts {
            try catalogue.facts(
                of: Array(#"{"resultCount":0,\#(more)"results":[]}"#.utf8)[...], requested: [RecordKey(kind, 1)],
                base: "http://a.test")
        }
        _ = try facts(#""x":{"a":[]},"#)
        for more in [#""x":"\q","#, #""x":{"a":[}],"#, #""x":01,"#] {
            #expect(throws: ContentFault.self, "\(more)") { try facts(more) }
        }
    }

    @Test func `Results beyond the maximum limit are skipped and reported`() throws {
        let rows = (1...203).map {
            #"{"kind":"song","trackId":\#($0),"trackName":"n","trackViewUrl":"https://m.test/1","artistId":\#($0)}"#
        }
        let body = Array(#"{"resultCount":203,"results":[\#(rows.joined(separator: ","))]}"#.utf8)
        let facts = try CatalogueExtension.facts(
            of: body, RecordKey("search-music-us", 5), limit: 1_000, DeclaredCatalogue.itunes().declaration)
        #expect(facts.card.filter { $0.path == nil }.count == 200)
        #expect(
            facts.refused.map { "\($0)" } == ["results: are 3 more than the 200 that were asked for; they are skipped"])
        let albums = facts.card.filter { $0.path != nil }
        #expect(albums.map(\.key.id) == [80, 81, 82, 83] && Set(albums.map(\.key)).count == 4)
    }

    @Test func `Any search number is read without a crash`() throws {
        let song = #"{"kind":"song","trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1","artistId":2}"#
        let answer = Array(#"{"resultCount":1,"results":[\#(song)]}"#.utf8)
        for number in [1, Int64.max, .min] {
            let facts = try DeclaredCatalogue.itunes().facts(
                of: answer[...], requested: [RecordKey("search-music-us", number)], base: "https://m.test")
            #expect(facts.card.count == 2)
        }
    }

    @Test func `A collection of any type is an album`() throws {
        let rows = [
            #"{"wrapperType":"artist","artistId":7,"artistName":"A"}"#,
            #"{"wrapperType":"collection","collectionType":"Compilation","collectionId":8,"collectionName":"Best"}"#,
        ]
        let albums = try ArtistAlbums(
            Array(#"{"resultCount":2,"results":[\#(rows.joined(separator: ","))]}"#.utf8))
        #expect(albums.faults.isEmpty && albums.byArtist[7]?.map(\.title) == ["Best"])
    }

    @Test func `An artist keeps only the requested number of albums, with short titles`() throws {
        let title = String(repeating: "t", count: 1_000)
        let albums = (1...9).map { #"{"collectionType":"Album","collectionId":\#($0),"collectionName":"\#(title)"}"# }
        let rows = ([#"{"wrapperType":"artist","artistId":7}"#] + albums).joined(separator: ",")
        let answer = try ArtistAlbums(Array(#"{"resultCount":10,"results":[\#(rows)]}"#.utf8))
        #expect(answer.byArtist[7]?.map(\.id) == [1, 2, 3, 4, 5, 6])
        #expect(answer.byArtist[7]?.allSatisfy { $0.title.count == 300 } == true)
    }
}
