import CCurl

/// An absolute http or https URL, parsed by libcurl (https://curl.se/libcurl/c/curl_url.html).
public struct WebURL: Sendable, Hashable, CustomStringConvertible {
    package let text: String
    /// Scheme, host and port (RFC 6454). A capture sends requests only to allowed origins.
    package let origin: String
    /// The path and query, as in a request line.
    package let target: String

    /// The normalized URL.
    public var description: String { text }

    /// - Returns: nil if the text is not an absolute http or https URL, or if it contains a user name.
    package init?(_ text: String) {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_DISALLOW_USER)
        guard curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: handle), scheme == "http" || scheme == "https",
            let host = Self.part(CURLUPART_HOST, of: handle),
            let port = Self.part(CURLUPART_PORT, of: handle, flags: UInt32(CURLU_DEFAULT_PORT)),
            let path = Self.part(CURLUPART_PATH, of: handle), let normalized = Self.part(CURLUPART_URL, of: handle)
        else { return nil }
        self.text = normalized
        origin = "\(scheme)://\(host.lowercased()):\(port)"
        // libcurl removes a "?" without a query from `normalized`, so it is removed here too.
        let query = Self.part(CURLUPART_QUERY, of: handle) ?? ""
        target = query.isEmpty ? path : "\(path)?\(query)"
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
