import Platform

/// A client that tries again where that can help: exponential backoff with jitter, Retry-After honoured, a bounded
/// number of attempts.
///
/// A server that says Retry-After to one request has said it to all: while that time runs, nothing new is sent to it.
public struct PatientClient: Sendable {
    /// What the one who asked makes of an answer.
    public enum Verdict<Value: Sendable>: Sendable {
        /// It is what was asked for.
        case accept(Value)
        /// It is not, and may be another time: the reason completes a sentence whose subject is the URL.
        case retry(String)
        /// It is not, and hardly will be: it is asked for once more only.
        case refuse(String)
    }

    /// What is told about each wait, so that progress can show it: URL, reason, seconds.
    public typealias Notice = @Sendable (_ url: WebURL, _ reason: String, _ seconds: Double) -> Void

    private let client: Client
    private let policy: RetryPolicy
    private let pause = Pause()
    private let turns: Turns?
    // Whether any answer has come.
    private let hasAnswered = Guarded(false)
    private let repeats = Guarded(Repeats())
    private let notice: Notice
    private let clock: Clock
    private let random: @Sendable () -> Double

    /// A patient client around one that tries once. Tests replace `clock` and `random`.
    /// - Parameter turns: when requests that are counted may go; nil for at once.
    public init(
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
    /// Where tasks that mostly wait for answers run best; nil for anywhere.
    public var executor: (any TaskExecutor)? { client.executor }

    /// Sends the request until an answer is accepted, or no further attempt can help.
    ///
    /// Statuses 200 to 299, 304 and 404 are answers and go to `judge`; the others are faults by `RetryPolicy`.
    /// - Throws: the last fault, its reason ending in the number of attempts where there were several.
    public func send<Value: Sendable>(
        _ request: Request, judge: @Sendable (Response) async throws(HTTPError) -> Verdict<Value>
    ) async throws(HTTPError) -> Value {
        var attempt = 1
        while true {
            try await waitForTurn(request)
            let fault: HTTPError
            var asked = 0
            var isRefusal = false
            do throws(HTTPError) {
                let response = try await counted(request)
                hasAnswered.withLock { $0 = true }
                asked = response.retryAfter
                isRefusal = refuses(response, request)
                var isAccepted = false
                defer { if !isAccepted { response.body.discard() } }
                switch try await verdict(on: response, for: request, judge: judge) {
                case .accept(let value):
                    isAccepted = true
                    repeats.withLock { $0.accepted += 1 }
                    return value
                case .retry(let reason): fault = HTTPError(.content, url: request.url.text, reason: reason)
                case .refuse(let reason): fault = HTTPError(.refused, url: request.url.text, reason: reason)
                }
            } catch {
                fault = error
            }
            // The others are held even where this request has had its last attempt.
            if asked > 0, asked <= policy.maximumRetryAfter { pause.extend(to: clock.now() + Double(asked)) }
            let attempts =
                isRefusal
                ? policy.attempts : policy.attempts(for: fault.cause, hasAnswered: hasAnswered.withLock { $0 })
            guard attempt < attempts, isRefusal || repeats.withLock({ $0.take(fault.cause) }) else {
                throw Self.last(fault, attempts: attempt)
            }
            guard asked <= policy.maximumRetryAfter else {
                throw HTTPError(
                    fault.cause, url: fault.url,
                    reason:
                        "\(fault.reason), and asks to wait \(asked) seconds, longer than the "
                        + "\(policy.maximumRetryAfter) allowed; run again later"
                )
            }
            let refused = isRefusal ? turns?.budget.refusalDelay ?? 0 : 0
            let delay = max(policy.delay(afterAttempt: attempt, random: random()), Double(asked), refused)
            try await wait(
                delay, request.url,
                isRefusal ? "\(fault.reason) without a word, so there were too many calls" : fault.reason)
            attempt += 1
        }
    }

    private func verdict<Value: Sendable>(
        on response: Response, for request: Request,
        judge: @Sendable (Response) async throws(HTTPError) -> Verdict<Value>
    ) async throws(HTTPError) -> Verdict<Value> {
        if case 200..<300 = response.status { return try await judge(response) }
        if response.status == 304 || response.status == 404 { return try await judge(response) }
        throw HTTPError(.status(response.status), url: request.url.text, reason: "answered status \(response.status)")
    }

    private func waitForPause(_ url: WebURL) async throws(HTTPError) {
        while let seconds = pause.secondsLeft(now: clock.now()) {
            try await wait(seconds, url, "the server asked all to wait")
        }
    }

    /// Waits while all have to, and for a call that is counted until it is its turn. Neither is known before both are.
    private func waitForTurn(_ request: Request) async throws(HTTPError) {
        while true {
            try await waitForPause(request.url)
            guard request.isCounted, let turns, let seconds = turns.begin(now: clock.now()) else { return }
            turns.wait(1)
            defer { turns.wait(-1) }
            // Not told as a wait: nothing is wrong.
            try await sleep(seconds, request.url)
        }
    }

    /// Sends a request, and says when it is over where it is counted.
    private func counted(_ request: Request) async throws(HTTPError) -> Response {
        guard request.isCounted, let turns else { return try await client.send(request) }
        do throws(HTTPError) {
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

    /// Whether an answer says that there were too many calls.
    private func refuses(_ response: Response, _ request: Request) -> Bool {
        guard request.isCounted, let turns else { return false }
        return response.status == turns.budget.refusal && response.body.size == 0
    }

    private func wait(_ seconds: Double, _ url: WebURL, _ reason: String) async throws(HTTPError) {
        notice(url, reason, seconds)
        try await sleep(seconds, url)
    }

    private func sleep(_ seconds: Double, _ url: WebURL) async throws(HTTPError) {
        guard seconds > 0 else { return }
        do {
            try await clock.sleep(seconds)
        } catch {
            throw HTTPError(.cancelled, url: url.text, reason: "cancelled while waiting to try again")
        }
    }

    private static func last(_ fault: HTTPError, attempts: Int) -> HTTPError {
        guard attempts > 1 else { return fault }
        return HTTPError(fault.cause, url: fault.url, reason: "\(fault.reason) (\(attempts) attempts)")
    }
}
