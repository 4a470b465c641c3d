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
        /// Raised by a reset, so that requests still in flight do not end in the new log.
        var round = 0
    }

    private let state = Guarded(State())

    /// - Parameter isKept: whether it is written down: 200,000 requests are, of at most 256 bytes.
    /// - Returns: what is to be called with the status when the request is answered.
    func begin(_ request: ServerRequest, _ kind: String, isKept: Bool) -> @Sendable (_ status: Int) -> Void {
        let (target, ifNoneMatch) = (request.target, request.header("If-None-Match"))
        let (round, index) = state.withLock { state -> (Int, Int?) in
            state.stats.requests[kind, default: 0] += 1
            let flying = state.flying[kind, default: 0] + 1
            state.flying[kind] = flying
            state.stats.mostInFlight[kind] = max(flying, state.stats.mostInFlight[kind] ?? 0)

            let size = target.utf8.count + (ifNoneMatch?.utf8.count ?? 0)
            guard isKept, size <= 256, state.entries.count < 200_000 else { return (state.round, nil) }
            state.entries.append(
                LoggedRequest(target: target, kind: kind, ifNoneMatch: ifNoneMatch, start: request.start - state.origin)
            )
            return (state.round, state.entries.count - 1)
        }
        return { [state] status in
            state.withLock { state in
                guard round == state.round else { return }
                state.flying[kind, default: 1] -= 1
                state.stats.status[status, default: 0] += 1
                guard let index else { return }
                state.entries[index].end = ContinuousClock.now - state.origin
                state.entries[index].status = status
            }
        }
    }

    func reset() {
        state.withLock { state in
            let round = state.round + 1
            state = State()
            state.round = round
        }
    }

    // Copied with the lock held: ThreadSanitizer does not see how an array's sharers are counted, and takes the next
    // append in place for a race with a reader that has let go of it.
    var entries: [LoggedRequest] { state.withLock { $0.entries.map(\.self) } }
    var stats: Stats { state.withLock { $0.stats } }
}

extension Journal {
    /// Requests and the most in flight by kind, answers by status, and the pages of each list in the order asked, with
    /// start and end in seconds.
    var report: [UInt8] {
        let stats = stats
        var json = JSONWriter()
        json.raw("{")
        json.counts("requests", stats.requests)
        json.counts("most_in_flight", stats.mostInFlight)
        json.counts("status", [String: Int](uniqueKeysWithValues: stats.status.map { (String($0), $1) }))
        json.key("pages")
        json.raw("[")
        for entry in entries where entry.kind.hasSuffix("_page") {
            guard let end = entry.end else { continue }
            let query = entry.target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
            let page = Percent.pairs(query).first { $0.name == "page" }.flatMap { Percent.leadingInteger($0.value) }
            json.open("{")
            json("list", String(entry.kind.dropLast(5)))
            json("page", page ?? 1)
            json("start", raw: Self.seconds(entry.start))
            json("end", raw: Self.seconds(end))
            json("status", entry.status)
            json.raw("}")
        }
        json.raw("]}")
        return json.bytes
    }

    /// With four decimals.
    private static func seconds(_ time: Duration) -> String {
        let tenths = max(0, Int(time / .microseconds(100)))
        return "\(tenths / 10_000).\((tenths % 10_000).padded(4))"
    }
}

extension JSONWriter {
    fileprivate mutating func counts(_ name: String, _ counts: [String: Int]) {
        key(name)
        raw("{")
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) { self(name, count) }
        raw("}")
    }
}
