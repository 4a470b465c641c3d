import Glibc

/// A GET request with the limits of its answer.
public struct Request: Sendable {
    /// The order of requests when all connections are busy.
    public enum Priority: Int, CaseIterable, Sendable {
        /// First: other requests follow from its answer.
        case urgent
        /// After everything else: pictures.
        case bulk
    }

    package var url: WebURL
    /// Header fields beside those that the client always sends.
    package var headers: [Header]
    /// Bodies over this many bytes are refused.
    package var maximumSize: Int
    package var priority: Priority
    /// Whether it counts among the calls that the server allows.
    package var isCounted: Bool
    package var allowedOrigins: Set<String>

    package init(
        _ url: WebURL, headers: [Header] = [], maximumSize: Int = 32 << 20, priority: Priority = .urgent,
        isCounted: Bool = false
    ) {
        self.url = url
        self.headers = headers
        self.maximumSize = maximumSize
        self.priority = priority
        self.isCounted = isCounted
        allowedOrigins = [url.origin]
    }
}

/// A server's final answer, its bytes as received.
public struct Response: Sendable {
    /// The status code, 200 to 999: a server may send one that does not exist.
    package let status: Int
    /// The header block as received, status line first, lines ended by CR LF.
    package let rawHeaders: [UInt8]
    package let body: Body
    /// The URL that answered, after redirects.
    package let url: WebURL
    /// Milliseconds since 1970 when the answer was complete.
    package let received: Int64
    /// The seconds that Retry-After asks to wait, by `RetryAfter`; 0 without that.
    package let retryAfter: Int
    /// Counts the answer's bytes while it is in use.
    var share: HeldBytes.Share?

    package init(status: Int, rawHeaders: [UInt8], body: Body, url: WebURL, received: Int64, retryAfter: Int = 0) {
        self.status = status
        self.rawHeaders = rawHeaders
        self.body = body
        self.url = url
        self.received = received
        self.retryAfter = retryAfter
    }

    package var headers: [Header] { [Header](parsing: rawHeaders) }
}

/// The bytes of an answer.
public enum Body: Sendable {
    /// At most a mebibyte, in memory.
    case bytes([UInt8])
    /// More than that, in a file that belongs to the owner of the answer.
    case file(path: String, size: Int)

    package var size: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let size): size
        }
    }

    func discard() {
        if case .file(let path, _) = self { unlink(path) }
    }
}
