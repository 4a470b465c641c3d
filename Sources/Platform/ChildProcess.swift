import CSystem
import Glibc

/// Runs another program to its end, with limits of time and output.
package enum ChildProcess {
    /// The exit code, or the negative number of the signal that ended the program; its output; the first bytes of
    /// standard error; and whether the program was ended because of a limit.
    package typealias Outcome = (code: Int32, output: [UInt8], errors: [UInt8], exceeded: Bool)

    /// The seconds that a program has to end after SIGTERM.
    private static let grace = 0.5

    /// Runs a program that PATH contains, without input.
    /// - Parameters:
    ///   - variables: environment variables for the program, in addition to those of this process. If this process has
    ///     a variable with the same name, the program gets that one.
    ///   - scratch: a folder in which the output is stored during the run.
    ///   - seconds: the time limit. The program is also ended if `isCancelled` returns true.
    ///   - outputLimit: the maximum number of bytes on standard output, and on standard error.
    ///   - lock: a lock that stays held until the program ends, even if this process is killed.
    package static func run(
        _ program: String, _ arguments: [String], variables: [String: String] = [:], scratch: String, seconds: Double,
        outputLimit: Int, holding lock: FileLock?, isCancelled: () -> Bool
    ) throws -> Outcome {
        let files = ["output", "errors"].map { "\(scratch)/\($0)" }
        let pid = try start(program, arguments, variables, files, lock)
        let start = ContinuousClock.now
        var (status, pause, exceeded, end): (Int32, UInt32, Bool, Double?) = (0, 500, false, nil)
        while case let result = waitpid(pid, &status, WNOHANG), result != pid {
            guard result == 0 else { throw SystemError("wait for", program) }
            let time = start.duration(to: .now) / .seconds(1)
            exceeded = exceeded || time > seconds || files.contains { FileStatus($0)?.size ?? 0 > outputLimit }
            if let end, time > end {
                kill(pid, SIGKILL)
            } else if end == nil, exceeded || isCancelled() {
                kill(pid, SIGTERM)
                end = time + grace
            }
            usleep(pause)
            pause = min(2 * pause, 8_000)
        }
        return (
            code: status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F),
            output: exceeded ? [] : try File.read(files[0], limit: outputLimit),
            errors: try File(reading: files[1]).read(1 << 16), exceeded: exceeded
        )
    }

    private static func start(
        _ program: String, _ arguments: [String], _ variables: [String: String], _ files: [String], _ lock: FileLock?
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (descriptor, file) in zip([1, 2] as [Int32], files) {
            try File.remove(file)
            posix_spawn_file_actions_addopen(&actions, descriptor, file, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        }
        if let lock { posix_spawn_file_actions_adddup2(&actions, lock.descriptor, 3) }

        // This process blocks or ignores signals, and a child would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        let added: [UnsafeMutablePointer<CChar>?] = variables.filter { getenv($0.key) == nil }
            .map { strdup("\($0.key)=\($0.value)") }
        defer { for word in words + added { free(word) } }
        var environment: [UnsafeMutablePointer<CChar>?] = []
        var own = csystem_environment()
        while let variable = own?.pointee {
            environment.append(variable)
            own? += 1
        }
        environment += added + [nil]
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, program, &actions, &attributes, &words, &environment)
        guard code == 0 else { throw SystemError("start", program, code: code) }
        return pid
    }
}
