import TestSupport
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(1)))
struct HostileAnswerTests {
    private let sockets: Sockets

    init() throws {
        sockets = try Sockets()
    }

    private func fault(_ answer: String) async throws -> HTTPError? {
        let server = try FaultyServer(sending: answer)
        let error = await #expect(throws: HTTPError.self) { try await sockets.get(server.port, "/") }
        #expect(error?.url == "http://127.0.0.1:\(server.port)/")
        #expect(try sockets.bodyFiles() == [])
        return error
    }

    private static let ok = "HTTP/1.1 200 OK\r\n"

    @Test(
        arguments: [
            "hello\r\n\r\n", "HTTP/1.1  OK\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 000 OK\r\n\r\n",
            "HTTP/1.1 099 OK\r\n\r\n",
            "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 -200 OK\r\n\r\n", "HTTP/3.7 200 OK\r\n\r\n",
            "ICY 200 OK\r\n\r\n",
            "\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        ])
    func `An invalid status line is .protocolFault`(answer: String) async throws {
        #expect(try await fault(answer)?.cause == .protocolFault)
    }

    @Test(arguments: [600, 999])
    func `An unknown status is kept`(status: Int) async throws {
        let server = try FaultyServer(sending: "HTTP/1.1 \(status) What\r\nContent-Length: 1\r\n\r\na")
        #expect(try await sockets.get(server.port, "/").status == status)
    }

    @Test(
        arguments: [
            "A: \0b", "no colon", " folded onto nothing", "Content-Length: -3", "Content-Length: many",
            "Content-Length: 0x3",
            "Content-Length: 3\r\nContent-Length: 2", "Content-Length: 2\r\nContent-Length: 3", "Content-Length: 3, 2",
            "Content-Length: 3 2",
            "Content-Length: 3\r\nContent-Length: 03",
        ])
    func `An invalid header is .protocolFault`(lines: String) async throws {
        #expect(try await fault(Self.ok + lines + "\r\n\r\nabc")?.cause == .protocolFault)
    }

    @Test(arguments: ["3\r\nContent-Length: 3", "3, 3"])
    func `Two equal Content-Length headers are accepted`(length: String) async throws {
        let server = try FaultyServer(sending: Self.ok + "Content-Length: \(length)\r\n\r\nabc")
        #expect(try await sockets.get(server.port, "/").body.size == 3)
    }

    @Test func `Two different Content-Length headers are reported`() async throws {
        #expect(
            try await fault(Self.ok + "Content-Length: 3\r\nContent-Length: 2\r\n\r\nabc")?.reason
                == "has two different Content-Length values, 3 and 2")
    }

    @Test(
        arguments: ["gzip", "gzip, chunked", "deflate", "foo", "chunked, chunked", "chunked, gzip"])
    func `An unsupported transfer coding is refused`(coding: String) async throws {
        let error = try await fault(Self.ok + "Transfer-Encoding: \(coding)\r\n\r\n3\r\nabc\r\n0\r\n\r\n")
        #expect(
            error?.cause == .refused && error?.reason == "has the transfer coding \(coding), which was not requested")
    }

    @Test(
        arguments: ["9223372036854775807", "99999999999999999999999"])
    func `A length over the maximum is refused, even if the number is huge`(length: String) async throws {
        let error = try await fault(Self.ok + "Content-Length: \(length)\r\n\r\nabc")
        #expect(error?.cause == .refused)
        #expect(error?.reason == "the body of \(length) bytes is larger than the limit of 33554432 bytes")
    }

    @Test(
        arguments: ["8000000000000000", "7fffffffffffffff", "10000000000000000", "-3", "x", ""])
    func `An invalid chunk size is .truncated`(size: String) async throws {
        #expect(
            try await fault(Self.ok + "Transfer-Encoding: chunked\r\n\r\n\(size)\r\nabc\r\n0\r\n\r\n")?.cause
                == .truncated)
    }

    @Test(
        arguments: [
            "HTTP/1.1 20", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 200 OK\r\nA: b\r\nB: c",
            "HTTP/1.1 103 E\r\n\r\n",
        ])
    func `A response that ends within its headers is .truncated`(answer: String) async throws {
        #expect(try await fault(answer)?.cause == .truncated)
    }

    @Test func `Endless headers, 1xx responses and trailers are refused`() async throws {
        let floods = [
            String(repeating: "HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n", count: 30_000),
            Self.ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n"
                + String(repeating: "A: b\r\n", count: 100_000) + "\r\n",
            Self.ok + String(repeating: "A: \(String(repeating: "x", count: 1_000))\r\n", count: 2_000) + "\r\n",
        ]
        for flood in floods {
            let error = try await fault(flood)
            #expect(
                error?.cause == .refused
                    && error?.reason == "the headers are larger than the limit of 262144 bytes")
        }
    }

    @Test func `A header line of 300 KiB is refused`() async throws {
        let error = try await fault(Self.ok + "A: \(String(repeating: "x", count: 300 << 10))\r\n\r\n")
        #expect(error?.cause == .refused && error?.reason == "a header line is longer than 100 KiB")
    }

    @Test func `A reported value is shortened and has no control characters`() async throws {
        let coding = "a\u{1B}[2J\u{202E}b" + String(repeating: "c", count: 1_000)
        let error = try await fault(Self.ok + "Content-Encoding: \(coding)\r\n\r\nabc")
        let words = "a\u{FFFD}[2J\u{FFFD}b" + String(repeating: "c", count: 193) + "…"
        #expect(error?.reason == "has the content encoding \(words), but an answer without encoding was requested")
    }
}
