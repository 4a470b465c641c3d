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
    /// A 500 may be the client's own mistake (the API answers malformed ids with it), so it is tried once more only; a name that
    /// does not resolve and a certificate that does not fit will not mend within seconds.
    func attempts(for cause: HTTPError.Cause) -> Int {
        switch cause {
        case .connect, .timeout, .truncated, .protocolFault, .content, .status(408), .status(429), .status(502), .status(503), .status(504): attempts
        case .status(500): min(2, attempts)
        case .refused: min(2, attempts)
        case .name, .tls, .status, .disk, .cancelled: 1
        }
    }

    /// Seconds to wait after the given attempt (1, 2, ...): exponential backoff of which the upper half is jitter.
    /// - Parameter random: a number from 0 to 1.
    func delay(afterAttempt attempt: Int, random: Double) -> Double {
        let full = min(baseDelay * Double(1 << min(attempt - 1, 20)), maximumDelay)
        return full / 2 + full / 2 * random
    }
}
