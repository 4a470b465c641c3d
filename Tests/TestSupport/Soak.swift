import Foundation

/// How long `make soak` goes on, from the environment that it sets.
public enum Soak {
    /// Minutes for all; nil in `make test`.
    public static let minutes = ProcessInfo.processInfo.environment["AMBER_SOAK_MINUTES"].flatMap(Double.init)
    /// How many rounds of each kind at least.
    public static let least = ProcessInfo.processInfo.environment["AMBER_SOAK_KILLS"].flatMap(Int.init) ?? 0

    /// When one of the two kinds of rounds has had its half, from now.
    public static func end() -> ContinuousClock.Instant { .now + .seconds(30 * (minutes ?? 0)) }

    /// All cases of an exhaustive loop in `make soak`, and a few of them in `make test`.
    public static func all<Case>(_ cases: [Case], orOnly isChosen: (Case) -> Bool) -> [Case] {
        minutes == nil ? cases.filter(isChosen) : cases
    }
}
