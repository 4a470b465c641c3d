import Platform

/// A client that tries again if that can help: exponential backoff with jitter, Retry-After honoured, a limited number
/// of attempts.
///
/// A Retry-After of one answer holds for all requests: until that time nothing new is sent to the server.
public struct PatientClient: Sendable {
    /// The caller's judgement of an answer.
    public enum Verdict<Value: Sendable>: Sendable {
        /// It is what was requested.
        case accept(Value)
        /// It is not, and may be another time: the reason completes a sentence whose subject is the URL.
        case retry(String)
        /// It is not, and hardly will be: it is requested once more only.
        case refuse(String)
    }

    /// Reports each wait, to show it as progress: URL, reason, seconds.
    package typealias Notice = @Sendable (_ url: WebURL, _ reason: String, _ seconds: Double) -> Void

    /// What all requests share.
    private struct State {
        var hasAnswered = false
        /// The server asked not to be called until then, by the clock.
        var pausedUntil = -Double.infinity
        var repeats = Repeats()
    }

    private let client: Client
    private let policy: RetryPolicy
    private let turns: Turns?
    private let state = Guarded(State())
    private let notice: Notice
    private let clock: Clock
    private let random: @Sendable () -> Double

    /// Tests replace `clock` and `random`.
    /// - Parameter turns: when counted requests may be sent; nil for at once.
    package init(
        _ client: Client, policy: RetryPolicy = RetryPolicy(), turns: Turns? = nil, clock: Clock = .system,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        notice: @escaping Notice = { _, _, _ in }
    ) {
        self.client = client
        self.policy = policy
        self.turns = turns
        self.notice = notice
        self.clock = clock
        self.random = random
    }
}

extension PatientClient {
    /// The best executor for tasks that mostly wait for answers; nil for any.
    package var executor: (any TaskExecutor)? { client.executor }

    /// Sends the request until an answer is accepted, or no further attempt can help.
    ///
    /// Statuses 200 to 299, 304 and 404 are answers and go to `judge`; the others are errors by `RetryPolicy`.
    /// - Parameter judge: an `HTTPError` that it throws is an error of the attempt; others end the request.
    /// - Throws: the last `HTTPError`, its reason with the number of attempts if there were several.
    package func send<Value: Sendable>(
        _ request: Request, judge: @Sendable (Response) async throws -> Verdict<Value>
    ) async throws -> Value {
        var attempt = 1
        while true {
            try await waitForTurn(request)
            let fault: HTTPError
            var asked = 0
            var isRefusal = false
            do {
                let response = try await counted(request)
                state.withLock { $0.hasAnswered = true }
                asked = response.retryAfter
                isRefusal = refuses(response, request)
                var isAccepted = false
                defer { if !isAccepted { response.body.discard() } }
                switch try await verdict(on: response, for: request, judge: judge) {
                case .accept(let value):
                    isAccepted = true
                    state.withLock { $0.repeats.accepted += 1 }
                    return value
                case .retry(let reason): fault = HTTPError(.content, url: request.url.text, reason: reason)
                case .refuse(let reason): fault = HTTPError(.refused, url: request.url.text, reason: reason)
                }
            } catch let error as HTTPError {
                fault = error
            }
            let hasAnswered = state.withLock { state in
                // Other requests wait even if this one has had its last attempt.
                if asked > 0, asked <= policy.maximumRetryAfter {
                    state.pausedUntil = max(state.pausedUntil, clock.now() + Double(asked))
                }
                return state.hasAnswered
            }
            let attempts = isRefusal ? policy.attempts : policy.attempts(for: fault.cause, hasAnswered: hasAnswered)
            guard attempt < attempts, isRefusal || state.withLock({ $0.repeats.take(fault.cause) }) else {
                guard attempt > 1 else { throw fault }
                throw HTTPError(fault.cause, url: fault.url, reason: "\(fault.reason) (\(attempt) attempts)")
            }
            guard asked <= policy.maximumRetryAfter else {
                throw HTTPError(
                    fault.cause, url: fault.url,
                    reason:
                        "\(fault.reason), and asks to wait \(asked) seconds, longer than the "
                        + "\(policy.maximumRetryAfter) allowed; run again later")
            }
            let refused = isRefusal ? turns?.budget.refusalDelay ?? 0 : 0
            try await wait(
                max(policy.delay(afterAttempt: attempt, random: random()), Double(asked), refused), request.url,
                isRefusal ? "\(fault.reason) without a word, so there were too many calls" : fault.reason)
            attempt += 1
        }
    }

    private func verdict<Value: Sendable>(
        on response: Response, for request: Request, judge: @Sendable (Response) async throws -> Verdict<Value>
    ) async throws -> Verdict<Value> {
        switch response.status {
        case 200..<300, 304, 404: return try await judge(response)
        case let status:
            throw HTTPError(.status(status), url: request.url.text, reason: "answered status \(status)")
        }
    }

    /// Waits while the server is paused, and, for a counted call, until its turn. Neither is known before both are.
    private func waitForTurn(_ request: Request) async throws {
        while true {
            while case let seconds = state.withLock({ $0.pausedUntil }) - clock.now(), seconds > 0 {
                try await wait(seconds, request.url, "the server asked all to wait")
            }
            guard request.isCounted, let turns, let seconds = turns.begin(now: clock.now()) else { return }
            turns.wait(1)
            defer { turns.wait(-1) }
            // Not reported as a wait: nothing is wrong.
            try await sleep(seconds, request.url)
        }
    }

    /// Sends a request, and reports its end if it is counted.
    private func counted(_ request: Request) async throws -> Response {
        guard request.isCounted, let turns else { return try await client.send(request) }
        do {
            let response = try await client.send(request)
            let isRefusal = refuses(response, request)
            turns.end(now: clock.now(), isTaken: !isRefusal)
            if isRefusal { turns.refuse(now: clock.now()) }
            return response
        } catch {
            turns.end(now: clock.now(), isTaken: false)
            throw error
        }
    }

    private func refuses(_ response: Response, _ request: Request) -> Bool {
        guard request.isCounted, let turns else { return false }
        return response.status == turns.budget.refusal && response.body.size == 0
    }

    private func wait(_ seconds: Double, _ url: WebURL, _ reason: String) async throws {
        notice(url, reason, seconds)
        try await sleep(seconds, url)
    }

    private func sleep(_ seconds: Double, _ url: WebURL) async throws {
        guard seconds > 0 else { return }
        do {
            try await clock.sleep(seconds)
        } catch {
            throw HTTPError(.cancelled, url: url.text, reason: "cancelled while waiting to try again")
        }
    }
}

/// When a failed request is sent again, and after how long.
public struct RetryPolicy: Sendable, Equatable {
    package var attempts = 5
    /// Seconds before the second attempt; each further wait doubles.
    package var baseDelay = 1.0
    package var maximumDelay = 30.0
    /// The longest Retry-After that is honoured; a longer one ends the request.
    package var maximumRetryAfter = 300

    /// Four waits of together 7.5 to 15 seconds.
    package init() {}

    /// How many attempts an error is worth in all.
    ///
    /// Probable mistakes of the client (a 500 too: the API answers malformed ids with it) and lasting refusals are tried
    /// once more only: a server or something before it may have been wrong for a moment. A name that does not resolve
    /// at first contact means no network; once the server has answered, its name and certificate were good, and will be
    /// again.
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

/// Limits how many requests of a capture are sent again. Each repetition costs a wait, so a server whose answers are
/// nearly all bad would keep a capture running for days. Beyond the limit, a request is sent once only.
private struct Repeats {
    var accepted = 0
    private var ofContent = 0
    private var ofFaults = 0

    /// This many repetitions are always allowed.
    private static let least = 500

    /// Counts a repetition.
    /// - Parameter cause: the reason. Content is rarely damaged on its way, but an overloaded server often fails.
    /// - Returns: whether it is allowed.
    mutating func take(_ cause: HTTPError.Cause) -> Bool {
        if cause == .content || cause == .refused {
            ofContent += 1
            return ofContent <= Self.least + accepted / 1_000
        }
        ofFaults += 1
        return ofFaults <= Self.least + accepted / 20
    }
}
