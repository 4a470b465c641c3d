import Platform

/// A client that retries failed requests, with exponential backoff, jitter and a limited number of attempts.
///
/// A Retry-After header delays all requests. So does a RateLimit header, if the server accepts no more of them.
public struct RetryingClient: Sendable {
    /// Is called before each wait, to show it as progress.
    package typealias Notice = @Sendable (_ url: WebURL, _ reason: String, _ seconds: Double) -> Void

    /// The state that all requests share.
    private struct State {
        var hasAnswered = false
        /// The time when the longest Retry-After ends, according to `clock`.
        var pausedUntil = -Double.infinity
        var inFlight = 0
        var retries = RetryBudget()
    }

    private let client: Client
    private let policy: RetryPolicy
    package let rateLimiter: RateLimiter?
    private let state = Locked(State())
    private let notice: Notice
    package let clock: Clock
    private let random: @Sendable () -> Double

    /// Creates a client. Tests replace `clock` and `random`.
    /// - Parameter rateLimiter: delays urgent requests; nil for no limit.
    package init(
        _ client: Client, policy: RetryPolicy = RetryPolicy(), rateLimiter: RateLimiter? = nil, clock: Clock = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        notice: @escaping Notice = { _, _, _ in }
    ) {
        self.client = client
        self.policy = policy
        self.rateLimiter = rateLimiter
        self.notice = notice
        self.clock = clock
        self.random = random
    }

    /// Sends the request until an answer is accepted, or until there are no more attempts.
    ///
    /// `judge` gets answers with the statuses 200 to 299, 304 and 404. `RetryPolicy` determines the number of attempts.
    /// - Parameter judge: returns the value of a valid answer. If it throws an `HTTPError`, the attempt fails, and the
    ///   error's cause decides whether there is another one. Another error ends the request.
    /// - Throws: the last `HTTPError`. Its reason contains the number of attempts if there were several.
    package func send<Value: Sendable>(
        _ request: Request, judge: @Sendable (Response) async throws -> Value
    ) async throws -> Value {
        let limiter = request.priority == .urgent ? rateLimiter : nil
        var attempt = 1
        while true {
            try await waitForTurn(request, limiter)
            let fault: HTTPError
            var retryAfter = 0
            var (isRefusal, isLate) = (false, false)
            do {
                let (response, wasPaused, isRefused) = try await sendCounted(request, limiter)
                state.withLock { $0.hasAnswered = true }
                retryAfter = response.retryAfter
                if let limit = response.announcedLimit, limit.remaining == 0, [403, 429].contains(response.status) {
                    retryAfter = limit.seconds
                }
                // The request was sent before another answer asked for this pause.
                isLate = wasPaused && response.status == 429
                isRefusal = isRefused
                var isAccepted = false
                defer {
                    // `try?`, because the error of the attempt is reported.
                    if !isAccepted { try? response.body.removeFile() }
                }
                guard (200..<300).contains(response.status) || [304, 404].contains(response.status) else {
                    throw request.error(.status(response.status), "answered status \(response.status)")
                }
                let value = try await judge(response)
                isAccepted = true
                state.withLock { $0.retries.accepted += 1 }
                return value
            } catch let error as HTTPError {
                fault = error
            }
            let hasAnswered = state.withLock { $0.hasAnswered }
            let attempts = isRefusal ? policy.attempts : policy.attempts(for: fault.cause, hasAnswered: hasAnswered)
            guard isLate || attempt < attempts, isRefusal || state.withLock({ $0.retries.add(fault.cause) }) else {
                guard attempt > 1 else { throw fault }
                throw HTTPError(fault.cause, url: fault.url, reason: "\(fault.reason) (\(attempt) attempts)")
            }
            guard retryAfter <= policy.maximumRetryAfter else {
                throw HTTPError(
                    fault.cause, url: fault.url,
                    reason: "\(fault.reason), and asks for a pause of \(retryAfter) seconds, more than the limit of "
                        + "\(policy.maximumRetryAfter); run again later")
            }
            let refusalDelay = isRefusal ? limiter?.rateLimit.refusalDelay ?? 0 : 0
            try await wait(
                max(policy.delay(afterAttempt: attempt, random: random()), Double(retryAfter), refusalDelay),
                request.url, isRefusal ? "\(fault.reason) without a body, which means too many calls" : fault.reason)
            attempt += isLate ? 0 : 1
        }
    }

    /// Waits until no Retry-After applies and the rate limiter admits the request, which both change during waits.
    private func waitForTurn(_ request: Request, _ limiter: RateLimiter?) async throws {
        while true {
            while case let seconds = state.withLock({ $0.pausedUntil }) - clock.now(), seconds > 0 {
                try await wait(seconds, request.url, "the server asked for a pause")
            }
            guard let limiter, let seconds = limiter.begin(now: clock.now()) else { return }
            limiter.changeWaiting(by: 1)
            defer { limiter.changeWaiting(by: -1) }
            // This wait is not reported, because nothing is wrong.
            try await wait(seconds, request.url, nil)
        }
    }

    /// Sends a request, and reports its end to the rate limiter. A pause that the answer asks for delays all requests.
    /// - Returns: also whether an earlier answer had asked for a pause that has not ended, and whether the server
    ///   refused the request because of its rate limit.
    private func sendCounted(
        _ request: Request, _ limiter: RateLimiter?
    ) async throws -> (response: Response, wasPaused: Bool, isRefused: Bool) {
        state.withLock { $0.inFlight += 1 }
        var isAccepted = false
        defer {
            limiter?.end(now: clock.now(), isAccepted: isAccepted)
            state.withLock { $0.inFlight -= 1 }
        }
        let response = try await client.send(request)
        let wasPaused = state.withLock { $0.pausedUntil } > clock.now()
        if let limit = response.announcedLimit, limit.seconds <= policy.maximumRetryAfter {
            state.withLock { state in
                // This request has its answer, but is still counted.
                guard limit.remaining < state.inFlight else { return }
                state.pausedUntil = max(state.pausedUntil, clock.now() + Double(limit.seconds))
            }
        }
        isAccepted = response.status != limiter?.rateLimit.refusalStatus || response.body.size > 0
        if !isAccepted { limiter?.recordRefusal(now: clock.now()) }
        return (response, wasPaused, !isAccepted)
    }

    private func wait(_ seconds: Double, _ url: WebURL, _ reason: String?) async throws {
        if let reason { notice(url, reason, seconds) }
        guard seconds > 0 else { return }
        do {
            try await clock.sleep(seconds)
        } catch {
            throw HTTPError(.cancelled, url: url.text, reason: "was cancelled before the next attempt")
        }
    }
}

/// Decides whether a failed request is sent again, and when.
public struct RetryPolicy: Sendable, Equatable {
    package var attempts = 5
    /// The longest wait before the second attempt in seconds. Each further wait is up to twice as long.
    package var baseDelay = 1.0
    package var maximumDelay = 30.0
    /// The longest accepted Retry-After in seconds. A longer one ends the request.
    package var maximumRetryAfter = 300

    /// The default policy: five attempts, with waits of 7.5 to 15 seconds in total.
    package init() {}

    /// The total number of attempts for an error.
    ///
    /// Errors that are probably permanent have two attempts, because a server or proxy can fail for a moment. Status
    /// 500 is such an error, because the API sends it for malformed ids. If the name does not resolve before the first
    /// answer, there is probably no network, so there is one attempt. After any answer, name and TLS errors are
    /// temporary, because the name and certificate were valid.
    /// - Parameter hasAnswered: whether the server has answered any request before.
    func attempts(for cause: HTTPError.Cause, hasAnswered: Bool) -> Int {
        switch cause {
        case .connect, .timeout, .truncated, .protocolFault, .content, .descriptors: attempts
        case .status(408), .status(429), .status(502), .status(503), .status(504): attempts
        case .name where hasAnswered, .tls where hasAnswered: attempts
        case .tls, .refused, .status(400...): min(2, attempts)
        case .name, .status, .disk, .cancelled: 1
        }
    }

    /// The seconds to wait after an attempt (1, 2, ...): exponential backoff. Half of the time is random.
    /// - Parameter random: a number from 0 to 1.
    func delay(afterAttempt attempt: Int, random: Double) -> Double {
        let full = min(baseDelay * Double(1 << min(attempt - 1, 20)), maximumDelay)
        return full / 2 + full / 2 * random
    }
}

/// Limits the total number of retries in a capture. Each retry costs a wait, so a server with mostly bad answers could
/// keep a capture running for days. Above the limit, requests are sent only once.
private struct RetryBudget {
    var accepted = 0
    private var contentRetries = 0
    private var otherRetries = 0

    /// The number of retries that are always allowed.
    private static let minimum = 500

    /// Counts a retry.
    /// - Parameter cause: the error before the retry. Content is rarely damaged in transit, so the limit for content
    ///   errors is lower than for other errors, which an overloaded server often causes.
    /// - Returns: whether the retry is allowed.
    mutating func add(_ cause: HTTPError.Cause) -> Bool {
        if cause == .content || cause == .refused {
            contentRetries += 1
            return contentRetries <= Self.minimum + accepted / 1_000
        }
        otherRetries += 1
        return otherRetries <= Self.minimum + accepted / 20
    }
}
