import HTTP

extension FuzzTarget {
    /// A header block from a server.
    static let headers = FuzzTarget(name: "headers") { bytes in
        let headers = [Header](parsing: bytes)
        for header in headers {
            require(!header.name.isEmpty, "a field has a name")
            require(!header.name.utf8.contains(UInt8(ascii: ":")), "a name ends at the first colon")
            for text in [header.name, header.value] {
                require(!text.utf8.contains { $0 == 10 || $0 == 13 }, "a field stands on one line: \(header)")
                require(
                    ![32, 9].contains(text.utf8.first) && ![32, 9].contains(text.utf8.last),
                    "no white space stands around: \(header)")
            }
        }
        // Of one field only, for a block of a thousand would take a million looks.
        if let name = headers.first?.name {
            let last = headers.last { $0.name.lowercased() == name.lowercased() }
            require(headers[name] == last?.value, "the last field of a name counts")
        }
        let written = "HTTP/1.1 200 OK\r\n" + headers.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
        require(
            [Header](parsing: Array(written.utf8)) == headers, "what was read and written is read the same: \(headers)")
    }

    /// A URL from a server or a person.
    static let url = FuzzTarget(name: "url") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if let url = WebURL(text) {
            // By bytes: a host may begin with a mark that joins the slash.
            let isWeb = ["http://", "https://"].contains { url.origin.utf8.starts(with: $0.utf8) }
            require(isWeb, "only http and https: \(url.origin)")
            for part in [url.text, url.origin, url.target] {
                require(
                    !part.utf8.contains { $0 <= 0x20 || $0 == 0x7F },
                    "a request line bears it: \(part.debugDescription)")
            }
            require(url.target.utf8.first == UInt8(ascii: "/"), "a request line asks for a path: \(url.target)")
            // A trap is how a find is told: libFuzzer then keeps the input.
            guard let again = WebURL(url.text) else { fatalError("broken: what was read is read again: \(url.text)") }
            require(
                again.origin == url.origin,
                "the same text has the same origin: \(url.text) \(again.origin) \(url.origin)")
            require(
                again.target == url.target, "the same text asks for the same: \(url.text) \(again.target) \(url.target)"
            )
        }
    }
}
