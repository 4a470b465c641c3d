import Archive

/// The named fields before a record's block (WARC 1.1, section 5).
struct WARCHeader {
    private(set) var bytes = Array("WARC/1.1\r\n".utf8)

    init(type: String, uri: String?, date: PackageTime, id: String) {
        add("WARC-Type", type)
        if let uri { add("WARC-Target-URI", uri) }
        add("WARC-Date", date.precise)
        add("WARC-Record-ID", id)
    }

    mutating func add(_ name: String, _ value: String) {
        bytes += "\(name): \(value)\r\n".utf8
    }

    /// Digests are in base 32, as all readers know them.
    mutating func add(_ name: String, _ digest: SHA256) {
        add(name, Self.text(of: digest))
    }

    /// Ends the fields.
    mutating func end(type: String, length: Int64) {
        add("Content-Type", type)
        add("Content-Length", "\(length)")
        bytes += "\r\n".utf8
    }

    static func text(of digest: SHA256) -> String { "sha256:\(Base32.text(digest.bytes))" }

    static func identifier(of response: WARCResponse) -> String {
        identifier(
            type: "response", uri: response.uri, date: PackageTime(milliseconds: response.received),
            digest: response.sha256)
    }

    /// A name that no other record has, and this one always: a UUID of version 8 made from a digest (RFC 9562, section
    /// 5.8).
    static func identifier(type: String, uri: String, date: PackageTime, digest: SHA256) -> String {
        var bytes = Array(SHA256(of: "\(type)\n\(uri)\n\(date.precise)\n\(digest.hex)".utf8).bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = "<urn:uuid:"
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { text += "-" }
            text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return text + ">"
    }
}
