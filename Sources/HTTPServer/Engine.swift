import CMicrohttpd
import Platform

/// The state of libmicrohttpd's callbacks: the connections, the handler, and the conversion of its answers.
final class Engine: Sendable {
    let connections: ConnectionTable
    private let hosts: HostNames
    /// Limits the number of bytes of bodies in memory.
    private let bodies: Window
    /// The time after which an answer may be aborted in favour of others.
    private let slowAnswer: Duration
    private let handler: @Sendable (ServerRequest) -> ServerAnswer
    /// Becomes version 1 when the server stops, which ends all current and later sleeps.
    let stopping = VersionedValue((), number: 0)

    init(
        hosts: HostNames, connections: ConnectionTable, bodyBudget: Int, slowAnswer: Duration,
        handler: @escaping @Sendable (ServerRequest) -> ServerAnswer
    ) {
        bodies = Window(width: bodyBudget)
        self.slowAnswer = slowAnswer
        self.hosts = hosts
        self.connections = connections
        self.handler = handler
    }

    /// Sleeps until the time is over or the server stops.
    /// - Returns: whether the full time has passed.
    @discardableResult
    func sleep(_ time: Duration) -> Bool {
        stopping.wait(after: 0, milliseconds: Int(time / .milliseconds(1))) == 0
    }

    /// Answers one request, on the connection's own thread, which may sleep.
    func answer(
        _ exchange: ServerExchange, _ headers: RequestHeaders, method: String, version: String,
        on connection: OpaquePointer
    ) -> MHD_Result {
        let request = ServerRequest(method: method, target: exchange.target, headers: headers.fields)
        let refusal = headers.fault.map { .refusal(400, $0) } ?? hosts.refusal(of: request, version: version)
        var answer = refusal ?? handler(request)
        if case .bytes(let bytes) = answer.body, !reserve(bytes.count, exchange) {
            answer = ServerAnswer(status: 503, headers: [("Retry-After", "1")])
        }
        if let delay = answer.delay, !sleep(delay) { return .NO }

        guard let response = Self.response(from: answer.body) else { return .NO }
        defer { MHD_destroy_response(response) }
        for (name, value) in answer.headers { _ = MHD_add_response_header(response, name, value) }
        if headers.endsConnection { _ = MHD_add_response_header(response, "Connection", "close") }
        return MHD_queue_response(connection, UInt32(clamping: answer.status), response)
    }

    /// Reserves the bytes of an answer in the budget. Clients that do not read their answers must not fill the memory
    /// or block other clients. So a used-up budget closes the connection with the oldest slow answer.
    /// - Returns: whether the bytes were reserved.
    private func reserve(_ bytes: Int, _ exchange: ServerExchange) -> Bool {
        for attempt in 0...10 {
            exchange.reserved = bodies.enterIfFree(weight: bytes)
            if exchange.reserved != nil { return true }
            guard attempt < 10, connections.closeOldestAnswer(olderThan: slowAnswer) else { break }
            // The thread of that connection releases the bytes.
            sleep(.milliseconds(20))
        }
        return false
    }

    private static func response(from body: ServerAnswer.Body) -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            return bytes.withUnsafeBytes {
                // The library copies the bytes, so the pointer is needed only during the call.
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .file(let file):
            // If a file became shorter, the library would send it from a descriptor forever.
            return MHD_create_response_from_callback(
                UInt64(file.size), 64 * 1024,
                { context, offset, buffer, limit in
                    guard let context, let buffer,
                        let bytes = Unmanaged<ServedFile>.fromOpaque(context).takeUnretainedValue().bytes(
                            at: offset, limit), !bytes.isEmpty
                    else { return -1 }
                    UnsafeMutableRawBufferPointer(start: buffer, count: limit).copyBytes(from: bytes)
                    return bytes.count
                },
                Unmanaged.passRetained(file).toOpaque(),
                { context in
                    if let context { Unmanaged<ServedFile>.fromOpaque(context).release() }
                })
        }
    }
}

/// The state of one request, from its first line until libmicrohttpd ends it. Only the connection's thread uses it.
final class ServerExchange {
    let target: String
    var headers: RequestHeaders?
    /// Returns the reserved bytes of the answer to the budget.
    var reserved: OnRelease?

    init(target: String) { self.target = target }
}
