import Foundation
import Platform
import TestSupport
import Testing

@testable import HTTP

/// A server and a clock out of thin air: time passes where somebody waits, and what is sent is noted.
private final class Counter: Sendable {
    private struct State {
        var script: [(status: Int, body: [UInt8])]
        var now = 0.0
        var sent: [Double] = []
        var waits: [Double] = []
        var reasons: [String] = []
    }

    private let state: Guarded<State>
    let turns: Turns
    let client: PatientClient

    /// - Parameter script: the answers; the last repeats.
    init(_ budget: CallBudget, attempts: Int = 3, _ script: (status: Int, body: [UInt8])...) {
        let state = Guarded(State(script: script))
        let turns = Turns(budget)
        let server = Client { (request) async throws(HTTPError) in
            let answer = state.withLock {
                $0.sent.append($0.now)
                return $0.script.count > 1 ? $0.script.removeFirst() : $0.script[0]
            }
            return Response(status: answer.status, rawHeaders: [], body: .bytes(answer.body), url: request.url, received: 0)
        }
        let clock = HTTP.Clock(
            now: { state.withLock { $0.now } },
            sleep: { seconds in
                state.withLock {
                    $0.now += seconds
                    $0.waits.append(seconds)
                }
            })
        var policy = RetryPolicy()
        policy.attempts = attempts
        self.state = state
        self.turns = turns
        client = PatientClient(server, policy: policy, turns: turns, clock: clock, random: { 1 }) { _, reason, _ in
            state.withLock { $0.reasons.append(reason) }
        }
    }

    var sent: [Double] { state.withLock { $0.sent } }
    var waits: [Double] { state.withLock { $0.waits } }
    var reasons: [String] { state.withLock { $0.reasons } }

    func send(isCounted: Bool = true) async throws -> Int {
        let url = try #require(WebURL("http://api.test/search"))
        return try await client.send(Request(url, isCounted: isCounted)) { .accept($0.status) }
    }
}

@Suite("Turns")
struct TurnsTests {
    /// Arrivals in a burst, one by one, and by chance; the same for a seed.
    private func arrivals(_ seed: UInt64) -> [Double] {
        var state = seed
        var now = 0.0
        return (0..<300).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let dice = Double(state >> 40) / Double(1 << 24)
            now += dice < 0.7 ? 0 : dice < 0.95 ? dice * 4 : dice * 90
            return now
        }
    }

    @Test("leave no stretch of 60 seconds with more calls than are allowed, whenever they are asked for", arguments: [1, 2, 7, 20], 1...5)
    func budget(calls: Int, seed: UInt64) {
        let turns = Turns(CallBudget(callsPerMinute: calls))
        var moments: [Double] = []
        for now in arrivals(seed) {
            let wait = turns.take(now: now)
            #expect(wait >= 0)
            moments.append(now + wait)
        }
        #expect(moments == moments.sorted(), "who comes first goes first")
        for (index, moment) in moments.enumerated() where index >= calls {
            #expect(moment - moments[index - calls] >= 60 - 1e-6, "\(calls) calls before \(moment)")
        }
        // Nobody waits for nothing: a wait is as long as the call that has to be a minute ago makes it.
        for (index, (moment, arrival)) in zip(moments, arrivals(seed)).enumerated() where moment > arrival {
            #expect(
                index >= calls && abs(moment - moments[index - calls] - 60) < 1e-6 || index > 0 && abs(moment - moments[index - 1]) < 1e-6)
        }
    }

    @Test("that are held are not taken before that moment, and are within the budget behind it")
    func hold() {
        let turns = Turns(CallBudget(callsPerMinute: 3))
        #expect(turns.take(now: 0) == 0)
        turns.hold(until: 100)
        let waits = (0..<5).map { _ in turns.take(now: 10) }
        #expect(waits == [90, 90, 90, 150, 150])
        #expect(turns.secondsLeft(now: 10) == 150 && turns.secondsLeft(now: 500) == 0)
        // An earlier moment frees nobody.
        turns.hold(until: 20)
        #expect(turns.take(now: 10) == 150)
        let late = Turns(CallBudget(callsPerMinute: 2))
        late.hold(until: 5)
        #expect(late.take(now: 70) == 0 && late.take(now: 70) == 0 && late.take(now: 70) == 60)
    }

    @Test("are taken by what is counted alone")
    func uncounted() async throws {
        let counter = Counter(CallBudget(callsPerMinute: 2), (200, [1]))
        for _ in 0..<2 { _ = try await counter.send() }
        for _ in 0..<50 { _ = try await counter.send(isCounted: false) }
        #expect(counter.waits.isEmpty && counter.sent.allSatisfy { $0 == 0 })
        _ = try await counter.send()
        #expect(counter.waits == [60] && counter.reasons == ["waits its turn, 2 calls a minute"])
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
        #expect(passing.sent == [0, 30, 60, 90])
        #expect(passing.reasons.first == "answered status 403 without a word, so there were too many calls")
        let lasting = Counter(budget, attempts: 4, (403, []))
        await #expect(throws: HTTPError(.status(403), url: "http://api.test/search", reason: "answered status 403 (4 attempts)")) {
            try await lasting.send()
        }
        #expect(lasting.sent == [0, 30, 60, 90])
        // All others are held as well, and none is lost.
        #expect(lasting.turns.take(now: 90) == 30)
    }

    @Test("A refusal with a word, of what is not counted, or where none is known, is like any other")
    func others() async throws {
        let known = CallBudget(callsPerMinute: 20, refusal: 403, refusalDelay: 30)
        for (budget, body, isCounted) in [
            (known, [UInt8(1)], true), (known, [], false), (CallBudget(callsPerMinute: 20, refusalDelay: 30), [], true),
        ] {
            let counter = Counter(budget, attempts: 4, (403, body))
            await #expect(throws: HTTPError(.status(403), url: "http://api.test/search", reason: "answered status 403 (2 attempts)")) {
                try await counter.send(isCounted: isCounted)
            }
            #expect(counter.waits == [1] && counter.turns.take(now: 1) == 0)
        }
    }
}
