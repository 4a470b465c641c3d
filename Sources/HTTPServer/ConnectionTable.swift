import CMicrohttpd
import Glibc
import Platform

/// The open connections of a server, by socket.
///
/// The timeout of libmicrohttpd starts again at each byte. So a client that sends a header byte by byte could keep its
/// connection forever, and 1,000 such clients could block all others. This table has its own time limit.
struct ConnectionTable: Sendable {
    enum Phase {
        /// The server waits for the header of a request, or receives it.
        case header
        case answer
        /// The last answer was sent, and no byte of another request has arrived.
        case idle
    }

    private typealias Connections = [Int32: (phase: Phase, since: ContinuousClock.Instant)]

    private let connections = Locked<Connections>([:])
    /// The number of connections above which a new connection closes an older one.
    let capacity: Int
    /// The time limit for a complete header.
    let headerLimit: Duration

    /// Adds a new connection. If there are too many, it closes the oldest one, preferably one without a request.
    func open(_ socket: Int32) {
        connections.withLock { connections in
            connections[socket] = (.header, .now)
            guard connections.count > capacity else { return }
            let others = connections.filter { $0.key != socket }
            let waiting = others.filter { $0.value.phase != .answer }
            let oldest = (waiting.isEmpty ? others : waiting).min { $0.value.since < $1.value.since }
            if let oldest { Self.shutDown(oldest.key, &connections) }
        }
    }

    /// Begins the next phase of a connection. For `header`, the first line of a request was read.
    func set(_ phase: Phase, of socket: Int32) {
        connections.withLock { connections in
            guard let current = connections[socket]?.phase else { return }
            // The time limit of the first header starts with the connection.
            if phase != .header || current == .idle { connections[socket] = (phase, .now) }
        }
    }

    /// Closes the connection with the oldest unfinished answer, if that is older than `age`.
    /// - Returns: whether a connection was closed.
    func closeOldestAnswer(olderThan age: Duration) -> Bool {
        connections.withLock { connections in
            let oldest = connections.filter { $0.value.phase == .answer }.min { $0.value.since < $1.value.since }
            guard let oldest, oldest.value.since < .now - age else { return false }
            Self.shutDown(oldest.key, &connections)
            return true
        }
    }

    /// Removes a connection before it is closed. A new connection can then get the same socket number.
    func close(_ socket: Int32) { connections.withLock { $0[socket] = nil } }

    /// Closes the connections whose header is not complete in time. It must be called about once a second.
    func closeSlowHeaders() {
        let now = ContinuousClock.now
        connections.withLock { connections in
            for (socket, connection) in connections {
                switch connection.phase {
                case .header where now - connection.since > headerLimit: Self.shutDown(socket, &connections)
                case .idle:
                    // libmicrohttpd reports further requests with their first lines. The kernel knows the first byte.
                    let received = now - .milliseconds(amber_milliseconds_since_data(socket))
                    if received > connection.since + .milliseconds(50), received < now + .milliseconds(1) {
                        connections[socket] = (.header, received)
                    }
                case .header, .answer: break
                }
            }
        }
    }

    /// Removes a connection and shuts it down, so that its thread ends. The socket number cannot belong to another
    /// connection yet, because libmicrohttpd calls this table's `close` before it closes the socket.
    private static func shutDown(_ socket: Int32, _ connections: inout Connections) {
        connections[socket] = nil
        _ = Glibc.shutdown(socket, Int32(SHUT_RDWR))
    }
}
