import CMicrohttpd
import Glibc
import Platform

/// The open connections of a server, by their sockets.
///
/// libmicrohttpd's own time limit counts from the last byte only. A client that sends a header byte by byte would keep
/// its connection forever, and 1,000 such clients would keep out all others.
final class ConnectionTable: Sendable {
    private enum Phase {
        /// The header of a request is expected or arriving.
        case header
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
    ///   - capacity: the most open connections before others are closed for a new one.
    ///   - headerLimit: the time within which a whole header has to arrive.
    init(capacity: Int, headerLimit: Duration) {
        self.capacity = capacity
        self.headerLimit = headerLimit
    }
}

extension ConnectionTable {
    /// A connection was accepted. If there are too many, the oldest one that waits for a request is closed; if all are
    /// being answered, the oldest of those.
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

    func beginAnswer(_ socket: Int32) { set(.answer, of: socket) }

    /// A request was answered; the connection may bring another one.
    func endAnswer(_ socket: Int32) { set(.idle, of: socket) }

    /// Closes the connection with the oldest answer, unless that is younger than `age`.
    /// - Returns: whether there was one.
    func closeOldestAnswer(olderThan age: Duration) -> Bool {
        connections.withLock { connections in
            let oldest = connections.filter { $0.value.phase == .answer }.min { $0.value.since < $1.value.since }
            guard let oldest, oldest.value.since < .now - age else { return false }
            Self.shutDown(oldest.key, &connections)
            return true
        }
    }

    /// The connection is about to be closed: another one may soon have the number of its socket.
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

/// Sleeps that all end when the server stops. They wait with a time limit for a pipe, into which only `raise()` writes.
final class Interrupt: Sendable {
    private let readEnd: Int32
    private let writeEnd: Int32

    init() throws(ServerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ServerError("No pipe could be made: \(String(cString: strerror(errno))).") }
        (readEnd, writeEnd) = (ends[0], ends[1])
        _ = fcntl(readEnd, F_SETFD, FD_CLOEXEC)
        _ = fcntl(writeEnd, F_SETFD, FD_CLOEXEC)
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Ends all sleeps, later ones too.
    func raise() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Sleeps for a time, less if interrupted or if the peer of `socket` has gone.
    /// - Returns: whether the whole time has passed.
    @discardableResult
    func sleep(_ time: Duration, watching socket: Int32 = -1) -> Bool {
        let deadline = ContinuousClock.now + time
        while true {
            let left = deadline - .now
            guard left > .zero else { return true }
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1

            // poll(2) passes over negative descriptors. 0x2000 is POLLRDHUP, which the Glibc module lacks.
            var descriptors = [
                pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0), pollfd(fd: socket, events: 0x2000, revents: 0),
            ]
            let ready = poll(&descriptors, 2, Int32(clamping: milliseconds))
            if ready > 0 { return false }
            if ready < 0 && errno != EINTR { return false }
        }
    }
}
