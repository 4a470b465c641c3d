import Platform

/// Gives calls their turns, so that no stretch of time has more of them than a server allows.
///
/// Between its sending and its answer a call may reach the server at any moment, so it counts from its sending on until
/// the stretch has passed since its answer. A server that says that there were too many is believed: nothing goes
/// before the delay is over, and from then on no more goes within such a delay than it took before.
public final class Turns: Sendable {
    /// What is kept to.
    public let budget: CallBudget

    private struct State {
        /// The calls and the seconds that are kept to now.
        var calls: Int
        var seconds: Double
        /// When calls were answered that still count, the oldest first.
        var answered: [Double] = []
        var underWay = 0
        var waiting = 0
        var heldUntil = 0.0
        /// When calls were answered that the server took.
        var taken: [Double] = []
    }

    private let state: Guarded<State>

    /// More than the server's stretch, since two clocks never agree quite.
    private static let margin = 0.5
    /// So often is looked again where all calls that count are under way.
    private static let glance = 0.05

    /// Turns by a budget; nobody has called yet.
    public init(_ budget: CallBudget) {
        self.budget = budget
        state = Guarded(State(calls: max(1, budget.calls), seconds: budget.seconds + Self.margin))
    }
}

extension Turns {
    /// Takes a turn where there is one.
    /// - Returns: nil where the call may go now, and `end` has to follow; else the seconds after which to ask again.
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

    /// Says that a call was answered, or will not be.
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

    /// Holds all calls: the server has had too many.
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

    /// Counts those who wait for their turn.
    func wait(_ change: Int) {
        state.withLock { $0.waiting += change }
    }

    /// About how many seconds it takes until the last of those who wait has its turn, and as many more calls as are
    /// known to come.
    public func secondsLeft(now: Double, more: Int) -> Double {
        state.withLock { state in
            // Where nobody waits there is room.
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
