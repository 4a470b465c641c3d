/// What a client asked, as it was sent.
public struct ServerRequest: Sendable {
    /// The method, such as `GET`.
    public let method: String

    /// The path, with its percent-encoding kept.
    public let path: String

    /// What follows the first question mark, with its percent-encoding kept; empty where there is none.
    public let query: String

    /// When the request line was read.
    public let start: ContinuousClock.Instant

    /// The headers in the order sent.
    public let headers: [(name: String, value: String)]

    /// - Parameter target: path and query, as in the request line.
    public init(
        method: String, target: String, headers: [(name: String, value: String)] = [],
        start: ContinuousClock.Instant = .now
    ) {
        // By bytes: as a character, a question mark takes the accent that follows it.
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
    public var target: String {
        query.isEmpty ? path : path + "?" + query
    }

    /// The first value of a header; names are compared without regard to case (RFC 9110, 5.1).
    public func header(_ name: String) -> String? {
        let wanted = name.lowercased()
        return headers.first { $0.name.utf8.count == wanted.utf8.count && $0.name.lowercased() == wanted }?.value
    }

    /// Whether the client holds the answer of this entity tag already: weak comparison (RFC 9110, 13.1.2).
    public func holds(entityTag: String) -> Bool {
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
