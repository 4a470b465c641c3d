import CCurl
import Platform
import Synchronization

/// One thread that drives libcurl's multi interface and runs the tasks that wait for its answers.
///
/// Being a task executor saves a thread switch for each answer; what blocks (hashing, SQLite) therefore belongs
/// elsewhere. A loop lives as long as its process. Everything libcurl owns is touched by its thread only, but for
/// `curl_multi_wakeup`, which may be called from any (https://curl.se/libcurl/c/curl_multi_wakeup.html).
final class CurlLoop: TaskExecutor {
    enum Command {
        case start(Transfer)
        case cancel(UInt64)
    }

    private struct Inbox {
        var commands: [Command] = []
        var jobs: [UnownedJob] = []
        var isSleeping = false
    }

    private let inbox = Guarded(Inbox())
    private let identifiers = Atomic<UInt64>(0)
    private let limits: Limits
    private let held: HeldBytes
    private let spillFolder: String
    // Never changed; other threads use it for curl_multi_wakeup only, which is made for that.
    private nonisolated(unsafe) let multi: UnsafeMutableRawPointer

    init(limits: Limits, agent: String, spillFolder: String, authorities: String?) {
        _ = Self.globalInit
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl has no memory for a multi handle") }
        self.multi = multi
        self.limits = limits
        self.spillFolder = spillFolder
        // May be called from any thread, see above.
        nonisolated(unsafe) let woken = multi
        held = HeldBytes(limit: limits.heldSize) { curl_multi_wakeup(woken) }
        startThread { [self] in
            run(TransferQueue(multi: self.multi, limits: limits, held: held, agent: agent, authorities: authorities))
        }
    }

    /// Once a process (https://curl.se/libcurl/c/curl_global_init.html).
    private static let globalInit: Void = {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            preconditionFailure("libcurl cannot be initialised")
        }
    }()
}

extension CurlLoop {
    func send(_ request: Request) async throws(HTTPError) -> Response {
        if Task.isCancelled { throw HTTPError(.cancelled, url: request.url.text, reason: "cancelled") }
        let identifier = identifiers.add(1, ordering: .relaxed).newValue
        let result: Result<Response, HTTPError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                post(
                    .start(
                        Transfer(
                            identifier, request, limits: limits, held: held, spillFolder: spillFolder,
                            continuation: continuation)))
                // A cancel that came meanwhile, before the start, found nothing to cancel.
                if Task.isCancelled { post(.cancel(identifier)) }
            }
        } onCancel: {
            post(.cancel(identifier))
        }
        return try result.get()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        wake(
            inbox.withLock { inbox in
                inbox.jobs.append(job)
                return Self.awaken(&inbox)
            })
    }

    private func post(_ command: Command) {
        wake(
            inbox.withLock { inbox in
                inbox.commands.append(command)
                return Self.awaken(&inbox)
            })
    }

    private static func awaken(_ inbox: inout Inbox) -> Bool {
        defer { inbox.isSleeping = false }
        return inbox.isSleeping
    }

    private func wake(_ isNeeded: Bool) {
        if isNeeded { curl_multi_wakeup(multi) }
    }
}

extension CurlLoop {
    /// Rounds of jobs that are run before the sockets are looked at again: one job often makes another ready.
    private static let mostRounds = 32

    private func run(_ queue: TransferQueue) -> Never {
        while true {
            var rounds = 0
            while rounds < Self.mostRounds, runOnce(queue) { rounds += 1 }
            queue.advance()
            let maySleep = inbox.withLock { inbox in
                inbox.isSleeping = inbox.commands.isEmpty && inbox.jobs.isEmpty
                return inbox.isSleeping
            }
            if maySleep { queue.wait() }
        }
    }

    /// - Returns: whether there was anything to do.
    private func runOnce(_ queue: TransferQueue) -> Bool {
        let (commands, jobs) = inbox.withLock { inbox in
            defer {
                inbox.commands.removeAll()
                inbox.jobs.removeAll()
                inbox.isSleeping = false
            }
            return (inbox.commands, inbox.jobs)
        }
        for command in commands { queue.take(command) }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return !commands.isEmpty || !jobs.isEmpty
    }
}
