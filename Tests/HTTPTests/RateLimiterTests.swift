import Foundation
import Platform
import TestSupport
import Testing

@testable import HTTP

/// A server with its own limit, and an artificial clock. Waits take no real time.
private final class Counter: Sendable {
    private struct State {
        var script: [(status: Int, body: [UInt8])]
        var now = 0.0
        var sent: [Double] = []
        var reasons: [String] = []
    }

    private let state: Locked<State>
    let rateLimiter: RateLimiter
    let client: RetryingClient

    /// - Parameters:
    ///   - limit: calls in a number of seconds, after which the server refuses; refused calls count.
    ///   - script: the answers; the last one repeats.
    init(
        _ rateLimit: RateLimit, attempts: Int = 3, limit: (calls: Int, seconds: Double)? = nil,
        _ script: (status: Int, body: [UInt8])...
    ) {
        let state = Locked(State(script: script))
        let rateLimiter = RateLimiter(rateLimit)
        let server = Client { (request) async throws(HTTPError) in
            let answer = state.withLock { state -> (status: Int, body: [UInt8]) in
                // The request and the response each take some time.
                state.now += 0.01
                defer { state.now += 0.01 }
                state.sent.append(state.now)
                if let limit, state.sent.count(where: { $0 > state.now - limit.seconds }) > limit.calls {
                    return (403, [])
                }
                return state.script.count > 1 ? state.script.removeFirst() : state.script[0]
            }
            return Response(
                status: answer.status, rawHeaders: [], body: .bytes(answer.body), url: request.url, received: 0)
        }
        let clock = HTTP.Clock(
            now: { state.withLock { $0.now } }, sleep: { seconds in state.withLock { $0.now += seconds } })
        var policy = RetryPolicy()
        policy.attempts = attempts
        self.state = state
        self.rateLimiter = rateLimiter
        client = RetryingClient(server, policy: policy, rateLimiter: rateLimiter, clock: clock, random: { 1 }) {
            _, reason, _ in
            state.withLock { $0.reasons.append(reason) }
        }
    }

    var now: Double { state.withLock { $0.now } }
    var sent: [Double] { state.withLock { $0.sent } }
    var reasons: [String] { state.withLock { $0.reasons } }

    func send(isCounted: Bool = true) async throws -> Int {
        let url = try #require(WebURL("http://api.test/search"))
        return try await client.send(Request(url, priority: isCounted ? .urgent : .bulk)) { $0.status }
    }
}

struct RateLimiterTests {
    @Test(
        arguments: [1, 2, 7, 20])
    func `No second and no minute has more calls than the limit`(calls: Int) async throws {
        for period in [1.0, 60] {
            let limit = RateLimit(calls: calls, seconds: period, refusalStatus: 403)
            let counter = Counter(limit, limit: (calls, period), (200, [1]))
            for _ in 0..<calls * 4 { #expect(try await counter.send() == 200) }
            #expect(counter.reasons.isEmpty, "nothing was refused")
            #expect(counter.sent.count == calls * 4)
            // No call waits unnecessarily.
            #expect(counter.now < 3.3 * period + Double(calls) * 0.1, "\(counter.now)")
        }
    }

    @Test func `A call counts while it is in flight and until a minute after its answer`() {
        let rateLimiter = RateLimiter(RateLimit(calls: 2))
        #expect(rateLimiter.begin(now: 0) == nil && rateLimiter.begin(now: 0) == nil)
        #expect(rateLimiter.begin(now: 100).map { $0 < 1 } == true, "both are still in flight")
        rateLimiter.end(now: 100, isAccepted: true)
        #expect(rateLimiter.begin(now: 101) == 59.5)
        rateLimiter.end(now: 130, isAccepted: true)
        #expect(rateLimiter.begin(now: 160.5) == nil)
        #expect(rateLimiter.begin(now: 160.5) == 30)
    }

    @Test func `If the server has a lower limit, calls use that limit and none fails`() async throws {
        let counter = Counter(
            RateLimit(calls: 100_000, refusalStatus: 403, refusalDelay: 2.2), attempts: 5, limit: (6, 2),
            (200, [1])
        )
        for _ in 0..<60 { #expect(try await counter.send() == 200) }
        #expect(counter.sent.count < 64, "\(counter.sent.count - 60) refusals")
        #expect(counter.now < 40, "\(counter.now)")
    }

    @Test func `A refusalStatus makes waiting calls wait again`() {
        let rateLimiter = RateLimiter(RateLimit(calls: 1, refusalStatus: 403, refusalDelay: 300))
        #expect(rateLimiter.begin(now: 0) == nil)
        rateLimiter.end(now: 0, isAccepted: true)
        #expect(rateLimiter.begin(now: 1) == 59.5)
        rateLimiter.recordRefusal(now: 30)
        #expect(rateLimiter.begin(now: 60.5) == 269.5)
    }

    @Test func `The remaining time ends when the last waiting call is sent`() {
        let rateLimiter = RateLimiter(RateLimit(calls: 2))
        for _ in 0..<2 {
            _ = rateLimiter.begin(now: 0)
            rateLimiter.end(now: 0, isAccepted: true)
        }
        #expect(rateLimiter.secondsLeft(now: 10, more: 5) == 0, "no call waits")
        rateLimiter.changeWaiting(by: 1)
        #expect(rateLimiter.secondsLeft(now: 10, more: 0) == 50.5)
        #expect(rateLimiter.secondsLeft(now: 10, more: 1) == 50.5 && rateLimiter.secondsLeft(now: 10, more: 2) == 111)
    }

    @Test func `Uncounted requests do not use the limit`() async throws {
        let counter = Counter(RateLimit(calls: 2), (200, [1]))
        for _ in 0..<2 { _ = try await counter.send() }
        for _ in 0..<50 { _ = try await counter.send(isCounted: false) }
        #expect(counter.now < 2)
        _ = try await counter.send()
        #expect(counter.now > 60 && counter.reasons.isEmpty)
    }

    @Test func `A retry counts as a call`() async throws {
        let counter = Counter(RateLimit(calls: 2), (503, [1]), (503, [1]), (200, [1]))
        #expect(try await counter.send() == 200)
        #expect(counter.sent.count == 3 && counter.sent[2] >= 60)
    }

    @Test func `After a refusalStatus without a body, the call is retried up to the number of attempts`() async throws {
        let rateLimit = RateLimit(calls: 20, refusalStatus: 403, refusalDelay: 30)
        let passing = Counter(rateLimit, attempts: 4, (403, []), (403, []), (403, []), (200, [1]))
        #expect(try await passing.send() == 200)
        #expect(passing.sent.count == 4 && zip(passing.sent, passing.sent.dropFirst()).allSatisfy { $1 - $0 >= 30 })
        #expect(passing.reasons.first == "answered status 403 without a body, which means too many calls")
        let lasting = Counter(rateLimit, attempts: 4, (403, []))
        await #expect(
            throws: HTTPError(.status(403), url: "http://api.test/search", reason: "answered status 403 (4 attempts)")
        ) {
            try await lasting.send()
        }
        // All other calls wait too.
        #expect(lasting.rateLimiter.begin(now: lasting.now).map { $0 > 29 } == true)
    }

    @Test func `A refusalStatus with a body is retried like any other error`() async throws {
        let known = RateLimit(calls: 20, refusalStatus: 403, refusalDelay: 30)
        for (rateLimit, body, isCounted) in [
            (known, [UInt8(1)], true), (known, [], false), (RateLimit(calls: 20, refusalDelay: 30), [], true),
        ] {
            let counter = Counter(rateLimit, attempts: 4, (403, body))
            await #expect(
                throws: HTTPError(
                    .status(403), url: "http://api.test/search", reason: "answered status 403 (2 attempts)")
            ) {
                try await counter.send(isCounted: isCounted)
            }
            #expect(counter.now < 2 && counter.rateLimiter.begin(now: counter.now) == nil)
        }
    }
}
