import Archive
import Capture
import Catalogue
import CatalogueEngine
import HTTP
import KnownCatalogues
import Platform
import SQLite
import TestSupport
import Testing

struct RootTests {
    /// A service in memory. Searches return rows by their words, and lookups return the same rows by their numbers.
    private final class Service: Sendable {
        struct State: Sendable {
            /// The results of each search term.
            var found: [String: [Int]] = [:]
            var requests: [String] = []
            /// Requests whose path contains this text fail.
            var failingPath: String?
            /// A row that all lookups return in addition.
            var more = ""
            var row: @Sendable (Int) -> String = {
                #"{"kind":"ebook","trackId":\#($0),"trackName":"n\#($0)","trackViewUrl":"https://b.test/\#($0)"}"#
            }
        }

        let state = Locked(State())

        var client: Client {
            Client { (request) async throws(HTTPError) in
                let path = request.url.target
                let body = try self.state.withLock { state throws(HTTPError) -> String in
                    state.requests.append(path)
                    if let failingPath = state.failingPath, path.contains(failingPath) {
                        throw HTTPError(.timeout, url: request.url.text, reason: "is made to fail")
                    }
                    let ids: [Int]
                    if path.hasPrefix("/search") {
                        ids = state.found.first { path.contains("term=\($0.key)&") }?.value ?? []
                    } else {
                        ids =
                            path.split(separator: "id=").last?.prefix { $0 != "&" }.split(separator: ",").compactMap {
                                Int($0)
                            } ?? []
                    }
                    let rows =
                        ids.map(state.row) + (path.hasPrefix("/lookup") && !state.more.isEmpty ? [state.more] : [])
                    return #"{"resultCount":\#(rows.count),"results":[\#(rows.joined(separator: ","))]}"#
                }
                return Response(
                    status: 200, rawHeaders: Array("HTTP/1.1 200 OK\r\n\r\n".utf8), body: .bytes(Array(body.utf8)),
                    url: request.url,
                    received: 1)
            }
        }
    }

    private let service = Service()

    private func captures(_ terms: String...) throws -> Captures {
        var captures = try Captures()
        captures.settings = CaptureSettings(api: "https://store.example")
        captures.settings.patience = 20
        captures.client = service.client
        return try configured(captures, terms)
    }

    private func configured(_ captures: Captures, _ terms: [String], _ media: String = "ebook") throws -> Captures {
        var captures = captures
        captures.catalogue = try DeclaredCatalogue.itunes(Self.json(terms, media))
        return captures
    }

    private static func json(_ terms: [String], _ media: String = "ebook") -> String {
        let searches = terms.map { #"{"term":"\#($0)","media":"\#(media)"}"# }
        return "[\(searches.joined(separator: ","))]"
    }

    @Test func `Searches are in the catalogue's order, and their results in numeric order`() async throws {
        service.state.withLock { $0.found = ["sea": [30, 10], "life": [20]] }
        let captures = try captures("sea", "life")
        let report = try await captures.run()
        #expect(report.records == ["search-ebook-us": 2, "book-us": 3] && report.gaps.isEmpty)
        #expect(
            try captures.numbers(of: "search-ebook-us")
                == DeclaredCatalogue.searches(Self.json(["sea", "life"])).map(\.key.id))
        #expect(try captures.numbers(of: "book-us") == [10, 20, 30])
        #expect(try await captures.run().isUnchanged)
    }

    @Test func `A server with only empty answers is refused, and none of them is stored`() async throws {
        service.state.withLock { $0.found = ["sea": [1, 2]] }
        let captures = try captures("sea")
        _ = try await captures.run()
        service.state.withLock { $0.found = [:] }
        let sentence = "the answers of https://store.example are all empty, but the newest revision has 2 records"
        #expect(try await captures.failure()?.contains(sentence) == true)
        service.state.withLock { $0.found = ["sea": [1, 2, 3]] }
        #expect(try await captures.run().records == ["search-ebook-us": 1, "book-us": 3])
    }

    @Test func `If two results have the same number, the first is stored and the second is a gap`() async throws {
        service.state.withLock {
            $0.found = ["sea": [1]]
            $0.more = #"{"kind":"ebook","trackId":1,"trackName":"second","trackViewUrl":"https://b.test/1"}"#
        }
        let captures = try captures("sea")
        let report = try await captures.run()
        #expect(report.gaps.map(\.reason) == ["is a second book-us 1 in the same answer"])
        let reader = try RevisionReader(
            try #require(try RevisionReader.newest(in: captures.folder, where: { _ in true })), in: captures.folder)
        let text = String(
            decoding: try #require(try reader.records(of: "book-us", at: 0..<1).first).bytes, as: UTF8.self)
        #expect(text.contains(#""n1""#))
    }

    @Test func `New searches may have no results`() async throws {
        service.state.withLock { $0.found = ["sea": [1, 2]] }
        let captures = try captures("sea")
        _ = try await captures.run()
        let report = try await configured(captures, ["fog"]).run()
        #expect(report.records == ["search-ebook-us": 1] && !report.isUnchanged)
    }

    @Test func `A continued capture with other searches equals a new one`() async throws {
        service.state.withLock {
            $0.found = ["sea": [1, 2], "life": [3]]
            // The first search fails, because the probe of the server requests it.
            $0.failingPath = "term=sea"
        }
        let captures = try captures("sea", "life")
        #expect(try await captures.failure() != nil, "the capture has to fail")
        service.state.withLock {
            $0.failingPath = nil
            $0.requests = []
        }
        let other = try configured(captures, ["sea"])
        let report = try await other.run()
        #expect(report.records == ["search-ebook-us": 1, "book-us": 2])
        #expect(try other.numbers(of: "search-ebook-us").count == 1 && other.numbers(of: "book-us") == [1, 2])
        func answers() throws -> Int {
            try RevisionReader(report.revision, in: other.folder).answers(as: .records).count
        }
        #expect(try answers() == 2, "answers of the other searches are removed")
        #expect(try await other.run().isUnchanged)
    }

    @Test func `A request that two searches share is sent once and has one answer`() async throws {
        service.state.withLock {
            $0.found = ["sea": [1], "life": [2]]
            $0.row = {
                #"""
                {"wrapperType":"track","kind":"song","trackId":\#($0),"trackName":"n","artistId":7,"artistName":"a",\#
                "trackViewUrl":"https://b.test/\#($0)"}
                """#
            }
        }
        let captures = try configured(try captures("sea"), ["sea", "life"], "music")
        let report = try await captures.run()
        let requests = service.state.withLock { $0.requests.filter { $0.contains("entity=album") } }
        #expect(requests.count == 1, "\(requests)")
        let db = try Connection(captures.folder.database, .readOnly)
        let others = try db.first(
            """
            SELECT count(*) FROM member WHERE NOT EXISTS (SELECT 1 FROM answer
            WHERE answer.revision = member.revision AND answer.exchange = member.exchange)
            """
        ) { $0.int(0) }
        #expect(others == 0 && report.records["albums-us"] == 2, "\(report.records)")
    }
}
