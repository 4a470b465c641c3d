/// The passing of time, as a seam: tests let it pass at once.
public struct Clock: Sendable {
    /// Seconds since some fixed moment, never going back.
    public var now: @Sendable () -> Double
    /// Waits that many seconds; throws when the task is cancelled meanwhile.
    public var sleep: @Sendable (Double) async throws -> Void

    /// A clock made of its two functions.
    public init(now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (Double) async throws -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// The machine's clock.
    public static let system = Clock(
        now: { ContinuousClock.now.duration(to: origin) / .seconds(-1) },
        sleep: { try await Task.sleep(for: .seconds($0)) })

    private static let origin = ContinuousClock.now
}
