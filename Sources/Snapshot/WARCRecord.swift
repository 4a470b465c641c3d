import Archive
import Catalogue
import Platform

/// A record of a web archive (WARC 1.1, ISO 28500:2017), on its way into a gzip member of its own (annex D).
struct WARCRecord: Sendable {
    private let type: String
    /// The whole URL that was asked, or at which the API answers with these bytes.
    let uri: String
    /// Milliseconds since 1970 when the answer was complete.
    let received: Int64
    /// What only this type of record has, without "WARC-" before the names.
    private var fields: [(name: String, value: String)] = []
    private let contentType: String
    private var mediaType = "application/json"
    private var status = "-"
    private var head: [UInt8] = []
    /// The body, without any coding for its transfer.
    let body: PackageContent
    let size: Int64
    /// A body with another digest is not taken.
    private let sha256: SHA256

    /// Bodies beyond this are read twice, piece by piece, rather than held in memory.
    static let large: Int64 = 4 << 20

    /// No server takes longer ones.
    private static let longestURI = 1 << 14

    /// - Parameter headers: the header block as received, status line first.
    static func response(
        uri: String, received: Int64, status: Int, headers: [UInt8], body: PackageContent, size: Int64, sha256: SHA256
    ) -> WARCRecord {
        let head = HTTPHead(status: status, block: headers)
        return WARCRecord(
            type: "response", uri: uri, received: received, contentType: "application/http; msgtype=response",
            mediaType: head.mediaType ?? "unk", status: "\(status)", head: head.bytes, body: body, size: size,
            sha256: sha256)
    }

    /// Something made from this answer: a single record out of a list's page. It was never received like this, so it is
    /// no response.
    func conversion(uri: String, bytes: [UInt8]) -> WARCRecord {
        let fields = [("Refers-To", id), ("Refers-To-Target-URI", self.uri), ("Refers-To-Date", time.precise)]
        return WARCRecord(
            type: "conversion", uri: uri, received: received, fields: fields, contentType: "application/json",
            body: .bytes(bytes), size: Int64(bytes.count), sha256: SHA256(of: bytes))
    }

    /// The record that tells of the web archive itself.
    static func information(_ facts: [(String, String)], file: String, created: Int64) -> WARCRecord {
        let lines = facts.map { name, value in "\(name): \(String(value.map { $0.isNewline ? " " : $0 }))\r\n" }
        let bytes = Array(lines.joined().utf8)
        return WARCRecord(
            type: "warcinfo", uri: file, received: created, fields: [("Filename", file)],
            contentType: "application/warc-fields", body: .bytes(bytes), size: Int64(bytes.count),
            sha256: SHA256(of: bytes))
    }
}

extension WARCRecord {
    private var time: PackageTime { PackageTime(milliseconds: received) }
    private var isInformation: Bool { type == "warcinfo" }

    /// What the index says of a record, but for its place.
    typealias Listing = (key: String, facts: [(key: String, value: JSON)])

    func write(to sink: ([UInt8]) throws -> Void) throws -> Listing {
        // A URI with a space or a line break would be another header. Its key takes time by the square of its length.
        let isURL = uri.hasPrefix("http://") || uri.hasPrefix("https://") || isInformation
        guard isURL, uri.utf8.count <= Self.longestURI, uri.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw SnapshotError.unwritable(
                "\"\(uri)\" is no URL that a web archive can name; give an absolute one, with escaped characters")
        }
        let body = size < Self.large ? PackageContent.bytes(try body.load(size)) : body
        // Pictures are packed already.
        var member = GzipMember(level: mediaType.hasPrefix("image/") ? 0 : 6)
        member.add(header(block: try digest(of: body)) + head)
        try body.forEachPiece(of: size) { piece in
            member.add(piece)
            if member.packed.count >= PackageContent.pieceSize { try sink(member.take()) }
        }
        member.add(Array("\r\n\r\n".utf8))
        try sink(member.finish())
        let facts: [(key: String, value: JSON)] = [
            ("url", .text(uri)), ("mime", .text(mediaType)), ("status", .text(status)),
            ("digest", .text(Self.text(of: sha256))),
        ]
        return ("\(SURT.key(uri)) \(time.digits) ", facts)
    }

    /// The named fields before a record's block (section 5).
    private func header(block: SHA256) -> [UInt8] {
        var named = [("Type", type), ("Target-URI", uri), ("Date", time.precise), ("Record-ID", id)] + fields
        named += [("Block-Digest", Self.text(of: block)), ("Payload-Digest", Self.text(of: sha256))]
        if isInformation { named.removeAll { ["Target-URI", "Payload-Digest"].contains($0.0) } }
        let lines = named.map { "WARC-\($0): \($1)\r\n" }.joined()
        let content = "Content-Type: \(contentType)\r\nContent-Length: \(Int64(head.count) + size)\r\n"
        return Array("WARC/1.1\r\n\(lines)\(content)\r\n".utf8)
    }

    /// In base 32, as all readers know digests.
    static func text(of digest: SHA256) -> String { "sha256:\(Base32.text(digest.bytes))" }

    /// A name that no other record has, and this one always: a UUID of version 8 made from a digest (RFC 9562, section
    /// 5.8).
    var id: String {
        var bytes = Array(SHA256(of: "\(type)\n\(uri)\n\(time.precise)\n\(sha256.hex)".utf8).bytes.prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        var text = "<urn:uuid:"
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { text += "-" }
            text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
        return text + ">"
    }

    /// The digest of a body with its head. The body has to be the one captured.
    private func digest(of body: PackageContent) throws -> SHA256 {
        var payload = SHA256Hasher()
        var block = SHA256Hasher()
        block.update(head)
        var count: Int64 = 0
        try body.forEachPiece(of: size) { piece in
            payload.update(piece)
            block.update(piece)
            count += Int64(piece.count)
        }
        let digest = payload.finish()
        guard digest == sha256, count == size else {
            throw SnapshotError.changed(
                "the answer of \(uri) has \(count) bytes with the SHA-256 \(digest.hex) in place of \(size) with "
                    + sha256.hex)
        }
        return block.finish()
    }
}

/// The head of an answer as a web archive keeps it beside a body that has lost its codings: fields that tell of a coding
/// get another name, or replaying would undo it once more.
private struct HTTPHead {
    /// The status line, the fields and the empty line.
    private(set) var bytes: [UInt8]
    private(set) var mediaType: String?

    /// - Parameter block: as received, status line first; its lines end with CR LF or LF.
    init(status: Int, block: [UInt8]) {
        let lines = block.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0
        }
        // HTTP/2 has no reason phrase, and as "HTTP/2 200" the line is not understood everywhere.
        let received = lines.first.map { String(decoding: $0, as: UTF8.self).split(separator: " ", maxSplits: 2) } ?? []
        let reason = received.count == 3 ? String(received[2]) : Self.reasons[status] ?? "Unknown"
        bytes = Array("HTTP/1.1 \(status) \(reason)\r\n".utf8)
        for line in lines.dropFirst().prefix(while: { !$0.isEmpty }) {
            let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            let value = String(decoding: line[colon...].dropFirst(), as: UTF8.self).filter { $0 != " " && $0 != "\t" }
            if name == "transfer-encoding" || name == "content-encoding" && value.lowercased() != "identity" {
                bytes += "X-Archive-Orig-".utf8
            }
            if name == "content-type", mediaType == nil { mediaType = String(value.prefix { $0 != ";" }) }
            bytes += line
            bytes += "\r\n".utf8
        }
        bytes += "\r\n".utf8
    }

    /// RFC 9110, section 15: what may stand in the archive, and what is like it.
    private static let reasons = [
        200: "OK", 203: "Non-Authoritative Information", 204: "No Content", 304: "Not Modified", 400: "Bad Request",
        403: "Forbidden", 404: "Not Found", 410: "Gone", 500: "Internal Server Error",
    ]
}

/// A moment in the spellings that packages want. All are UTC.
struct PackageTime: Sendable {
    private let milliseconds: Int64
    /// "2026-11-21T10:20:30Z".
    let seconds: String

    init(milliseconds: Int64) {
        self.milliseconds = max(0, milliseconds)
        seconds = timestamp(milliseconds: self.milliseconds)
    }

    /// "2026-11-21T10:20:30.123Z", as WARC 1.1 has it.
    var precise: String {
        let rest = "\(milliseconds % 1_000)"
        return "\(seconds.dropLast()).\(String(repeating: "0", count: 3 - rest.count))\(rest)Z"
    }

    /// "20261121102030", as indexes have it.
    var digits: String { seconds.filter(\.isNumber) }

    /// Two seconds' precision from 1980 on, as zip has it.
    var dos: UInt32 {
        let parts = seconds.split(whereSeparator: { !$0.isNumber }).compactMap { UInt32($0) }
        guard parts.count == 6, parts[0] >= 1980, parts[0] < 2108 else { return 1 << 21 | 1 << 16 }
        return (parts[0] - 1980) << 25 | parts[1] << 21 | parts[2] << 16 | parts[3] << 11 | parts[4] << 5 | parts[5] / 2
    }
}
