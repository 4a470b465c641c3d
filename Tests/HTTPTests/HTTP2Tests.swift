import Foundation
import Glibc
import HTTPServer
import Platform
import TestSupport
import Testing

@testable import HTTP

/// These tests use nginx, because the tests' own servers support only HTTP/1.1.
@Suite(.timeLimit(.minutes(1)), .enabled(if: Nginx.isHere, "nginx is not installed"))
struct HTTP2Tests {
    private func text(_ response: Response) -> String {
        if case .bytes(let bytes) = response.body { String(decoding: bytes, as: UTF8.self) } else { "" }
    }

    @Test func `Many requests share one HTTP/2 connection`() async throws {
        let sockets = try Sockets(authorities: TLSIdentities.authority)
        let nginx = try Nginx()
        for number in 0..<100 { try nginx.folder.write("answer \(number)", to: "site/\(number).json") }
        try nginx.folder.write(String(repeating: "x", count: 3_000_000), to: "site/large.json")
        try await nginx.waitUntilItAnswers()

        let answers = try await withThrowingTaskGroup(of: (Int, Response).self) { group in
            for number in 0..<100 {
                group.addTask { (number, try await sockets.get(nginx.port, "/\(number).json", scheme: "https")) }
            }
            return try await group.reduce(into: [Int: Response]()) { $0[$1.0] = $1.1 }
        }
        #expect(answers.count == 100)
        for (number, answer) in answers {
            #expect(answer.status == 200 && text(answer) == "answer \(number)")
            #expect(answer.rawHeaders.starts(with: Array("HTTP/2 200".utf8)))
        }
        let tag = try #require(answers[7]?.headers["ETag"])
        let again = try await sockets.get(nginx.port, "/7.json", scheme: "https") {
            $0.headers = [Header("If-None-Match", tag)]
        }
        #expect(again.status == 304 && again.body.size == 0)
        #expect(try await sockets.get(nginx.port, "/large.json", scheme: "https").body.size == 3_000_000)
        #expect(try await sockets.get(nginx.port, "/absent.json", scheme: "https").status == 404)

        // Each line contains the protocol and the number of the connection.
        let lines = try await nginx.log(lines: 103)
        #expect(Set(lines.map { $0.split(separator: " ").first }) == ["HTTP/2.0"])
        #expect(Set(lines.map { $0.split(separator: " ").last }).count == 1)
    }

    @Test func `A stream that the server ends early is .truncated`() async throws {
        let sockets = try Sockets(authorities: TLSIdentities.authority) { $0.connectTimeout = 5 }
        let nginx = try Nginx()
        try nginx.folder.write(String(repeating: "x", count: 3_000_000), to: "site/large.json")
        try await nginx.waitUntilItAnswers()
        let slow = Task { try await sockets.get(nginx.port, "/slow/large.json", scheme: "https") }
        try await Task.sleep(for: .milliseconds(300))
        nginx.kill()
        let error = await #expect(throws: HTTPError.self) { try await slow.value }
        #expect(error?.cause == .truncated)
    }
}

/// nginx with HTTP/2 over TLS on a free port of 127.0.0.1, as one process with its own folder.
private final class Nginx: Sendable {
    static let path = "/usr/sbin/nginx"
    /// If servers are required, the tests fail without nginx. Otherwise they are skipped.
    static var isHere: Bool { access(path, X_OK) == 0 || getenv("AMBER_REQUIRE_SERVERS") != nil }

    let folder: ScratchFolder
    let port: Int
    private let process: Running

    init() throws {
        folder = try ScratchFolder()
        let (listener, port) = try Loopback.listen(on: 0)
        close(listener)
        self.port = port
        try folder.write(TLSIdentities.good.certificate, to: "certificate.pem")
        try folder.write(TLSIdentities.good.key, to: "key.pem")
        try folder.write(
            """
            daemon off; master_process off; pid nginx.pid; error_log error.log;
            events {}
            http {
                log_format connection "$server_protocol $connection";
                client_body_temp_path a; proxy_temp_path b; fastcgi_temp_path c; uwsgi_temp_path d; scgi_temp_path e;
                server {
                    listen 127.0.0.1:\(port) ssl http2;
                    ssl_certificate certificate.pem; ssl_certificate_key key.pem;
                    root site; access_log access.log connection;
                    location = /ready { access_log off; return 204; }
                    location /slow/ { alias site/; limit_rate 10k; access_log off; }
                }
            }
            """, to: "nginx.conf")
        process = try Running(Self.path, ["-p", folder.path, "-c", "nginx.conf", "-e", "error.log"])
    }

    deinit { kill() }

    func kill() { process.send(SIGKILL) }

    func waitUntilItAnswers() async throws {
        let sockets = try Sockets(authorities: TLSIdentities.authority)
        while true {
            do {
                _ = try await sockets.get(port, "/ready", scheme: "https")
                return
            } catch let error as HTTPError where error.cause == .connect && process.isRunning {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// The lines of the log. Waits until there are enough, because nginx writes them after its answers.
    func log(lines count: Int) async throws -> [Substring] {
        while true {
            let lines = try String(contentsOfFile: folder["access.log"], encoding: .utf8).split(separator: "\n")
            if lines.count >= count { return lines }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
