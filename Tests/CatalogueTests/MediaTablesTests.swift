import Archive
import Catalogue
import Evidence
import Foundation
import TestSupport
import Testing

@testable import ITunes

struct MediaTablesTests {
    /// A revision of one search of books.
    private final class SearchRevision {
        let reader: RevisionReader
        private let scratch: ScratchFolder

        init(_ search: Search, at path: String? = nil, results: [String], lookups: [String]) async throws {
            let searched = path ?? search.path
            scratch = try ScratchFolder()
            let folder = ArchiveFolder(scratch["archive"])
            let writer = try ArchiveWriter(folder)
            let source = Source(catalogue: "itunes", api: "http://a.example", origin: .live)
            let revision = try await RevisionWriter(of: source, in: folder, through: writer, resumeAfter: 0)
            func accept(_ path: String, _ body: [UInt8]) async throws -> Exchange {
                try await revision.accept(
                    NewExchange(
                        path: path, role: .records, status: 200, headers: [], received: 1, content: .document(body)))
            }
            let answer = Array(
                #"{"resultCount":\#(results.count),"results":[\#(results.joined(separator: ","))]}"#.utf8)
            try await revision.addRecords(
                [RecordSlice(key: search.key, range: answer.indices, in: answer)],
                of: try await accept(searched, answer), at: 0)
            for (position, item) in lookups.enumerated() {
                let body = Array(item.utf8)
                let key = RecordKey("book-us", try Item(body, .ebook).id)
                try await revision.addRecords(
                    [RecordSlice(key: key, range: body.indices, in: body)],
                    of: try await accept("lookup?id=\(key.id)&n=\(position)", body), at: position)
            }
            guard case .new(let finished) = try await revision.finish(gaps: []) else {
                throw CocoaError(.fileReadUnknown)
            }
            try await writer.close()
            reader = try RevisionReader(finished, in: folder)
        }
    }

    private static func book(_ id: Int64, _ text: String, genres: Int = 3) -> String {
        let genres = (0..<genres).map { "\"\($0) \(text)\"" }.joined(separator: ",")
        return """
            {"kind":"ebook","trackId":\(id),"trackName":"\(id) \(text)","trackViewUrl":"https://m.test/\(id)","artistName":"\(text)",\
            "artistViewUrl":"https://m.test/a","description":"\(text)","genres":[\(genres)],"genreIds":[]}
            """
    }

    @Test func `The tables keep short texts of an item, and its page has the complete texts`() async throws {
        let long = String(repeating: "x", count: 10_000)
        let results = (Int64(1)...3).map { Self.book($0, $0 == 3 ? "own \(long)" : "found") }
        let made = try await SearchRevision(
            Search("sea", .ebook), results: results, lookups: [Self.book(1, long), Self.book(2, "two")])
        let tables = try MediaTables(made.reader)
        #expect(tables.items.map(\.key.id) == [1, 2, 3])
        for place in tables.items {
            let brief = place.brief
            #expect(brief.title.count <= 300 && brief.artist?.count ?? 0 <= 300 && brief.genres.count == 1)
            #expect(
                brief.genres[0].count <= 300 && brief.description == nil && brief.link.isEmpty
                    && brief.artistLink == nil)
        }
        var itemReader = ItemReader(tables, made.reader)
        let whole = try tables.items.map { try itemReader.item($0) }
        #expect(whole.map(\.description) == [long, "two", "own \(long)"])
        #expect(whole.map(\.title) == ["1 \(long)", "2 two", "3 own \(long)"])
        #expect(whole.allSatisfy { $0.genres.count == 3 && $0.link == "https://m.test/\($0.id)" })
    }

    @Test func `A search with another address than its key is refused`() async throws {
        let forged = Search("sea", .ebook, limit: 1).path
        let made = try await SearchRevision(
            Search("sea", .ebook), at: forged, results: [Self.book(1, "found")], lookups: [])
        #expect(throws: ArchiveError.self) { try MediaTables(made.reader) }
    }

    @Test func `A second record with the same number is refused`() async throws {
        let search = Search("sea", .ebook)
        let lookups = [Self.book(1, "genuine"), Self.book(1, "invented")]
        let made = try await SearchRevision(search, results: [Self.book(1, "found")], lookups: lookups)
        let refusal = #expect(throws: ArchiveError.self) { try RootHash(of: made.reader, ITunes([search])) }
        #expect(refusal.map { "\($0)".contains("has a book-us twice") } == true)
    }

    @Test func `Results beyond the limit of their search are skipped and reported`() async throws {
        let search = Search("sea", .ebook, limit: 2)
        let results = (Int64(1)...4).map { Self.book($0, "found") }
        let made = try await SearchRevision(search, results: results, lookups: [])
        #expect(try MediaTables(made.reader).items.map(\.key.id) == [1, 2])
        let answer = try #require(try made.reader.records(of: search.key.kind, at: 0..<1).first).bytes
        let facts = try ITunes([search]).facts(of: answer[...], requested: [search.key], base: "http://a.example")
        #expect(facts.card.map(\.key.id) == [1, 2])
        #expect(
            facts.refused.map { "\($0)" } == ["results: are 2 more than the 2 that were asked for; they are skipped"])
    }

    @Test func `Genres beyond the limit are skipped and reported`() throws {
        let item = try Item(Array(Self.book(1, "g", genres: 1_000).utf8), .ebook)
        #expect(item.genres.count == 100 && item.genres.last == "99 g")
        #expect(
            item.faults.map { "\($0)" } == [
                "genres: are 1000, more than the 100 that are shown; the others are skipped"
            ])
    }

    @Test func `An artist keeps only the requested number of albums, with short titles`() throws {
        let title = String(repeating: "t", count: 1_000)
        let albums = (1...9).map { #"{"collectionType":"Album","collectionId":\#($0),"collectionName":"\#(title)"}"# }
        let rows = ([#"{"wrapperType":"artist","artistId":7}"#] + albums).joined(separator: ",")
        let answer = try Albums(try AnswerBody(Array(#"{"resultCount":10,"results":[\#(rows)]}"#.utf8)))
        #expect(answer.byArtist[7]?.map(\.id) == [1, 2, 3, 4, 5, 6])
        #expect(answer.byArtist[7]?.allSatisfy { $0.title.count == 300 } == true)
    }
}
