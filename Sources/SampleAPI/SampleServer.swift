package import HTTPServer
import Platform

/// Serves invented data on 127.0.0.1: a universe in the form of the Rick and Morty API, and a media library in the form
/// of the iTunes Search API.
package final class SampleServer: Sendable {
    private let responder: Responder
    private let server: HTTPServer
    private let scheme: String

    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - hosts: host names to accept in addition to those of this machine.
    ///   - identity: the certificate and key for TLS; nil for plain HTTP.
    package init(
        _ universe: Universe, port: Int = 0, hosts: [String] = [], behaviour: Behaviour = .init(),
        identity: TLSIdentity? = nil
    ) throws(ServerError) {
        // A separate object, so that the server's handler does not keep the server alive.
        let responder = Responder(universe, behaviour)
        self.responder = responder
        scheme = identity == nil ? "http" : "https"
        server = try HTTPServer(port: port, identity: identity, hosts: hosts) { responder.answer($0) }
    }

    package var universe: Universe { responder.universe }
    /// The library has the universe's seed. It is created at its first use.
    package var library: MediaLibrary { responder.library }
    package var port: Int { server.port }
    /// The address of the media library: `/search`, `/lookup` and `/artwork` are below it.
    package var rootURL: String { "\(scheme)://127.0.0.1:\(port)" }
    package var apiURL: String { "\(rootURL)/api" }

    /// It can be changed at any time. A change applies to the next request.
    package var behaviour: Behaviour {
        get { responder.behaviour.withLock { $0 } }
        set { responder.behaviour.withLock { $0 = newValue } }
    }

    /// The logged requests, in the order of their arrival.
    package var log: [LoggedRequest] { responder.log.entries }

    package func resetLog() { responder.log.reset() }

    /// Closes all connections and the port.
    package func stop() { server.stop() }
}

/// Deviations of a sample server from the behaviour of the live service. The default is none.
package struct Behaviour: Sendable {
    /// The delay before each answer.
    package var latency: Duration = .zero
    /// Records that are not in the lists or their counts, but are answered by id.
    package var hidden: Set<Universe.Reference> = []
    /// Bytes to serve instead of a record, also in lists. They can be invalid JSON.
    package var replaced: [Universe.Reference: [UInt8]] = [:]
    /// Bytes to serve instead of a portrait, by the character's id.
    package var avatarOverrides: [Int: [UInt8]] = [:]
    /// Bytes to serve instead of a row of the library, by id. They can be invalid JSON.
    package var replacedMedia: [Int64: [UInt8]] = [:]
    package var keepsLog = true
    /// Changes answers before they are sent.
    package var filter: (any AnswerFilter)?

    package init() {}
}

/// Changes the answers of a server.
package protocol AnswerFilter: Sendable {
    /// Called for each answer, on several threads at the same time.
    func change(_ answer: inout ServerAnswer, to request: ServerRequest)
}

package struct LoggedRequest: Sendable {
    /// Path and query, as sent.
    package let target: String
    /// `character_page` (a list page), `character` (by id or ids), the same for the other kinds, `avatar`, `search`,
    /// `lookup`, `artwork` or `other`.
    package let kind: String
    package let ifNoneMatch: String?
    package let start: ContinuousClock.Instant
    /// The time when the answer was ready or was aborted; nil while the request is being handled.
    package fileprivate(set) var end: ContinuousClock.Instant?
    /// 0 while the request is being handled, and if the connection is closed without an answer.
    package fileprivate(set) var status = 0
}

/// The requests that a server received: the first 200,000 since the last reset.
struct RequestLog: Sendable {
    private let state = Locked((entries: [LoggedRequest](), resets: 0))

    // Copied while the lock is held. ThreadSanitizer does not see the reference count of an array, and would report the
    // next append in place as a race with a reader.
    var entries: [LoggedRequest] { state.withLock { $0.entries.map(\.self) } }

    func reset() { state.withLock { $0 = ([], $0.resets + 1) } }

    /// - Returns: a closure to call with the status when the request is answered.
    func begin(_ request: ServerRequest, _ kind: String) -> @Sendable (_ status: Int) -> Void {
        let entry = LoggedRequest(
            target: request.target, kind: kind, ifNoneMatch: request.header("If-None-Match"), start: request.start)
        let (index, resets) = state.withLock { state in
            if state.entries.count < 200_000 { state.entries.append(entry) }
            return (state.entries.count - 1, state.resets)
        }
        return { [state] status in
            state.withLock { state in
                // Ignore a request that began before a reset.
                guard resets == state.resets, state.entries[index].start == entry.start else { return }
                state.entries[index].end = .now
                state.entries[index].status = status
            }
        }
    }
}
