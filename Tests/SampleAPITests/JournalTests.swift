import SampleAPI
import TestSupport
import Testing

struct JournalTests {
    @Test func `Late answers overlap in the log`() throws {
        let server = try SampleServer(Universe(), behaviour: Behaviour(latency: .milliseconds(400)))
        let clients = try (1...32).map { try Client(server.port, "/api/character/\($0)") }
        #expect(clients.map { $0.reply().status } == Array(repeating: 200, count: 32))

        let log = server.log
        let lastStart = try #require(log.map(\.start).max())
        let firstEnd = try #require(log.compactMap(\.end).min())
        #expect(lastStart < firstEnd)
        #expect(log.maximumInFlight("character") == 32)
        #expect(log.allSatisfy { entry in entry.end.map { $0 - entry.start >= .milliseconds(400) } == true })
    }

    @Test func `Requests that follow each other are never counted as simultaneous`() throws {
        let server = try SampleServer(Universe(characters: 60))
        for _ in 0..<100 { _ = try ask(server.port, "/api/character?page=2") }
        #expect(server.log.maximumInFlight("character_page") == 1)
    }

    @Test func `The log has kind, status and condition of each request until it is reset`() throws {
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
    }

    @Test func `The log can be disabled`() throws {
        var behaviour = Behaviour()
        behaviour.keepsLog = false
        let server = try SampleServer(Universe(characters: 1), behaviour: behaviour)
        #expect(try ask(server.port, "/api/character/1").status == 200)
        #expect(server.log.isEmpty)
    }
}
