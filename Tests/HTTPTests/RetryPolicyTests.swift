import Testing

@testable import HTTP

@Suite("A retry policy")
struct RetryPolicyTests {
    private let policy = RetryPolicy()

    @Test("doubles its wait up to the maximum")
    func growth() {
        #expect((1...8).map { policy.delay(afterAttempt: $0, random: 1) } == [1, 2, 4, 8, 16, 30, 30, 30])
        #expect(policy.delay(afterAttempt: 1_000, random: 1) == 30)
    }

    @Test("leaves half of each wait to chance, so that clients part")
    func jitter() {
        #expect((1...4).map { policy.delay(afterAttempt: $0, random: 0) } == [0.5, 1, 2, 4])
        #expect(policy.delay(afterAttempt: 3, random: 0.5) == 3)
    }

    @Test("gives faults that pass five attempts, a 500 two, and the others one")
    func attempts() {
        let passing: [HTTPError.Cause] = [.connect, .timeout, .truncated, .protocolFault] + [408, 429, 502, 503, 504].map { .status($0) }
        let lasting: [HTTPError.Cause] = [.name, .tls, .refused, .disk, .cancelled] + [301, 400, 401, 403, 410, 501].map { .status($0) }
        #expect(passing.map(policy.attempts) == passing.map { _ in 5 })
        #expect(lasting.map(policy.attempts) == lasting.map { _ in 1 })
        #expect(policy.attempts(for: .status(500)) == 2)
        var once = policy
        once.attempts = 1
        #expect(once.attempts(for: .status(500)) == 1)
    }

    @Test("calls unreachable what never reached the server")
    func unreachable() {
        let causes: [HTTPError.Cause] = [.name, .connect, .tls, .timeout, .truncated, .status(503), .refused, .disk, .cancelled]
        #expect(causes.filter { HTTPError($0, url: "", reason: "").isUnreachable } == [.name, .connect, .tls, .timeout])
    }
}
