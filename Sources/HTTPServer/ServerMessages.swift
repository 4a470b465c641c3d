/// An answer, sent at once, late, or wrongly on purpose. The server adds Content-Length, Date and Connection.
public struct ServerAnswer: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]

    /// Only its length is sent in an answer to HEAD.
    package var body: Body
    package var delay: Duration?

    package var misbehaviour: Misbehaviour?

    /// Called once: before the last bytes are sent, before the connection is cut, or when the client has gone. A client
    /// that has read the answer finds it counted.
    package var finished: (@Sendable () -> Void)?

    package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension ServerAnswer {
    /// The bytes of the body.
    public enum Body: Sendable {
        case bytes([UInt8])
        case file(ServedFile)
    }

    /// What a faulty server does.
    public enum Misbehaviour: Sendable {
        /// The connection is closed after this many bytes of the body.
        case truncated(after: Int)
        /// Silence, then the connection is cut; ends early when the client leaves.
        case hang(Duration)
        /// The body in pieces of that many bytes, one each interval.
        case slow(bytes: Int, every: Duration)
        /// The connection is reset (RST) before the first byte.
        case reset
    }

    /// The answer to a request that is neither GET nor HEAD.
    package static var methodNotAllowed: ServerAnswer {
        .text(405, "Method not allowed.\n", headers: [("Allow", "GET, HEAD")])
    }

    package static func text(_ status: Int, _ text: String, headers: [(name: String, value: String)] = [])
        -> ServerAnswer
    {
        ServerAnswer(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")] + headers,
            body: .bytes(Array(text.utf8)))
    }
}

/// A request as it was sent.
public struct ServerRequest: Sendable {
    package let method: String
    package let path: String

    /// The text after the first question mark, still percent-encoded; empty if there is none.
    package let query: String
    package let start: ContinuousClock.Instant
    package let headers: [(name: String, value: String)]

    /// - Parameter target: path and query, as in the request line.
    package init(
        method: String, target: String, headers: [(name: String, value: String)] = [],
        start: ContinuousClock.Instant = .now
    ) {
        // By bytes: a question mark and a combining accent after it are one character.
        let parts = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        self.path = String(decoding: parts[0], as: UTF8.self)
        self.query = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
        self.headers = headers
        self.start = start
    }
}

extension ServerRequest {
    /// Path and query, as in the request line (an empty query is left out).
    package var target: String {
        query.isEmpty ? path : path + "?" + query
    }

    /// The first value of a header; names are compared without regard to case (RFC 9110, 5.1).
    package func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.utf8.count == wanted.utf8.count && $0.name.lowercased() == wanted }?.value
    }

    /// Whether the client has the answer with this entity tag: weak comparison (RFC 9110, 13.1.2).
    package func holds(entityTag: String) -> Bool {
        guard let sent = header("If-None-Match") else { return false }
        if sent == entityTag || sent == "*" { return true }

        func opaque(_ tag: some StringProtocol) -> Substring {
            tag.hasPrefix("W/") ? Substring(tag.dropFirst(2)) : Substring(tag)
        }
        return sent.split(separator: ",").contains { part in
            opaque(part.drop { $0 == " " }.prefix { $0 != " " }) == opaque(entityTag)
        }
    }
}
