import CMicrohttpd
import Platform

/// The headers of a request as parsed by libmicrohttpd, and their faults.
struct RequestHeaders {
    private(set) var fields: [(name: String, value: String)] = []
    /// The reason to refuse the request. A proxy may parse these headers differently, and see another end (RFC
    /// 9112, 11.2). Not all such headers are detected, so `endsConnection` is set in all doubtful cases.
    private(set) var fault: String?
    /// Whether to close the connection after the answer, so that later bytes are not parsed as another request.
    ///
    /// It stays open only after a GET or HEAD without a body: its header is small, ends as expected, and has no length.
    private(set) var endsConnection: Bool

    /// The end of the line before the next header, in memory.
    private var end: UnsafePointer<CChar>
    /// Whether the header block is in memory as it was sent. libmicrohttpd may move a larger block while it arrives.
    private let isSmall: Bool

    /// - Parameters:
    ///   - method: the beginning of the header block.
    ///   - version: the last word of its first line.
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
        checkLineEnd(before: method + size, lineEnds: 2)
        if fields.count(where: { Self.lengthNames.contains($0.name.lowercased()) }) > 1 {
            fault = "The request has several Content-Length or Transfer-Encoding headers; send only one of them."
        }
        if fault != nil { endsConnection = true }
    }

    /// The headers that define the length of a body.
    private static let lengthNames = ["content-length", "transfer-encoding"]

    private mutating func add(_ name: UnsafeBufferPointer<CChar>, _ value: UnsafeBufferPointer<CChar>) {
        guard let start = name.baseAddress, let valueStart = value.baseAddress else {
            endsConnection = true
            return
        }
        checkLineEnd(before: start, lineEnds: 1)
        end = valueStart + value.count

        func text(_ bytes: UnsafeBufferPointer<CChar>) -> String {
            String(decoding: UnsafeRawBufferPointer(bytes), as: UTF8.self)
        }
        let field = (name: text(name), value: text(value))
        fields.append(field)
        // RFC 9110, 5.6.2.
        let isToken = field.name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
        if field.name.isEmpty || !isToken {
            fault = "The name of a request header has an invalid character; remove the character."
        }
        if field.value.utf8.contains(where: { $0 < 32 && $0 != "\t" || $0 == 127 }) {
            fault = "The value of a request header has a control character; remove the character."
        }
        for text in [field.name.lowercased().utf8, field.value.lowercased().utf8] {
            if Self.lengthNames.contains(where: { text.firstRange(of: $0.utf8) != nil }) { endsConnection = true }
        }
    }

    /// Checks that there are only line ends between the end of a line and the beginning of the next one.
    ///
    /// libmicrohttpd 0.9.75 moves a header that continues on a second line, ends a value at a zero byte, and ends the
    /// block at a header without a name. In each case the gap between the lines has another size.
    /// - Parameter lineEnds: the expected number of line ends.
    private mutating func checkLineEnd(before next: UnsafePointer<CChar>, lineEnds: Int) {
        guard isSmall else { return }
        let gap = next - end
        // A line may end in LF alone. A proxy can parse that differently.
        if gap != 2 * lineEnds { endsConnection = true }
        if !(lineEnds...2 * lineEnds).contains(gap) {
            fault =
                "A request header has no name, has a zero byte, or continues on a second line; send a valid header on "
                + "one line."
        }
    }
}

/// The host names that a server accepts: localhost, 127.0.0.1, [::1] and explicitly allowed names.
///
/// A foreign web page can make its own host name resolve to 127.0.0.1 (DNS rebinding). The browser then lets that page
/// read the answers of this server, but sends the page's host name in the Host header.
package struct HostNames: Sendable {
    private let names: Set<String>

    init(_ allowed: [String]) {
        names = Set(["localhost", "127.0.0.1", "[::1]"] + allowed.map { Self.normalized($0[...]) })
    }

    /// The error answer to a request for another host; nil if the host is allowed.
    func refusal(of request: ServerRequest, version: String) -> ServerAnswer? {
        let hosts = request.headers.filter { $0.name.lowercased() == "host" }.map(\.value)
        // RFC 9112, 3.2. HTTP/1.0 has no Host header, but browsers always send one.
        if hosts.isEmpty, version == "HTTP/1.0" { return nil }
        guard hosts.count == 1, let name = Self.name(in: hosts[0]) else {
            return .refusal(400, "The request must have exactly one valid Host header.")
        }
        guard !names.contains(name) else { return nil }
        return .refusal(403, "This server does not answer for the host \(name). Allow it with --allow-host \(name).")
    }

    /// The name in a Host header, in lower case and without the port; nil if it is invalid.
    private static func name(in host: String) -> String? {
        let end =
            host.hasPrefix("[") ? host.firstIndex(of: "]").map { host.index(after: $0) } : host.firstIndex(of: ":")
        let name = host[..<(end ?? host.endIndex)]
        let normalized = normalized(name)
        let port = host[name.endIndex...]
        guard isValid(name), !normalized.isEmpty,
            port.isEmpty || port.first == ":" && port.dropFirst().utf8.allSatisfy(\.isDigit)
        else {
            return nil
        }
        return normalized
    }

    /// The name in lower case, without a dot at the end: "localhost." is "localhost".
    private static func normalized(_ name: Substring) -> String {
        (name.hasSuffix(".") ? name.dropLast() : name).lowercased()
    }

    /// Whether a text has the form of a host name or an address, without a port. An IPv6 address is in brackets.
    package static func isValid(_ name: Substring) -> Bool {
        let isAddress = name.hasPrefix("[") && name.hasSuffix("]")
        let bytes = isAddress ? name.utf8.dropFirst().dropLast() : name.utf8
        return (1...255).contains(bytes.count)
            && bytes.allSatisfy {
                $0.isLetter || $0.isDigit || ".-_".utf8.contains($0) || isAddress && $0 == ":"
            }
    }
}
