import Glibc
import TestSupport

/// A connection that is kept open until the object is released.
final class Socket {
    let socket: Int32

    init(_ port: Int) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard Loopback.connect(socket, to: port) else {
            close(socket)
            throw Client.Refused()
        }
        self.socket = socket
    }

    deinit { close(socket) }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func ask(_ text: String) -> Client.Reply {
        send(text)
        return reply()
    }

    /// All bytes until the server closes the connection.
    func everything(after text: String = "") -> String {
        send(text)
        return String(decoding: rest().bytes, as: UTF8.self)
    }

    /// The bytes until the server closes the connection, and whether it reset the connection.
    func rest() -> (bytes: [UInt8], wasReset: Bool) {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return (received, count < 0 && errno == ECONNRESET) }
            received += buffer[..<count]
        }
    }

    /// Reads one answer, by its Content-Length.
    func reply() -> Client.Reply {
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let reply = Client.Reply(received), reply.body.count >= Int(reply.header("Content-Length") ?? "") ?? 0 {
                return reply
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return Client.Reply() }
            received += buffer[..<count]
        }
    }

    /// The status of the next response, whose bytes remain unread.
    var status: Int {
        var start = [UInt8](repeating: 0, count: 12)
        guard recv(socket, &start, start.count, Int32(MSG_WAITALL) | Int32(MSG_PEEK)) == start.count
        else { return 0 }
        return Int(String(decoding: start.suffix(3), as: UTF8.self)) ?? 0
    }

    var isClosed: Bool {
        var byte: UInt8 = 0
        let count = recv(socket, &byte, 1, Int32(MSG_DONTWAIT) | Int32(MSG_PEEK))
        return count == 0 || count < 0 && errno == ECONNRESET
    }
}
