/// A server's final answer, its bytes as they came.
public struct Response: Sendable {
    /// The status code, 200 to 999: a server may send one that does not exist.
    public let status: Int
    /// The header block as received, status line first, lines ended by CR LF.
    public let rawHeaders: [UInt8]
    /// The body: in memory, or in a file where it was large.
    public let body: Body
    /// The URL that answered, after redirects.
    public let url: WebURL
    /// Milliseconds since 1970 when the answer was complete.
    public let received: Int64
    /// The seconds that Retry-After asks to wait, by `RetryAfter`; 0 where there is none.
    public let retryAfter: Int
    /// Counts the answer's bytes as long as somebody has it.
    var share: HeldBytes.Share?

    /// An answer put together by hand, as tests do.
    public init(status: Int, rawHeaders: [UInt8], body: Body, url: WebURL, received: Int64, retryAfter: Int = 0) {
        self.status = status
        self.rawHeaders = rawHeaders
        self.body = body
        self.url = url
        self.received = received
        self.retryAfter = retryAfter
    }

    /// The header fields in the order received.
    public var headers: [Header] { [Header](parsing: rawHeaders) }
}
