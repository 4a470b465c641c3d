import CMicrohttpd
import Glibc
import Platform

/// A small HTTP/1.1 server on 127.0.0.1, for `amber serve`, `amber sample` and tests.
///
/// Each connection has its own thread, so a slow handler or answer does not delay other clients. At most 1,000
/// connections are open, and fewer if the process may open fewer than 5,000 files. The server accepts only the host
/// names of `HostNames`.
package final class HTTPServer: Sendable {
    package let port: Int

    private let engine: Engine
    /// nil after the server was stopped.
    private let daemon: Locked<OpaquePointer?>

    /// Listens on 127.0.0.1 and answers requests on libmicrohttpd's threads until stopped.
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - identity: the certificate; nil for plain HTTP.
    ///   - hosts: additional host names to accept.
    ///   - headerLimit: the time limit for the complete header of a request.
    ///   - bodyBudget: the maximum number of bytes of bodies in memory for all clients. Above the limit, answers have
    ///     the status 503.
    ///   - slowAnswer: the time after which an answer may be aborted if other answers need its memory.
    ///   - handler: called for each request, concurrently.
    package init(
        port: UInt16 = 0, identity: TLSIdentity? = nil, hosts: [String] = [], headerLimit: Duration = .seconds(10),
        bodyBudget: Int = 128 << 20, slowAnswer: Duration = .seconds(2),
        handler: @escaping @Sendable (ServerRequest) -> ServerAnswer
    ) throws {
        let connections = Self.maximumConnections(descriptors: Descriptors.limit)
        let table = ConnectionTable(capacity: connections * 9 / 10, headerLimit: headerLimit)
        let engine = Engine(
            hosts: HostNames(hosts), connections: table, bodyBudget: bodyBudget, slowAnswer: slowAnswer,
            handler: handler)
        // The engine outlives the daemon: deinit calls stop(), which returns after the last callback.
        let daemon = try Self.start(on: port, engine, identity, connections)
        self.port = Int(amber_mhd_port(daemon))
        self.daemon = Locked(daemon)
        self.engine = engine
        startThread {
            while engine.sleep(min(.seconds(1), headerLimit / 4)) { engine.connections.closeSlowHeaders() }
        }
    }

    deinit { stop() }

    /// The maximum number of connections if this number of files and sockets may be open. A connection has up to four:
    /// its socket, and while it sends a file also that file, the served folder, and the folder of the file. A fifth of
    /// all remains for the rest of the process: without it, accepting a connection could fail before the table is full.
    static func maximumConnections(descriptors: Int) -> Int { max(10, min(1_000, descriptors / 5)) }

    /// Closes all connections and the port. A second call does nothing. Handlers must not call this.
    package func stop() {
        daemon.withLock { daemon in
            guard let running = exchange(&daemon, with: nil) else { return }
            engine.stopping.set(())
            MHD_stop_daemon(running)
        }
    }

    private static func start(on port: UInt16, _ engine: Engine, _ identity: TLSIdentity?, _ connections: Int) throws
        -> OpaquePointer
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        errno = 0
        let daemon = amber_mhd_start(
            // The library reads the key and certificate only during the call.
            &address, UInt32(connections), 300, identity?.key, identity?.certificate,
            { context, target, connection in
                if let connection {
                    HTTPServer.engine(context)?.connections.set(.header, of: amber_mhd_socket(connection))
                }
                let target = target.map { String(cString: $0) } ?? "/"
                return Unmanaged.passRetained(ServerExchange(target: target)).toOpaque()
            },
            { context, connection, _, method, version, _, uploaded, state in
                guard let engine = HTTPServer.engine(context), let connection, let method, let version,
                    let retained = state?.pointee
                else { return .NO }
                let exchange = Unmanaged<ServerExchange>.fromOpaque(retained).takeUnretainedValue()

                // The first call has the headers. Further calls have the pieces of a body, which are ignored.
                let isFirst = exchange.headers == nil
                let headers = exchange.headers ?? RequestHeaders(of: connection, method: method, version: version)
                exchange.headers = headers
                // An answer to a faulty header closes the connection at once, because the end of the body is unknown.
                if headers.fault == nil, isFirst || uploaded?.pointee ?? 0 > 0 {
                    uploaded?.pointee = 0
                    return .YES
                }
                // Up to this point, the time limit of the header applies, even to a body that never ends.
                engine.connections.set(.answer, of: amber_mhd_socket(connection))
                return engine.answer(
                    exchange, headers, method: String(cString: method), version: String(cString: version),
                    on: connection)
            },
            { context, connection, state, _ in
                if let connection {
                    HTTPServer.engine(context)?.connections.set(.idle, of: amber_mhd_socket(connection))
                }
                guard let retained = state?.pointee else { return }
                state?.pointee = nil
                Unmanaged<ServerExchange>.fromOpaque(retained).release()
            },
            { context, connection, _, change in
                guard let engine = HTTPServer.engine(context), let connection else { return }
                let socket = amber_mhd_socket(connection)
                if change == .CONNECTION_NOTIFY_STARTED {
                    engine.connections.open(socket)
                } else {
                    engine.connections.close(socket)
                }
            },
            Unmanaged.passUnretained(engine).toOpaque())
        let reason = errno
        if let daemon { return daemon }
        throw ServerError(
            description: reason == EADDRINUSE
                ? "port \(port) on 127.0.0.1 is in use by another program; choose another port, or 0 for any free port"
                : reason == 0 && identity != nil
                    ? "the server cannot start: check that the certificate and key are valid and belong together"
                    : "port \(port) on 127.0.0.1 cannot be used: \(String(cString: strerror(reason)))")
    }

    private static func engine(_ context: UnsafeMutableRawPointer?) -> Engine? {
        context.map { Unmanaged<Engine>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// A certificate, followed by its chain up to the authority, and its key. Both are in PEM.
package typealias TLSIdentity = (certificate: String, key: String)

/// The reason why a server could not start.
package struct ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One complete sentence: what happened, and what to do.
    package let description: String
}
