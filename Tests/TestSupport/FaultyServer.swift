import Foundation
import Glibc
package import HTTPServer
import Platform

/// A server on 127.0.0.1 for tests, or a proxy for another one. It writes raw bytes, so that requests with a fault can
/// get invalid answers.
public final class FaultyServer: Sendable {
    /// The faults of this server.
    public typealias Fault = TestSupport.Fault
    /// The actions of this server.
    public typealias Action = Fault.Action

    /// The parts of a server's answer.
    public struct Reply: Sendable {
        /// The target of the request line.
        public internal(set) var target = ""
        /// The status code.
        public var status: Int
        /// The header fields, except those of length and connection.
        public var headers: [(name: String, value: String)]
        /// The body.
        public var body: [UInt8]

        /// Creates an answer from its parts.
        public init(_ status: Int, _ headers: [(name: String, value: String)] = [], _ body: [UInt8] = []) {
            self.status = status
            self.headers = headers
            self.body = body
        }

        /// The same answer with a header set or added.
        public func with(_ name: String, _ value: String) -> Reply {
            var copy = self
            copy.headers.removeAll { $0.name.lowercased() == name.lowercased() }
            copy.headers.append((name, value))
            return copy
        }

        /// The bytes before the body, with exactly these headers.
        public var head: [UInt8] {
            Array("HTTP/1.1 \(status) Spoken\r\n\(headers.map { "\($0.name): \($0.value)\r\n" }.joined())\r\n".utf8)
        }

        /// The complete answer to a method, with Content-Length.
        func bytes(_ method: String = "GET") -> [UInt8] {
            // 304 and 204 have no body (RFC 9110, section 6.4.1).
            guard status != 304, status != 204 else { return head }
            return with("Content-Length", "\(body.count)").head + (method == "HEAD" ? [] : body)
        }
    }

    private struct State: Sendable {
        var faults: [Fault]
        var requests: [LoggedRequest] = []
        /// The number of times that the log was emptied.
        var resets = 0
        var connections: Set<Int32> = []
        var listener: Int32 = -1
        var isStopped = false
        /// Whether it is down for a limited time.
        var isRestarting = false
    }

    /// The port. It does not change while the server is down.
    public let port: Int
    private let state: Locked<State>
    private let answer: @Sendable (ServerRequest) -> Reply?

    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - answer: called for each request, concurrently. If it returns nil, the connection is closed.
    package init(port: Int = 0, _ faults: [Fault] = [], answer: @escaping @Sendable (ServerRequest) -> Reply?) throws {
        let (listener, port) = try Loopback.listen(on: port)
        self.port = port
        self.answer = answer
        state = Locked(State(faults: faults, listener: listener))
        accept(listener)
    }

    /// A proxy.
    /// - Parameter upstream: the port of the server on 127.0.0.1.
    public convenience init(before upstream: Int, _ faults: [Fault] = []) throws {
        try self.init(faults) { Self.forward($0.target, $0.header("If-None-Match"), to: upstream) }
    }

    /// A server that sends these bytes to each request, and closes the connection.
    package convenience init(sending bytes: [UInt8]) throws {
        try self.init([Fault(times: nil, .raw { _ in bytes }) { _ in true }]) { _ in Reply(200) }
    }

    deinit { stop() }
}

extension FaultyServer {
    /// The address of an API at this server, such as `http://127.0.0.1:8090/api`.
    public var apiURL: String { "http://127.0.0.1:\(port)/api" }

    /// The first fault that matches and still has occurrences is applied.
    package var faults: [Fault] { state.withLock(\.faults) }

    /// Replaces the faults.
    public func setFaults(_ faults: [Fault]) { state.withLock { $0.faults = faults } }

    /// The requests since the last reset, in the order of their arrival. A copy, because ThreadSanitizer does not see
    /// the reference count of an array.
    public var log: [LoggedRequest] { state.withLock { $0.requests.map(\.self) } }

    /// Returns the requests since the last reset, and removes them from the log.
    @discardableResult
    public func takeLog() -> [LoggedRequest] {
        state.withLock { state in
            defer { (state.requests, state.resets) = ([], state.resets + 1) }
            return state.requests
        }
    }

    /// Whether the server is down for a limited time.
    public var isRestarting: Bool { state.withLock { $0.isRestarting } }

    /// Accepts connections again.
    public func restart() throws {
        defer { state.withLock { $0.isRestarting = false } }
        guard state.withLock({ $0.listener < 0 && !$0.isStopped }) else { return }
        let (listener, _) = try Loopback.listen(on: port)
        state.withLock { $0.listener = listener }
        accept(listener)
    }

    /// Closes all connections and the port.
    public func stop() {
        state.withLock { $0.isStopped = true }
        goDown()
    }

    private func goDown() {
        state.withLock { state in
            if state.listener >= 0 { shutdown(state.listener, Int32(SHUT_RDWR)) }
            state.listener = -1
            for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
        }
    }
}

extension FaultyServer {
    private func accept(_ listener: Int32) {
        startThread { [weak self] in
            while case let connection = Glibc.accept(listener, nil, nil), connection >= 0 {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                guard let self,
                    self.state.withLock({ $0.isStopped ? false : $0.connections.insert(connection).inserted })
                else {
                    close(connection)
                    continue
                }
                startThread { [weak self] in
                    while let self, self.serveOne(connection) {}
                    // Remove it before `close` frees the descriptor for another connection.
                    self?.state.withLock { _ = $0.connections.remove(connection) }
                    close(connection)
                }
            }
            close(listener)
        }
    }

    /// - Returns: whether the connection can serve another request.
    private func serveOne(_ connection: Int32) -> Bool {
        guard let request = Self.readRequest(connection) else { return false }
        let (action, index, resets) = state.withLock { state in
            state.requests.append(LoggedRequest(target: request.target, condition: request.header("If-None-Match")))
            let faultIndex = state.faults.firstIndex { $0.times != 0 && $0.matches(request.target) }
            if let faultIndex, let times = state.faults[faultIndex].times { state.faults[faultIndex].times = times - 1 }
            return (faultIndex.map { state.faults[$0].action }, state.requests.count - 1, state.resets)
        }
        /// Completes the entry in the log, before the last byte is sent.
        func log(status: Int) {
            state.withLock { state in
                guard state.resets == resets else { return }
                state.requests[index].status = status
                state.requests[index].end = .now
            }
        }
        return perform(action, request, on: connection, log)
    }

    private func perform(
        _ action: Fault.Action?, _ request: ServerRequest, on connection: Int32, _ log: (_ status: Int) -> Void
    ) -> Bool {
        var reply: Reply? {
            var reply = answer(request)
            reply?.target = request.target
            return reply
        }
        switch action {
        case nil, .answer:
            guard var reply else { return false }
            if case .answer(let change) = action { reply = change(reply) }
            log(reply.status)
            return Self.send(reply.bytes(request.method), to: connection) && request.header("Connection") != "close"
        case .slow(let count, let interval):
            guard let reply else { return false }
            var rest = reply.bytes()[...]
            while !rest.isEmpty {
                if rest.count <= count { log(reply.status) }
                guard Self.send(Array(rest.prefix(count)), to: connection) else { return false }
                rest = rest.dropFirst(count)
                usleep(UInt32(interval / .microseconds(1)))
            }
            return true
        case .raw(let make, let reset):
            if let reply { Self.send(make(reply), to: connection) }
            if reset { Self.abort(connection) }
        case .endless(let make, let piece):
            guard let reply, Self.send(make(reply), to: connection) else { return false }
            while Self.send(piece, to: connection) {}
        case .reset: Self.abort(connection)
        case .hang(let time):
            var limit = timeval(tv_sec: Int(time.components.seconds), tv_usec: 0)
            setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            var byte: UInt8 = 0
            _ = read(connection, &byte, 1)
        case .down(let time):
            Self.abort(connection)
            if time != nil { state.withLock { $0.isRestarting = true } }
            goDown()
            if let time {
                startThread { [weak self] in
                    usleep(UInt32(time / .microseconds(1)))
                    // If another process has taken the port, requests are refused and the test fails.
                    try? self?.restart()
                }
            }
        }
        log(0)
        return false
    }

    /// The answer of the real server; nil without one.
    private static func forward(_ target: String, _ condition: String?, to upstream: Int) -> Reply? {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(connection) }
        let condition = condition.map { "If-None-Match: \($0)\r\n" } ?? ""
        guard Loopback.connect(connection, to: upstream),
            send(
                Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(condition)Connection: close\r\n\r\n".utf8),
                to: connection)
        else { return nil }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(connection, &buffer, buffer.count), count > 0 { answer += buffer[..<count] }
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let (start, headers) = parsed(answer[..<end.lowerBound])
        guard start.count > 1, let status = Int(start[1]) else { return nil }
        let kept = headers.filter {
            !["connection", "content-length", "transfer-encoding"].contains($0.name.lowercased())
        }
        return Reply(status, kept, Array(answer[end.upperBound...]))
    }

    /// Reads a request up to the blank line; nil if the client closed the connection.
    private static func readRequest(_ connection: Int32) -> ServerRequest? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard head.count < 65_536, read(connection, &byte, 1) == 1 else { return nil }
            head.append(byte)
            // A client that begins a TLS handshake sends no blank line.
            if head == [0x16] { return ServerRequest(method: "GET", target: "/") }
        }
        let (start, headers) = parsed(head[...])
        return ServerRequest(method: start[0], target: start.count > 1 ? start[1] : "", headers: headers)
    }

    /// The words of the first line, and the header fields.
    private static func parsed(_ head: ArraySlice<UInt8>) -> (start: [String], headers: [(name: String, value: String)])
    {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return (String(line[..<colon]), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        return (lines[0].components(separatedBy: " "), headers)
    }

    @discardableResult
    private static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
        var left = bytes[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            left = left.dropFirst(count)
        }
        return true
    }

    /// Makes the following `close` reset the connection (socket(7), SO_LINGER).
    private static func abort(_ connection: Int32) {
        var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }
}
