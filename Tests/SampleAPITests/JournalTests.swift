import SampleAPI
import TestSupport
import Testing

@Suite("A sample server's log")
struct JournalTests {
    @Test("shows late answers overlapping, not one after another")
    func overlap() throws {
        let server = try SampleServer(Universe(), behaviour: Behaviour(latency: .milliseconds(400)))
        let clients = try (1...32).map { try Client(server.port, "/api/character/\($0)") }
        #expect(clients.map { $0.reply().status } == Array(repeating: 200, count: 32))

        let log = server.log
        let lastStart = try #require(log.map(\.start).max())
        let firstEnd = try #require(log.compactMap(\.end).min())
        #expect(lastStart < firstEnd)
        #expect(server.stats.mostInFlight["character"] == 32)
        #expect(log.allSatisfy { $0.end.map { end in end >= .milliseconds(400) } == true })
    }

    @Test("never counts two in flight where one is asked after the other is read")
    func noFalseOverlap() throws {
        let server = try SampleServer(Universe(characters: 60))
        for _ in 0..<100 { _ = try ask(server.port, "/api/character?page=2") }
        #expect(server.stats.mostInFlight == ["character_page": 1])
    }

    @Test("keeps what was asked, by kind, until reset")
    func entries() throws {
        let server = try SampleServer(Universe())
        _ = try ask(server.port, "/api/character?page=2", headers: [("If-None-Match", "\"x\"")])
        _ = try ask(server.port, "/api/location/3")
        _ = try ask(server.port, "/api/character/avatar/3.jpeg")
        _ = try ask(server.port, "/elsewhere")
        #expect(server.log.map(\.kind) == ["character_page", "location", "avatar", "other"])
        #expect(server.log.map(\.status) == [200, 200, 200, 404])
        #expect(server.log[0].target == "/api/character?page=2")
        #expect(server.log[0].ifNoneMatch == "\"x\"")
        server.resetLog()
        #expect(server.log.isEmpty)
        #expect(server.stats.requests.isEmpty && server.stats.status.isEmpty)
    }

    @Test("can be left out; requests are counted all the same")
    func off() throws {
        var behaviour = Behaviour()
        behaviour.keepsLog = false
        let server = try SampleServer(Universe(characters: 1), behaviour: behaviour)
        _ = try ask(server.port, "/api/character/1")
        #expect(server.log.isEmpty)
        #expect(server.stats.requests == ["character": 1])
    }

    @Test("is answered as JSON at /_stats, and cleared by a POST to /_reset")
    func overHTTP() throws {
        struct Report: Decodable {
            struct Asked: Decodable {
                let list: String
                let page: Int
                let start, end: Double
                let status: Int
            }
            let requests, most_in_flight, status: [String: Int]
            let pages: [Asked]
        }
        let server = try SampleServer(Universe())
        _ = try ask(server.port, "/api/episode?page=2")
        _ = try ask(server.port, "/api/episode/99")
        let report: Report = try decoded(ask(server.port, "/_stats").body)
        #expect(report.requests == ["episode_page": 1, "episode": 1])
        #expect(report.most_in_flight == ["episode_page": 1, "episode": 1])
        #expect(report.status == ["200": 1, "404": 1])
        #expect(report.pages.map(\.list) == ["episode"])
        #expect(report.pages[0].page == 2)
        #expect(report.pages[0].end >= report.pages[0].start)

        #expect(try ask(server.port, "/_reset", method: "POST").status == 204)
        let empty: Report = try decoded(ask(server.port, "/_stats").body)
        #expect(empty.requests.isEmpty && empty.pages.isEmpty)
    }

    @Test("is not cleared by a web page, which can only send a GET, or a POST with Origin")
    func foreign() throws {
        let server = try SampleServer(Universe(characters: 1))
        _ = try ask(server.port, "/api/character/1")
        #expect(try ask(server.port, "/_reset").status == 405)
        #expect(try ask(server.port, "/_reset", method: "HEAD").status == 405)
        for origin in ["https://evil.example", "null"] {
            #expect(try ask(server.port, "/_reset", method: "POST", headers: [("Origin", origin)]).status == 403)
        }
        #expect(server.stats.requests == ["character": 1])
    }
}
