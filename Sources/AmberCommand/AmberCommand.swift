import CSystem
import Catalogue
import Glibc
import Platform
import Synchronization

/// The command line program: takes arguments and returns an exit code.
public enum AmberCommand {
    /// The version of the program. It is part of the key of a site, so a new version renders every site again.
    static let version = "0.1.0"

    static let software = "Amber \(version)"

    /// Runs the program. Blocks the calling thread, which must be the main thread, until the program ends.
    ///
    /// `main` is not asynchronous, because libdispatch would then unblock all signals in the waiting main thread.
    /// SIGTERM would kill the program instead of reaching the thread that waits for signals.
    /// - Parameter arguments: the arguments without the name of the program.
    /// - Returns: the raw value of an `ExitCode`.
    public static func run(_ arguments: [String]) -> Int32 {
        csystem_return_large_blocks()
        // Otherwise the next file or connection takes the place of a closed standard stream, and messages go there.
        for stream in Int32(0)...2 where fcntl(stream, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
        Interruption.block()
        let result = VersionedValue(ExitCode.done, number: 0)
        let work = Task.detached { result.set(await exitCode(for: arguments)) }
        Interruption.onSignal { work.cancel() }
        result.wait(after: 0)
        var code = result.current.value
        if let fault = Console.outputFault.withLock({ $0 }) {
            Console(isQuiet: true, isVerbose: false).warn("\(fault)")
            if code == .done { code = .outputInUse }
        }
        return (Interruption.code ?? code).rawValue
    }

    private static func exitCode(for arguments: [String]) async -> ExitCode {
        do {
            // The scripts of `Shell` call this.
            if arguments.first == "--complete" {
                Console.output(lines: Shell.candidates(for: Array(arguments.dropFirst())))
                return .done
            }
            let arguments = try Arguments(arguments)
            guard let verb = arguments.verb, !arguments.has(.help), !arguments.has(.version) else {
                let lines = try ownText(arguments).split(separator: "\n", omittingEmptySubsequences: false)
                Console.output(lines: lines.dropLast().map(String.init))
                return .done
            }
            try Failure.require(
                !verb.operands.isEmpty || arguments.operands.isEmpty,
                "\(verb.rawValue) does not take the argument \(arguments.operands[0].quoted); options begin with --")
            return try await perform(verb, arguments)
        } catch {
            let failure = Failure(error)
            Console(isQuiet: true, isVerbose: false).warn(failure.lines)
            return failure.code
        }
    }

    /// The help, the manual page, a completion script or the version.
    private static func ownText(_ arguments: Arguments) throws -> String {
        if arguments.has(.help) { return Help.text(for: arguments.verb) }
        if let shell = try arguments.choice(.completions, Shell.self) { return shell.script }
        return arguments.has(.man) ? Help.manual : "amber \(version)\n"
    }

    private static func perform(_ verb: Verb, _ arguments: Arguments) async throws -> ExitCode {
        func run() throws -> Run { try Run(arguments) }
        return switch verb {
        case .build: try await run().build()
        case .capture: try await run().captureOnly()
        case .render: try run().renderOnly()
        case .verify: try run().verify()
        case .snapshot: try run().snapshot()
        case .log: try run().log()
        case .diff: try run().diff()
        case .importState: try await run().importState()
        case .check: try run().check()
        case .deploy: try run().deploy()
        case .initialize: try await run().writeProject()
        case .card: try await run().card()
        case .serve: try await serveSite(run())
        case .sample: try await serveSample(arguments)
        }
    }
}

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
