/// How many calls a service allows in a minute, and how it says that there were too many. Pictures do not count.
public struct CallAllowance: Sendable, Equatable {
    /// The calls in any minute.
    package let callsPerMinute: Int
    /// The status that, without a body, says that there were too many.
    package let refusal: Int

    /// An allowance.
    package init(callsPerMinute: Int, refusal: Int) {
        self.callsPerMinute = callsPerMinute
        self.refusal = refusal
    }
}
