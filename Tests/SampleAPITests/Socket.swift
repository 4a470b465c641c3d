import Glibc

/// A connection that is kept open until the object is released.
final class Socket {
    let socket: Int32

    init(_ port: Int) throws { socket = try Self.connected(to: port) }

    /// A blocking socket connected to a local port; the caller closes it.
    static func connected(to port: Int) throws -> Int32 {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(socket)
            throw Client.Refused()
        }
        return socket
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
        var received: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: received, as: UTF8.self) }
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
