/// What a sample server counted since it started or was reset.
public struct Stats: Sendable, Equatable {
    /// Requests by kind (see `LoggedRequest.kind`).
    public internal(set) var requests: [String: Int] = [:]

    /// The most in flight at one time, by kind.
    public internal(set) var mostInFlight: [String: Int] = [:]

    /// Answers by status; 0 where the connection was cut without one.
    public internal(set) var status: [Int: Int] = [:]
}
