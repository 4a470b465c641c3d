import HTTP
import Platform

/// Counts what a capture does, for who shows it. Read from any thread.
public final class CaptureProgress: Sendable {
    /// What has been counted so far.
    public struct Counts: Sendable, Equatable {
        /// Requests sent, repeated ones included.
        public var requests = 0
        /// Bytes of bodies received.
        public var bytes = 0
        /// List pages in.
        public var pages = 0
        /// List pages that the lists claim.
        public var pagesClaimed = 0
        /// Cards complete.
        public var cards = 0
        /// Records that the lists claim whose cards are assembled.
        public var cardsClaimed = 0
        /// Answers of an earlier, interrupted capture that were not asked for again.
        public var kept = 0
        /// Answers that the server said still hold.
        public var confirmed = 0
        /// What is waited for, where something is.
        public var waiting: String?
        /// The answers of any kind that came from the server.
        public var answers = 0
    }

    private let counts = Guarded(Counts())
    private let turns = Guarded<(turns: Turns, clock: Clock)?>(nil)
    /// When an answer was accepted last; nil once nothing more is asked for.
    private let acceptedAt = Guarded<ContinuousClock.Instant?>(.now)

    /// Nothing counted yet.
    public init() {}

    /// What has been counted so far.
    public var current: Counts { counts.withLock { $0 } }

    /// About how many seconds it takes until the last call has its turn, those included that are known to follow; 0
    /// where none waits.
    public var secondsToLastTurn: Double {
        let counts = current
        let more = max(0, counts.pagesClaimed - counts.pages)
        return turns.withLock { $0.map { $0.turns.secondsLeft(now: $0.clock.now(), more: more) } } ?? 0
    }

    func follow(_ turns: Turns?, _ clock: Clock) {
        self.turns.withLock { $0 = turns.map { ($0, clock) } }
    }

    func count(_ change: (inout Counts) -> Void) {
        counts.withLock { change(&$0) }
    }

    func accepted() {
        acceptedAt.withLock { $0 = .now }
        count { $0.waiting = nil }
    }

    /// From here on nobody waits for the server.
    func askedForAll() {
        acceptedAt.withLock { $0 = nil }
        count { $0.waiting = nil }
    }

    /// Notes a wait: for whom, why, and how long.
    func note(_ url: WebURL, _ reason: String, _ seconds: Double) {
        count { $0.waiting = "\(url.target): \(reason); again in \(Int(seconds.rounded(.up))) s" }
    }

    var secondsSinceAccepted: Double {
        acceptedAt.withLock { $0 }.map { $0.duration(to: .now) / .seconds(1) } ?? 0
    }
}
