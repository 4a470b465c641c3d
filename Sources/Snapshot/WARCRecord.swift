import Archive
import Platform

/// A record of a web archive (WARC 1.1, ISO 28500:2017). It is written as a separate gzip member (annex D).
struct WARCRecord: Sendable {
    private let type: String
    /// The absolute URL of the request, or the URL at which the API serves these bytes.
    let uri: String
    /// The time at which the answer was complete, in milliseconds since 1970.
    let received: Int64
    /// The additional fields of this type of record. The names do not have the prefix "WARC-".
    private var fields: [(name: String, value: String)] = []
    private let contentType: String
    private(set) var mediaType = "application/json"
    private(set) var status = "-"
    private var head: [UInt8] = []
    /// The body without transfer and content codings.
    let body: PackageContent
    let size: Int64
    /// The expected digest of the body; `write` fails if it differs.
    private let sha256: SHA256

    /// - Parameter headers: the header block as received, beginning with the status line.
    static func response(
        uri: String, received: Int64, status: Int, headers: [UInt8], body: PackageContent, size: Int64, sha256: SHA256
    ) -> WARCRecord {
        let head = head(status: status, block: headers)
        return WARCRecord(
            type: "response", uri: uri, received: received, contentType: "application/http; msgtype=response",
            mediaType: head.mediaType ?? "unk", status: "\(status)", head: head.bytes, body: body, size: size,
            sha256: sha256)
    }

    /// The WARC record for one record of this list page. It is no "response", because it was not received separately.
    func conversion(uri: String, bytes: [UInt8]) -> WARCRecord {
        let fields = [("Refers-To", id), ("Refers-To-Target-URI", self.uri), ("Refers-To-Date", time.precise)]
        return WARCRecord(
            type: "conversion", uri: uri, received: received, fields: fields, contentType: "application/json",
            body: .bytes(bytes), size: Int64(bytes.count), sha256: SHA256(of: bytes))
    }

    static func information(_ facts: [(String, String)], file: String, created: Int64) -> WARCRecord {
        let lines = facts.map { name, value in "\(name): \(String(value.map { $0.isNewline ? " " : $0 }))\r\n" }
        let bytes = Array(lines.joined().utf8)
        return WARCRecord(
            type: "warcinfo", uri: file, received: created, fields: [("Filename", file)],
            contentType: "application/warc-fields", body: .bytes(bytes), size: Int64(bytes.count),
            sha256: SHA256(of: bytes))
    }

    private var time: PackageTime { PackageTime(milliseconds: received) }
    private var isInformation: Bool { type == "warcinfo" }

    /// The record as a gzip member, and the start of its line in the index.
    /// - Throws: `SnapshotError` if the URI is invalid, or if the body is not the captured one.
    func packed() throws -> (bytes: [UInt8], key: String) {
        // A line break would begin another field. The time to compute the key grows with the square of the length, and
        // servers do not accept longer URIs.
        let isURL = uri.hasPrefix("http://") || uri.hasPrefix("https://") || isInformation
        guard isURL, uri.utf8.count <= 1 << 14, uri.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw SnapshotError.unwritable(
                "\"\(uri)\" cannot be a URL in a web archive; use an absolute URL with escaped characters")
        }
        let body = try body.load(size)
        let digest = SHA256(of: body)
        guard digest == sha256, body.count == Int(size) else {
            throw SnapshotError.changed(
                "the answer for \(uri) has \(body.count) bytes and the SHA-256 \(digest.hex) instead of \(size) bytes "
                    + "and \(sha256.hex)")
        }
        let block = head + body
        let record = header(block: SHA256(of: block)) + block + Array("\r\n\r\n".utf8)
        // Pictures and sounds are already compressed.
        let isCompressed = ["image/", "audio/", "video/"].contains { mediaType.hasPrefix($0) }
        return (gzip(record, level: isCompressed ? 0 : 6), "\(SURT.key(uri)) \(time.digits) ")
    }

    /// The header of the record: the version and the named fields (section 5).
    private func header(block: SHA256) -> [UInt8] {
        var named = [("Type", type), ("Target-URI", uri), ("Date", time.precise), ("Record-ID", id)] + fields
        named += [("Block-Digest", Self.text(of: block)), ("Payload-Digest", digest)]
        if isInformation { named.removeAll { ["Target-URI", "Payload-Digest"].contains($0.0) } }
        let lines = named.map { "WARC-\($0): \($1)\r\n" }.joined()
        let content = "Content-Type: \(contentType)\r\nContent-Length: \(Int64(head.count) + size)\r\n"
        return Array("WARC/1.1\r\n\(lines)\(content)\r\n".utf8)
    }

    /// The digest of the body, in the form that records and the index use.
    var digest: String { Self.text(of: sha256) }

    /// A digest in base 32, which all WARC readers support.
    static func text(of digest: SHA256) -> String { "sha256:\(base32(digest.bytes))" }

    /// A unique name: a UUID. It is computed from a digest, so that it is the same in every run.
    var id: String { "<urn:uuid:\(SHA256(of: "\(type)\n\(uri)\n\(time.precise)\n\(sha256.hex)".utf8).bytes.uuid)>" }

    /// The head of an answer: the status line, the fields and the empty line. The body is stored without its codings,
    /// so the fields that name a coding are renamed. Otherwise replay software would try to decode the body again.
    /// - Parameter block: the header block as received, beginning with the status line. Lines end with CR LF or LF.
    private static func head(status: Int, block: [UInt8]) -> (bytes: [UInt8], mediaType: String?) {
        let lines = block.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.last == "\r" ? $0.dropLast() : $0
        }
        // HTTP/2 has no reason phrase, and not all readers understand the line "HTTP/2 200".
        let received = lines.first.map { String(decoding: $0, as: UTF8.self).split(separator: " ", maxSplits: 2) } ?? []
        let reason = received.count == 3 ? String(received[2]) : reasons[status] ?? "Unknown"
        var bytes = Array("HTTP/1.1 \(status) \(reason)\r\n".utf8)
        var mediaType: String?
        for line in lines.dropFirst().prefix(while: { !$0.isEmpty }) {
            let fields = [Header](
                parsing: Array(line), only: ["Content-Type", "Content-Encoding", "Transfer-Encoding"])
            let isCoded = fields["Content-Encoding"].map { coding in
                !coding.utf8.elementsEqual("identity".utf8) { $0.lowercased == $1 }
            }
            if isCoded ?? (fields["Transfer-Encoding"] != nil) { bytes += "X-Archive-Orig-".utf8 }
            let type = fields["Content-Type"]?.utf8.prefix { $0 != ";" }.filter { $0 != " " }.prefix(255)
            mediaType = mediaType ?? type.map { String(decoding: $0, as: UTF8.self) }
            bytes += line + Array("\r\n".utf8)
        }
        return (bytes + Array("\r\n".utf8), mediaType)
    }

    /// The reason phrases of status codes that an archive can contain, and of similar ones (RFC 9110, section 15).
    private static let reasons = [
        200: "OK", 203: "Non-Authoritative Information", 204: "No Content", 304: "Not Modified", 400: "Bad Request",
        403: "Forbidden", 404: "Not Found", 410: "Gone", 500: "Internal Server Error",
    ]
}

/// A time in the formats that packages use. All are in UTC.
struct PackageTime: Sendable {
    private let milliseconds: Int64
    /// "2026-11-21T10:20:30Z".
    let seconds: String

    init(milliseconds: Int64) {
        self.milliseconds = max(0, milliseconds)
        seconds = timestamp(milliseconds: self.milliseconds)
    }

    /// "2026-11-21T10:20:30.123Z", for WARC 1.1.
    var precise: String { "\(seconds.dropLast()).\((milliseconds % 1_000).padded(3))Z" }

    /// "20261121102030", for indexes.
    var digits: String { seconds.filter(\.isNumber) }

    /// The MS-DOS format of zip, from 1980 to 2107 with a precision of two seconds.
    var dos: UInt32 {
        let parts = seconds.split(whereSeparator: { !$0.isNumber }).compactMap { UInt32($0) }
        guard parts.count == 6, parts[0] >= 1980, parts[0] < 2108 else { return 1 << 21 | 1 << 16 }
        return (parts[0] - 1980) << 25 | parts[1] << 21 | parts[2] << 16 | parts[3] << 11 | parts[4] << 5 | parts[5] / 2
    }
}

/// The sort key of a URL in the index of a web archive, such as "org,example,api)/character?page=2".
///
/// It follows the rules of the Internet Archive's canonicalizer (https://github.com/internetarchive/surt), except for
/// the removal of session ids, because URLs of a public API have none. Scheme, user, default port, "www." and fragment
/// are removed. Unnecessary percent codes are decoded. Letters become lower case. Repeated slashes become one slash,
/// and a slash at the end is removed. The parts of the query are sorted.
enum SURT {
    /// - Parameter url: an absolute http or https URL without dot segments.
    static func key(_ url: String) -> String {
        let scheme = url.utf8.prefix { $0 != ":" }
        let rest = Array(url.utf8).dropFirst(scheme.count + 1).drop { $0 == "/" }.prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest[authority.endIndex...].prefix { $0 != "?" }
        let query = rest[path.endIndex...].dropFirst()

        var key = host(authority, defaultPort: scheme.elementsEqual("https".utf8) ? "443" : "80")
        key += ")/".utf8
        let segments = unescaped(path).split(separator: "/")
        key += escaped(Array(segments.joined(separator: ["/"]))).map(\.lowercased)
        if !query.isEmpty {
            key.append("?")
            key += sorted(escaped(unescaped(query)).map(\.lowercased))
        }
        return String(decoding: key, as: UTF8.self)
    }

    private static func host(_ authority: ArraySlice<UInt8>, defaultPort: String) -> [UInt8] {
        var name = authority
        if let at = name.lastIndex(of: "@") { name = name[(at + 1)...] }
        var port: ArraySlice<UInt8> = []
        if let colon = name.lastIndex(of: ":"), name[(colon + 1)...].allSatisfy(\.isDigit) {
            port = name[(colon + 1)...]
            name = name[..<colon]
        }
        var text = name.filter { $0 != "[" && $0 != "]" }.map(\.lowercased)[...]
        if text.starts(with: "www".utf8) {
            let suffix = text.dropFirst(3).drop(while: \.isDigit)
            if suffix.first == "." { text = suffix.dropFirst() }
        }
        let parts = text.split(separator: ".").reversed().joined(separator: [","])
        return Array(parts) + (port.isEmpty || port.elementsEqual(defaultPort.utf8) ? [] : [":"] + port)
    }

    /// The parts of a query, sorted by name and then by value. A part without "=" comes before others of its name.
    private static func sorted(_ query: [UInt8]) -> [UInt8] {
        let parts = query.split(separator: "&", omittingEmptySubsequences: false).map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        let inOrder = parts.sorted { first, second in
            first.lexicographicallyPrecedes(second) { $0.lexicographicallyPrecedes($1) }
        }
        return Array(inOrder.map { $0.joined(separator: ["="]) }.joined(separator: ["&"]))
    }

    /// Decodes percent codes. Repeats this until the text has no percent codes.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var text = Array(text)
        while true {
            let plain = percentDecodedLeniently(text)
            if plain.count == text.count { return plain }
            text = plain
        }
    }

    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            let isPlain = byte > 0x20 && byte < 0x7F && byte != "#" && byte != "%"
            return isPlain ? [byte] : Array("%\([byte].hex)".utf8)
        }
    }
}
