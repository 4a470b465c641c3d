import CSystem
import Glibc
import Platform
import Synchronization

/// SIGINT and SIGTERM: the work is asked to end, and ended after a while if it does not. Everything on disk bears that.
enum Interruption {
    private static let signal = Atomic<Int32>(0)
    private static let grace = 1

    /// Blocks the signals in this thread and all that it starts, so that one thread of its own takes them.
    static func block() {
        var set = signals
        pthread_sigmask(SIG_BLOCK, &set, nil)
        // Writing to a pipe that nobody reads is an error of that write, not the end of the program.
        Glibc.signal(SIGPIPE, SIG_IGN)
    }

    static func onSignal(_ cancel: @escaping @Sendable () -> Void) {
        startThread {
            var set = signals
            var number: Int32 = 0
            guard sigwait(&set, &number) == 0 else { return }
            signal.store(number, ordering: .relaxed)
            cancel()
            // A second signal ends the waiting: whoever sends it wants no more grace.
            var limit = timespec(tv_sec: grace, tv_nsec: 0)
            sigtimedwait(&set, nil, &limit)
            _exit((code ?? .interrupted).rawValue)
        }
    }

    /// The exit code that the signal asks for; nil where there was none.
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
