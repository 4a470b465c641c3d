/// Sends one request and answers what the server said: the seam behind which libcurl stands and tests stand in.
public struct Client: Sendable {
    /// Sends a request once, without retrying. Redirects within the allowed origins are followed.
    public var send: @Sendable (Request) async throws(HTTPError) -> Response
    /// Where tasks that mostly wait for answers run best; nil for anywhere.
    public var executor: (any TaskExecutor)?

    /// A client made of a closure, as tests use.
    public init(
        executor: (any TaskExecutor)? = nil, send: @escaping @Sendable (Request) async throws(HTTPError) -> Response
    ) {
        self.executor = executor
        self.send = send
    }
}

extension Client {
    /// The client on libcurl's multi interface, with one pool of connections.
    /// - Parameters:
    ///   - agent: the User-Agent that servers see.
    ///   - spillFolder: an existing folder that takes bodies too large for memory.
    ///   - authorities: a file of certificates (PEM) of the authorities that are trusted; nil for the system's own.
    public static func libcurl(
        limits: Limits = Limits(), agent: String, spillFolder: String, authorities: String? = nil
    ) -> Client {
        let loop = CurlLoop(limits: limits, agent: agent, spillFolder: spillFolder, authorities: authorities)
        return Client(executor: loop) { (request) async throws(HTTPError) in try await loop.send(request) }
    }
}
