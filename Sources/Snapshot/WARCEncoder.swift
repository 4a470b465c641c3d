import Archive
import Catalogue
import Platform

/// Turns records into the bytes of a web archive (WARC 1.1, ISO 28500:2017), each a gzip member of its own (annex D),
/// and tells what the index says of it.
enum WARCEncoder {
    /// What the index says of a record, but for its place.
    struct Listing: Sendable {
        let key: String
        let time: PackageTime
        let uri: String
        let mediaType: String
        let status: String
        let digest: String
    }

    /// No server takes longer ones.
    private static let longestURI = 1 << 14

    /// Beyond this a body is read twice, piece by piece, rather than held in memory.
    static let large: Int64 = 4 << 20

    /// The record that tells of the file itself.
    static func information(_ fields: [(name: String, value: String)], file: String, date: PackageTime) -> [UInt8] {
        let block = Array(fields.map { "\($0.name): \($0.value)\r\n" }.joined().utf8)
        let digest = SHA256(of: block)
        let id = WARCHeader.identifier(type: "warcinfo", uri: file, date: date, digest: digest)
        var header = WARCHeader(type: "warcinfo", uri: nil, date: date, id: id)
        header.add("WARC-Filename", file)
        header.add("WARC-Block-Digest", digest)
        header.end(type: "application/warc-fields", length: Int64(block.count))
        var packed: [UInt8] = []
        var member = GzipMember(level: 6)
        member.add(header.bytes + block + Array("\r\n\r\n".utf8), to: &packed)
        member.finish(to: &packed)
        return packed
    }

    /// Writes a record, handing on its packed bytes.
    static func write(
        _ record: WARCRecord, to sink: ([UInt8]) throws(SnapshotError) -> Void
    ) throws(SnapshotError) -> Listing {
        switch record {
        case .response(let response): try write(response, to: sink)
        case .conversion(let conversion): try write(conversion, to: sink)
        }
    }

    private static func write(
        _ response: WARCResponse, to sink: ([UInt8]) throws(SnapshotError) -> Void
    ) throws(SnapshotError) -> Listing {
        try check(response.uri)
        let date = PackageTime(milliseconds: response.received)
        let head = HTTPHead(status: response.status, block: response.headers)
        let body = try response.body.loaded(below: large)
        var payload = SHA256Hasher()
        var block = SHA256Hasher()
        block.update(head.bytes)
        var size: Int64 = 0
        try body.forEachPiece { piece in
            payload.update(piece)
            block.update(piece)
            size += Int64(piece.count)
        }
        let digest = payload.finish()
        guard digest == response.sha256, size == response.size else {
            throw .changed(
                "the answer of \(response.uri) has \(size) bytes with the SHA-256 \(digest.hex) in place of "
                    + "\(response.size) with \(response.sha256.hex)"
            )
        }
        var header = WARCHeader(
            type: "response", uri: response.uri, date: date, id: WARCHeader.identifier(of: response))
        header.add("WARC-Block-Digest", block.finish())
        header.add("WARC-Payload-Digest", digest)
        header.end(type: "application/http; msgtype=response", length: Int64(head.bytes.count) + size)

        // Pictures are packed already.
        var member = GzipMember(level: head.mediaType?.hasPrefix("image/") == true ? 0 : 6)
        var packed: [UInt8] = []
        member.add(header.bytes + head.bytes, to: &packed)
        try body.forEachPiece { piece throws(SnapshotError) in
            member.add(piece, to: &packed)
            if packed.count >= FileReader.pieceSize {
                try sink(packed)
                packed = []
            }
        }
        member.add(Array("\r\n\r\n".utf8), to: &packed)
        member.finish(to: &packed)
        try sink(packed)
        return Listing(
            key: SURT.key(response.uri), time: date, uri: response.uri, mediaType: head.mediaType ?? "unk",
            status: "\(response.status)",
            digest: WARCHeader.text(of: digest))
    }

    private static func write(
        _ conversion: WARCConversion, to sink: ([UInt8]) throws(SnapshotError) -> Void
    ) throws(SnapshotError) -> Listing {
        try check(conversion.uri)
        let date = PackageTime(milliseconds: conversion.received)
        let digest = SHA256(of: conversion.bytes)
        let id = WARCHeader.identifier(type: "conversion", uri: conversion.uri, date: date, digest: digest)
        var header = WARCHeader(type: "conversion", uri: conversion.uri, date: date, id: id)
        header.add("WARC-Refers-To", conversion.origin.id)
        header.add("WARC-Refers-To-Target-URI", conversion.origin.uri)
        header.add("WARC-Refers-To-Date", date.precise)
        header.add("WARC-Block-Digest", digest)
        header.add("WARC-Payload-Digest", digest)
        header.end(type: "application/json", length: Int64(conversion.bytes.count))
        var member = GzipMember(level: 6)
        var packed: [UInt8] = []
        member.add(header.bytes + conversion.bytes + Array("\r\n\r\n".utf8), to: &packed)
        member.finish(to: &packed)
        try sink(packed)
        return Listing(
            key: SURT.key(conversion.uri), time: date, uri: conversion.uri, mediaType: "application/json", status: "-",
            digest: WARCHeader.text(of: digest))
    }

    /// A URI with a space or a line break would be another header. Its key takes time by the square of its length.
    private static func check(_ uri: String) throws(SnapshotError) {
        let isURL = uri.hasPrefix("http://") || uri.hasPrefix("https://")
        guard isURL, uri.utf8.count <= longestURI, uri.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .unwritable(
                "\"\(uri)\" is no URL that a web archive can name; give an absolute one, with escaped characters")
        }
    }
}

extension PackageContent {
    /// The bytes themselves, where they are fewer than a limit.
    func loaded(below limit: Int64) throws(SnapshotError) -> PackageContent {
        guard case .file(let path) = self else { return self }
        var reader = try FileReader.opened(path)
        guard reader.status.size < limit else { return self }
        var bytes: [UInt8] = []
        try reader.forEachPiece(of: path) { bytes += $0 }
        return .bytes(bytes)
    }

    func forEachPiece(_ body: ([UInt8]) throws(SnapshotError) -> Void) throws(SnapshotError) {
        switch self {
        case .bytes(let bytes): try body(bytes)
        case .file(let path):
            var reader = try FileReader.opened(path)
            try reader.forEachPiece(of: path, body)
        }
    }
}
