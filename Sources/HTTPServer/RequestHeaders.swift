import CMicrohttpd
import Glibc

/// The headers of a request as they were sent, and what is wrong with them.
struct RequestHeaders {
    private(set) var fields: [(name: String, value: String)] = []
    /// Why the request is refused. A proxy in front may read these headers in another way and so find another end of
    /// the request (RFC 9112, 11.2).
    private(set) var fault: String?

    init(of connection: OpaquePointer) {
        withUnsafeMutablePointer(to: &self) { pointer in
            _ = MHD_get_connection_values(
                connection, .HEADER_KIND,
                { context, _, name, value in
                    if let context, let name {
                        context.assumingMemoryBound(to: RequestHeaders.self).pointee.add(name, value)
                    }
                    return .YES
                }, pointer)
        }
        let lengths = fields.count { ["content-length", "transfer-encoding"].contains($0.name.lowercased()) }
        if lengths > 1 {
            fault = "The request has more than one header of Content-Length and Transfer-Encoding; send one of them."
        }
    }
}

extension RequestHeaders {
    /// The answer to a request that is refused; it ends the connection.
    var refusal: ServerAnswer? {
        fault.map {
            .text(400, "\($0)\n", headers: [("X-Content-Type-Options", "nosniff"), ("Connection", "close")])
        }
    }

    private mutating func add(_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?) {
        if Self.isContinued(name, value) {
            fault = "A header of the request continues on a second line; send it on one line."
        }
        fields.append((String(cString: name), value.map { String(cString: $0) } ?? ""))
        let field = fields[fields.count - 1]
        if field.name.isEmpty || !field.name.utf8.allSatisfy(Self.isTokenByte) {
            fault = "A header of the request has a name with a character that names cannot have; remove the character."
        }
        if field.value.utf8.contains(where: { $0 < 32 && $0 != UInt8(ascii: "\t") || $0 == 127 }) {
            fault = "A header of the request has a control character in its value; remove the character."
        }
    }

    /// Whether a header had more than one line. libmicrohttpd 0.9.75 adds the second line to the name, in a copy of
    /// it: "Content-Length:" and " 5" become "Content-Length5". Otherwise the value follows the name in memory,
    /// after a zero byte and white space.
    private static func isContinued(_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>?) -> Bool {
        guard let value else { return false }
        let end = name + strlen(name) + 1
        // A header is in one block of 32 KiB, libmicrohttpd's default.
        guard (0...32_768).contains(value - end) else { return true }
        return UnsafeBufferPointer(start: end, count: value - end).contains {
            $0 != CChar(bitPattern: UInt8(ascii: " ")) && $0 != CChar(bitPattern: UInt8(ascii: "\t"))
        }
    }

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
