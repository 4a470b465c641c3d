/// Sends requests with libcurl, or with a closure in tests.
public struct Client: Sendable {
    /// Sends a request once, without retries. Redirects within its origin are followed.
    package var send: @Sendable (Request) async throws(HTTPError) -> Response

    package init(send: @escaping @Sendable (Request) async throws(HTTPError) -> Response) { self.send = send }

    /// A client with libcurl's multi interface and one connection pool.
    /// - Parameters:
    ///   - agent: the User-Agent header.
    ///   - spillFolder: an existing folder for bodies that are too large for memory.
    ///   - authorities: a PEM file of trusted certificate authorities; nil for the system's authorities.
    package static func libcurl(
        limits: Limits = Limits(), agent: String, spillFolder: String, authorities: String? = nil
    ) -> Client {
        let loop = CurlLoop(limits: limits, agent: agent, spillFolder: spillFolder, authorities: authorities)
        return Client { (request) async throws(HTTPError) in try await loop.send(request) }
    }
}

/// The client's limits.
public struct Limits: Sendable, Equatable {
    package var connections = 8
    package var connectTimeout = 10.0
    /// A transfer fails if it is slower than this many bytes per second for `stallTime` seconds.
    package var stallSpeed = 1024
    package var stallTime = 30.0
    /// The maximum seconds for a request with an empty body.
    package var deadline = 60.0
    /// The bytes per second by which a body extends the deadline.
    package var deadlineSpeed = 10_000.0
    /// The longest pause in seconds for which a server can ask.
    package var maximumPause = 300
    /// The maximum number of redirects of one request.
    package var redirects = 10
    package var memorySize = 1 << 20
    /// No new transfer starts while answers with this many bytes are in use.
    package var heldSize = 32 << 20
    /// The maximum number of bytes of headers, including those of 1xx answers.
    package var headersSize = 256 << 10

    package init() {}
}

/// A clock that tests can replace, so that they do not have to wait.
public struct Clock: Sendable {
    /// Seconds since a fixed time; monotonic.
    package var now: @Sendable () -> Double
    /// Waits for the given seconds; throws if the task is cancelled.
    package var sleep: @Sendable (Double) async throws -> Void

    package static let system = Clock(
        now: { ContinuousClock.now.duration(to: origin) / .seconds(-1) },
        sleep: { try await Task.sleep(for: .seconds($0)) })

    private static let origin = ContinuousClock.now
}
