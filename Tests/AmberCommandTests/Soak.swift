import Foundation

/// How long `make soak` goes on, from the environment that it sets.
enum Soak {
    /// Minutes for all; nil where nobody soaks.
    static let minutes = ProcessInfo.processInfo.environment["AMBER_SOAK_MINUTES"].flatMap(Double.init)
    /// How many rounds of each kind at least.
    static let least = ProcessInfo.processInfo.environment["AMBER_SOAK_KILLS"].flatMap(Int.init) ?? 0

    /// When one of the two kinds of rounds has had its half, from now.
    static func end() -> ContinuousClock.Instant { .now + .seconds(30 * (minutes ?? 0)) }
}
