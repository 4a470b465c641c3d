/// When a failed request is sent again, and after how long.
public struct RetryPolicy: Sendable, Equatable {
    /// How often a URL is asked at most.
    public var attempts = 5
    /// Seconds before the second attempt; each further wait doubles.
    public var baseDelay = 1.0
    /// Seconds that a single backoff may reach.
    public var maximumDelay = 30.0
    /// The longest Retry-After that is honoured; a longer one ends the request.
    public var maximumRetryAfter = 300

    /// The policy that the design sets: four waits of together 7.5 to 15 seconds.
    public init() {}

    /// How many attempts a fault is worth in all.
    ///
    /// What is most likely the client's own mistake (a 500 too: the API answers malformed ids with it) or the server's
    /// lasting will is tried once more only: a server or something before it may have been wrong for a moment. A name
    /// that does not resolve at first contact is no network; once the server has answered, its name and its certificate
    /// were good, and will be again.
    /// - Parameter hasAnswered: whether the server has answered any request before.
    func attempts(for cause: HTTPError.Cause, hasAnswered: Bool) -> Int {
        switch cause {
        case .connect, .timeout, .truncated, .protocolFault, .content, .descriptors: attempts
        case .status(408), .status(429), .status(502), .status(503), .status(504): attempts
        case .name where hasAnswered, .tls where hasAnswered: attempts
        case .tls, .refused: min(2, attempts)
        case .status(let status) where status >= 400: min(2, attempts)
        case .name, .status, .disk, .cancelled: 1
        }
    }

    /// Seconds to wait after the given attempt (1, 2, ...): exponential backoff of which the upper half is jitter.
    /// - Parameter random: a number from 0 to 1.
    func delay(afterAttempt attempt: Int, random: Double) -> Double {
        let full = min(baseDelay * Double(1 << min(attempt - 1, 20)), maximumDelay)
        return full / 2 + full / 2 * random
    }
}
