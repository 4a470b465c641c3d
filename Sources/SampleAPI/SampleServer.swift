package import HTTPServer
import Platform

/// Serves a universe on 127.0.0.1 as the Rick and Morty API serves its own, and beside it a library of media as a media
/// store does.
package final class SampleServer: Sendable {
    private let responder: Responder
    private let server: HTTPServer
    private let scheme: String

    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - hosts: the host names to answer for beside those of this machine.
    ///   - identity: what it speaks TLS with; nil for plain HTTP.
    package init(
        _ universe: Universe, port: Int = 0, hosts: [String] = [], behaviour: Behaviour = .init(),
        identity: TLSIdentity? = nil
    ) throws(ServerError) {
        // Apart from the server itself, so that the server's handler does not keep the server alive.
        let responder = Responder(universe, behaviour)
        self.responder = responder
        scheme = identity == nil ? "http" : "https"
        server = try HTTPServer(port: port, identity: identity, hosts: hosts) { responder.answer($0) }
    }

    package var universe: Universe { responder.universe }
    /// Of the universe's seed, made when first asked for.
    package var library: MediaLibrary { responder.library }
    package var port: Int { server.port }
    /// Where media are asked for: `/search`, `/lookup` and `/artwork` are below it.
    package var rootURL: String { "\(scheme)://127.0.0.1:\(port)" }
    package var apiURL: String { "\(rootURL)/api" }

    /// May be changed at any time; the next request meets the new one.
    package var behaviour: Behaviour {
        get { responder.behaviour.withLock { $0 } }
        set { responder.behaviour.withLock { $0 = newValue } }
    }

    /// The requests that were answered, in the order of their answers.
    package var log: [LoggedRequest] { responder.log.entries }

    package func resetLog() { responder.log.reset() }

    /// Cuts all connections and gives the port back.
    package func stop() { server.stop() }
}

/// How a sample server behaves: as the live service does, unless told otherwise.
package struct Behaviour: Sendable {
    /// Added before each answer.
    package var latency: Duration = .zero
    /// Records that the lists leave out (and do not count), and that are answered by id.
    package var hidden: Set<Universe.Reference> = []
    /// Bytes to serve in place of a record's own, in lists too; they need not be JSON.
    package var replaced: [Universe.Reference: [UInt8]] = [:]
    /// Bytes to serve in place of a portrait, by the character's id.
    package var avatarOverrides: [Int: [UInt8]] = [:]
    /// Rows to serve in place of a library's own, by id; they need not be JSON.
    package var replacedMedia: [Int64: [UInt8]] = [:]
    package var keepsLog = true
    /// Changes answers before they are sent.
    package var filter: (any AnswerFilter)?

    package init() {}
}

/// Changes what a server answers.
package protocol AnswerFilter: Sendable {
    /// Called for each answer, many at a time.
    func change(_ answer: inout ServerAnswer, to request: ServerRequest)
}

package struct LoggedRequest: Sendable {
    /// Path and query, as sent.
    package let target: String
    /// `character_page`, `character` (by id or ids), the same for the other kinds, `avatar`, `search`, `lookup`,
    /// `artwork`, `other`.
    package let kind: String
    package let ifNoneMatch: String?
    package let start: ContinuousClock.Instant
    /// When its answer was ready to be sent, or was broken off; nil while it is in flight.
    package fileprivate(set) var end: ContinuousClock.Instant?
    /// 0 while it is not decided, and where the connection is cut without one.
    package fileprivate(set) var status = 0
}

/// The requests that a server was asked: the first 200,000 since a reset.
struct RequestLog: Sendable {
    private let state = Guarded((entries: [LoggedRequest](), resets: 0))

    // Copied with the lock held: ThreadSanitizer does not see how an array's sharers are counted, and takes the next
    // append in place for a race with a reader that has let go of it.
    var entries: [LoggedRequest] { state.withLock { $0.entries.map(\.self) } }

    func reset() { state.withLock { $0 = ([], $0.resets + 1) } }

    /// - Returns: what is to be called with the status when the request is answered.
    func begin(_ request: ServerRequest, _ kind: String) -> @Sendable (_ status: Int) -> Void {
        let entry = LoggedRequest(
            target: request.target, kind: kind, ifNoneMatch: request.header("If-None-Match"), start: request.start)
        let (place, resets) = state.withLock { state in
            if state.entries.count < 200_000 { state.entries.append(entry) }
            return (state.entries.count - 1, state.resets)
        }
        return { [state] status in
            state.withLock { state in
                // A request that was in flight at a reset does not end in the new log.
                guard resets == state.resets, state.entries[place].start == entry.start else { return }
                state.entries[place].end = .now
                state.entries[place].status = status
            }
        }
    }
}
