import Foundation
import Platform
import TestSupport
import Testing

@testable import HTTP

/// A server with a limit of its own and a clock out of thin air: time passes where somebody waits, and what is sent is
/// noted.
private final class Counter: Sendable {
    private struct State {
        var script: [(status: Int, body: [UInt8])]
        var now = 0.0
        var sent: [Double] = []
        var reasons: [String] = []
    }

    private let state: Guarded<State>
    let turns: Turns
    let client: PatientClient

    /// - Parameters:
    ///   - limit: calls within so many seconds, beyond which the server refuses; refused ones count.
    ///   - script: the answers; the last repeats.
    init(
        _ budget: CallBudget, attempts: Int = 3, limit: (calls: Int, seconds: Double)? = nil,
        _ script: (status: Int, body: [UInt8])...
    ) {
        let state = Guarded(State(script: script))
        let turns = Turns(budget)
        let server = Client { (request) async throws(HTTPError) in
            let answer = state.withLock { state -> (status: Int, body: [UInt8]) in
                // The way there and the way back take a moment each.
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
        self.turns = turns
        client = PatientClient(server, policy: policy, turns: turns, clock: clock, random: { 1 }) { _, reason, _ in
            state.withLock { $0.reasons.append(reason) }
        }
    }

    var now: Double { state.withLock { $0.now } }
    var sent: [Double] { state.withLock { $0.sent } }
    var reasons: [String] { state.withLock { $0.reasons } }

    func send(isCounted: Bool = true) async throws -> Int {
        let url = try #require(WebURL("http://api.test/search"))
        return try await client.send(Request(url, isCounted: isCounted)) { .accept($0.status) }
    }
}

@Suite("Turns")
struct TurnsTests {
    @Test(
        "leave no stretch of time with more calls than the server takes, however close its limit is",
        arguments: [1, 2, 7, 20])
    func budget(calls: Int) async throws {
        let counter = Counter(CallBudget(callsPerMinute: calls, refusal: 403), limit: (calls, 60), (200, [1]))
        for _ in 0..<calls * 4 { #expect(try await counter.send() == 200) }
        #expect(counter.reasons.isEmpty, "nothing was refused")
        #expect(counter.sent.count == calls * 4)
        // Nor does anybody wait for nothing.
        #expect(counter.now < 3 * 61 + Double(calls) * 0.1, "\(counter.now)")
    }

    @Test("count a call that is under way, and give its turn on when it is answered")
    func underWay() {
        let turns = Turns(CallBudget(callsPerMinute: 2))
        #expect(turns.begin(now: 0) == nil && turns.begin(now: 0) == nil)
        #expect(turns.begin(now: 100).map { $0 < 1 } == true, "both are under way still")
        turns.end(now: 100, isTaken: true)
        #expect(turns.begin(now: 101) == 59.5)
        turns.end(now: 130, isTaken: true)
        #expect(turns.begin(now: 160.5) == nil)
        #expect(turns.begin(now: 160.5) == 30)
    }

    @Test("A server that takes fewer calls than is said is asked as often as it takes, and nothing is lost")
    func lessThanSaid() async throws {
        let counter = Counter(
            CallBudget(callsPerMinute: 100_000, refusal: 403, refusalDelay: 2.2), attempts: 5, limit: (6, 2), (200, [1])
        )
        for _ in 0..<60 { #expect(try await counter.send() == 200) }
        #expect(counter.sent.count < 64, "\(counter.sent.count - 60) refusals")
        #expect(counter.now < 40, "\(counter.now)")
    }

    @Test("are waited for anew where all are told to wait meanwhile")
    func heldMeanwhile() {
        let turns = Turns(CallBudget(callsPerMinute: 1, refusal: 403, refusalDelay: 300))
        #expect(turns.begin(now: 0) == nil)
        turns.end(now: 0, isTaken: true)
        #expect(turns.begin(now: 1) == 59.5)
        turns.refuse(now: 30)
        #expect(turns.begin(now: 60.5) == 269.5)
    }

    @Test("tell about how long it takes until the last who waits has one")
    func secondsLeft() {
        let turns = Turns(CallBudget(callsPerMinute: 2))
        for _ in 0..<2 {
            _ = turns.begin(now: 0)
            turns.end(now: 0, isTaken: true)
        }
        #expect(turns.secondsLeft(now: 10, more: 5) == 0, "nobody waits")
        turns.wait(1)
        #expect(turns.secondsLeft(now: 10, more: 0) == 50.5)
        #expect(turns.secondsLeft(now: 10, more: 1) == 50.5 && turns.secondsLeft(now: 10, more: 2) == 111)
    }

    @Test("are taken by what is counted alone")
    func uncounted() async throws {
        let counter = Counter(CallBudget(callsPerMinute: 2), (200, [1]))
        for _ in 0..<2 { _ = try await counter.send() }
        for _ in 0..<50 { _ = try await counter.send(isCounted: false) }
        #expect(counter.now < 2)
        _ = try await counter.send()
        #expect(counter.now > 60 && counter.reasons.isEmpty)
    }

    @Test("are taken again by what is asked again")
    func retries() async throws {
        let counter = Counter(CallBudget(callsPerMinute: 2), (503, [1]), (503, [1]), (200, [1]))
        #expect(try await counter.send() == 200)
        #expect(counter.sent.count == 3 && counter.sent[2] >= 60)
    }

    @Test("A refusal without a body is waited for, and asked again as often as is tried at all")
    func refusal() async throws {
        let budget = CallBudget(callsPerMinute: 20, refusal: 403, refusalDelay: 30)
        let passing = Counter(budget, attempts: 4, (403, []), (403, []), (403, []), (200, [1]))
        #expect(try await passing.send() == 200)
        #expect(passing.sent.count == 4 && zip(passing.sent, passing.sent.dropFirst()).allSatisfy { $1 - $0 >= 30 })
        #expect(passing.reasons.first == "answered status 403 without a word, so there were too many calls")
        let lasting = Counter(budget, attempts: 4, (403, []))
        await #expect(
            throws: HTTPError(.status(403), url: "http://api.test/search", reason: "answered status 403 (4 attempts)")
        ) {
            try await lasting.send()
        }
        // All others are held as well.
        #expect(lasting.turns.begin(now: lasting.now).map { $0 > 29 } == true)
    }

    @Test("A refusal with a word, of what is not counted, or where none is known, is like any other")
    func others() async throws {
        let known = CallBudget(callsPerMinute: 20, refusal: 403, refusalDelay: 30)
        for (budget, body, isCounted) in [
            (known, [UInt8(1)], true), (known, [], false), (CallBudget(callsPerMinute: 20, refusalDelay: 30), [], true),
        ] {
            let counter = Counter(budget, attempts: 4, (403, body))
            await #expect(
                throws: HTTPError(
                    .status(403), url: "http://api.test/search", reason: "answered status 403 (2 attempts)")
            ) {
                try await counter.send(isCounted: isCounted)
            }
            #expect(counter.now < 2 && counter.turns.begin(now: counter.now) == nil)
        }
    }
}
