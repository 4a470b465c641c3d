import Platform

/// Limits the rate of calls to what a server allows.
///
/// A call may reach the server at any moment between its sending and its answer, so it counts from its sending until the
/// period has passed since its answer. If the server says that there were too many, nothing is sent until the delay is
/// over, and from then on no more calls within such a delay than it accepted before.
public final class Turns: Sendable {
    package let budget: CallBudget

    private struct State {
        var calls: Int
        var seconds: Double
        /// When calls that still count were answered, the oldest first.
        var answered: [Double] = []
        var underWay = 0
        var waiting = 0
        var heldUntil = 0.0
        /// When calls that the server accepted were answered.
        var taken: [Double] = []
    }

    private let state: Guarded<State>

    /// Seconds beyond the server's period, because two clocks never agree exactly.
    private static let margin = 0.5
    /// Seconds after which to ask again if all calls that count are in flight.
    private static let glance = 0.05

    package init(_ budget: CallBudget) {
        self.budget = budget
        state = Guarded(State(calls: max(1, budget.calls), seconds: budget.seconds + Self.margin))
    }
}

extension Turns {
    /// - Returns: nil if the call may be sent now, and `end` has to follow; else the seconds after which to ask again.
    func begin(now: Double) -> Double? {
        state.withLock { state in
            guard now >= state.heldUntil else { return state.heldUntil - now }
            state.answered.removeAll { $0 + state.seconds <= now }
            guard state.answered.count + state.underWay >= state.calls else {
                state.underWay += 1
                return nil
            }
            return state.answered.first.map { $0 + state.seconds - now } ?? Self.glance
        }
    }

    func end(now: Double, isTaken: Bool) {
        state.withLock { state in
            state.underWay -= 1
            state.answered.append(now)
            if isTaken, budget.refusalDelay > 0 {
                state.taken.removeAll { $0 + budget.refusalDelay <= now }
                state.taken.append(now)
            }
        }
    }

    /// Holds all calls: the server says that there were too many.
    func refuse(now: Double) {
        guard budget.refusalDelay > 0 else { return }
        state.withLock { state in
            state.heldUntil = max(state.heldUntil, now + budget.refusalDelay)
            let taken = max(1, state.taken.count { $0 + budget.refusalDelay > now })
            let seconds = budget.refusalDelay + Self.margin
            guard Double(taken) / seconds < Double(state.calls) / state.seconds else { return }
            (state.calls, state.seconds) = (taken, seconds)
        }
    }

    func wait(_ change: Int) {
        state.withLock { $0.waiting += change }
    }

    /// About how many seconds it takes until the last of the waiting calls is sent, and of so many more to come.
    package func secondsLeft(now: Double, more: Int) -> Double {
        state.withLock { state in
            // Without waiting calls there is room.
            guard state.waiting > 0 else { return 0 }
            let counted = state.answered + Array(repeating: now, count: state.underWay)
            let place = state.waiting + more - max(0, state.calls - counted.count)
            guard place > 0, !counted.isEmpty else { return max(0, state.heldUntil - now) }
            let oldest = counted[min((place - 1) % state.calls, counted.count - 1)]
            return max(state.heldUntil, oldest + state.seconds) - now + Double((place - 1) / state.calls)
                * state.seconds
        }
    }
}

/// How many calls a server allows in a period, and how it says that there were too many.
public struct CallBudget: Sendable, Equatable {
    /// The calls in any period of `seconds`.
    package var calls: Int
    package var seconds: Double
    /// The status that, without a body, says that there were too many; nil if none does.
    package var refusal: Int?
    /// Seconds to wait then.
    package var refusalDelay: Double

    package init(callsPerMinute calls: Int, refusal: Int? = nil, refusalDelay: Double = 60) {
        self.calls = calls
        seconds = 60
        self.refusal = refusal
        self.refusalDelay = refusalDelay
    }
}
