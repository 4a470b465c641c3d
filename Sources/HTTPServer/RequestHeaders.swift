import CMicrohttpd
import Glibc
import Platform

/// The headers of a request as libmicrohttpd read them, and what is wrong with them.
struct RequestHeaders {
    private(set) var fields: [(name: String, value: String)] = []
    /// Why the request is refused: a proxy in front may read these headers in another way, and so find another end of
    /// the request (RFC 9112, 11.2). This does not see every such header, so `endsConnection` covers the others.
    private(set) var fault: String?
    /// Whether the connection is closed after the answer, so that the bytes that follow are not read as another
    /// request.
    ///
    /// The connection stays open only after a GET or HEAD that surely has no body: its header block is small, ends
    /// where it seems to end, and does not mention the length of a body.
    private(set) var endsConnection: Bool

    /// Where the line before the next header ends in memory.
    private var end: UnsafePointer<CChar>
    /// Whether the header block lies in memory as it was sent. libmicrohttpd may move a larger one while it arrives.
    private let isSmall: Bool

    /// - Parameters:
    ///   - method: points to the beginning of the header block.
    ///   - version: points to the end of its first line.
    init(of connection: OpaquePointer, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) {
        let size = amber_mhd_header_size(connection)
        isSmall = size <= 8 * 1024
        endsConnection = !isSmall || !["GET", "HEAD"].contains(String(cString: method))
        end = version + strlen(version)
        withUnsafeMutablePointer(to: &self) { pointer in
            _ = MHD_get_connection_values_n(
                connection, .HEADER_KIND,
                { context, _, name, nameSize, value, valueSize in
                    context?.assumingMemoryBound(to: RequestHeaders.self).pointee.add(
                        UnsafeBufferPointer(start: name, count: nameSize),
                        UnsafeBufferPointer(start: value, count: valueSize))
                    return .YES
                }, pointer)
        }
        endLine(at: method + size, lineEnds: 2)
        if fields.count(where: { Self.lengths.contains($0.name.lowercased()) }) > 1 {
            fault = "The request has more than one header of Content-Length and Transfer-Encoding; send one of them."
        }
        if fault != nil { endsConnection = true }
    }
}

extension RequestHeaders {
    var refusal: ServerAnswer? {
        fault.map { .text(400, "\($0)\n", headers: [("X-Content-Type-Options", "nosniff")]) }
    }

    /// The headers that tell how long a body is.
    private static let lengths = ["content-length", "transfer-encoding"]

    private mutating func add(_ name: UnsafeBufferPointer<CChar>, _ value: UnsafeBufferPointer<CChar>) {
        guard let start = name.baseAddress, let valueStart = value.baseAddress else {
            endsConnection = true
            return
        }
        endLine(at: start, lineEnds: 1)
        end = valueStart + value.count

        func text(_ bytes: UnsafeBufferPointer<CChar>) -> String {
            String(decoding: UnsafeRawBufferPointer(bytes), as: UTF8.self)
        }
        let field = (name: text(name), value: text(value))
        fields.append(field)
        if field.name.isEmpty || !field.name.utf8.allSatisfy(Self.isTokenByte) {
            fault = "A header of the request has a name with a character that names cannot have; remove the character."
        }
        if field.value.utf8.contains(where: { $0 < 32 && $0 != UInt8(ascii: "\t") || $0 == 127 }) {
            fault = "A header of the request has a control character in its value; remove the character."
        }
        for text in [field.name.lowercased().utf8, field.value.lowercased().utf8] {
            if Self.lengths.contains(where: { text.firstRange(of: $0.utf8) != nil }) { endsConnection = true }
        }
    }

    /// Compares where a line ends with where the next one begins.
    ///
    /// libmicrohttpd 0.9.75 copies a header that has a second line to another place, ends a value at a zero byte, and
    /// ends the block at a header without a name. Each leaves a gap here that line ends do not explain.
    /// - Parameter lineEnds: how many line ends belong there.
    private mutating func endLine(at next: UnsafePointer<CChar>, lineEnds: Int) {
        guard isSmall else { return }
        let gap = next - end
        // A line may end in LF alone, which takes one byte. A proxy can take that in another way.
        if gap != 2 * lineEnds { endsConnection = true }
        if !(lineEnds...2 * lineEnds).contains(gap) {
            fault =
                "A header of the request has no name or a zero byte, or continues on a second line; send it on one "
                + "line."
        }
    }

    /// RFC 9110, 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
}
