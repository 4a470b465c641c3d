/// Limits how many requests of a capture are sent again. Each repetition costs a wait, so a server whose answers are
/// nearly all bad would keep a capture running for days. Beyond the limit, a request is sent once only.
struct Repeats {
    /// Answers that counted.
    var accepted = 0
    private var ofContent = 0
    private var ofFaults = 0

    /// This many repetitions are always allowed.
    private static let least = 500

    /// Counts a repetition.
    /// - Parameter cause: the reason. Content is rarely damaged on its way, but an overloaded server often fails.
    /// - Returns: whether it is allowed.
    mutating func take(_ cause: HTTPError.Cause) -> Bool {
        if cause == .content || cause == .refused {
            ofContent += 1
            return ofContent <= Self.least + accepted / 1_000
        }
        ofFaults += 1
        return ofFaults <= Self.least + accepted / 20
    }
}
