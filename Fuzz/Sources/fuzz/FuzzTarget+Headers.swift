import HTTP
import Platform

extension FuzzTarget {
    /// A header block from a server.
    static let headers = FuzzTarget(name: "headers") { bytes in
        let headers = [Header](parsing: bytes)
        for header in headers {
            require(!header.name.isEmpty, "a field has a name")
            require(!header.name.utf8.contains(UInt8(ascii: ":")), "a name ends at the first colon")
            for text in [header.name, header.value] {
                require(!text.utf8.contains { $0 == 10 || $0 == 13 }, "a field is one line: \(header)")
                require(
                    ![32, 9].contains(text.utf8.first) && ![32, 9].contains(text.utf8.last),
                    "a field has no surrounding white space: \(header)")
            }
        }
        // Only one field is checked, because 1,000 fields would need a million comparisons.
        if let name = headers.first?.name {
            let last = headers.last { $0.name.lowercased() == name.lowercased() }
            require(headers[name] == last?.value, "the last field with a name counts")
        }
        let written = "HTTP/1.1 200 OK\r\n" + headers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
        require(
            [Header](parsing: Array(written.utf8)) == headers,
            "parsed headers can be written and parsed again: \(headers)")
    }

    /// A URL from a server or a user.
    static let url = FuzzTarget(name: "url") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let url = WebURL(text) {
            // Compare bytes, because a host may begin with a combining character, which joins the slash.
            let isWeb = ["http://", "https://"].contains { url.origin.utf8.starts(with: $0.utf8) }
            require(isWeb, "only http and https: \(url.origin)")
            for part in [url.text, url.origin, url.target] {
                require(
                    !part.utf8.contains { $0 <= 0x20 || $0 == 0x7F },
                    "it is valid in a request line: \(part.debugDescription)")
            }
            require(url.target.utf8.first == UInt8(ascii: "/"), "a target begins with a slash: \(url.target)")
            // A trap reports a finding, and libFuzzer stores the input.
            guard let again = WebURL(url.text) else { fatalError("broken: a parsed URL is valid: \(url.text)") }
            require(
                again.origin == url.origin,
                "the same text has the same origin: \(url.text) \(again.origin) \(url.origin)")
            require(
                again.target == url.target,
                "the same text has the same target: \(url.text) \(again.target) \(url.target)"
            )
        }
    }
}
