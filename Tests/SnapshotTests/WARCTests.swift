import Archive
import Foundation
import Platform
import TestSupport
import Testing

@testable import Snapshot

struct WARCTests {
    private let folder: ScratchFolder
    private let exchanges: Exchanges

    init() throws {
        folder = try ScratchFolder()
        exchanges = try Exchanges(in: folder.path)
    }

    /// A record unpacked by gzip, which refuses incomplete members.
    private func text(_ record: WARCRecord) throws -> String {
        let name = folder["record.gz"]
        try File.replace(record.packed().bytes, at: name)
        let gzip = try Running("/bin/gzip", ["-dc", name]).waitHere()
        #expect(gzip.code == 0)
        return gzip.output
    }

    @Test func `A response keeps its bytes except for status line and removed codings`() throws {
        let body = "{}"
        let block =
            "HTTP/2 200 \r\nContent-Type: application/json; charset=utf-8\r\ncontent-encoding: Identity\r\nCONTENT-ENCODING: gzip\r\n"
            + "Transfer-Encoding: chunked\r\nx-odd:  \u{e9} \r\n\r\n"
        let response = WARCRecord.response(
            uri: "https://api.example.org/api/thing?page=2", received: 1_795_256_430_007, status: 200,
            headers: Array(block.utf8), body: .bytes(Array(body.utf8)), size: 2, sha256: SHA256(of: body.utf8))
        let kept =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\ncontent-encoding: Identity\r\n"
            + "X-Archive-Orig-CONTENT-ENCODING: gzip\r\nX-Archive-Orig-Transfer-Encoding: chunked\r\nx-odd:  \u{e9} \r\n\r\n{}"
        let id = response.id
        #expect(
            try text(response)
                == "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: https://api.example.org/api/thing?page=2\r\n"
                + "WARC-Date: 2026-11-21T10:20:30.007Z\r\nWARC-Record-ID: \(id)\r\n"
                + "WARC-Block-Digest: \(WARCRecord.text(of: SHA256(of: kept.utf8)))\r\n"
                + "WARC-Payload-Digest: \(WARCRecord.text(of: SHA256(of: body.utf8)))\r\n"
                + "Content-Type: application/http; msgtype=response\r\nContent-Length: \(kept.utf8.count)\r\n\r\n\(kept)\r\n\r\n"
        )
        #expect(id.hasPrefix("<urn:uuid:") && id.utf8.count == 47 && Array(id.utf8)[24] == UInt8(ascii: "8"))
    }

    @Test func `A record of a list is a conversion that refers to its page`() throws {
        let (page, record) = (exchanges.pages[1], exchanges.records[3])
        let text = try text(record)
        let body = try record.body.load(record.size)
        let digest = WARCRecord.text(of: SHA256(of: body))
        #expect(
            text
                == "WARC/1.1\r\nWARC-Type: conversion\r\nWARC-Target-URI: https://api.example.org/api/thing/4\r\n"
                + "WARC-Date: 2026-11-21T10:20:32.123Z\r\n"
                + "WARC-Record-ID: \(record.id)\r\n"
                + "WARC-Refers-To: \(page.id)\r\nWARC-Refers-To-Target-URI: https://api.example.org/api/thing?page=2\r\n"
                + "WARC-Refers-To-Date: 2026-11-21T10:20:32.123Z\r\nWARC-Block-Digest: \(digest)\r\nWARC-Payload-Digest: \(digest)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
                + String(decoding: body, as: UTF8.self) + "\r\n\r\n")
    }

    @Test func `A web archive is reproducible and has each record once`() throws {
        try exchanges.write(folder["one.wacz"])
        try exchanges.write(folder["two.wacz"])
        #expect(try File.read(folder["one.wacz"]) == File.read(folder["two.wacz"]))
        var ids: Set<String> = []
        for record in exchanges.all.prefix(8) {
            let id = try #require(try text(record).split(separator: "\r\n").first { $0.hasPrefix("WARC-Record-ID") })
            ids.insert(String(id))
        }
        #expect(ids.count == 8)
        // The index is stored uncompressed, with a line for each record in byte order.
        let bytes = try File.read(folder["one.wacz"])
        let lines = bytes.split(separator: UInt8(ascii: "\n")).filter { $0.starts(with: "org,example,api)/".utf8) }
        let first = try #require(bytes.offset(of: Array("org,example,api)/api/thing 20261121".utf8)))
        #expect(lines.count == exchanges.all.count - 1 && first < lines[0].startIndex)
        #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }

    @Test func `A body that was not captured and an invalid URL are refused`() throws {
        func refusal(_ uri: String = "https://a.example/", size: Int64 = 1, of bytes: [UInt8] = [1]) -> SnapshotError? {
            let response = WARCRecord.response(
                uri: uri, received: 0, status: 200, headers: [], body: .bytes([1]), size: size,
                sha256: SHA256(of: bytes))
            do {
                _ = try response.packed()
                return nil
            } catch {
                return error as? SnapshotError
            }
        }
        let (one, two) = (SHA256(of: [1]).hex, SHA256(of: [2]).hex)
        #expect(refusal() == nil)
        #expect(
            refusal(of: [2])
                == .changed(
                    "the answer for https://a.example/ has 1 bytes and the SHA-256 \(one) "
                        + "instead of 1 bytes and \(two)"))
        #expect(
            refusal(size: 2)
                == .changed(
                    "the answer for https://a.example/ has 1 bytes and the SHA-256 \(one) "
                        + "instead of 2 bytes and \(one)"))
        for uri in ["https://a.example/ b", "https://a.example/\r\nX: y", "/a", "https://a.example/ü"] {
            #expect(
                refusal(uri)
                    == .unwritable(
                        "\"\(uri)\" cannot be a URL in a web archive; use an absolute URL with escaped characters"
                    ))
        }
    }
}
