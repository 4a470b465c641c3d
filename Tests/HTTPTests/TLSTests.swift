import Glibc
import HTTPServer
import Platform
import TestSupport
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(1)))
struct TLSTests {
    private let sockets: Sockets

    init() throws {
        sockets = try Sockets(authorities: TLSIdentities.authority)
    }

    private func server(_ identity: TLSIdentity, _ log: Locked<[String]> = Locked([])) throws -> HTTPServer {
        try HTTPServer(identity: identity) { request in
            log.withLock { $0.append(request.target) }
            return .text(200, "secret \(request.target)")
        }
    }

    @Test(
        arguments: ["127.0.0.1", "localhost"])
    func `A valid certificate is accepted, and one connection serves many requests`(host: String)
        async throws
    {
        let sockets = try Sockets(authorities: TLSIdentities.authority) { $0.connections = 1 }
        // The server has one thread for each connection.
        let threads = Locked<Set<String>>([])
        let large = [UInt8](repeating: 7, count: 3_000_000)
        let server = try HTTPServer(identity: TLSIdentities.good) { request in
            threads.withLock { _ = $0.insert(Folder.realPath("/proc/thread-self") ?? "") }
            if request.path == "/large" { return ServerAnswer(body: .bytes(large)) }
            return .text(200, "secret \(request.target)")
        }
        defer { server.stop() }
        for number in 0..<5 {
            let response = try await sockets.get(server.port, "/\(number)", scheme: "https", host: host)
            let body = if case .bytes(let bytes) = response.body { bytes } else { [UInt8]() }
            #expect(response.status == 200 && String(decoding: body, as: UTF8.self) == "secret /\(number)")
            #expect(response.url.origin == "https://\(host):\(server.port)")
        }
        #expect(try await sockets.get(server.port, "/large", scheme: "https", host: host).body.size == 3_000_000)
        #expect(threads.withLock { $0.count } == 1)
    }

    @Test func `An invalid certificate is refused with OpenSSL's reason and no request`() async throws {
        let cases: [(TLSIdentity, String)] = [
            (TLSIdentities.unknownAuthority, "SSL certificate problem: unable to get local issuer certificate"),
            (TLSIdentities.expired, "SSL certificate problem: certificate has expired"),
            (
                TLSIdentities.otherName,
                "SSL: no alternative certificate subject name matches target host name '127.0.0.1'"
            ),
        ]
        for (identity, reason) in cases {
            let log = Locked<[String]>([])
            let server = try server(identity, log)
            defer { server.stop() }
            let url = "https://127.0.0.1:\(server.port)/"
            await #expect(throws: HTTPError(.tls, url: url, reason: "TLS failed: \(reason)")) {
                try await sockets.get(server.port, "/", scheme: "https")
            }
            #expect(log.withLock { $0.isEmpty })
        }
    }

    @Test func `An unknown or unreadable authority is refused`() async throws {
        let server = try server(TLSIdentities.good)
        defer { server.stop() }
        for (authorities, words) in [
            (nil, "unable to get local issuer certificate"), ("nothing", "error setting certificate file"),
        ] {
            let sockets = try Sockets(authorities: authorities)
            let error = await #expect(throws: HTTPError.self) {
                try await sockets.get(server.port, "/", scheme: "https")
            }
            #expect(error?.cause == .tls && error?.reason.contains(words) == true, "\(error?.reason ?? "")")
        }
    }

    @Test func `A redirect from https to http is a redirect to another origin`() async throws {
        let plain = try FaultyServer { _ in FaultyServer.Reply(200) }
        let server = try HTTPServer(identity: TLSIdentities.good) { [port = plain.port] _ in
            ServerAnswer(status: 302, headers: [("Location", "http://127.0.0.1:\(port)/")])
        }
        defer {
            server.stop()
            plain.stop()
        }
        let refusal = HTTPError(
            .refused, url: "https://127.0.0.1:\(server.port)/",
            reason: "redirects to http://127.0.0.1:\(plain.port)/, which is not on the API's host")
        await #expect(throws: refusal) { try await sockets.get(server.port, "/", scheme: "https") }
        #expect(plain.targets == [])
    }

    @Test func `A server that is silent during the handshake is .timeout`() async throws {
        let sockets = try Sockets { $0.connectTimeout = 0.3 }
        let server = try SilentServer()
        let error = await #expect(throws: HTTPError.self) { try await sockets.get(server.port, "/", scheme: "https") }
        #expect(error?.cause == .timeout)
    }

    @Test func `A truncated response over TLS is .truncated`() async throws {
        let folder = try ScratchFolder()
        let path = try folder.write(String(repeating: "x", count: 100_000), to: "large.json")
        let server = try HTTPServer(identity: TLSIdentities.good) { request in
            // The file is opened, and then becomes shorter than its Content-Length.
            defer { truncate(path, 50_000) }
            return StaticFiles(folder: folder.path).answer(request)
        }
        defer { server.stop() }
        let error = await #expect(throws: HTTPError.self) {
            try await sockets.get(server.port, "/large.json", scheme: "https")
        }
        #expect(error?.cause == .truncated)
    }

    @Test func `A server with an invalid certificate and key does not start`() throws {
        let error = #expect(throws: ServerError.self) {
            _ = try HTTPServer(identity: (certificate: "none", key: "none")) { _ in ServerAnswer() }
        }
        #expect(error?.description.contains("check that the certificate and key are valid and belong together") == true)
    }
}
