import CSystem
import Glibc
import Platform
import Synchronization

/// Handles SIGINT and SIGTERM. A signal cancels the work. If the work does not end within the grace period, the process
/// is ended. This is safe, because the files on disk are valid at any time.
enum Interruption {
    private static let signal = Atomic<Int32>(0)
    /// The grace period in seconds. Work that takes longer to end raises it.
    static let grace = Atomic<Int>(1)

    /// Blocks the signals in this thread and in all threads that it starts. The thread of `onSignal` waits for them.
    static func block() {
        var set = signals
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // A write to a closed pipe then returns an error instead of killing the program.
        Glibc.signal(SIGPIPE, SIG_IGN)
    }

    /// Starts a thread that waits for a signal, calls `cancel`, and ends the process after the grace period.
    static func onSignal(_ cancel: @escaping @Sendable () -> Void) {
        startThread {
            var set = signals
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { return }
            signal.store(number, ordering: .relaxed)
            cancel()
            // A second signal ends the grace period early.
            var limit = timespec(tv_sec: grace.load(ordering: .relaxed), tv_nsec: 0)
            // The end of a child process interrupts the call.
            while sigtimedwait(&set, nil, &limit) < 0, errno == EINTR {}
            _exit((code ?? .interrupted).rawValue)
        }
    }

    /// The exit code for the received signal; nil if there was none.
    static var code: ExitCode? {
        switch signal.load(ordering: .relaxed) {
        case 0: nil
        case SIGTERM: .terminated
        default: .interrupted
        }
    }

    private static var signals: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        sigaddset(&set, SIGTERM)
        return set
    }
}
