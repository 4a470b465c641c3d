import Glibc
import HTTPServer
import SampleAPI
import TestSupport
import Testing

struct FaultTests {
    private let universe = Universe(characters: 40)

    @Test func `A status is returned a given number of times, then the normal answer`() throws {
        let fault = Fault(.prefix("/api/character/1"), times: 2, .status(503, headers: [("Retry-After", "1")]))
        let server = try SampleServer(universe, behaviour: Behaviour(faults: [fault]))
        #expect(try ask(server.port, "/api/character/2").status == 200)
        let first = try ask(server.port, "/api/character/1")
        #expect(first.status == 503)
        #expect(first.header("Retry-After") == "1")
        #expect(first.text == #"{"error":"injected"}"#)
        #expect(try ask(server.port, "/api/character/1").status == 503)
        #expect(try ask(server.port, "/api/character/1").status == 200)
        #expect(server.log.map(\.status) == [200, 503, 503, 200])
    }

    @Test func `A reset closes the connection before the first byte`() throws {
        let server = try SampleServer(universe, behaviour: Behaviour(faults: [Fault(.any, .reset)]))
        let reply = try ask(server.port, "/api/character")
        #expect(reply.wasReset)
        #expect(reply.status == 0)
        #expect(server.log.map(\.status) == [0])
    }

    @Test func `A truncated body is shorter than its Content-Length`() throws {
        let server = try SampleServer(
            universe, behaviour: Behaviour(faults: [Fault(.contains("character"), .truncate(500))]))
        let reply = try ask(server.port, "/api/character")
        #expect(reply.status == 200)
        #expect(reply.body.count == 500)
        #expect(Int(reply.header("Content-Length") ?? "") ?? 0 > 500)
    }

    @Test func `A hanging answer sends nothing`() throws {
        let server = try SampleServer(universe, behaviour: Behaviour(faults: [Fault(.any, .hang(.milliseconds(200)))]))
        let reply = try ask(server.port, "/api")
        #expect(reply.status == 0)
        #expect(reply.body.isEmpty)
        let end = try #require(server.log.first?.end)
        #expect(end - server.log[0].start >= .milliseconds(200))
    }

    @Test func `A slow answer sends its whole body`() throws {
        let fault = Fault(.any, .slow(bytes: 60, every: .milliseconds(20)))
        let server = try SampleServer(universe, behaviour: Behaviour(faults: [fault]))
        let reply = try ask(server.port, "/api")
        #expect(reply.text.hasPrefix("{\"characters\""))
        #expect(reply.text.hasSuffix("}"))
        let entry = try #require(server.log.first)
        #expect(try #require(entry.end) - entry.start >= .milliseconds(40))
    }

    @Test func `An answer can have another body or be a redirect`() throws {
        let faults = [
            Fault(.exactly("/api/episode/1"), .body(Array("<html>".utf8), type: "text/html")),
            Fault(.satisfies { $0.hasSuffix("/2") }, .redirect(to: "http://example.invalid/")),
        ]
        let server = try SampleServer(universe, behaviour: Behaviour(faults: faults))
        let body = try ask(server.port, "/api/episode/1")
        #expect(body.text == "<html>")
        #expect(body.header("Content-Type") == "text/html")
        let moved = try ask(server.port, "/api/episode/2")
        #expect(moved.status == 302)
        #expect(moved.header("Location") == "http://example.invalid/")
    }

    @Test func `The server stops immediately despite a hanging client and releases its port`() throws {
        let server = try SampleServer(universe, behaviour: Behaviour(faults: [Fault(.any, .hang(.seconds(60)))]))
        let client = try Client(server.port, "/api")
        for _ in 0..<5000 where server.log.isEmpty { usleep(1000) }
        #expect(server.log.count == 1)
        let took = ContinuousClock().measure { server.stop() }
        #expect(took < .seconds(10))
        #expect(client.reply().status == 0)
        #expect(throws: Client.Refused.self) { try Client(server.port, "/api") }
        _ = try SampleServer(universe, port: server.port)
    }

    @Test func `A port in use is reported`() throws {
        let server = try SampleServer(universe)
        let error = #expect(throws: ServerError.self) { try SampleServer(universe, port: server.port) }
        #expect(
            error?.description
                == "Port \(server.port) on 127.0.0.1 is in use by another program. Choose another port, or 0 for any free port."
        )
    }
}
