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

    private static let passing: [HTTPError.Cause] =
        [.connect, .timeout, .truncated, .protocolFault, .descriptors] + [408, 429, 502, 503, 504].map { .status($0) }
    private static let doubtful: [HTTPError.Cause] =
        [.refused] + [400, 401, 403, 410, 418, 500, 501, 599, 999].map { .status($0) }
    private static let lasting: [HTTPError.Cause] =
        [.disk, .cancelled] + [101, 300, 301, 305, 399].map { .status($0) }

    @Test(
        "gives faults that pass five attempts, those that hardly will two, and the others one",
        arguments: [false, true])
    func attempts(hasAnswered: Bool) {
        let attempts = { (causes: [HTTPError.Cause]) in
            Set(causes.map { policy.attempts(for: $0, hasAnswered: hasAnswered) })
        }
        #expect(attempts(Self.passing) == [5])
        #expect(attempts(Self.doubtful) == [2])
        #expect(attempts(Self.lasting) == [1])
        var once = policy
        once.attempts = 1
        #expect(
            Set((Self.passing + Self.doubtful + Self.lasting).map { once.attempts(for: $0, hasAnswered: hasAnswered) })
                == [1])
    }

    @Test("ends at once where a name does not resolve and soon where TLS fails, but not once the server has answered")
    func contact() {
        #expect(
            policy.attempts(for: .name, hasAnswered: false) == 1 && policy.attempts(for: .tls, hasAnswered: false) == 2)
        #expect(
            policy.attempts(for: .name, hasAnswered: true) == 5 && policy.attempts(for: .tls, hasAnswered: true) == 5)
    }

    @Test("calls unreachable what never reached the server")
    func unreachable() {
        let causes: [HTTPError.Cause] = [
            .name, .connect, .tls, .timeout, .truncated, .status(503), .refused, .descriptors, .disk, .cancelled,
        ]
        #expect(
            causes.filter { HTTPError($0, url: "", reason: "").isUnreachable } == [.name, .connect, .tls, .timeout])
    }
}
