import Capture
import Foundation
import HTTP
import Platform
import TestSupport
import Testing

/// The declarations in docs/catalogue.md, each with a server that pages in this way.
struct PagingExamplesTests {
    private static let api = "https://items.example/v1"

    /// The declarations in the rows of a table after a heading or text.
    private static func examples(after start: String) throws -> [String] {
        let text = try String(decoding: File.read("\(Program.root)/docs/catalogue.md"), as: UTF8.self)
        let part = try #require(text.range(of: "\n\(start)\n")).upperBound
        let lines = text[part...].split(separator: "\n", omittingEmptySubsequences: false)
        let table = lines.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return table.dropFirst(2).map { String($0.split(separator: "`")[1]) }
    }

    @Test func `Each declaration of the table of paginators captures its API`() async throws {
        let lists = try Self.examples(after: "## How an API pages")
        #expect(lists.count == 19)
        for list in lists {
            // The members of an object have no last element.
            for hasObjects in list.contains("[-1]") ? [false] : [false, true] {
                let styled = try StyledAPI(list, api: Self.api, items: 250, size: 100, hasObjects: hasObjects)
                let captures = try captures(list, ItemAPI { styled.answer($0, $1) })
                try await expectComplete(captures, ["item": 250], list)
            }
        }
    }

    @Test func `Each whole declaration captures its API`() async throws {
        let rows = try Self.examples(after: "These are the keys of whole declarations, without `name` and `api`:")
        #expect(rows.count == 7)
        for row in rows {
            let members = try #require(try JSONSerialization.jsonObject(with: Data(row.utf8)) as? [String: Any])
            let list = try JSONSerialization.data(withJSONObject: try #require(members["list"]))
            let styled = try StyledAPI(String(decoding: list, as: UTF8.self), api: Self.api, items: 250, size: 100)
            let parts = try StyledAPI(String(decoding: list, as: UTF8.self), api: Self.api, items: 2, size: 100)
            let isRefused = Locked(row.contains("perMinute"))
            let api = ItemAPI { path, query in
                if isRefused.withLock({ exchange in
                    defer { exchange = false }; return exchange
                }) {
                    return (429, "Retry-After: 0\r\nRateLimit: \"default\";r=0;t=0\r\n", "")
                }
                return path.hasSuffix("/parts") ? parts.answer(path, query) : styled.answer(path, query)
            }
            let json = #"{"name":"items","api":"\#(Self.api)",\#(row.dropFirst())"#
            var captures = try captures(declaration: json, api)
            if row.contains("API_TOKEN") {
                // The server refuses requests without the token.
                let checked = Client { [client = captures.client] (request) async throws(HTTPError) in
                    guard request.headers["Authorization"] == "Bearer secret token" else {
                        throw HTTPError(.refused, url: request.url.text, reason: "has no token")
                    }
                    return try await client.send(request)
                }
                let header = Header("Authorization", "Bearer {env:API_TOKEN}")
                let values = [("API_TOKEN", "secret token")]
                captures.client = checked.adding(Secrets(headers: [header], values: values, api: FakeAPI.base))
            }
            // The parts of all items are the same two records.
            let records =
                row.contains("{type}")
                ? ["film": 125, "book": 125] : row.contains("part") ? ["item": 250, "part": 2] : ["item": 250]
            try await expectComplete(captures, records, row)
        }
    }

    private func expectComplete(_ captures: Captures, _ records: [String: Int], _ row: String) async throws {
        let report = try await captures.run()
        #expect(report.gapTexts.isEmpty && report.records == records, "\(row)")
        try captures.expectComplete(records, "\(row)")
        #expect(try await captures.run().isUnchanged, "\(row)")
    }
}
