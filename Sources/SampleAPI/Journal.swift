import HTTPServer
import Platform

/// A request that a sample server was asked, and when.
public struct LoggedRequest: Sendable {
    /// Path and query, as sent.
    public let target: String

    /// As counted: `character_page`, `character` (by id or ids), the same for the other kinds, `avatar`,
    /// `search`, `lookup`, `artwork`, `other`.
    public let kind: String

    /// The header of this name.
    public let ifNoneMatch: String?

    /// When it came in, since the log began.
    public let start: Duration

    /// When its answer was ready to be sent, or was broken off; nil while it is in flight.
    public internal(set) var end: Duration?

    /// The status; 0 while it is not decided, and where the connection is cut without one.
    public internal(set) var status = 0
}

/// What a sample server counted since it started or was reset.
public struct Stats: Sendable, Equatable {
    /// Requests, and the most in flight at one time, by kind (see `LoggedRequest.kind`).
    public internal(set) var requests: [String: Int] = [:], mostInFlight: [String: Int] = [:]

    /// Answers by status; 0 where the connection was cut without one.
    public internal(set) var status: [Int: Int] = [:]
}

/// What was asked of a server, counted and written down.
final class Journal: Sendable {
    private struct State {
        var origin = ContinuousClock.now
        var stats = Stats()
        var flying: [String: Int] = [:]
        var entries: [LoggedRequest] = []
    }

    private let state = Guarded(State())

    /// - Parameter isKept: whether it is written down: 200,000 requests are, of at most 256 bytes.
    /// - Returns: what is to be called with the status when the request is answered.
    func begin(_ request: ServerRequest, _ kind: String, isKept: Bool) -> @Sendable (_ status: Int) -> Void {
        let (target, ifNoneMatch) = (request.target, request.header("If-None-Match"))
        let (origin, index) = state.withLock { state -> (ContinuousClock.Instant, Int?) in
            state.stats.requests[kind, default: 0] += 1
            let flying = state.flying[kind, default: 0] + 1
            state.flying[kind] = flying
            state.stats.mostInFlight[kind] = max(flying, state.stats.mostInFlight[kind] ?? 0)

            let size = target.utf8.count + (ifNoneMatch?.utf8.count ?? 0)
            guard isKept, size <= 256, state.entries.count < 200_000 else { return (state.origin, nil) }
            state.entries.append(
                LoggedRequest(target: target, kind: kind, ifNoneMatch: ifNoneMatch, start: request.start - state.origin)
            )
            return (state.origin, state.entries.count - 1)
        }
        return { [state] status in
            state.withLock { state in
                // A request that was in flight at a reset does not end in the new log.
                guard origin == state.origin else { return }
                state.flying[kind, default: 1] -= 1
                state.stats.status[status, default: 0] += 1
                guard let index else { return }
                state.entries[index].end = ContinuousClock.now - state.origin
                state.entries[index].status = status
            }
        }
    }

    func reset() { state.withLock { $0 = State() } }

    // Copied with the lock held: ThreadSanitizer does not see how an array's sharers are counted, and takes the next
    // append in place for a race with a reader that has let go of it.
    var entries: [LoggedRequest] { state.withLock { $0.entries.map(\.self) } }
    var stats: Stats { state.withLock { $0.stats } }

    /// Requests and the most in flight by kind, answers by status, and the pages of each list in the order asked, with
    /// start and end in seconds.
    var report: [UInt8] {
        let pages = entries.compactMap { entry -> JSONObject? in
            guard entry.kind.hasSuffix("_page"), let end = entry.end else { return nil }
            let query = entry.target.split(separator: "?", maxSplits: 1).dropFirst().joined()
            let page = Percent.pairs(query).first { $0.name == "page" }.flatMap { Percent.leadingInteger($0.value) }
            return [
                "list": String(entry.kind.dropLast(5)), "page": page ?? 1, "start": Self.seconds(entry.start),
                "end": Self.seconds(end), "status": entry.status,
            ]
        }
        let report: JSONObject = [
            "requests": Self.sorted(stats.requests), "most_in_flight": Self.sorted(stats.mostInFlight),
            "status": Self.sorted(stats.status), "pages": pages,
        ]
        return report.json
    }

    private static func sorted(_ counts: [some Comparable: Int]) -> JSONObject {
        JSONObject(counts.sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) })
    }

    /// With four decimals.
    private static func seconds(_ time: Duration) -> RawJSON {
        let tenths = max(0, Int(time / .microseconds(100)))
        return RawJSON("\(tenths / 10_000).\((tenths % 10_000).padded(4))")
    }
}
