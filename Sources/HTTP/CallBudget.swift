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
