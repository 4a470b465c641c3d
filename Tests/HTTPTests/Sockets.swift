import HTTPServer
import Platform
import TestSupport
import Testing

@testable import HTTP

/// libcurl's client with limits fit for tests, and a folder for its large bodies.
struct Sockets: Sendable {
    let folder: ScratchFolder
    private let authorityFolder: ScratchFolder
    let client: HTTP.Client

    /// - Parameter authorities: the PEM of those to trust beside the system's.
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

    /// The fault that a request ends in, its reason left aside where libcurl words it.
    func cause(_ port: Int, _ target: String = "/", _ change: (inout Request) -> Void = { _ in }) async throws
        -> HTTPError.Cause?
    {
        await #expect(throws: HTTPError.self) { _ = try await get(port, target, change) }?.cause
    }

    /// What lies in the folder for large bodies.
    func leftOnDisk() throws -> [String] { try Folder.names(in: folder.path) }
}

/// Which requests began, in order, and how many were under way at once at most.
final class Log: Sendable {
    private struct State {
        var begun: [String] = []
        var underWay = 0
        var most = 0
    }

    private let state = Guarded(State())

    var begun: [String] { state.withLock { $0.begun } }
    var underWay: Int { state.withLock { $0.underWay } }
    var most: Int { state.withLock { $0.most } }

    func begin(_ target: String) {
        state.withLock {
            $0.begun.append(target)
            $0.underWay += 1
            $0.most = max($0.most, $0.underWay)
        }
    }

    func end() { state.withLock { $0.underWay -= 1 } }
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
