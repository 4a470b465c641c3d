import Archive
import Catalogue
import Testing

@testable import ITunes

struct MediaAnswerTests {
    private static let object = #"{"resultCount":1, "results": [{"a": ")(é"}]}"#

    private func fault(_ body: String) -> String? {
        do throws(ContentFault) {
            _ = try AnswerBody(Array(body.utf8))
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        (object, 0), ("\n\n\n\(object)\n\n\n", 3), (" \r\n\t\(object)", 4), ("f(\(object));", 2),
        ("\n\njQuery_1.done( \(object)\n ) ;\n", 17),
        ("_(\(object))", 2),
    ])
    func `The object is found after line feeds and within a call`(body: String, start: Int)
        throws
    {
        let answer = try AnswerBody(Array(body.utf8))
        #expect(String(decoding: answer.bytes, as: UTF8.self) == Self.object)
        #expect(answer.start == start && answer.place == start..<start + Self.object.utf8.count)
        #expect(try answer.rows().map { String(decoding: answer.bytes[$0], as: UTF8.self) } == [#"{"a": ")(é"}"#])
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
        (#"1f({"resultCount":0,"results":[]})"#, "is not an object"),
        (#"f g({"resultCount":0,"results":[]})"#, "is not an object"),
        (#"f({"resultCount":0,"results":[]}"#, "is not an object"),
    ])
    func `A body that is not an answer is refused with its reason`(body: String, sentence: String) throws {
        let told = try #require(fault(body))
        #expect(told.hasPrefix(sentence), "\(told)")
    }

    @Test func `An empty result is an answer`() throws {
        let answer = try AnswerBody(Array("\n\n\n{\n \"resultCount\":0,\n \"results\": []\n}\n\n\n".utf8))
        #expect(try answer.rows().isEmpty)
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
        let body = try AnswerBody(Array("{\"resultCount\":8,\"results\":[\(rows.joined(separator: ","))]}".utf8))
        let findings = try SearchResults(body, Kind(.search, .music, .ru))
        let told = findings.results.map { result in
            switch result {
            case .item(let item): "item \(item.id)"
            case .broken(_, let title): "broken \(title ?? "-")"
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
        let references = findings.references(of: RecordKey("search-music-ru", 3))
        #expect(references.map { "\($0.key)" } == ["song-ru 7", "song-ru 6", "albums-ru 48"])
        #expect(references.compactMap(\.path) == ["lookup?id=60,70&entity=album&limit=6&country=RU"])
    }

    @Test func `One request returns the albums of many artists, and each request has its own key`() throws {
        let rows = (1...120).map {
            #"{"kind":"song","trackId":\#($0),"trackName":"T","trackViewUrl":"https://m.test/","artistId":\#($0 % 110 + 1)}"#
        }
        let body = try AnswerBody(Array("{\"resultCount\":120,\"results\":[\(rows.joined(separator: ","))]}".utf8))
        let references = try SearchResults(body, Kind(.search, .music, .us)).references(
            of: RecordKey("search-music-us", 5))
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
        let albums = try Albums(
            try AnswerBody(Array("{\"resultCount\":8,\"results\":[\(rows.joined(separator: ","))]}".utf8)))
        #expect(albums.byArtist.mapValues { $0.map(\.title) } == [5: ["Three", "Two"], 6: []])
        #expect(albums.byArtist[5]?.first?.released?.machineReadable == "2010-03-05")
        #expect(albums.byArtist[5]?.map(\.link) == ["https://m.test/3", nil])
        #expect(
            albums.faults.map { "\($0)" } == [
                "results[0]: is an album that no artist stands before",
                #"results[5]: is "song", neither an artist nor an album; it is skipped"#,
                "results[6].collectionName: is missing",
                "results[7].collectionId: is missing",
            ])
    }
}
