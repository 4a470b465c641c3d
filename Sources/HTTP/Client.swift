/// Sends requests: libcurl, or a closure in tests.
public struct Client: Sendable {
    /// Sends a request once, without retrying. Redirects within the allowed origins are followed.
    package var send: @Sendable (Request) async throws(HTTPError) -> Response
    /// The best executor for tasks that mostly wait for answers; nil for any.
    package var executor: (any TaskExecutor)?

    package init(
        executor: (any TaskExecutor)? = nil, send: @escaping @Sendable (Request) async throws(HTTPError) -> Response
    ) {
        self.executor = executor
        self.send = send
    }

    /// The client on libcurl's multi interface, with one pool of connections.
    /// - Parameters:
    ///   - agent: the User-Agent that servers see.
    ///   - spillFolder: an existing folder that takes bodies too large for memory.
    ///   - authorities: a file of certificates (PEM) of the authorities that are trusted; nil for the system's own.
    package static func libcurl(
        limits: Limits = Limits(), agent: String, spillFolder: String, authorities: String? = nil
    ) -> Client {
        let loop = CurlLoop(limits: limits, agent: agent, spillFolder: spillFolder, authorities: authorities)
        return Client(executor: loop) { (request) async throws(HTTPError) in try await loop.send(request) }
    }
}

/// The client's limits.
public struct Limits: Sendable, Equatable {
    package var connections = 8
    package var connectTimeout = 10.0
    /// An answer slower than this many bytes a second for `stallTime` seconds is given up.
    package var stallSpeed = 1024
    package var stallTime = 30.0
    /// Seconds that any request may take, before what its size adds.
    package var deadline = 60.0
    /// Bytes that add a second each to the deadline.
    package var deadlineSpeed = 10_000.0
    /// The most redirects, all within the allowed origins.
    package var redirects = 10
    package var memorySize = 1 << 20
    /// While answers of this many bytes are in use, no new transfer starts.
    package var heldSize = 32 << 20
    /// The most bytes of headers, those of 1xx answers before them included.
    package var headersSize = 256 << 10

    package init() {}
}

/// The passing of time: tests let it pass at once.
public struct Clock: Sendable {
    /// Seconds since some fixed moment, never going back.
    package var now: @Sendable () -> Double
    /// Waits that many seconds; throws when the task is cancelled meanwhile.
    package var sleep: @Sendable (Double) async throws -> Void

    package init(now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (Double) async throws -> Void) {
        self.now = now
        self.sleep = sleep
    }

    package static let system = Clock(
        now: { ContinuousClock.now.duration(to: origin) / .seconds(-1) },
        sleep: { try await Task.sleep(for: .seconds($0)) })

    private static let origin = ContinuousClock.now
}
