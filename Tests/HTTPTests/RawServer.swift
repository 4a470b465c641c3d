import Glibc
import Platform
import TestSupport
import Testing

/// Sends raw bytes to every connection on 127.0.0.1 and closes it. Used for invalid responses.
final class RawServer: Sendable {
    let port: Int
    private let listener: Int32
    private let stopped = BlockingQueue<Void>()

    /// - Parameter answer: sent after the request's headers; nil closes the connection.
    init(_ answer: [UInt8]?) throws {
        let (listener, port) = try Loopback.listen(on: 0)
        self.listener = listener
        self.port = port
        startThread { [stopped] in
            while case let connection = accept(listener, nil, nil), connection >= 0 {
                Self.serve(connection, answer)
                close(connection)
            }
            stopped.push(())
        }
    }

    convenience init(_ text: String) throws { try self.init(Array(text.utf8)) }

    deinit {
        // This wakes the thread in accept(2). close(2) alone does not wake it.
        shutdown(listener, Int32(SHUT_RDWR))
        _ = stopped.popAll()
        close(listener)
    }

    private static func serve(_ connection: Int32, _ answer: [UInt8]?) {
        var request: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: request, as: UTF8.self).hasSuffix("\r\n\r\n") {
            let count = read(connection, &buffer, buffer.count)
            // The client of a TLS handshake never sends the end of headers.
            guard count > 0, buffer[0] != 0x16 else { break }
            request += buffer[..<count]
        }
        guard let answer else { return }
        var left = answer[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            left = left.dropFirst(count)
        }
    }

    /// A port of 127.0.0.1 without a listener, because it was just released.
    static func freePort() throws -> Int { try RawServer(nil).port }
}

/// Accepts connections to 127.0.0.1 and never sends anything.
final class SilentServer: Sendable {
    let port: Int
    private let listener: Int32

    init() throws { (listener, port) = try Loopback.listen(on: 0) }

    deinit { close(listener) }
}
