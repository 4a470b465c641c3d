import CMicrohttpd
import Glibc
import Platform

/// The open connections of a server, by their sockets.
///
/// libmicrohttpd's own time limit counts from the last byte only. So a client that sends a header byte by byte would
/// keep its connection for ever, and 1,000 such clients would keep out all others.
final class ConnectionTable: Sendable {
    private enum Phase {
        /// The header of a request is expected or arriving.
        case header
        /// A request is being answered.
        case answer
        /// The last answer was sent, and no byte of another request has arrived.
        case idle
        /// The connection was shut down here; libmicrohttpd is about to close it.
        case closing
    }

    private struct Connection {
        var phase: Phase
        var since: ContinuousClock.Instant
    }

    private let connections = Guarded<[Int32: Connection]>([:])
    private let capacity: Int
    private let headerLimit: Duration

    /// - Parameters:
    ///   - capacity: how many connections may be open before others are closed for a new one.
    ///   - headerLimit: the time within which a whole header has to arrive.
    init(capacity: Int, headerLimit: Duration) {
        self.capacity = capacity
        self.headerLimit = headerLimit
    }
}

extension ConnectionTable {
    /// A connection was accepted. Where there are too many, the oldest one that waits for a request is closed; where
    /// all are being answered, the oldest of those.
    func open(_ socket: Int32) {
        connections.withLock { connections in
            connections[socket] = Connection(phase: .header, since: .now)
            guard connections.count > capacity else { return }
            for phases in [[Phase.idle, .header], [.answer]] {
                let oldest = connections.filter { $0.key != socket && phases.contains($0.value.phase) }.min {
                    $0.value.since < $1.value.since
                }
                if let oldest { return Self.shutDown(oldest.key, &connections) }
            }
        }
    }

    /// The first line of a request was read.
    func beginHeader(_ socket: Int32) {
        connections.withLock { connections in
            // The time of a first header counts from the beginning of the connection.
            guard connections[socket]?.phase == .idle else { return }
            connections[socket] = Connection(phase: .header, since: .now)
        }
    }

    /// The header of a request is complete.
    func beginAnswer(_ socket: Int32) { set(.answer, of: socket) }

    /// A request was answered; the connection may bring another one.
    func endAnswer(_ socket: Int32) { set(.idle, of: socket) }

    /// Closes the connection whose answer has been under way longest.
    /// - Parameter age: younger answers are left alone.
    /// - Returns: whether there was one.
    func closeOldestAnswer(olderThan age: Duration) -> Bool {
        connections.withLock { connections in
            let oldest = connections.filter { $0.value.phase == .answer }.min { $0.value.since < $1.value.since }
            guard let oldest, oldest.value.since < .now - age else { return false }
            Self.shutDown(oldest.key, &connections)
            return true
        }
    }

    /// The connection is about to be closed, so its socket's number may soon be another's.
    func close(_ socket: Int32) { connections.withLock { _ = $0.removeValue(forKey: socket) } }

    /// Closes the connections whose header has taken too long. To be called about once a second.
    func sweep() {
        let now = ContinuousClock.now
        connections.withLock { connections in
            for (socket, connection) in connections {
                switch connection.phase {
                case .header where now - connection.since > headerLimit: Self.shutDown(socket, &connections)
                case .idle:
                    // libmicrohttpd reports a further request when its first line is complete. The kernel knows of its
                    // first byte.
                    let received = now - .milliseconds(amber_milliseconds_since_data(socket))
                    if received > connection.since + .milliseconds(50), received < now + .milliseconds(1) {
                        connections[socket] = Connection(phase: .header, since: received)
                    }
                case .header, .answer, .closing: break
                }
            }
        }
    }
}

extension ConnectionTable {
    private func set(_ phase: Phase, of socket: Int32) {
        connections.withLock { connections in
            guard let connection = connections[socket], connection.phase != .closing else { return }
            connections[socket] = Connection(phase: phase, since: .now)
        }
    }

    /// Ends a connection, which its thread then notices. The socket is still this connection's: it is closed only after
    /// `close` was called.
    private static func shutDown(_ socket: Int32, _ connections: inout [Int32: Connection]) {
        connections[socket]?.phase = .closing
        _ = Glibc.shutdown(socket, Int32(SHUT_RDWR))
    }
}
