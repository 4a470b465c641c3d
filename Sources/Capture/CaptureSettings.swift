package import Archive
public import HTTP
import Platform

/// The limits of a capture.
public struct CaptureSettings: Sendable {
    /// The API's address, without a slash at the end.
    package var api: String
    package var pagesPerWave = 3
    /// The maximum number of cards that are assembled at the same time. A walk waits while the limit is reached.
    package var openCards = 256
    /// The maximum number of bytes of a JSON document, and of a file other than a picture.
    package var maximumDocument = 32 << 20
    package var maximumPicture = 16 << 20
    package var maximumPixels = 40_000_000
    /// The maximum number of bytes that a capture stores, including headers and the answers of a resumed capture.
    package var maximumCapture = 50_000_000_000
    /// The maximum number of records of a capture, including referenced ones. Each needs up to 260 bytes of memory.
    package var maximumRecords = 1_500_000
    package var maximumRecordsPerAnswer = 25_000
    /// The maximum number of references in one answer. A record that exceeds the limit becomes a gap.
    package var maximumReferencesPerAnswer = 50_000
    /// The maximum number of records that are in no list. Without it, records could refer to further ones forever.
    package var maximumUnlistedRecords = 250_000
    /// The rate limit for documents; nil for none. Pictures do not count.
    package var rateLimit: RateLimit?
    /// The capture fails after this many seconds without an accepted answer.
    package var patience = 600.0
    /// The lists that changed during an earlier attempt, named by the paths of their first pages. They are requested
    /// without conditions: if a server's entity tags do not change with the content, a list seems to contradict itself.
    package var changedLists: Set<String> = []
    /// When the first attempt began, in milliseconds since 1970. Pages that were received since then are used again.
    package var firstAttempt = Int64.max
    /// Whether all pages of all lists are read. Otherwise only changed records of some lists are requested.
    package var readsAll = false

    package init(api: String) { self.api = api }
}

/// Why a capture has no complete revision. The next one resumes with its answers, unless a case says otherwise.
public enum CaptureError: Error, Sendable, CustomStringConvertible {
    /// The API was never reached: the name, the connection, TLS or a timeout failed before any answer.
    case unreachable(HTTPError)
    /// A required part is missing, and cannot be stored as a gap.
    case incomplete(String)
    /// All lists or searches are empty, unlike in the newest revision. The server is probably faulty: nothing is kept.
    case empty(String)
    /// A list changed while it was walked. Its pages are not kept. The list is named by the path of its first page.
    case listChanged(String, list: String = "")
    /// This machine's disk has too little room for an answer, or a write failed.
    case disk(String)
    /// A state cannot be imported.
    case notImported(String)
    case cancelled

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .unreachable(let error): "the API cannot be reached: \(error)"
        case .incomplete(let reason), .empty(let reason): "the capture is not complete: \(reason)"
        case .listChanged(let reason, _): "the API changed during the capture: \(reason); run again"
        case .disk(let reason): "the capture cannot continue: \(reason)"
        case .notImported(let reason): "the state cannot be imported: \(reason)"
        case .cancelled: "the capture was interrupted; the received answers are kept, and the next run continues"
        }
    }
}

/// The result of a capture.
public struct CaptureReport: Sendable {
    package let revision: Revision
    package let isUnchanged: Bool
    package let records: [String: Int]
    package let gaps: [Gap]
    /// Sentences for the user about lists whose changed records were requested, and about pictures that do not exist.
    package let notes: [String]
}

/// The progress of a capture, for display. It can be read from any thread.
public final class CaptureProgress: Sendable {
    /// The counts so far.
    public struct Counts: Sendable, Equatable {
        package var requests = 0
        package var pages = 0
        package var pagesClaimed = 0
        package var cards = 0
        package var cardsClaimed = 0
        /// Answers of an interrupted capture that were not requested again.
        package var kept = 0
        package var waiting: String?
        /// All answers from the server, whatever their status.
        package var answers = 0
    }

    /// `acceptedAt` is the time of the last accepted answer; nil after the last request.
    private let state = Locked<(counts: Counts, acceptedAt: ContinuousClock.Instant?)>((Counts(), .now))

    package init() {}

    package var current: Counts { state.withLock { $0.counts } }

    func count(_ change: (inout Counts) -> Void) { state.withLock { change(&$0.counts) } }

    /// - Parameter isLast: whether there are no more requests, so that the time limit between answers ends.
    func recordAcceptedAnswer(isLast: Bool = false) {
        state.withLock { state in
            state.acceptedAt = isLast ? nil : .now
            state.counts.waiting = nil
        }
    }

    /// Stores the URL, reason and length of a wait.
    func setWaiting(_ url: WebURL, _ reason: String, _ seconds: Double) {
        count { $0.waiting = "\(url.target): \(reason); next attempt in \(Int(seconds.rounded(.up))) s" }
    }

    var secondsSinceAccepted: Double {
        state.withLock { $0.acceptedAt }.map { $0.duration(to: .now) / .seconds(1) } ?? 0
    }
}
