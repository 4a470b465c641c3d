public import HTTPServer
import Platform

/// Serves a universe on 127.0.0.1 as the Rick and Morty API serves its own, and beside it a library of media as a media
/// store does.
///
/// `/_stats` answers what was asked so far as JSON; a POST to `/_reset` clears it.
public final class SampleServer: Sendable {
    private let responder: Responder
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
        // Apart from the server itself, so that the server's handler does not keep the server alive.
        let responder = Responder(universe, behaviour)
        self.responder = responder
        scheme = identity == nil ? "http" : "https"
        server = try HTTPServer(port: port, identity: identity, hosts: hosts) { responder.answer($0) }
    }

    /// The universe that is served.
    public var universe: Universe { responder.universe }

    /// Where the API is asked, such as `http://127.0.0.1:8090/api`.
    public var apiURL: String { "\(rootURL)/api" }

    /// Where media are asked for: `/search`, `/lookup` and `/artwork` are below it.
    public var rootURL: String { "\(scheme)://127.0.0.1:\(port)" }

    /// The media that are served: of the universe's seed, made when first asked for.
    public var library: MediaLibrary { responder.library }

    /// The port it listens on.
    public var port: Int { server.port }

    /// May be changed at any time; the next request meets the new one.
    public var behaviour: Behaviour {
        get { responder.behaviour.withLock { $0 } }
        set { responder.behaviour.withLock { $0 = newValue } }
    }

    /// What was asked, in the order in which it came in.
    public var log: [LoggedRequest] { responder.journal.entries }

    /// What was counted.
    public var stats: Stats { responder.journal.stats }

    /// Forgets what was asked so far.
    public func resetLog() { responder.journal.reset() }

    /// Cuts all connections and gives the port back.
    public func stop() { server.stop() }
}
