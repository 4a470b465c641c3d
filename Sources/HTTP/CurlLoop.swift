import CCurl
import Platform
import Synchronization

/// One thread that drives libcurl's multi interface until the process ends. Only this thread uses libcurl's objects,
/// except for `curl_multi_wakeup`, which any thread may call (https://curl.se/libcurl/c/curl_multi_wakeup.html).
final class CurlLoop: Sendable {
    let limits: Limits
    let agent: String
    let spillFolder: String
    let authorities: String?
    // The pointer never changes, and other threads use it only for curl_multi_wakeup.
    nonisolated(unsafe) let multi: UnsafeMutableRawPointer
    private let commands = Locked<[@Sendable (TransferQueue) -> Void]>([])
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

    private func post(_ command: @escaping @Sendable (TransferQueue) -> Void) {
        commands.withLock { $0.append(command) }
        curl_multi_wakeup(multi)
    }

    private func run(_ queue: TransferQueue) -> Never {
        while true {
            for command in commands.withLock({ exchange(&$0, with: []) }) { command(queue) }
            queue.advance()
            queue.wait()
        }
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
