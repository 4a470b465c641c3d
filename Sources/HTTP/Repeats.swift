/// How many requests are sent again in all. A server where nearly every answer has to be asked for again would keep a capture for days: each
/// repetition costs a wait. What comes first counts then.
struct Repeats {
    /// Answers that counted.
    var accepted = 0
    private var ofContent = 0
    private var ofFaults = 0

    /// So many are always sent again.
    private static let least = 500

    /// Counts a repetition.
    /// - Parameter cause: why. Bad content is rare on the way; faults of an overloaded server are not.
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
