import Platform

/// What was asked of a server, counted and written down.
final class Journal: Sendable {
    /// Requests beyond this many are counted only.
    private static let most = 200_000
    /// Requests with more bytes of target and entity tag are counted only.
    private static let longest = 256

    private struct State {
        var origin = ContinuousClock.now
        var stats = Stats()
        var flying: [String: Int] = [:]
        var entries: [LoggedRequest] = []
        /// Raised by a reset, so that requests still in flight do not end in the new log.
        var round = 0
    }

    private let state = Guarded(State())

    /// Where a request was written down.
    struct Ticket: Sendable {
        fileprivate let round: Int
        fileprivate let index: Int?
        fileprivate let kind: String
    }

    func begin(_ request: LoggedRequest.Facts, keep: Bool) -> Ticket {
        state.withLock { state in
            state.stats.requests[request.kind, default: 0] += 1
            let flying = state.flying[request.kind, default: 0] + 1
            state.flying[request.kind] = flying
            state.stats.mostInFlight[request.kind] = max(flying, state.stats.mostInFlight[request.kind] ?? 0)

            let size = request.target.utf8.count + (request.ifNoneMatch?.utf8.count ?? 0)
            guard keep, size <= Self.longest, state.entries.count < Self.most else {
                return Ticket(round: state.round, index: nil, kind: request.kind)
            }
            state.entries.append(
                LoggedRequest(
                    method: request.method, target: request.target, kind: request.kind,
                    start: request.start - state.origin, end: nil,
                    status: 0, ifNoneMatch: request.ifNoneMatch))
            return Ticket(round: state.round, index: state.entries.count - 1, kind: request.kind)
        }
    }

    func end(_ ticket: Ticket, status: Int) {
        state.withLock { state in
            guard ticket.round == state.round else { return }
            state.flying[ticket.kind, default: 1] -= 1
            state.stats.status[status, default: 0] += 1
            guard let index = ticket.index else { return }
            state.entries[index].end = ContinuousClock.now - state.origin
            state.entries[index].status = status
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

extension LoggedRequest {
    /// What is known of a request when it comes in.
    struct Facts {
        let method: String
        let target: String
        let kind: String
        let start: ContinuousClock.Instant
        let ifNoneMatch: String?
    }
}
