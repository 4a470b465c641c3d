import Testing

@testable import HTTP

struct RetryPolicyTests {
    private let policy = RetryPolicy()

    @Test func `The wait doubles up to the maximum`() {
        #expect((1...8).map { policy.delay(afterAttempt: $0, random: 1) } == [1, 2, 4, 8, 16, 30, 30, 30])
        #expect(policy.delay(afterAttempt: 1_000, random: 1) == 30)
    }

    @Test func `Half of each wait is random`() {
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
        arguments: [false, true])
    func `Temporary faults get five attempts, doubtful faults two and others one`(hasAnswered: Bool) {
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

    @Test func `Name and TLS faults get few attempts until the server has answered`() {
        #expect(
            policy.attempts(for: .name, hasAnswered: false) == 1 && policy.attempts(for: .tls, hasAnswered: false) == 2)
        #expect(
            policy.attempts(for: .name, hasAnswered: true) == 5 && policy.attempts(for: .tls, hasAnswered: true) == 5)
    }

    @Test func `Errors before the first byte mean that the server is unreachable`() {
        let causes: [HTTPError.Cause] = [
            .name, .connect, .tls, .timeout, .truncated, .status(503), .refused, .descriptors, .disk, .cancelled,
        ]
        #expect(
            causes.filter { HTTPError($0, url: "", reason: "").isUnreachable } == [.name, .connect, .tls, .timeout])
    }
}
