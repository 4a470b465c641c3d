import HTTPServer
import Testing

@testable import HTTP

@Suite("A fault over a socket", .timeLimit(.minutes(1)))
struct FaultTests {
    private let sockets: Sockets

    init() throws {
        sockets = try Sockets()
    }

    @Test("of the way there is told by its cause: no server, no TLS")
    func unreachable() async throws {
        let free = try RawServer.freePort()
        #expect(try await sockets.cause(free) == .connect)
        let plain = try RawServer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let secure = Request(try #require(WebURL("https://127.0.0.1:\(plain.port)/")))
        let error = await #expect(throws: HTTPError.self) { try await sockets.client.send(secure) }
        #expect(error?.cause == .tls && error?.reason.hasPrefix("TLS failed: ") == true)
    }

    @Test("of a name is a matter of the name")
    func name() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await sockets.client.send(Request(try #require(WebURL("http://nothing.invalid/"))))
        }
        #expect(error?.cause == .name && error?.url == "http://nothing.invalid/")
    }

    @Test("of a connection that ends too early is .truncated, and leaves no file")
    func truncated() async throws {
        let body = [UInt8](repeating: 1, count: 3_000_000)
        let server = try HTTPServer { request in
            let answer = ServerAnswer(body: .bytes(body))
            return request.path == "/reset"
                ? answer.with(.reset) : answer.with(.truncated(after: request.path == "/few" ? 10 : 2_000_000))
        }
        defer { server.stop() }
        for path in ["/reset", "/few", "/many"] {
            #expect(try await sockets.cause(server.port, path) == .truncated, "\(path)")
        }
        let silent = try RawServer(nil)
        #expect(try await sockets.cause(silent.port) == .truncated)
        #expect(try sockets.leftOnDisk() == [])
    }

    @Test(
        "of something that is not HTTP is .protocolFault",
        arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "\0\u{1}\u{2}garbage", "<html>no head</html>"])
    func garbage(text: String) async throws {
        let server = try RawServer(text)
        #expect(try await sockets.cause(server.port) == .protocolFault)
    }

    @Test("of silence or dribble is .timeout")
    func slow() async throws {
        let sockets = try Sockets {
            $0.stallTime = 1
            $0.deadline = 30
        }
        let server = try HTTPServer { request in
            let answer = ServerAnswer(body: .bytes([UInt8](repeating: 1, count: 100)))
            return answer.with(
                request.path == "/hang" ? .hang(.seconds(30)) : .slow(bytes: 1, every: .milliseconds(300)))
        }
        defer { server.stop() }
        #expect(try await sockets.cause(server.port, "/hang") == .timeout)
        #expect(try await sockets.cause(server.port, "/slow") == .timeout)
    }

    @Test("of an answer that dribbles fast enough, but past its deadline, is .timeout and says so")
    func deadline() async throws {
        let sockets = try Sockets {
            $0.stallSpeed = 1
            $0.deadline = 0.5
        }
        let server = try HTTPServer { _ in
            ServerAnswer(body: .bytes([UInt8](repeating: 1, count: 10_000))).with(
                .slow(bytes: 10, every: .milliseconds(50)))
        }
        defer { server.stop() }
        let error = await #expect(throws: HTTPError.self) { try await sockets.get(server.port, "/") }
        #expect(error?.cause == .timeout)
        #expect(error?.reason.hasPrefix("took longer than its size allows, after ") == true)
    }

    @Test("is none where the first byte comes later than is slow, but before the stall time has passed")
    func lateFirstByte() async throws {
        let sockets = try Sockets { $0.stallTime = 3 }
        let server = try HTTPServer { _ in ServerAnswer.text(200, "late").after(.seconds(2)) }
        defer { server.stop() }
        // The second request comes on a connection that has been slow already.
        for _ in 0..<2 { #expect(try await sockets.get(server.port, "/").status == 200) }
    }

    @Test("of a header block without end is refused, before it fills the memory")
    func endlessHeaders() async throws {
        let line = "X-Filler: \(String(repeating: "x", count: 1_000))\r\n"
        let server = try RawServer("HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 2_000) + "\r\n")
        let error = await #expect(throws: HTTPError.self) { try await sockets.get(server.port, "/") }
        #expect(
            error?.cause == .refused
                && error?.reason == "the headers are larger than 262144 bytes, the most that is taken")
    }
}
