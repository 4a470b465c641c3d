import CCurl

/// The transfers of one loop. At most `limits.connections` are in flight. The others wait, ordered by priority and then
/// by arrival.
///
/// Transfers wait here, not in libcurl, so that timeouts do not include the wait. Only the loop's thread uses it.
final class TransferQueue {
    private let loop: CurlLoop
    private var active: [Transfer] = []
    private var waiting: [Transfer] = []
    /// How many more requests the server accepts until a time. Of several announcements, the smallest number counts.
    private var announced = (remaining: Int.max, until: ContinuousClock.now)

    init(_ loop: CurlLoop) {
        self.loop = loop
        ccurl_multi_set_long(loop.multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        ccurl_multi_set_long(loop.multi, CURLMOPT_MAXCONNECTS, loop.limits.connections)
    }

    func add(_ transfer: Transfer, _ continuation: CheckedContinuation<Result<Response, HTTPError>, Never>) {
        transfer.continuation = continuation
        let next = transfer.request.priority == .urgent ? waiting.firstIndex { $0.request.priority == .bulk } : nil
        waiting.insert(transfer, at: next ?? waiting.count)
    }

    func cancel(_ transfer: Transfer) {
        // Without a continuation, the transfer has ended, or is not added yet; then `CurlLoop.send` cancels it again.
        guard transfer.continuation != nil else { return }
        waiting.removeAll { $0 === transfer }
        end(transfer, .failure(transfer.request.error(.cancelled, "cancelled")))
    }

    /// Starts waiting transfers, moves bytes, and ends transfers that are complete or overdue.
    func advance() {
        // The next transfer sends its request before the task that waits for the finished answer runs.
        repeat {
            startWaiting()
            var running: Int32 = 0
            curl_multi_perform(loop.multi, &running)
        } while finishComplete()
        for transfer in active where transfer.isOverdue {
            let reason = "exceeded the time limit for its size, after \(transfer.size) bytes"
            end(transfer, .failure(transfer.request.error(.timeout, reason)))
        }
        startWaiting()
    }

    /// - Returns: whether a transfer was complete.
    private func finishComplete() -> Bool {
        var (remaining, hasFinished): (Int32, Bool) = (0, false)
        while let message = curl_multi_info_read(loop.multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE,
                let transfer = active.first(where: { $0.easy == message.pointee.easy_handle })
            else { continue }
            finish(transfer, ccurl_result(message))
            hasFinished = true
        }
        return hasFinished
    }

    /// Sleeps until a socket is ready, another thread wakes the loop, a pause ends, or a second has passed.
    func wait() {
        let pause = ContinuousClock.now.duration(to: announced.until) / .milliseconds(1)
        curl_multi_poll(loop.multi, nil, 0, pause > 0 ? Int32(min(pause + 1, 1_000)) : 1_000, nil)
    }

    private func startWaiting() {
        if announced.until <= .now { announced.remaining = .max }
        // The server may not have counted the requests in flight.
        while active.count < min(loop.limits.connections, announced.remaining), !loop.isFull, !waiting.isEmpty {
            start(waiting.removeFirst())
        }
    }

    private func start(_ transfer: Transfer) {
        guard let easy = transfer.prepare(), curl_multi_add_handle(loop.multi, easy) == CURLM_OK else {
            return transfer.resume(.failure(transfer.request.error(.protocolFault, "libcurl cannot start the request")))
        }
        active.append(transfer)
    }

    private func finish(_ transfer: Transfer, _ result: CURLcode) {
        do throws(HTTPError) {
            if let response = try transfer.response(result) { return end(transfer, .success(response)) }
            detach(transfer)
            start(transfer)
        } catch {
            end(transfer, .failure(error))
        }
    }

    private func end(_ transfer: Transfer, _ result: Result<Response, HTTPError>) {
        detach(transfer)
        // The next transfer starts before the receiver of the answer runs, so a pause begins here.
        if case .success(let response) = result, let limit = response.announcedLimit,
            limit.remaining < announced.remaining, limit.seconds <= loop.limits.maximumPause
        {
            announced = (limit.remaining, .now + .seconds(limit.seconds))
        }
        transfer.resume(result)
    }

    private func detach(_ transfer: Transfer) {
        active.removeAll { $0 === transfer }
        if let easy = transfer.easy { curl_multi_remove_handle(loop.multi, easy) }
        transfer.release()
    }
}
