import Platform

/// An answer. The server adds Content-Length, Date and Connection.
package struct ServerAnswer: Sendable {
    package var status: Int
    package var headers: [(name: String, value: String)]

    /// An answer to HEAD contains only its length.
    package var body: Body
    /// The time before the answer is sent.
    package var delay: Duration?

    package init(status: Int = 200, headers: [(name: String, value: String)] = [], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package enum Body: Sendable {
        case bytes([UInt8])
        case file(ServedFile)
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

    /// The answer to a request that must not reach the handler. The sentence may quote the request.
    static func refusal(_ status: Int, _ sentence: String) -> ServerAnswer {
        .text(status, "\(sentence)\n", headers: [("X-Content-Type-Options", "nosniff")])
    }
}

package struct ServerRequest: Sendable {
    package let method: String
    package let path: String

    /// The text after the first question mark, still percent-encoded; empty if there is none.
    package let query: String
    package let headers: [(name: String, value: String)]

    /// - Parameter target: the path and query, as in the request line.
    package init(method: String, target: String, headers: [(name: String, value: String)] = []) {
        // Split by bytes, because a question mark and a combining accent after it are one Character.
        let parts = target.utf8.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        self.path = String(decoding: parts[0], as: UTF8.self)
        self.query = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
        self.headers = headers
    }

    /// The path and query, as in the request line. An empty query is omitted.
    package var target: String { query.isEmpty ? path : path + "?" + query }

    /// The first value of a header. The case of names is ignored (RFC 9110, 5.1).
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// Whether If-None-Match contains this entity tag, in a weak comparison (RFC 9110, 13.1.2).
    package func matches(entityTag: String) -> Bool {
        func opaque(_ tag: Substring) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag }
        let tags = header("If-None-Match")?.split { $0 == "," || $0 == " " } ?? []
        return tags.contains { $0 == "*" || opaque($0) == opaque(entityTag[...]) }
    }
}
