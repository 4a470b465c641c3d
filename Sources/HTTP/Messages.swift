package import Platform

/// A GET request with the limits of its answer.
public struct Request: Sendable {
    /// The order of requests when all connections are busy.
    public enum Priority: Sendable {
        /// Sent first, because other requests depend on the answer. The rate limit applies.
        case urgent
        /// Sent last, for pictures. The rate limit does not apply.
        case bulk
    }

    package var url: WebURL
    /// Additional header fields.
    package var headers: [Header]
    /// The maximum number of bytes of the body. A larger body is refused.
    package var maximumSize: Int
    package var priority: Priority

    package init(_ url: WebURL, headers: [Header] = [], maximumSize: Int = 32 << 20, priority: Priority = .urgent) {
        self.url = url
        self.headers = headers
        self.maximumSize = maximumSize
        self.priority = priority
    }

    /// An error of this request. The reason is the end of a sentence whose subject is the URL.
    package func error(_ cause: HTTPError.Cause, _ reason: String) -> HTTPError {
        HTTPError(cause, url: url.text, reason: reason)
    }
}

/// A server's final answer, with unchanged bytes.
public struct Response: Sendable {
    /// The status code, from 200 to 999. Servers can send undefined codes.
    package let status: Int
    /// The header block as received, including the status line. Lines end in CR LF.
    package var rawHeaders: [UInt8]
    package var body: Body
    /// The URL after redirects.
    package let url: WebURL
    /// Milliseconds since 1970 when the answer was complete.
    package let received: Int64
    /// The seconds to wait according to the Retry-After header; 0 if it is missing.
    package let retryAfter: Int
    /// How many more requests the server accepts, and for how many seconds this is true; nil if it did not say so.
    let announcedLimit: (remaining: Int, seconds: Int)?
    /// Counts the answer's bytes while the answer is in use.
    var held: OnRelease?

    package init(status: Int, rawHeaders: [UInt8], body: Body, url: WebURL, received: Int64) {
        self.status = status
        self.rawHeaders = rawHeaders
        self.body = body
        self.url = url
        self.received = received
        let headers = [Header](parsing: rawHeaders, only: RetryAfter.fields + AnnouncedLimit.fields)
        retryAfter = RetryAfter.seconds(in: headers, received: received)
        announcedLimit =
            status >= 400 && retryAfter > 0 ? (0, retryAfter) : AnnouncedLimit.read(headers, received: received)
    }

    package var headers: [Header] { [Header](parsing: rawHeaders) }
}

/// The bytes of an answer.
public enum Body: Sendable {
    /// A body of at most `Limits.memorySize` bytes, in memory.
    case bytes([UInt8])
    /// A larger body, in a file. The owner of the answer must remove the file.
    case file(path: String, size: Int)

    package var size: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let size): size
        }
    }

    package func read() throws -> [UInt8] {
        switch self {
        case .bytes(let bytes): bytes
        case .file(let path, _): try File.read(path)
        }
    }

    package func removeFile() throws { if case .file(let path, _) = self { try File.remove(path) } }
}
