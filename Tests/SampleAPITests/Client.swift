import Glibc

/// One request on one connection with blocking sockets.
struct Client {
    private let socket: Socket

    /// The response before the server closed the connection.
    struct Reply {
        var status = 0
        var headers: [(name: String, value: String)] = []
        var body: [UInt8] = []
        var wasReset = false

        var text: String { String(decoding: body, as: UTF8.self) }

        func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
    }

    struct Refused: Error {}

    init(_ port: Int, _ target: String, method: String = "GET", headers: [(String, String)] = []) throws {
        socket = try Socket(port)
        var lines = ["\(method) \(target) HTTP/1.1", "Host: 127.0.0.1", "Connection: close"]
        lines += headers.map { "\($0.0): \($0.1)" }
        socket.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    func reply() -> Reply {
        let (received, wasReset) = socket.rest()
        var reply = Reply(received) ?? Reply()
        reply.wasReset = wasReset
        return reply
    }
}

extension Client.Reply {
    /// The response received so far; nil until its header is complete.
    init?(_ received: [UInt8]) {
        let end: [UInt8] = [13, 10, 13, 10]
        guard let split = received.indices.first(where: { received[$0...].starts(with: end) }) else { return nil }
        let lines = String(decoding: received[..<split], as: UTF8.self).split(separator: "\r\n")
        status = lines.first.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        headers = lines.dropFirst().map { line in
            let sides = line.split(separator: ":", maxSplits: 1)
            return (String(sides[0]), sides.count > 1 ? String(sides[1].drop { $0 == " " }) : "")
        }
        body = Array(received[(split + 4)...])
    }
}

func ask(_ port: Int, _ target: String, method: String = "GET", headers: [(String, String)] = []) throws -> Client.Reply
{
    try Client(port, target, method: method, headers: headers).reply()
}

func wait(_ seconds: Double) { usleep(UInt32(seconds * 1_000_000)) }
