import Archive
import Capture
import Catalogue
import CatalogueEngine
import Evidence
import HTTP
import Platform
import Testing

/// An API in memory with a list of items, which answers by the path below its address.
final class ItemAPI: Sendable {
    typealias Answer = (status: Int, header: String, body: String)

    static let base = "http://fake.example/api"
    private let answer: @Sendable (String, [String: String]) -> Answer
    let paths = Locked<[String]>([])

    init(_ answer: @escaping @Sendable (_ path: String, _ query: [String: String]) -> Answer) { self.answer = answer }

    var client: Client {
        Client { (request) async throws(HTTPError) in
            let path = String(request.url.target.dropFirst("/api/".count))
            self.paths.withLock { $0.append(path) }
            let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
            let pairs = (parts.count > 1 ? parts[1] : "").split(separator: "&").map { pair in
                let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let value = percentDecoded(words[1].utf8) ?? []
                return (String(words[0]), String(decoding: value, as: UTF8.self))
            }
            var (status, header, body) = self.answer(parts[0], Dictionary(pairs) { $1 })
            let condition = request.headers.first { $0.name == "If-None-Match" }?.value
            if let condition, header.contains("ETag: \(condition)") { (status, body) = (304, "") }
            return Response(
                status: status, rawHeaders: Array("HTTP/1.1 \(status) X\r\n\(header)\r\n".utf8),
                body: .bytes(Array(body.utf8)), url: request.url, received: millisecondsSince1970())
        }
    }

    /// The items with these numbers, from 1 to 7, as JSON objects.
    static func items(_ numbers: some Sequence<Int>) -> [String] {
        numbers.filter { (1...7).contains($0) }.map { #"{"id":\#($0),"name":"item \#($0)"}"# }
    }

    static func array(_ numbers: some Sequence<Int>) -> String { "[\(items(numbers).joined(separator: ","))]" }

    /// The page after `start` items, with three items.
    static func page(after start: String?) -> Range<Int> {
        let start = start.flatMap { Int($0) } ?? 0
        return start + 1..<start + 4
    }
}

func captures(_ list: String, _ api: ItemAPI, item: String = "") throws -> Captures {
    let json = """
        {"name":"items","api":"https://items.example/v1","list":\(list),"lists":["item"],
        "kinds":{"item":{"count":"items","description":"item","list":{"title":"items"}\(item)}}}
        """
    return try captures(declaration: json, api)
}

func captures(declaration: String, _ api: ItemAPI) throws -> Captures {
    var captures = try Captures()
    captures.catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(declaration.utf8)))
    captures.client = api.client
    captures.source = Source(catalogue: "items", api: FakeAPI.base, origin: .live)
    return captures
}

struct PaginatorTests {
    func expectAll(
        _ list: String, requests: Int, item: String = "", location: SourceLocation = #_sourceLocation,
        _ answer: @escaping @Sendable (String, [String: String]) -> ItemAPI.Answer
    ) async throws {
        let api = ItemAPI(answer)
        let captures = try captures(list, api, item: item)
        let report = try await captures.run()
        #expect(report.gapTexts.isEmpty, sourceLocation: location)
        #expect(try captures.numbers(of: "item") == Array(1...7), sourceLocation: location)
        #expect(api.paths.withLock { $0.count } == requests, "\(api.paths.withLock { $0 })", sourceLocation: location)
        try expectProof(captures, pages: requests, location)
        // A capture of an unchanged server adds no revision.
        #expect(try await captures.run().isUnchanged, sourceLocation: location)
    }

    /// The pages are found again in the archive, in their order, and the completeness report says what is proved.
    private func expectProof(_ captures: Captures, pages: Int, _ location: SourceLocation) throws {
        let revision = try #require(try RevisionReader.newest(in: captures.folder) { _ in true })
        let reader = try RevisionReader(revision, in: captures.folder)
        let mirror = try APIMirror(of: reader, captures.catalogue)
        let numbers = mirror.pages.map(\.path.text).sorted()
        // A page that does not exist has no file.
        let missing = try reader.answers(as: .page).count { $0.status == 404 }
        let expected = (1...pages - missing).map { "api/item/page/\($0).json" }
        #expect(numbers == expected, sourceLocation: location)
        let proof = try Completeness(of: mirror, RootHash(of: mirror, reader), reader)
        #expect(proof.isComplete && proof.kinds.map(\.records) == [7], sourceLocation: location)
    }

    @Test func `Page numbers with the counts of records and pages`() async throws {
        let list =
            #"{"path":"{list}","paginator":{"type":"page_number"},"records":"results","count":"info.count","pages":"info.pages"}"#
        try await expectAll(list, requests: 3) { _, query in
            let start = "\(3 * ((Int(query["page"] ?? "") ?? 0) - 1))"
            return (200, "", #"{"info":{"count":7,"pages":3},"results":\#(ItemAPI.array(ItemAPI.page(after: start)))}"#)
        }
    }

    @Test func `A parameter with @ has the number of a page`() async throws {
        let list = #"{"path":"{list}?@size=3","paginator":{"type":"page_number","parameter":"@page"}}"#
        try await expectAll(list, requests: 4) { _, query in
            (200, "", ItemAPI.array(ItemAPI.page(after: "\(3 * ((Int(query["@page"] ?? "") ?? 0) - 1))")))
        }
    }

    @Test func `Counts can be texts with digits`() async throws {
        let list = #"{"paginator":{"type":"page_number"},"records":"data","count":"total","pages":"pages"}"#
        try await expectAll(list, requests: 3) { _, query in
            let items = ItemAPI.page(after: "\(3 * ((Int(query["page"] ?? "") ?? 0) - 1))")
            return (200, "", #"{"total":"7","pages":"3","data":\#(ItemAPI.array(items))}"#)
        }
        for total in ["", "07", "7.0", "1e3", "-7", " 7", "7 ", "٧", "9223372036854775808"] {
            let api = ItemAPI { _, _ in (200, "", #"{"total":"\#(total)","pages":1,"data":[]}"#) }
            await #expect(throws: CaptureError.self, "\(total)") { try await captures(list, api).run() }
        }
        // A text is also compared with the number of records on the only page.
        let api = ItemAPI { _, _ in (200, "", #"{"total":"8","data":\#(ItemAPI.array(1...7))}"#) }
        let gaps = try await captures(#"{"paginator":{"type":"single_page"},"records":"data"}"#, api).run().gapTexts
        #expect(gaps.count == 1 && gaps[0].contains("is 8, but the only page"), "\(gaps)")
    }

    @Test func `Page numbers with a count at the top level`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"page_number"},"records":"results","count":"count"}"#
        try await expectAll(list, requests: 3) { _, query in
            let start = "\(3 * ((Int(query["page"] ?? "") ?? 0) - 1))"
            return (200, "", #"{"count":7,"next":null,"results":\#(ItemAPI.array(ItemAPI.page(after: start)))}"#)
        }
    }

    @Test func `Page numbers from 0 with counts in the header, and plain arrays`() async throws {
        let list = """
            {"path":"{list}?per_page=3","paginator":{"type":"page_number","first":0},
            "count":"header:X-WP-Total","pages":"header:X-WP-TotalPages"}
            """
        try await expectAll(list, requests: 3) { _, query in
            let start = "\(3 * (Int(query["page"] ?? "") ?? 0))"
            return (200, "x-wp-total: 7\r\nX-WP-TotalPages: 3\r\n", ItemAPI.array(ItemAPI.page(after: start)))
        }
    }

    @Test(arguments: [0, 1, 2, 9])
    func `Page numbers without counts end with an empty page`(first: Int) async throws {
        let list = #"{"path":"{list}","paginator":{"type":"page_number","first":\#(first)}}"#
        try await expectAll(list, requests: 4) { _, query in
            let start = "\(3 * ((Int(query["page"] ?? "") ?? 0) - first))"
            return (200, "", ItemAPI.array(ItemAPI.page(after: start)))
        }
    }

    @Test(arguments: ["pages", "header:X-Pages"])
    func `A list can state its number of pages without a number of records`(pages: String) async throws {
        let list = #"{"paginator":{"type":"page_number"},"records":"data","pages":"\#(pages)"}"#
        try await expectAll(list, requests: 3) { _, query in
            let items = ItemAPI.page(after: "\(3 * ((Int(query["page"] ?? "") ?? 0) - 1))")
            let body = #"{"pages":3,"data":\#(ItemAPI.array(items))}"#
            return items.lowerBound < 8 ? (200, "X-Pages: 3\r\n", body) : (400, "", "{}")
        }
    }

    @Test func `An empty page, and another number of pages, contradict the number of pages`() async throws {
        let list = #"{"paginator":{"type":"page_number"},"records":"data","pages":"pages"}"#
        func message(_ answer: @escaping @Sendable (Int) -> String) async throws -> String {
            let api = ItemAPI { _, query in (200, "", answer(Int(query["page"] ?? "") ?? 0)) }
            let captures = try captures(list, api)
            return await #expect(throws: CaptureError.self) { try await captures.run() }?.description ?? ""
        }
        let empty = try await message { #"{"pages":3,"data":\#($0 < 3 ? ItemAPI.array([$0]) : "[]")}"# }
        #expect(empty.contains("page 3 of the item list is empty, but the list claims 3 pages"), "\(empty)")
        let other = try await message { #"{"pages":\#($0 < 3 ? 3 : 2),"data":\#(ItemAPI.array([$0]))}"# }
        #expect(other.contains("claims 3 pages, but page 3 claims 2 pages"), "\(other)")
        for pages in [0, 1] {
            let api = ItemAPI { _, _ in (200, "", #"{"pages":\#(pages),"data":[]}"#) }
            #expect(try await captures(list, api).run().records == ["item": 0])
        }
    }

    @Test(arguments: ["more", "header:X-More"], [true, false])
    func `Page numbers and offsets end with the page that has no more`(more: String, hasOffset: Bool) async throws {
        let rule = hasOffset ? #""offset","limit":3"# : #""page_number""#
        let list = #"{"paginator":{"type":\#(rule),"more":"\#(more)"},"records":"data"}"#
        try await expectAll(list, requests: 3) { _, query in
            let page = query["page"].flatMap { Int($0) }.map { "\(3 * ($0 - 1))" } ?? query["offset"]
            let items = ItemAPI.page(after: page)
            // There is no page after the last one.
            guard items.lowerBound < 8 else { return (400, "", "{}") }
            let body = #"{"more":\#(items.upperBound < 8),"data":\#(ItemAPI.array(items))}"#
            return (200, "X-More: \(items.upperBound < 8 ? "True" : "False")\r\n", body)
        }
    }

    @Test func `A page without the flag for more pages ends the capture`() async throws {
        let list = #"{"paginator":{"type":"page_number","more":"more"},"records":"data"}"#
        let api = ItemAPI { _, query in
            let more = query["page"] == "1" ? #""more":true,"# : ""
            return (200, "", #"{\#(more)"data":\#(ItemAPI.array([Int(query["page"] ?? "") ?? 0]))}"#)
        }
        let error = await #expect(throws: CaptureError.self) { try await captures(list, api).run() }
        #expect(error?.description.contains("more: is missing; the answer has data") == true, "\(error as Any)")
    }

    @Test func `Page numbers without counts end with a missing page if that is declared`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"page_number"},"responses":{"404":"end"}}"#
        // The page after the missing one is requested too.
        try await expectAll(list, requests: 5) { _, query in
            let page = Int(query["page"] ?? "") ?? 0
            return (page < 4 ? 200 : 404, "", ItemAPI.array(ItemAPI.page(after: "\(3 * (page - 1))")))
        }
    }

    @Test(arguments: [
        #"{"path":"{list}","paginator":{"type":"page_number"},"responses":{"404":"end"}}"#,
        #"{"path":"{list}","paginator":{"type":"offset","limit":3},"responses":{"404":"end"}}"#,
    ])
    func `A missing page in the middle of a list is a gap`(list: String) async throws {
        let isFaulty = Locked(true)
        let api = ItemAPI { _, query in
            let start = query["offset"].flatMap { Int($0) } ?? 3 * ((Int(query["page"] ?? "") ?? 0) - 1)
            let isMissing = start > 6 || start == 3 && isFaulty.withLock { $0 }
            return (isMissing ? 404 : 200, "", ItemAPI.array(ItemAPI.page(after: "\(start)")))
        }
        let captures = try captures(list, api)
        let report = try await captures.run()
        let missing = list.contains("offset") ? "item?limit=3&offset=3" : "item?page=2"
        #expect(report.gapTexts == ["\(missing) : is missing, but the list has a page after it"])
        #expect(try captures.numbers(of: "item") == [1, 2, 3, 7] && !captures.evidence().proof.isComplete)
        #expect(captures.folder.proofs().compactMap(\.fault) == [])
        #expect(api.paths.withLock { $0.count } == 5)
        // The next capture has all records.
        isFaulty.withLock { $0 = false }
        #expect(try await captures.run().gapTexts == [] && captures.numbers(of: "item") == Array(1...7))
    }

    @Test(arguments: [204, 400, 403, 410], [true, false])
    func `Another status can be the end of a list`(status: Int, hasOffset: Bool) async throws {
        let rule = hasOffset ? #""offset","limit":3"# : #""page_number""#
        func captures(_ responses: String, from wrong: Int = 4, to right: Int = 9) throws -> Captures {
            let api = ItemAPI { _, query in
                let page = query["page"].flatMap { Int($0) } ?? 1 + (query["offset"].flatMap { Int($0) } ?? 0) / 3
                let items = ItemAPI.array(ItemAPI.page(after: "\(3 * (page - 1))"))
                return (page < wrong || page >= right ? 200 : status, "", items)
            }
            var captures = try CaptureTests.captures(#"{"paginator":{"type":\#(rule)}\#(responses)}"#, api)
            captures.attempts = 2
            return captures
        }
        let responses = #","responses":{"\#(status)":"end"}"#
        let right = try captures(responses)
        #expect(try await right.run().gapTexts == [])
        try right.expectComplete(["item": 7])
        #expect(try await right.run().isUnchanged)
        // Answers with these statuses are not stored, so a missing page in the middle is no gap.
        let text = try await captures(responses, from: 2, to: 3).failure() ?? ""
        #expect(text.contains("is missing, but the list has a page after it"), "\(text)")
        // Without the declaration, and for the first page, the status is an error.
        for wrong in try [captures(""), captures(#","responses":{"404":"end"}"#), captures(responses, from: 1)] {
            let text = try await wrong.failure() ?? ""
            #expect(text.contains("answered status \(status)"), "\(text)")
        }
    }

    @Test func `Offsets with a count`() async throws {
        let list = """
            {"path":"{list}","paginator":{"type":"offset","parameter":"start","limitParameter":"rows","limit":3},
            "records":"result.results","count":"result.count"}
            """
        try await expectAll(list, requests: 3) { _, query in
            let items = ItemAPI.array(ItemAPI.page(after: query["start"]))
            return (query["rows"] == "3" ? 200 : 400, "", #"{"result":{"count":7,"results":\#(items)}}"#)
        }
    }

    @Test func `Offsets without a count`() async throws {
        let list =
            #"{"path":"{list}","paginator":{"type":"offset","parameter":"$offset","limitParameter":"$limit","limit":3}}"#
        try await expectAll(list, requests: 4) { _, query in
            (200, "", ItemAPI.array(ItemAPI.page(after: query["$offset"])))
        }
    }

    @Test func `Records can be in an element of an array`() async throws {
        let list = #"{"paginator":{"type":"page_number","more":"data[0].more"},"records":"data[0].items"}"#
        try await expectAll(list, requests: 3) { _, query in
            let page = ItemAPI.page(after: "\(3 * ((Int(query["page"] ?? "") ?? 0) - 1))")
            return (200, "", #"{"data":[{"more":\#(page.upperBound < 8),"items":\#(ItemAPI.array(page))},{}]}"#)
        }
    }

    @Test(arguments: [nil, "data", "data[0]"])
    func `A single page can be one record`(records: String?) async throws {
        func captures(_ body: String, _ paginator: String = "single_page") throws -> Captures {
            let place = records.map { #","records":"\#($0)""# } ?? ""
            let list = #"{"paginator":{"type":"\#(paginator)"}\#(place)}"#
            let whole = records == nil ? "\u{FEFF} \(body)\n" : #"{"data":\#(records == "data" ? body : "[\(body)]")}"#
            return try CaptureTests.captures(list, ItemAPI { _, _ in (200, "", whole) })
        }
        let record = #"{"id":5,"name":"item","parts":{"a":1}}"#
        let single = try captures(record)
        #expect(try await single.run().gapTexts == [])
        try single.expectComplete(["item": 1])
        // The records of an object can have any name.
        try await #expect(captures(#"{"id":{"id":1},"ie":{"id":2}}"#).run().records == ["item": 2])
        // Without an id, and on pages of other paginators, the members have to be the records.
        for wrong in [try captures(#"{"name":"item","parts":{"a":1}}"#), try captures(record, "json_link")] {
            let text = try await wrong.failure() ?? ""
            #expect(text.contains("whose members are not all records"), "\(text)")
        }
    }

    @Test func `A single page whose records are the members of an object`() async throws {
        try await expectAll(#"{"path":"{list}","paginator":{"type":"single_page"}}"#, requests: 1) { _, _ in
            let items = ItemAPI.items(1...7).enumerated().map { #""key \#($0)":\#($1)"# }
            return (200, "", "{\(items.joined(separator: ","))}")
        }
    }
}
