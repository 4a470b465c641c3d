import Archive
import Catalogue
import Evidence
import Foundation
import KnownCatalogues
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

struct MediaTablesTests {
    /// A revision of one search of books.
    private final class SearchRevision {
        let reader: RevisionReader
        let catalogue: DeclaredCatalogue
        let search: Root
        private let scratch: ScratchFolder

        /// - Parameter copies: how often the answer is stored.
        init(
            _ search: String, at path: String? = nil, results: [String], lookups: [String], copies: Int = 1
        ) async throws {
            catalogue = try DeclaredCatalogue.itunes("[\(search)]")
            self.search = try DeclaredCatalogue.searches("[\(search)]")[0]
            let searched = path ?? self.search.path
            scratch = try ScratchFolder()
            let folder = ArchiveFolder(scratch["archive"])
            let writer = try ArchiveWriter(folder)
            let source = Source(catalogue: "itunes", api: "http://a.example", origin: .live)
            let revision = try await RevisionWriter(of: source, in: folder, through: writer, resumeAfter: 0)
            func accept(_ path: String, _ body: [UInt8]) async throws -> Exchange {
                try await revision.accept(
                    NewExchange(
                        path: path, role: .records, status: 200, headers: [], received: 1, body: body, asset: nil))
            }
            let answer = Array(
                #"{"resultCount":\#(results.count),"results":[\#(results.joined(separator: ","))]}"#.utf8)
            try await revision.addRecords(
                Array(
                    repeating: RecordSlice(key: self.search.key, range: answer.indices, in: answer), count: copies),
                of: try await accept(searched, answer), at: 0)
            for (position, item) in lookups.enumerated() {
                let body = Array(item.utf8)
                let key = RecordKey("book-us", try JSONFields(body).integer("trackId"))
                try await revision.addRecords(
                    [RecordSlice(key: key, range: body.indices, in: body)],
                    of: try await accept("lookup?id=\(key.id)&n=\(position)", body), at: position)
            }
            let finished = try await revision.finish(gaps: []).revision
            try await writer.close()
            reader = try RevisionReader(finished, in: folder)
        }

        func tables() throws -> RecordTables {
            try RecordTables(reader, catalogue, catalogue.links("http://a.example"), folders: [])
        }
    }

    private static let sea = #"{"term":"sea","media":"ebook"}"#

    private static func book(_ id: Int64, _ text: String) -> String {
        """
        {"kind":"ebook","trackId":\(id),"trackName":"\(id) \(text)","trackViewUrl":"https://m.test/\(id)","artistName":"\(text)",\
        "artistViewUrl":"https://m.test/a","description":"\(text)","genres":["\(text)","more"],"genreIds":[]}
        """
    }

    @Test func `The tables keep short texts of an item, and its page has the complete texts`() async throws {
        let long = String(repeating: "x", count: 10_000)
        let results = (Int64(1)...3).map { Self.book($0, $0 == 3 ? "own \(long)" : "found") }
        let made = try await SearchRevision(
            Self.sea, results: results, lookups: [Self.book(2, "two"), Self.book(1, long)])
        let tables = try made.tables()
        let books = tables["book-us"]
        #expect(books.ids == [1, 2, 3] && books.roots == [[0], [0], [0]])
        let shown = ["artist", "genre"].compactMap(books.kind.field)
        for row in 0..<3 {
            #expect(books.names[row].count <= 300)
            for field in shown {
                let parts = field.elements(books.text(field, row))
                #expect(!parts.isEmpty && parts.allSatisfy { (1...300).contains($0.count) })
            }
        }
        let whole = try tables.records(of: books, at: 0..<3, from: made.reader)
        let bodies = [Self.book(1, long), Self.book(2, "two"), Self.book(3, "own \(long)")]
        #expect(whole.map { String(decoding: $0.record.bytes, as: UTF8.self) } == bodies)
        #expect(whole.map(\.origin.key.kind) == ["book-us", "book-us", "search-ebook-us"])
    }

    @Test func `A search with another address than its key is refused`() async throws {
        let forged = try DeclaredCatalogue.searches(#"[{"term":"sea","media":"ebook","limit":1}]"#)[0].path
        let made = try await SearchRevision(Self.sea, at: forged, results: [Self.book(1, "found")], lookups: [])
        #expect(throws: ArchiveError.self) { try made.tables() }
    }

    @Test func `A second answer to a search is refused`() async throws {
        let made = try await SearchRevision(Self.sea, results: [Self.book(1, "found")], lookups: [], copies: 2)
        let refusal = #expect(throws: ArchiveError.self) { try made.tables() }
        #expect(refusal.map { "\($0)".contains("has the record \(made.search.key) twice") } == true)
        #expect(try made.catalogue.declaration.roots(of: made.reader) == [made.search])
    }

    @Test func `A second record with the same number is refused`() async throws {
        let lookups = [Self.book(1, "genuine"), Self.book(1, "invented")]
        let made = try await SearchRevision(Self.sea, results: [Self.book(1, "found")], lookups: lookups)
        let refusal = #expect(throws: ArchiveError.self) { try RootHash(of: made.reader, made.catalogue) }
        #expect(refusal.map { "\($0)".contains("has a book-us twice") } == true)
    }

    @Test func `Results beyond the limit of their search are skipped and reported`() async throws {
        let results = (Int64(1)...4).map { Self.book($0, "found") }
        let made = try await SearchRevision(
            #"{"term":"sea","media":"ebook","limit":2}"#, results: results, lookups: [])
        #expect(try made.tables()["book-us"].ids == [1, 2])
        let answer = try #require(try made.reader.records(of: made.search.kind, at: 0..<1).first).bytes
        let facts = try made.catalogue.facts(of: answer[...], requested: [made.search.key], base: "http://a.example")
        #expect(facts.card.map(\.key.id) == [1, 2])
        #expect(
            facts.refused.map { "\($0)" } == ["results: are 2 more than the 2 that were asked for; they are skipped"])
    }

    @Test func `A result that cannot be shown is on the page of its search`() async throws {
        let results = [
            Self.book(1, "found"), #"{"kind":"ebook","trackId":2,"trackName":"No link"}"#, #"{"kind":"song"}"#,
        ]
        let made = try await SearchRevision(Self.sea, results: results, lookups: [])
        let answer = try #require(try made.tables()["search-ebook-us"].answers.first)
        #expect(answer.entries.count == 2 && answer.path.text == "found/sea-ebook-us.html")
        guard case .broken(let title, let fault)? = answer.entries.last else {
            Issue.record("the result is not broken")
            return
        }
        #expect(title == "No link" && "\(fault)" == "trackViewUrl: is missing")
    }

    @Test func `A proof uses the searches of the revision, not those that are configured now`() async throws {
        let results = (Int64(1)...4).map { Self.book($0, "found") }
        let made = try await SearchRevision(
            #"{"term":"sea","media":"ebook","limit":2}"#, results: results, lookups: [])
        let answer = try #require(try made.reader.records(of: made.search.kind, at: 0..<1).first)
        let other = try DeclaredCatalogue.itunes(#"[{"term":"life","media":"ebook"}]"#)
        let facts = try other.catalogue(of: made.reader)
            .archivedFacts(of: answer.bytes, made.search.key, base: "http://a.example")
        #expect(facts.card.map(\.key.id) == [1, 2])
    }
}
