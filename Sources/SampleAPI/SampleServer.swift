public import HTTPServer
import Platform

/// Serves a universe on 127.0.0.1 as the Rick and Morty API serves its own, beside it a library of media as a media
/// store does, and misbehaves when told to.
///
/// `/_stats` answers what was asked so far as JSON; a POST to `/_reset` clears it.
public final class SampleServer: Sendable {
    /// The universe that is served.
    public let universe: Universe

    private let core: Core
    private let server: HTTPServer
    private let scheme: String

    /// - Parameters:
    ///   - port: 0 for any that is free.
    ///   - hosts: the host names to answer for beside those of this machine.
    ///   - identity: what it speaks TLS with; nil for plain HTTP.
    /// - Throws: `ServerError`, such as for a port in use.
    public init(
        _ universe: Universe, port: Int = 0, hosts: [String] = [], behaviour: Behaviour = .init(),
        identity: TLSIdentity? = nil
    ) throws(ServerError) {
        let core = Core(universe, behaviour)
        self.universe = universe
        self.core = core
        scheme = identity == nil ? "http" : "https"
        self.server = try HTTPServer(port: port, identity: identity, hosts: hosts) { core.answer($0) }
    }

    /// Where the API is asked, such as `http://127.0.0.1:8090/api`.
    public var apiURL: String { "\(scheme)://127.0.0.1:\(port)/api" }

    /// Where media are asked for: `/search`, `/lookup` and `/artwork` are below it.
    public var rootURL: String { "\(scheme)://127.0.0.1:\(port)" }

    /// The media that are served: of the universe's seed, made when first asked for.
    public var library: MediaLibrary { core.shelf.library }

    /// The port it listens on.
    public var port: Int { server.port }

    /// May be changed at any time; the next request meets the new one, and its faults have all their times again.
    public var behaviour: Behaviour {
        get { core.behaviour.withLock { $0 } }
        set { core.behaviour.withLock { $0 = newValue } }
    }

    /// What was asked, in the order in which it came in; at most two million requests are kept.
    public var log: [LoggedRequest] { core.journal.entries }

    /// What was counted.
    public var stats: Stats { core.journal.stats }

    /// Forgets what was asked so far.
    public func resetLog() {
        core.journal.reset()
        core.shelf.forgetCalls()
    }

    /// Cuts all connections and gives the port back.
    public func stop() { server.stop() }
}

extension SampleServer {
    /// What answers: apart from the server itself, so that the server's handler does not keep the server alive.
    final class Core: Sendable {
        let universe: Universe
        let behaviour: Guarded<Behaviour>
        let journal = Journal()
        let shelf: MediaShelf
        private let portraits = PortraitCache()
        /// Few threads make an answer at a time: drawing a picture takes 10 MB.
        private let turns = StripedLock()

        init(_ universe: Universe, _ behaviour: Behaviour) {
            self.universe = universe
            self.behaviour = Guarded(behaviour)
            shelf = MediaShelf(seed: universe.seed)
        }

        /// The most bytes that a request's address may have; 200 ids of media need half of them. The time that an
        /// answer takes depends on it.
        private static let longestTarget = 4_096

        func answer(_ request: ServerRequest) -> ServerAnswer {
            guard request.target.utf8.count <= Self.longestTarget else {
                return .text(414, "The address has more than \(Self.longestTarget) bytes; ask for less at once.\n")
            }
            switch request.path {
            case "/_stats":
                return ServerAnswer(
                    headers: [("Content-Type", "application/json")], body: .bytes(StatsReport.json(of: journal)))
            case "/_reset":
                guard request.method == "POST" else {
                    return .text(405, "Send a POST request to clear the log.\n", headers: [("Allow", "POST")])
                }
                // Browsers send it with every POST of a web page.
                guard request.header("Origin") == nil else {
                    return .text(403, "A web page cannot clear the log; send the request without Origin.\n")
                }
                journal.reset()
                shelf.forgetCalls()
                return ServerAnswer(status: 204)
            default:
                break
            }

            let route = Route(request.path)
            let target = request.target
            let (fault, behaviour) = behaviour.withLock { ($0.take(target), $0) }
            let ticket = journal.begin(
                LoggedRequest.Facts(
                    method: request.method, target: target, kind: route.word, start: request.start,
                    ifNoneMatch: request.header("If-None-Match")),
                keep: behaviour.keepsLog)

            let responder = Responder(universe: universe, behaviour: behaviour, portraits: portraits, shelf: shelf)
            // By path: the second request for a picture finds the one that the first request drew.
            var answer = turns.withLock(for: request.path) {
                fault.map { responder.answer(request, route, committing: $0) } ?? responder.answer(request, route)
            }
            if behaviour.latency > .zero { answer.delay = behaviour.latency }
            let status =
                switch answer.misbehaviour {
                case .hang, .reset: 0
                case .slow, .truncated, nil: answer.status
                }
            answer.finished = { [journal] in journal.end(ticket, status: status) }
            return answer
        }
    }
}

extension Behaviour {
    /// The action of the first fault that matches and has times left, one of which is used up.
    fileprivate mutating func take(_ target: String) -> Fault.Action? {
        for index in faults.indices where faults[index].times != 0 && faults[index].matches(target) {
            if let times = faults[index].times { faults[index].times = times - 1 }
            return faults[index].action
        }
        return nil
    }
}
