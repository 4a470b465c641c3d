/// Something to go wrong, on which requests, and how often.
public struct Fault: Sendable {
    /// Which requests it is for.
    public var match: Match

    /// How often it is committed; nil for ever.
    public var times: Int?

    /// What is done.
    public var action: Action

    /// A fault that is committed once unless told otherwise.
    public init(_ match: Match, times: Int? = 1, _ action: Action) {
        self.match = match
        self.times = times
        self.action = action
    }
}

extension Fault {
    /// A test on the path with its query, as sent.
    public enum Match: Sendable {
        /// Every request.
        case any
        /// Just this one, such as `/api/character?page=2`.
        case exactly(String)
        /// Those that begin so.
        case prefix(String)
        /// Those with this in them.
        case contains(String)
        /// Those for which this is true.
        case satisfies(@Sendable (String) -> Bool)
    }

    /// What is done in place of a proper answer.
    public enum Action: Sendable {
        /// Any status, with headers and a body of JSON.
        case status(Int, headers: [(name: String, value: String)] = [], body: String = #"{"error":"injected"}"#)
        /// The connection is reset before the first byte.
        case reset
        /// The right Content-Length, the body cut after so many bytes.
        case truncate(Int)
        /// Silence, then the connection is cut.
        case hang(Duration)
        /// So many bytes each interval.
        case slow(bytes: Int, every: Duration)
        /// 200 with this body.
        case body([UInt8], type: String = "application/json; charset=utf-8")
        /// 302 to this address.
        case redirect(to: String)
    }

    func matches(_ target: String) -> Bool {
        switch match {
        case .any: true
        case .exactly(let text): target == text
        case .prefix(let text): target.hasPrefix(text)
        case .contains(let text): target.utf8.count >= text.utf8.count && target.contains(text)
        case .satisfies(let test): test(target)
        }
    }
}
