import Foundation

/// The duration of `make soak`, from environment variables.
public enum Soak {
    /// The minutes in total; nil in `make test`.
    public static let minutes = ProcessInfo.processInfo.environment["AMBER_SOAK_MINUTES"].flatMap(Double.init)
    /// The minimum number of rounds of each kind.
    public static let minimumRounds = ProcessInfo.processInfo.environment["AMBER_SOAK_KILLS"].flatMap(Int.init) ?? 0

    /// The end of the rounds of one kind, which take half of the time.
    public static func end() -> ContinuousClock.Instant { .now + .seconds(30 * (minutes ?? 0)) }

    /// Whether few rounds are asked for, as in CI.
    public static let isShort = minutes == 0 && minimumRounds < 100

    /// All cases in `make soak`, and the chosen ones in `make test`.
    public static func all<Case>(_ cases: [Case], orOnly isChosen: (Case) -> Bool) -> [Case] {
        minutes == nil ? cases.filter(isChosen) : cases
    }

    /// All cases in `make soak`, the chosen ones in `make test`, and a random third of the others in a short soak.
    public static func many<Case>(_ cases: [Case], orOnly isChosen: (Case) -> Bool) -> [Case] {
        guard isShort else { return all(cases, orOnly: isChosen) }
        let others = cases.filter { !isChosen($0) }
        return stride(from: Int.random(in: 0..<3), to: others.count, by: 3).map { others[$0] }
    }
}
