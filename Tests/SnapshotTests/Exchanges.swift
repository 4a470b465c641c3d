import Archive
import Foundation
import Platform

@testable import Snapshot

/// Answers of an invented API: two list pages, two pictures, and a missing picture.
struct Exchanges {
    static let api = "https://api.example.org/api"
    static let received: Int64 = 1_795_256_430_123

    let pages: [WARCRecord]
    let records: [WARCRecord]
    let pictures: [WARCRecord]

    /// - Parameter folder: the folder for the pictures' files.
    init(in folder: String) throws {
        var records: [WARCRecord] = []
        pages = (1...2).map { page in
            let slices = (1...3).map { place -> String in
                let id = 3 * (page - 1) + place
                return #"{"id":\#(id),"name":"Nr. \#(id) – \u00fc","image":"\#(Self.api)/thing/picture/\#(id).png"}"#
            }
            let next = page == 1 ? "\"\(Self.api)/thing?page=2\"" : "null"
            let body =
                #"{"info":{"count":6,"pages":2,"next":\#(next),"prev":null},"results":[\#(slices.joined(separator: ","))]}"#
            let fields =
                page == 1
                ? "HTTP/2 200 \r\ncontent-type: application/json; charset=utf-8\r\netag: W/\"1\"\r\n\r\n"
                : "HTTP/1.1 200 Fine\r\nContent-Type:application/json\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n"
            let response = Self.response(
                "/thing" + (page == 1 ? "" : "?page=2"), 200, fields, Array(body.utf8), after: page)
            for (place, slice) in slices.enumerated() {
                records.append(
                    response.conversion(
                        uri: "\(Self.api)/thing/\(3 * (page - 1) + place + 1)", bytes: Array(slice.utf8)))
            }
            return response
        }
        self.records = records
        var pictures: [WARCRecord] = []
        for (id, size) in [(1, 30_000), (2, 5_000_000)] {
            let bytes = (0..<size).map { UInt8(truncatingIfNeeded: ($0 &+ id) &* 2_654_435_761 >> 15) }
            try File.writeNew(bytes, to: "\(folder)/\(id)")
            let headers =
                "HTTP/1.1 200 OK\nContent-Type: image/png\nContent-Encoding: identity\nContent-Length: \(size)\n\n"
            pictures.append(
                .response(
                    uri: "\(Self.api)/thing/picture/\(id).png", received: Self.received + 10_000, status: 200,
                    headers: Array(headers.utf8), body: .file("\(folder)/\(id)"), size: Int64(size),
                    sha256: SHA256(of: bytes)))
        }
        pictures.append(
            Self.response("/thing/picture/3.png", 404, "HTTP/2 404\r\ncontent-type: text/plain\r\n\r\n", [], after: 9))
        self.pictures = pictures
    }

    var all: [WARCRecord] { pages + records + pictures }

    private static func response(_ path: String, _ status: Int, _ headers: String, _ body: [UInt8], after seconds: Int)
        -> WARCRecord
    {
        .response(
            uri: api + path, received: received + 1_000 * Int64(seconds), status: status,
            headers: Array(headers.utf8), body: .bytes(body), size: Int64(body.count), sha256: SHA256(of: body))
    }

    func write(_ path: String) throws {
        let writer = try WACZWriter(
            path,
            about: (
                title: "Things", description: "Six things,\ninvented", software: "Amber 0",
                created: Self.received + 20_999
            ))
        for record in all { try writer.add(record) }
        writer.addPage(pages[0], title: "Things, page 1")
        try writer.finish()
    }
}
