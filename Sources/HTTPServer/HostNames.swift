import Platform

/// The host names that a server accepts: localhost, 127.0.0.1, [::1] and explicitly allowed names.
///
/// A foreign web page can make its own host name resolve to 127.0.0.1 (DNS rebinding). The browser then lets that page
/// read the answers of this server, but sends the page's host name in the Host header.
public struct HostNames: Sendable {
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
                $0.isLetter || $0.isDigit || ".-_".utf8.contains($0) || isAddress && $0 == UInt8(ascii: ":")
            }
    }
}
