import HTTPServer
import Platform
import TestSupport
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(1)))
struct AnswerTests {
    private let sockets: Sockets

    init() throws {
        sockets = try Sockets()
    }

    @Test func `A response has the status, body and headers that the server sent`() async throws {
        let server = try HTTPServer { request in
            let sent = ["User-Agent", "Accept-Encoding", "If-None-Match"].map { request.header($0) ?? "-" }.joined(
                separator: " | ")
            return .text(200, "\(request.method) \(request.target) | \(sent)", headers: [("X-Odd", "a  b")])
        }
        defer { server.stop() }
        let response = try await sockets.get(server.port, "/a?b=c") { $0.headers = [Header("If-None-Match", "\"x\"")] }
        #expect(response.status == 200 && response.url.target == "/a?b=c" && response.retryAfter == 0)
        #expect(bytes(response) == Array("GET /a?b=c | Test/1 | identity | \"x\"".utf8))
        let raw = String(decoding: response.rawHeaders, as: UTF8.self)
        #expect(raw.hasPrefix("HTTP/1.1 200 OK\r\n") && raw.hasSuffix("\r\n\r\n"))
        #expect(response.headers["x-odd"] == "a  b")
    }

    @Test(arguments: [200, 204, 304, 404, 503])
    func `A response may be empty, a 404 or a 304`(status: Int) async throws {
        let server = try HTTPServer { _ in ServerAnswer(status: status) }
        defer { server.stop() }
        let response = try await sockets.get(server.port, "/")
        #expect(response.status == status && bytes(response) == [])
    }

    @Test func `A chunked body is complete, without the headers of an early 103`() async throws {
        let server = try FaultyServer(
            sending:
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        )
        let response = try await sockets.get(server.port, "/")
        #expect(bytes(response) == Array("abcde".utf8))
        #expect(response.rawHeaders == Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
    }

    @Test(
        arguments: [(1 << 20, false), ((1 << 20) + 1, true), (5_000_000, true)])
    func `A body over one mebibyte is stored in a file`(size: Int, isFile: Bool) async throws {
        let content = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let server = try HTTPServer { _ in ServerAnswer(body: .bytes(content)) }
        defer { server.stop() }
        let response = try await sockets.get(server.port, "/")
        #expect(response.body.size == size)
        switch response.body {
        case .bytes(let bytes): #expect(!isFile && bytes == content)
        case .file(let path, _): #expect(try isFile && File.read(path) == content && sockets.bodyFiles().count == 1)
        }
    }

    @Test(
        arguments: [100, 3_000_000])
    func `A body over the maximum is refused and leaves no file`(maximum: Int)
        async throws
    {
        let server = try HTTPServer { _ in ServerAnswer(body: .bytes([UInt8](repeating: 1, count: 4_000_000))) }
        defer { server.stop() }
        let url = "http://127.0.0.1:\(server.port)/"
        let told = HTTPError(
            .refused, url: url,
            reason: "the body of 4000000 bytes is larger than the limit of \(maximum) bytes")
        await #expect(throws: told) { try await sockets.get(server.port, "/") { $0.maximumSize = maximum } }
        let chunk = "1000\r\n\(String(repeating: "x", count: 4_096))\r\n"
        let endless = try FaultyServer(
            sending: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 1_000))
        let untold = HTTPError(
            .refused, url: "http://127.0.0.1:\(endless.port)/",
            reason: "the body is larger than the limit of \(maximum) bytes")
        await #expect(throws: untold) { try await sockets.get(endless.port, "/") { $0.maximumSize = maximum } }
        #expect(try sockets.bodyFiles() == [])
    }

    @Test func `A length over the maximum is refused before the body arrives`() async throws {
        let server = try FaultyServer(
            sending: "HTTP/1.1 200 OK\r\nContent-Length: \(1 << 40)\r\n\r\n" + String(repeating: "x", count: 1 << 20))
        let reason = "the body of 1099511627776 bytes is larger than the limit of 33554432 bytes"
        let refusal = HTTPError(.refused, url: "http://127.0.0.1:\(server.port)/", reason: reason)
        await #expect(throws: refusal) { try await sockets.get(server.port, "/") }
    }

    @Test(arguments: [204, 304])
    func `A response without a body may have a large Content-Length`(status: Int) async throws {
        let server = try FaultyServer(sending: "HTTP/1.1 \(status) Fine\r\nContent-Length: 99999999\r\n\r\n")
        let response = try await sockets.get(server.port, "/")
        #expect(response.status == status && bytes(response) == [])
    }

    @Test(
        arguments: [200, 203, 206, 299, 404], [10, 2_000_000])
    func `An encoded body is refused and leaves no file`(status: Int, size: Int) async throws {
        let server = try HTTPServer { _ in
            ServerAnswer(
                status: status, headers: [("Content-Encoding", "gzip"), ("Content-Encoding", "identity")],
                body: .bytes([UInt8](repeating: 1, count: size)))
        }
        defer { server.stop() }
        let refusal = HTTPError(
            .refused, url: "http://127.0.0.1:\(server.port)/",
            reason: "has the content encoding gzip, but an answer without encoding was requested")
        await #expect(throws: refusal) { try await sockets.get(server.port, "/") }
        #expect(try sockets.bodyFiles() == [])
    }

    @Test(arguments: ["identity", "None"])
    func `A body that is said to have no encoding is accepted`(encoding: String) async throws {
        let server = try HTTPServer { _ in
            ServerAnswer(headers: [("Content-Encoding", encoding)], body: .bytes([1]))
        }
        defer { server.stop() }
        #expect(try await sockets.get(server.port, "/").status == 200)
    }

    @Test func `A 503 in gzip keeps its status and its Retry-After`() async throws {
        let server = try HTTPServer { _ in
            ServerAnswer(status: 503, headers: [("Content-Encoding", "gzip"), ("Retry-After", "7")], body: .bytes([1]))
        }
        defer { server.stop() }
        let response = try await sockets.get(server.port, "/")
        #expect(response.status == 503 && response.retryAfter == 7)
    }

    @Test func `Trailers are not headers`() async throws {
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let server = try FaultyServer(
            sending: head + "3\r\nabc\r\n0\r\nETag: \"x\"\r\nHTTP/1.1 200 OK: x\r\nRetry-After: 9\r\n\r\n")
        let response = try await sockets.get(server.port, "/")
        #expect(bytes(response) == Array("abc".utf8) && response.retryAfter == 0)
        #expect(response.rawHeaders == Array(head.utf8))
    }

    @Test func `A header field that looks like a status line is a field`() async throws {
        let server = try FaultyServer(
            sending:
                "HTTP/1.1 103 Early\r\nA: 1\r\n\r\nhttp/1.1 200 OK\r\nB: 2\r\nHTTP/x: 3\r\nContent-Length: 1\r\n\r\na")
        let response = try await sockets.get(server.port, "/")
        #expect(response.headers == [Header("B", "2"), Header("HTTP/x", "3"), Header("Content-Length", "1")])
    }

    @Test func `Retry-After is converted to seconds, and a past date is 0`() async throws {
        let server = try HTTPServer { request in
            let now = Int(millisecondsSince1970() / 1_000)
            func date(_ seconds: Int) -> String { formattedTime(seconds: seconds, "%a, %d %b %Y %H:%M:%S GMT") }
            let value =
                ["/seconds": "7", "/date": date(now + 100), "/past": date(now - 100)][request.path]
                ?? "soon"
            return ServerAnswer(status: 503, headers: [("Retry-After", value)])
        }
        defer { server.stop() }
        #expect(try await sockets.get(server.port, "/seconds").retryAfter == 7)
        #expect((98...100).contains(try await sockets.get(server.port, "/date").retryAfter))
        #expect(try await sockets.get(server.port, "/past").retryAfter == 0)
        #expect(try await sockets.get(server.port, "/nonsense").retryAfter == 0)
    }

    private func bytes(_ response: Response) -> [UInt8]? {
        if case .bytes(let bytes) = response.body { bytes } else { nil }
    }
}
