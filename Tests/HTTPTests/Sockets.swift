import Glibc
import Platform
import TestSupport
import Testing

@testable import HTTP

/// libcurl's client with limits for tests, and a folder for large bodies.
struct Sockets: Sendable {
    let folder: ScratchFolder
    private let authorityFolder: ScratchFolder
    let client: HTTP.Client

    /// - Parameter authorities: certificates in PEM to trust in addition to the system's.
    init(authorities: String? = nil, _ change: (inout Limits) -> Void = { _ in }) throws {
        folder = try ScratchFolder()
        let own = try ScratchFolder()
        authorityFolder = own
        let file = try authorities.map { try own.write($0, to: "authorities.pem") }
        var limits = Limits()
        limits.connectTimeout = 5
        limits.maximumPause = 0
        change(&limits)
        client = .libcurl(limits: limits, agent: "Test/1", spillFolder: folder.path, authorities: file)
    }

    func get(
        _ port: Int, _ target: String, scheme: String = "http", host: String = "127.0.0.1",
        _ change: (inout Request) -> Void = { _ in }
    ) async throws -> Response {
        var request = Request(try #require(WebURL("\(scheme)://\(host):\(port)\(target)")))
        change(&request)
        return try await client.send(request)
    }

    /// The cause of a failed request, without libcurl's message.
    func cause(_ port: Int, _ target: String = "/", _ change: (inout Request) -> Void = { _ in }) async throws
        -> HTTPError.Cause?
    {
        await #expect(throws: HTTPError.self) { _ = try await get(port, target, change) }?.cause
    }

    func bodyFiles() throws -> [String] { try Folder.names(in: folder.path) }
}

extension FaultyServer {
    convenience init(sending text: String) throws { try self.init(sending: Array(text.utf8)) }

    /// The targets of the requests, in their order.
    var targets: [String] { log.map(\.target) }
}

/// Accepts connections to 127.0.0.1 and never sends anything.
final class SilentServer: Sendable {
    let port: Int
    private let listener: Int32

    init() throws { (listener, port) = try Loopback.listen(on: 0) }

    deinit { close(listener) }
}
