import Glibc

/// Sleeps that all end at once when the server stops.
///
/// A pipe: nothing is ever written into it until `raise()`, so waiting for it with a time limit is a sleep.
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

    /// Ends all sleeps, those to come too.
    func raise() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// Sleeps for a time (to the millisecond, upwards), less if interrupted or if the peer of `socket` has gone.
    ///
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
