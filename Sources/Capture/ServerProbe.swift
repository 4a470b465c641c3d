import HTTP

/// Finds out whether a server is well, once for all who ask meanwhile, and remembers for a while that it was.
actor ServerProbe {
    /// Seconds for which a good answer stands.
    private static let lifetime = 5.0

    private let clock: Clock
    private var underWay: Task<Bool, Never>?
    private var lastGood: Double?

    init(clock: Clock) {
        self.clock = clock
    }

    /// Whether the server is well, by `ask`.
    func isWell(_ ask: @escaping @Sendable () async -> Bool) async -> Bool {
        if let lastGood, clock.now() - lastGood < Self.lifetime { return true }
        let task = underWay ?? Task { await ask() }
        underWay = task
        let isWell = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        // Who asked later may have begun another one.
        if underWay == task { underWay = nil }
        if isWell { lastGood = clock.now() }
        return isWell
    }
}
