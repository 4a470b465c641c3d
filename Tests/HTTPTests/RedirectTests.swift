import HTTPServer
import Platform
import TestSupport
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(1)))
struct RedirectTests {
    private let sockets: Sockets

    init() throws {
        sockets = try Sockets()
    }

    private func redirecting(_ to: @escaping @Sendable (ServerRequest) -> String?) throws -> HTTPServer {
        try HTTPServer { request in
            guard let location = to(request) else { return .text(200, "arrived at \(request.target)") }
            return ServerAnswer(status: 302, headers: location.isEmpty ? [] : [("Location", location)])
        }
    }

    private func refusal(_ server: HTTPServer, _ reason: String) -> HTTPError {
        HTTPError(.refused, url: "http://127.0.0.1:\(server.port)/", reason: reason)
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A redirect within the origin is followed, and the response has its new URL`(status: Int) async throws {
        let server = try HTTPServer { request in
            if request.path == "/there" { return .text(200, "arrived") }
            return ServerAnswer(
                status: status, headers: [("Location", "there?x=1")],
                body: .bytes([UInt8](repeating: 1, count: 2_000_000)))
        }
        defer { server.stop() }
        let response = try await sockets.get(server.port, "/")
        #expect(response.status == 200 && response.url.target == "/there?x=1")
        #expect(response.headers["Location"] == nil && response.body.size == 7)
        #expect(try sockets.bodyFiles() == [])
    }

    @Test(
        arguments: [
            "http://localhost:PORT/", "https://127.0.0.1:PORT/", "//127.0.0.1:1/", "file:///etc/passwd",
            "http://user@127.0.0.1:PORT/",
        ])
    func `A redirect to another origin is refused without a request`(location: String) async throws {
        let server = try FaultyServer { request in
            let port = request.header("Host")?.split(separator: ":").last ?? ""
            let parts = location.split(separator: "PORT")
            return FaultyServer.Reply(301, [("Location", parts.joined(separator: String(port)))])
        }
        defer { server.stop() }
        let error = await #expect(throws: HTTPError.self) { try await sockets.get(server.port, "/") }
        #expect(error?.cause == .refused && error?.reason.hasSuffix(", which is not on the API's host") == true)
        #expect(server.targets == ["/"])
    }

    @Test func `At most ten redirects are followed`() async throws {
        let server = try redirecting { request in
            let left = Int(request.query) ?? 0
            return left == 0 ? nil : "/?\(left - 1)"
        }
        defer { server.stop() }
        #expect(try await sockets.get(server.port, "/?10").status == 200)
        #expect(try await sockets.cause(server.port, "/?11") == .refused)
    }

    @Test func `A circular redirect ends, and a redirect without a target is refused`() async throws {
        let server = try redirecting { request in request.path == "/" ? "/" : "" }
        defer { server.stop() }
        let words = "redirected more than 10 times, last to http://127.0.0.1:\(server.port)/"
        await #expect(throws: refusal(server, words)) { try await sockets.get(server.port, "/") }
        #expect(try await sockets.cause(server.port, "/nowhere") == .refused)
    }
}
