import CMicrohttpd
import Glibc
import Platform

/// The state of libmicrohttpd's callbacks: the connections, the handler, and the conversion of its answers.
final class Engine: Sendable {
    let interrupt: Interrupt
    let connections: ConnectionTable
    private let hosts: HostNames
    /// The number of bytes that may still be allocated for bodies.
    private let bodyBudget: Locked<Int>
    /// The time after which an answer may be aborted in favour of others.
    private let slowAnswer: Duration
    private let handler: @Sendable (ServerRequest) -> ServerAnswer

    init(
        hosts: HostNames, connections: ConnectionTable, bodyBudget: Int, slowAnswer: Duration,
        handler: @escaping @Sendable (ServerRequest) -> ServerAnswer
    ) throws(ServerError) {
        self.bodyBudget = Locked(bodyBudget)
        self.slowAnswer = slowAnswer
        self.hosts = hosts
        self.connections = connections
        self.handler = handler
        self.interrupt = try Interrupt()
    }

    /// Answers one request, on the connection's own thread, which may sleep.
    func answer(
        _ exchange: ServerExchange, _ headers: RequestHeaders, method: String, version: String,
        on connection: OpaquePointer
    ) -> MHD_Result {
        let request = ServerRequest(
            method: method, target: exchange.target, headers: headers.fields, start: exchange.start)
        var answer = headers.refusal ?? hosts.refusal(of: request, version: version) ?? handler(request)
        exchange.onFinish = answer.onFinish
        if case .bytes(let bytes) = answer.body, !reserve(bytes.count, exchange) {
            answer = ServerAnswer(status: 503, headers: [("Retry-After", "1")])
        }
        let socket = amber_mhd_socket(connection)

        if let delay = answer.delay, !interrupt.sleep(delay) {
            return .NO
        }
        switch answer.misbehaviour {
        case .hang(let time):
            interrupt.sleep(time, watching: socket)
            return .NO
        case .reset:
            exchange.finish()
            Self.reset(socket)
            return .NO
        case .truncated, .slow, nil:
            break
        }

        guard let response = response(to: answer, isHead: method == "HEAD", exchange: exchange) else { return .NO }
        defer { MHD_destroy_response(response) }
        for (name, value) in answer.headers {
            _ = MHD_add_response_header(response, name, value)
        }
        if headers.endsConnection { _ = MHD_add_response_header(response, "Connection", "close") }
        return MHD_queue_response(connection, UInt32(clamping: answer.status), response)
    }
}

extension Engine {
    /// Reserves the bytes of an answer in the budget. Clients that do not read their answers must not fill the memory
    /// or block other clients. So if the budget is used up, this function closes the connection with the oldest answer,
    /// if that answer is slow.
    /// - Returns: whether the bytes were reserved.
    private func reserve(_ bytes: Int, _ exchange: ServerExchange) -> Bool {
        for _ in 0..<10 {
            if exchange.reserve(bytes, of: bodyBudget) { return true }
            guard connections.closeOldestAnswer(olderThan: slowAnswer) else { return false }
            // The thread of that connection releases the bytes.
            interrupt.sleep(.milliseconds(20))
        }
        return exchange.reserve(bytes, of: bodyBudget)
    }

    private func response(to answer: ServerAnswer, isHead: Bool, exchange: ServerExchange) -> OpaquePointer? {
        switch answer.body {
        case .bytes(let bytes):
            if let misbehaviour = answer.misbehaviour, !isHead {
                if bytes.isEmpty { exchange.finish() }
                return Self.response(from: BodyReader(bytes, misbehaviour, interrupt, exchange))
            }
            exchange.finish()
            return bytes.withUnsafeBytes {
                // The library copies the bytes, so the pointer is needed only during the call.
                MHD_create_response_from_buffer(
                    $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .file(let file):
            exchange.finish()
            // The library closes the copy when the response is destroyed.
            let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { return nil }
            guard let response = MHD_create_response_from_fd64(UInt64(file.size), copy) else {
                close(copy)
                return nil
            }
            return response
        }
    }

    private static func response(from reader: BodyReader) -> OpaquePointer? {
        MHD_create_response_from_callback(
            UInt64(reader.bytes.count), 32 * 1024,
            { context, offset, buffer, limit in
                guard let context, let buffer else { return -1 }
                return Unmanaged<BodyReader>.fromOpaque(context).takeUnretainedValue().read(
                    from: Int(offset), into: buffer, limit: limit)
            },
            Unmanaged.passRetained(reader).toOpaque(),
            { context in
                if let context { Unmanaged<BodyReader>.fromOpaque(context).release() }
            })
    }

    /// Sends RST immediately, because connect(2) with AF_UNSPEC dissolves a TCP association. A close(2), even without
    /// lingering, would happen after libmicrohttpd's shutdown(2), so the client would see an orderly end first.
    private static func reset(_ socket: Int32) {
        var unspecified = sockaddr()
        unspecified.sa_family = sa_family_t(AF_UNSPEC)
        _ = connect(socket, &unspecified, socklen_t(MemoryLayout<sockaddr>.size))
    }
}

/// The state of one request, from its first line until libmicrohttpd ends it. Only the connection's thread uses it.
final class ServerExchange {
    let target: String
    let start: ContinuousClock.Instant
    var headers: RequestHeaders?
    /// Called once, by `finish`.
    var onFinish: (@Sendable () -> Void)?
    private var reserved: (bytes: Int, budget: Locked<Int>)?

    init(target: String) {
        self.target = target
        self.start = .now
    }

    deinit {
        if let reserved { reserved.budget.withLock { $0 += reserved.bytes } }
    }

    /// Reserves bytes in a budget until the exchange ends.
    /// - Returns: whether the budget had enough bytes.
    func reserve(_ bytes: Int, of budget: Locked<Int>) -> Bool {
        let isReserved = budget.withLock { left in
            guard bytes <= left else { return false }
            left -= bytes
            return true
        }
        if isReserved { reserved = (bytes, budget) }
        return isReserved
    }

    func finish() {
        let call = onFinish
        onFinish = nil
        call?()
    }
}

/// A body that is sent slowly or truncated.
private final class BodyReader {
    let bytes: [UInt8]
    private let misbehaviour: ServerAnswer.Misbehaviour
    private let interrupt: Interrupt
    private let exchange: ServerExchange

    init(
        _ bytes: [UInt8], _ misbehaviour: ServerAnswer.Misbehaviour, _ interrupt: Interrupt, _ exchange: ServerExchange
    ) {
        self.bytes = bytes
        self.misbehaviour = misbehaviour
        self.interrupt = interrupt
        self.exchange = exchange
    }

    /// - Returns: the number of bytes written; 0 or less ends the connection.
    func read(from offset: Int, into buffer: UnsafeMutablePointer<CChar>, limit: Int) -> Int {
        var limit = limit
        var isCut = false
        switch misbehaviour {
        case .truncated(let end): limit = min(limit, end - offset)
        case .slow(let count, let interval):
            isCut = offset > 0 && !interrupt.sleep(interval)
            limit = min(limit, max(count, 1))
        case .hang, .reset: break
        }
        let count = min(limit, bytes.count - offset)
        guard !isCut, count > 0 else {
            exchange.finish()
            return -1
        }
        if offset + count >= bytes.count { exchange.finish() }
        UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: bytes[offset..<offset + count])
        return count
    }
}
