public import Archive
public import HTTP
import Platform

/// The limits of a capture.
public struct CaptureSettings: Sendable {
    /// The API's address, without a slash at the end.
    package var api: String
    package var waveWidth = 3
    /// The most cards under assembly; a walk waits while there are as many.
    package var openCards = 256
    package var maximumDocument = 32 << 20
    package var maximumPicture = 16 << 20
    package var maximumPixels = 40_000_000
    /// The most bytes of answers that a capture keeps, headers and those of the interrupted capture that it continues
    /// included.
    package var maximumCapture = 50_000_000_000
    /// The most records of a capture, named ones included. Each takes about 150 bytes of memory.
    package var maximumRecords = 1_500_000
    package var maximumRecordsPerAnswer = 25_000
    /// The most references of the records of one answer. A record that exceeds it is refused.
    package var maximumReferencesPerAnswer = 50_000
    /// The most records that no list brings: each may name others, forever.
    package var maximumExtras = 250_000
    /// An interrupted capture is continued if it began at most this many seconds ago.
    package var resumeWithin = 86_400.0
    /// The calls that the server allows, without pictures; nil for no limit.
    package var budget: CallBudget?
    /// Seconds without an accepted answer after which the capture gives up.
    package var patience = 600.0
    /// Whether documents are requested on the condition that they have changed. If a server's entity tags do not change
    /// with the content, its lists contradict one another; without conditions they do not.
    package var asksConditionally = true

    package init(api: String) {
        self.api = api
    }
}

/// Why a capture has no complete revision. What was received is kept, and the next capture continues from there.
public enum CaptureError: Error, Sendable, CustomStringConvertible {
    /// The API was not reached at all: name, connection, TLS or time-out, and no answer before it.
    case unreachable(HTTPError)
    /// Something is missing without which the revision would have a silent hole.
    case incomplete(String)
    /// Everything that had content before is empty: the server is probably ill. Nothing of it is kept.
    case empty(String)
    /// A list changed while it was walked; the next capture starts over.
    case moved(String)
    /// The archive cannot be written.
    case archive(ArchiveError)
    /// An answer cannot be written to this machine's disk.
    case disk(HTTPError)
    case cancelled

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .unreachable(let error): "the API cannot be reached: \(error)"
        case .incomplete(let reason), .empty(let reason): "the capture is not complete: \(reason)"
        case .moved(let reason): "the API changed during the capture: \(reason); run again"
        case .archive(let error): "\(error)"
        case .disk(let error): "the capture cannot go on: \(error)"
        case .cancelled: "the capture was interrupted; what came in is kept, and the next run goes on from there"
        }
    }
}

/// The result of a capture.
public struct CaptureReport: Sendable {
    package let revision: Revision
    package let isUnchanged: Bool
    package let records: [String: Int]
    /// The number of pictures; one that several records show counts once.
    package let pictures: Int
    package let gaps: [Gap]
    /// Numbers from 1 to the highest that no record of the kind has.
    package let absent: [RecordKey]
}

/// Counts what a capture does, for who shows it. Read from any thread.
public final class CaptureProgress: Sendable {
    /// What has been counted so far.
    public struct Counts: Sendable, Equatable {
        package var requests = 0
        package var bytes = 0
        package var pages = 0
        package var pagesClaimed = 0
        package var cards = 0
        package var cardsClaimed = 0
        /// Answers of an interrupted capture that were not requested again.
        package var kept = 0
        package var confirmed = 0
        package var waiting: String?
        /// The answers of any kind that came from the server.
        package var answers = 0
    }

    private let counts = Guarded(Counts())
    private let turns = Guarded<(turns: Turns, clock: Clock)?>(nil)
    /// When an answer was accepted last; nil once nothing more is requested.
    private let acceptedAt = Guarded<ContinuousClock.Instant?>(.now)

    package init() {}

    package var current: Counts { counts.withLock { $0 } }

    /// About how many seconds it takes until the last call has its turn, those included that are known to follow; 0
    /// where none waits.
    package var secondsToLastTurn: Double {
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

    /// Nothing more will be requested.
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
