import Foundation
import Glibc
import Platform

/// A proxy for a server on 127.0.0.1. It forwards requests, except those with a fault, and writes raw bytes, so that it
/// can send invalid answers.
public final class FaultyServer: Sendable {
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

        /// The complete answer, with Content-Length.
        var bytes: [UInt8] {
            // 304 and 204 have no body (RFC 9110, section 6.4.1).
            status == 304 || status == 204 ? head : with("Content-Length", "\(body.count)").head + body
        }
    }

    /// The action of the proxy instead of forwarding the answer.
    public enum Action: Sendable {
        /// Another valid answer.
        case answer(@Sendable (Reply) -> Reply)
        /// These bytes, then the connection is closed or reset.
        case raw(@Sendable (Reply) -> [UInt8], reset: Bool = false)
        /// These bytes, then a piece repeatedly until the client closes the connection.
        case endless(@Sendable (Reply) -> [UInt8], piece: [UInt8])
        /// The connection is reset before the first byte.
        case reset
        /// Silence until the client closes the connection.
        case hang
        /// The answer, one byte in each interval.
        case drip(every: Duration)
        /// The connection is reset, and connections are refused for this time; nil until `restart` is called.
        case down(for: Duration?)
    }

    /// An action, and the requests that it applies to.
    public struct Fault: Sendable {
        let matches: @Sendable (String) -> Bool
        var times: Int?
        let action: Action

        /// - Parameters:
        ///   - times: the number of times that it occurs; nil for always.
        ///   - matches: a condition on the target of the request line.
        public init(times: Int? = 1, _ action: Action, on matches: @escaping @Sendable (String) -> Bool) {
            self.matches = matches
            self.times = times
            self.action = action
        }
    }

    /// A received request, with the status of the forwarded answer; 0 for a fault.
    public struct ReceivedRequest: Sendable, Equatable {
        /// The target of the request line.
        public let target: String
        /// The entity tag of If-None-Match.
        public let condition: String?
        /// The status of the forwarded answer; 0 for a fault.
        public var status: Int
    }

    private struct State: Sendable {
        var faults: [Fault]
        var requests: [ReceivedRequest] = []
        var connections: Set<Int32> = []
        var listener: Int32 = -1
        var isStopped = false
        /// Whether it is down for a limited time.
        var isRestarting = false
    }

    /// The port of the proxy. It does not change while the proxy is down.
    public let port: Int
    private let upstream: Int
    private let state: Locked<State>

    /// - Parameter upstream: the port of the server on 127.0.0.1.
    public init(before upstream: Int, _ faults: [Fault] = []) throws {
        let (listener, port) = try Loopback.listen(on: 0)
        self.upstream = upstream
        self.port = port
        state = Locked(State(faults: faults, listener: listener))
        accept(listener)
    }

    deinit { stop() }
}

extension FaultyServer {
    /// The API's address at the proxy, such as `http://127.0.0.1:8090/api`.
    public var apiURL: String { "http://127.0.0.1:\(port)/api" }

    /// Replaces the faults. The first fault that matches and still has occurrences is applied.
    public func setFaults(_ faults: [Fault]) { state.withLock { $0.faults = faults } }

    /// Returns the requests since the last call, and removes them from the log.
    public func takeLog() -> [ReceivedRequest] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// Whether the proxy is down for a limited time.
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
        guard let request = Self.readHead(connection) else { return false }
        let lines = String(decoding: request, as: UTF8.self).components(separatedBy: "\r\n")
        let target = lines[0].split(separator: " ").dropFirst().first.map(String.init) ?? ""
        let condition = lines.first { $0.lowercased().hasPrefix("if-none-match:") }
            .map { $0.dropFirst("if-none-match:".count).trimmingCharacters(in: .whitespaces) }
        let (action, index) = state.withLock { state -> (Action?, Int) in
            state.requests.append(ReceivedRequest(target: target, condition: condition, status: 0))
            let faultIndex = state.faults.firstIndex { $0.times != 0 && $0.matches(target) }
            if let faultIndex, let times = state.faults[faultIndex].times { state.faults[faultIndex].times = times - 1 }
            return (faultIndex.map { state.faults[$0].action }, state.requests.count - 1)
        }
        guard let action else {
            guard let reply = forward(target, condition) else { return false }
            state.withLock {
                if index < $0.requests.count, $0.requests[index].target == target {
                    $0.requests[index].status = reply.status
                }
            }
            return Self.send(reply.bytes, to: connection)
        }
        return perform(action, target, condition, on: connection)
    }

    private func perform(_ action: Action, _ target: String, _ condition: String?, on connection: Int32) -> Bool {
        switch action {
        case .answer(let change):
            return forward(target, condition).map { Self.send(change($0).bytes, to: connection) } ?? false
        case .raw(let make, let reset):
            if let reply = forward(target, condition) { Self.send(make(reply), to: connection) }
            if reset { Self.abort(connection) }
            return false
        case .endless(let make, let piece):
            guard let reply = forward(target, condition), Self.send(make(reply), to: connection) else { return false }
            while Self.send(piece, to: connection) {}
            return false
        case .reset:
            Self.abort(connection)
            return false
        case .hang:
            var byte: UInt8 = 0
            _ = read(connection, &byte, 1)
            return false
        case .drip(let interval):
            guard let reply = forward(target, condition) else { return false }
            for byte in reply.bytes {
                guard Self.send([byte], to: connection) else { return false }
                usleep(UInt32(interval / .microseconds(1)))
            }
            return true
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
            return false
        }
    }

    /// The answer of the real server; nil without one.
    private func forward(_ target: String, _ condition: String?) -> Reply? {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(connection) }
        var address = Loopback.address(upstream)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        let condition = condition.map { "If-None-Match: \($0)\r\n" } ?? ""
        guard isConnected,
            Self.send(
                Array("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(condition)Connection: close\r\n\r\n".utf8),
                to: connection)
        else { return nil }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(connection, &buffer, buffer.count), count > 0 { answer += buffer[..<count] }
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        let headers = lines.dropFirst().compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = String(line[..<colon])
            guard !["connection", "content-length", "transfer-encoding"].contains(name.lowercased()) else { return nil }
            return (name, line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        var reply = Reply(status, headers, Array(answer[end.upperBound...]))
        reply.target = target
        return reply
    }

    /// The bytes of a request up to the blank line; nil if the client closed the connection.
    private static func readHead(_ connection: Int32) -> [UInt8]? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard head.count < 65_536, read(connection, &byte, 1) == 1 else { return nil }
            head.append(byte)
        }
        return head
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
