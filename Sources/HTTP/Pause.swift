import Platform

/// The time until which a server asked not to be called, on the clock of the one who keeps it.
final class Pause: Sendable {
    private let until = Guarded<Double>(-.infinity)

    /// Seconds from now until requests may go on; nil when they may already.
    func secondsLeft(now: Double) -> Double? {
        let left = until.withLock { $0 } - now
        return left > 0 ? left : nil
    }

    func extend(to end: Double) {
        until.withLock { $0 = max($0, end) }
    }
}
