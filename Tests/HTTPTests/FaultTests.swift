import Glibc
import TestSupport
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(1)))
struct FaultTests {
    private let sockets: Sockets

    init() throws {
        sockets = try Sockets()
    }

    @Test func `A refused connection is .connect, and a server without TLS is .tls`() async throws {
        // A port without a listener, because it was just released.
        let (listener, free) = try Loopback.listen(on: 0)
        close(listener)
        #expect(try await sockets.cause(free) == .connect)
        let plain = try FaultyServer(sending: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let secure = Request(try #require(WebURL("https://127.0.0.1:\(plain.port)/")))
        let error = await #expect(throws: HTTPError.self) { try await sockets.client.send(secure) }
        #expect(error?.cause == .tls && error?.reason.hasPrefix("TLS failed: ") == true)
    }

    @Test func `A name that does not resolve is .name`() async throws {
        let error = await #expect(throws: HTTPError.self) {
            try await sockets.client.send(Request(try #require(WebURL("http://nothing.invalid/"))))
        }
        #expect(error?.cause == .name && error?.url == "http://nothing.invalid/")
    }

    @Test func `A connection that ends early is .truncated and leaves no file`() async throws {
        let server = try FaultyServer([
            Fault(.exactly("/reset"), .reset), Fault(.exactly("/few"), .truncate(10)),
            Fault(.exactly("/many"), .truncate(2_000_000)),
        ]) { _ in FaultyServer.Reply(200, [], [UInt8](repeating: 1, count: 3_000_000)) }
        defer { server.stop() }
        for path in ["/reset", "/few", "/many"] {
            #expect(try await sockets.cause(server.port, path) == .truncated, "\(path)")
        }
        let silent = try FaultyServer { _ in nil }
        #expect(try await sockets.cause(silent.port) == .truncated)
        #expect(try sockets.bodyFiles() == [])
    }

    @Test(
        arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "\0\u{1}\u{2}garbage", "<html>no head</html>"])
    func `A response that is not HTTP is .protocolFault`(text: String) async throws {
        let server = try FaultyServer(sending: text)
        #expect(try await sockets.cause(server.port) == .protocolFault)
    }

    @Test func `A silent or very slow server is .timeout`() async throws {
        let sockets = try Sockets {
            $0.stallTime = 1
            $0.deadline = 30
        }
        let server = try FaultyServer([
            Fault(.exactly("/hang"), .hang(.seconds(30))),
            Fault(.exactly("/slow"), .slow(bytes: 1, every: .milliseconds(300))),
        ]) { _ in FaultyServer.Reply(200, [], [UInt8](repeating: 1, count: 100)) }
        defer { server.stop() }
        #expect(try await sockets.cause(server.port, "/hang") == .timeout)
        #expect(try await sockets.cause(server.port, "/slow") == .timeout)
    }

    @Test func `A response that is still incomplete at its deadline is .timeout`() async throws {
        let sockets = try Sockets {
            $0.stallSpeed = 1
            $0.deadline = 0.5
        }
        let server = try FaultyServer([Fault(.any, .slow(bytes: 10, every: .milliseconds(50)))]) { _ in
            FaultyServer.Reply(200, [], [UInt8](repeating: 1, count: 10_000))
        }
        defer { server.stop() }
        let error = await #expect(throws: HTTPError.self) { try await sockets.get(server.port, "/") }
        #expect(error?.cause == .timeout)
        #expect(error?.reason.hasPrefix("exceeded the time limit for its size, after ") == true)
    }

    @Test func `A first byte that arrives late, but within the stall time, is accepted`() async throws {
        let sockets = try Sockets { $0.stallTime = 3 }
        let server = try FaultyServer { _ in
            sleep(2)
            return FaultyServer.Reply(200)
        }
        defer { server.stop() }
        // The second request uses the same, previously slow connection.
        for _ in 0..<2 { #expect(try await sockets.get(server.port, "/").status == 200) }
    }
}
