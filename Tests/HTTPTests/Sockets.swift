import HTTPServer
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

/// The requests in order, and the highest number in flight.
final class Log: Sendable {
    private struct State {
        var begun: [String] = []
        var inFlight = 0
        var maximum = 0
    }

    private let state = Locked(State())

    var begun: [String] { state.withLock { $0.begun } }
    var inFlight: Int { state.withLock { $0.inFlight } }
    var maximum: Int { state.withLock { $0.maximum } }

    func begin(_ target: String) {
        state.withLock {
            $0.begun.append(target)
            $0.inFlight += 1
            $0.maximum = max($0.maximum, $0.inFlight)
        }
    }

    func end() { state.withLock { $0.inFlight -= 1 } }
}

extension ServerAnswer {
    func with(_ misbehaviour: Misbehaviour) -> ServerAnswer {
        var answer = self
        answer.misbehaviour = misbehaviour
        return answer
    }

    func after(_ delay: Duration) -> ServerAnswer {
        var answer = self
        answer.delay = delay
        return answer
    }
}
