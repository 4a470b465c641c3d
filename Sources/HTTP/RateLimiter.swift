import Platform

/// Limits the rate of calls to a server.
///
/// The server may count a call at any time between its sending and its answer. So a call counts from its sending until
/// one period after its answer. If the server refuses a call, nothing is sent until the refusal delay is over. After
/// that, the limit is the number of calls that the server accepted within one refusal delay before the refusal.
public final class RateLimiter: Sendable {
    package let rateLimit: RateLimit

    private struct State {
        var calls: Int
        var seconds: Double
        /// The times of the answers to calls that still count, oldest first.
        var answered: [Double] = []
        var inFlight = 0
        var waiting = 0
        var blockedUntil = 0.0
        /// The times of the answers to accepted calls.
        var accepted: [Double] = []
    }

    private let state: Locked<State>

    /// Seconds added to a period of the server, because two clocks never agree exactly.
    private static func margin(_ seconds: Double) -> Double { min(0.5, seconds / 20) }
    /// The seconds until the next attempt if all counted calls are in flight.
    private static let pollInterval = 0.05

    package init(_ rateLimit: RateLimit) {
        self.rateLimit = rateLimit
        state = Locked(
            State(calls: max(1, rateLimit.calls), seconds: rateLimit.seconds + Self.margin(rateLimit.seconds)))
    }

    /// Counts a call if it may be sent now.
    /// - Returns: nil if the call may be sent. Then `end` is called after the answer. Otherwise, the seconds to wait.
    func begin(now: Double) -> Double? {
        state.withLock { state in
            guard now >= state.blockedUntil else { return state.blockedUntil - now }
            state.answered.removeAll { $0 + state.seconds <= now }
            guard state.answered.count + state.inFlight >= state.calls else {
                state.inFlight += 1
                return nil
            }
            return state.answered.first.map { $0 + state.seconds - now } ?? Self.pollInterval
        }
    }

    func end(now: Double, isAccepted: Bool) {
        state.withLock { state in
            state.inFlight -= 1
            state.answered.append(now)
            if isAccepted, rateLimit.refusalDelay > 0 {
                state.accepted.removeAll { $0 + rateLimit.refusalDelay <= now }
                state.accepted.append(now)
            }
        }
    }

    /// Blocks all calls for the refusal delay, because the server refused one, and lowers the limit.
    func recordRefusal(now: Double) {
        guard rateLimit.refusalDelay > 0 else { return }
        state.withLock { state in
            state.blockedUntil = max(state.blockedUntil, now + rateLimit.refusalDelay)
            let accepted = max(1, state.accepted.count { $0 + rateLimit.refusalDelay > now })
            let seconds = rateLimit.refusalDelay + Self.margin(rateLimit.refusalDelay)
            guard Double(accepted) / seconds < Double(state.calls) / state.seconds else { return }
            (state.calls, state.seconds) = (accepted, seconds)
        }
    }

    func changeWaiting(by change: Int) { state.withLock { $0.waiting += change } }

    /// The estimated seconds until all waiting calls are sent.
    /// - Parameter more: the number of further calls that are known to follow.
    package func secondsLeft(now: Double, more: Int) -> Double {
        state.withLock { state in
            // If no call waits, the limit is not reached.
            guard state.waiting > 0 else { return 0 }
            let counted = state.answered + Array(repeating: now, count: state.inFlight)
            let position = state.waiting + more - max(0, state.calls - counted.count)
            guard position > 0, !counted.isEmpty else { return max(0, state.blockedUntil - now) }
            let oldest = counted[min((position - 1) % state.calls, counted.count - 1)]
            return max(state.blockedUntil, oldest + state.seconds) - now + Double((position - 1) / state.calls)
                * state.seconds
        }
    }
}

/// The number of calls that a server allows in any period, and the status with which it refuses further calls.
public struct RateLimit: Sendable, Equatable {
    package var calls: Int
    /// The length of the period.
    package var seconds: Double
    /// The status that, in an answer without a body, means too many calls; nil if the server has no such status.
    package var refusalStatus: Int?
    /// The seconds to wait after such an answer.
    package var refusalDelay: Double

    package init(calls: Int, seconds: Double = 60, refusalStatus: Int? = nil, refusalDelay: Double = 60) {
        self.calls = calls
        self.seconds = seconds
        self.refusalStatus = refusalStatus
        self.refusalDelay = refusalDelay
    }
}
