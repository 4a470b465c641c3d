/// What is sent back, and how: promptly, late, or wrongly on purpose.
///
/// Content-Length, Date and Connection are added by the server.
public struct ServerAnswer: Sendable {
    /// The HTTP status.
    public var status: Int

    /// The headers in the order to be sent.
    public var headers: [(name: String, value: String)]

    /// The body; of an answer to HEAD, only its length is sent.
    public var body: Body

    /// How long to wait before the first byte.
    public var delay: Duration?

    /// A fault to commit instead of sending the answer properly.
    public var misbehaviour: Misbehaviour?

    /// Called once: before the last bytes are handed over, before the connection is cut, or when the client has gone.
    ///
    /// Before and not after, so that whoever has read the answer finds it counted.
    public var finished: (@Sendable () -> Void)?

    /// An answer that is sent at once and properly.
    public init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension ServerAnswer {
    /// Where the bytes of the body come from.
    public enum Body: Sendable {
        /// Bytes in memory.
        case bytes([UInt8])
        /// A file, streamed.
        case file(ServedFile)
        /// So many bytes, made piece by piece: from an offset, at most so many. An empty piece cuts the connection.
        case generated(size: Int, @Sendable (_ offset: Int, _ most: Int) -> [UInt8])
    }

    /// What a bad server does.
    public enum Misbehaviour: Sendable {
        /// The right Content-Length, then the connection is closed after this many bytes of the body.
        case truncated(after: Int)
        /// Silence, then the connection is cut; ends early when the client leaves.
        case hang(Duration)
        /// The body in pieces of so many bytes, one each interval.
        case slow(bytes: Int, every: Duration)
        /// The connection is reset (RST) before the first byte.
        case reset
    }

    /// The answer to a request that is neither GET nor HEAD.
    public static var methodNotAllowed: ServerAnswer {
        .text(405, "Method not allowed.\n", headers: [("Allow", "GET, HEAD")])
    }

    /// A short text in UTF-8.
    public static func text(_ status: Int, _ text: String, headers: [(name: String, value: String)] = [])
        -> ServerAnswer
    {
        ServerAnswer(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")] + headers,
            body: .bytes(Array(text.utf8)))
    }
}
