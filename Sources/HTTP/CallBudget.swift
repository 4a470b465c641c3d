import Platform

/// How many calls a server allows in a stretch of time, and how it says that there were too many.
public struct CallBudget: Sendable, Equatable {
    /// The calls in any stretch of `seconds`.
    public var calls: Int
    /// The stretch of time.
    public var seconds: Double
    /// The status that, without a body, says that there were too many; nil where none does.
    public var refusal: Int?
    /// Seconds to wait then.
    public var refusalDelay: Double

    /// A budget by the minute.
    public init(callsPerMinute calls: Int, refusal: Int? = nil, refusalDelay: Double = 60) {
        self.calls = calls
        seconds = 60
        self.refusal = refusal
        self.refusalDelay = refusalDelay
    }
}

/// Gives each call its turn, so that no stretch of time has more calls than the budget allows.
public final class Turns: Sendable {
    /// What is kept to.
    public let budget: CallBudget
    /// The moments of the newest calls, as many as the budget allows, the oldest first; some of them to come.
    private let moments = Guarded<[Double]>([])

    /// Turns by a budget; nobody has called yet.
    public init(_ budget: CallBudget) {
        self.budget = budget
    }

    /// Takes the next turn.
    /// - Returns: the seconds until then.
    func take(now: Double) -> Double {
        moments.withLock { moments in
            var turn = now
            if moments.count >= budget.calls { turn = max(now, moments.removeFirst() + budget.seconds) }
            turn = max(turn, moments.last ?? turn)
            moments.append(turn)
            return turn - now
        }
    }

    /// Holds all turns that are not taken yet: the server has had too many calls.
    func hold(until moment: Double) {
        moments.withLock { moments in
            // As if as many as are allowed had been made a stretch before that moment.
            moments = Array(repeating: moment - budget.seconds, count: max(0, budget.calls - moments.count)) + moments
            for index in moments.indices { moments[index] = max(moments[index], moment - budget.seconds) }
        }
    }

    /// The seconds until the last turn that is taken.
    public func secondsLeft(now: Double) -> Double { max(0, (moments.withLock { $0.last } ?? now) - now) }
}
