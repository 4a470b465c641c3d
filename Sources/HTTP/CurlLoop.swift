import CCurl
import Platform
import Synchronization

/// One thread that drives libcurl's multi interface and runs the tasks that wait for its answers.
///
/// Tasks that run on this executor need no thread switch for an answer. Blocking work, such as hashing or SQLite, must
/// run elsewhere. The loop runs until the process ends. Only its thread uses libcurl's objects, except for
/// `curl_multi_wakeup`, which any thread may call (https://curl.se/libcurl/c/curl_multi_wakeup.html).
final class CurlLoop: TaskExecutor {
    private struct Inbox {
        var commands: [@Sendable (TransferQueue) -> Void] = []
        var jobs: [UnownedJob] = []
        var isSleeping = false
    }

    let limits: Limits
    let agent: String
    let spillFolder: String
    let authorities: String?
    // The pointer never changes, and other threads use it only for curl_multi_wakeup.
    nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    private let inbox = Locked(Inbox())
    /// The number of bytes of answers in use.
    private let held = Atomic<Int>(0)

    init(limits: Limits, agent: String, spillFolder: String, authorities: String?) {
        _ = Self.globalInit
        guard let multi = curl_multi_init() else { preconditionFailure("libcurl has no memory for a multi handle") }
        self.multi = multi
        self.limits = limits
        self.agent = agent
        self.spillFolder = spillFolder
        self.authorities = authorities
        startThread { [self] in run(TransferQueue(self)) }
    }

    /// Must be called once per process (https://curl.se/libcurl/c/curl_global_init.html).
    private static let globalInit: Void = {
        guard curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            preconditionFailure("libcurl cannot be initialised")
        }
    }()

    func send(_ request: Request) async throws(HTTPError) -> Response {
        if Task.isCancelled { throw request.error(.cancelled, "cancelled") }
        let transfer = Transfer(request, of: self)
        let result: Result<Response, HTTPError> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                post { $0.add(transfer, continuation) }
                // A cancellation before the start has no effect, so it is sent again.
                if Task.isCancelled { post { $0.cancel(transfer) } }
            }
        } onCancel: {
            post { $0.cancel(transfer) }
        }
        return try result.get()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        updateInbox { $0.jobs.append(job) }
    }

    private func post(_ command: @escaping @Sendable (TransferQueue) -> Void) {
        updateInbox { $0.commands.append(command) }
    }

    private func updateInbox(_ body: (inout Inbox) -> Void) {
        let wasSleeping = inbox.withLock { inbox in
            body(&inbox)
            defer { inbox.isSleeping = false }
            return inbox.isSleeping
        }
        if wasSleeping { curl_multi_wakeup(multi) }
    }

    /// The maximum number of rounds of jobs before the sockets are checked again. A job often causes further jobs.
    private static let maximumRounds = 32

    private func run(_ queue: TransferQueue) -> Never {
        while true {
            var rounds = 0
            while rounds < Self.maximumRounds, runOnce(queue) { rounds += 1 }
            queue.advance()
            let maySleep = inbox.withLock { inbox in
                inbox.isSleeping = inbox.commands.isEmpty && inbox.jobs.isEmpty
                return inbox.isSleeping
            }
            if maySleep { queue.wait() }
        }
    }

    /// - Returns: whether there was a command or a job.
    private func runOnce(_ queue: TransferQueue) -> Bool {
        let (commands, jobs) = inbox.withLock { inbox in
            defer { inbox = Inbox() }
            return (inbox.commands, inbox.jobs)
        }
        for command in commands { command(queue) }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return !commands.isEmpty || !jobs.isEmpty
    }

    /// Whether the answers in memory have reached their limit. While they have, no new transfer starts. Without this
    /// limit, a server that is faster than the disk could fill the memory.
    var isFull: Bool { held.load(ordering: .relaxed) >= limits.heldSize }

    /// Counts the bytes of an answer until the last reference to the result is released.
    func hold(_ size: Int) -> OnRelease {
        held.add(size, ordering: .relaxed)
        return OnRelease { [self] in
            let (before, after) = held.subtract(size, ordering: .relaxed)
            if before >= limits.heldSize, after < limits.heldSize { curl_multi_wakeup(multi) }
        }
    }
}
