/// An action of a `FaultyServer`, and the requests that it applies to.
public struct Fault: Sendable {
    let matches: @Sendable (String) -> Bool
    var times: Int?
    let action: Action

    /// - Parameters:
    ///   - times: the number of times that it occurs; nil for always.
    ///   - matches: a condition on the target of the request line.
    public init(times: Int? = 1, _ action: Action, on matches: @escaping @Sendable (String) -> Bool) {
        self.matches = matches
        self.times = times
        self.action = action
    }

    /// - Parameter times: the number of times that it occurs; nil for always.
    public init(_ match: Match, times: Int? = 1, _ action: Action) {
        self.init(times: times, action) { target in
            switch match {
            case .any: true
            case .exactly(let text): target == text
            case .prefix(let text): target.hasPrefix(text)
            case .contains(let text): target.contains(text)
            case .satisfies(let test): test(target)
            }
        }
    }

    /// A condition on the path with its query, as sent.
    public enum Match: Sendable {
        /// Every path, a path such as `/api/character?page=2`, a prefix, a part of the path, or a predicate.
        case any, exactly(String), prefix(String), contains(String), satisfies(@Sendable (String) -> Bool)
    }

    /// The action of the server instead of its normal answer.
    public enum Action: Sendable {
        /// Another valid answer.
        case answer(@Sendable (FaultyServer.Reply) -> FaultyServer.Reply)
        /// These bytes, then the connection is closed or reset.
        case raw(@Sendable (FaultyServer.Reply) -> [UInt8], reset: Bool = false)
        /// These bytes, then a piece repeatedly until the client closes the connection.
        case endless(@Sendable (FaultyServer.Reply) -> [UInt8], piece: [UInt8])
        /// The connection is reset before the first byte.
        case reset
        /// Silence until the client closes the connection, at most for a number of seconds. Then the server closes it.
        case hang(Duration)
        /// The answer, with this number of bytes in each interval.
        case slow(bytes: Int, every: Duration)
        /// The connection is reset, and connections are refused for this time; nil until `restart` is called.
        case down(for: Duration?)

        /// This status, with headers and a JSON body.
        public static func status(
            _ code: Int, headers: [(name: String, value: String)] = [], body: String = #"{"error":"injected"}"#
        ) -> Action {
            .answer { _ in FaultyServer.Reply(code, json + headers, Array(body.utf8)) }
        }

        /// The correct Content-Length, and the body cut after this number of bytes.
        public static func truncate(_ count: Int) -> Action {
            .raw { $0.with("Content-Length", "\($0.body.count)").head + $0.body.prefix(count) }
        }

        /// 200 with this body.
        public static func body(_ bytes: [UInt8], type: String = "application/json; charset=utf-8") -> Action {
            .answer { _ in FaultyServer.Reply(200, json, bytes).with("Content-Type", type) }
        }

        private static let json = [
            (name: "Content-Type", value: "application/json; charset=utf-8"), ("Access-Control-Allow-Origin", "*"),
        ]
    }
}

/// A request in the log of a server.
public struct LoggedRequest: Sendable, Equatable {
    /// The target of the request line.
    public let target: String
    /// The entity tag of If-None-Match.
    public let condition: String?
    let start = ContinuousClock.now
    /// The time when the answer was ready or was aborted; nil while the request is being handled.
    public internal(set) var end: ContinuousClock.Instant?
    /// 0 while the request is being handled, and if there is no complete answer.
    public var status = 0

    init(target: String, condition: String?) {
        self.target = target
        self.condition = condition
    }

    /// `character_page` (a list page), `character` (by id or ids), the same for the other kinds, `avatar`, `search`,
    /// `lookup`, `artwork` or `other`.
    public var kind: String {
        let path = target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
        return switch (path.first, path.count) {
        case ("api", 2): "\(path[1])_page"
        case ("api", 3): path[1]
        case ("api", 4): path[2]
        case (let first?, _) where ["search", "lookup", "artwork"].contains(first): first
        default: "other"
        }
    }
}

extension [LoggedRequest] {
    /// The largest number of requests that were in flight at the same time.
    /// - Parameter kind: the kind of the requests; nil for all.
    public func maximumInFlight(_ kind: String? = nil) -> Int {
        let requests = filter { kind == nil || $0.kind == kind }
        return requests.map { one in
            requests.count { $0.start <= one.start && ($0.end.map { end in end > one.start } ?? true) }
        }.max() ?? 0
    }

    /// The number of requests that are being handled.
    public var inFlight: Int { count { $0.end == nil } }
}
