import Archive
import Capture
import Catalogue
import CatalogueEngine
import Evidence
import HTTP
import Platform
import Testing

/// An API in memory with a list of items, which answers by the path below its address.
private final class ItemAPI: Sendable {
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

private func captures(_ list: String, _ api: ItemAPI, item: String = "") throws -> Captures {
    var captures = try Captures()
    let json = """
        {"name":"items","api":"https://items.example/v1","list":\(list),"lists":["item"],
        "kinds":{"item":{"count":"items","description":"item","list":{"title":"items"}\(item)}}}
        """
    captures.catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
    captures.client = api.client
    captures.source = Source(catalogue: "items", api: FakeAPI.base, origin: .live)
    return captures
}

struct PaginatorTests {
    private func expectAll(
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

    /// The pages are found again in the archive, in their order, and the certificate says what is proved.
    private func expectProof(_ captures: Captures, pages: Int, _ location: SourceLocation) throws {
        let revision = try #require(try RevisionReader.newest(in: captures.folder) { _ in true })
        let reader = try RevisionReader(revision, in: captures.folder)
        let mirror = try APIMirror(of: reader, captures.catalogue)
        let numbers = mirror.pages.map(\.path.text).sorted()
        // A page that does not exist has no file.
        let missing = try reader.answers(as: .page).count { $0.status == 404 }
        let expected = (1...pages - missing).map { "api/item/page/\($0).json" }
        #expect(numbers == expected, sourceLocation: location)
        let proof = try Completeness(
            of: mirror, try RootHash(of: mirror, reader, captures.catalogue), reader, captures.catalogue)
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

    @Test func `Page numbers without counts end with an empty page`() async throws {
        try await expectAll(#"{"path":"{list}","paginator":{"type":"page_number"}}"#, requests: 4) { _, query in
            let start = "\(3 * ((Int(query["page"] ?? "") ?? 0) - 1))"
            return (200, "", ItemAPI.array(ItemAPI.page(after: start)))
        }
    }

    @Test func `Page numbers without counts end with a missing page if that is declared`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"page_number"},"responses":{"404":"end"}}"#
        try await expectAll(list, requests: 4) { _, query in
            let page = Int(query["page"] ?? "") ?? 0
            return (page < 4 ? 200 : 404, "", ItemAPI.array(ItemAPI.page(after: "\(3 * (page - 1))")))
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

    @Test func `A cursor in the body, with a flag for more pages`() async throws {
        let list =
            #"{"path":"{list}","paginator":{"type":"cursor","cursor":"meta.next","more":"more"},"records":"data"}"#
        try await expectAll(list, requests: 3) { _, query in
            let start = query["cursor"].map { String($0.dropFirst(2)) }
            let page = ItemAPI.page(after: start)
            let next = #"{"next":"é&\#(page.upperBound - 1)"}"#
            return (200, "", #"{"meta":\#(next),"more":\#(page.upperBound < 8),"data":\#(ItemAPI.array(page))}"#)
        }
    }

    @Test func `A cursor in the header`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"cursor","parameter":"after","cursor":"header:X-Next"}}"#
        try await expectAll(list, requests: 3) { _, query in
            let page = ItemAPI.page(after: query["after"])
            let header = page.upperBound < 8 ? "X-Next:  \(page.upperBound - 1) \r\n" : ""
            return (200, header, ItemAPI.array(page))
        }
    }

    @Test func `A cursor of several parameters`() async throws {
        let list = #"{"path":"{list}?a=b","paginator":{"type":"cursor","cursor":"continue"},"records":"query.pages"}"#
        try await expectAll(list, requests: 3) { _, query in
            let page = ItemAPI.page(after: query["from"])
            let next = page.upperBound < 8 ? #""continue":{"from":\#(page.upperBound - 1),"continue":"-||"},"# : ""
            let isRight = query["a"] == "b" && (query["from"] == nil || query["continue"] == "-||")
            return (isRight ? 200 : 400, "", #"{\#(next)"query":{"pages":\#(ItemAPI.array(page))}}"#)
        }
    }

    @Test func `A link in the body of JSON API, with ids that are strings`() async throws {
        let list =
            #"{"path":"{list}","paginator":{"type":"json_link","next":"links.next"},"records":"data","count":"meta.total"}"#
        try await expectAll(list, requests: 3, item: #","title":"attributes.title""#) { _, query in
            let page = ItemAPI.page(after: query["page%5Bafter%5D"])
            let items = page.filter { $0 < 8 }.map { #"{"type":"item","id":"\#($0)","attributes":{"title":"t"}}"# }
            let link = #""https://items.example/v1/item/?page%5Bafter%5D=\#(page.upperBound - 1)""#
            let next = #"{"next":\#(page.upperBound < 8 ? link : "null")}"#
            return (200, "", #"{"data":[\#(items.joined(separator: ","))],"links":\#(next),"meta":{"total":7}}"#)
        }
    }

    @Test func `A relative link in the body of HAL`() async throws {
        let list = """
            {"path":"{list}","paginator":{"type":"json_link","next":"_links.next.href"},"records":"_embedded.items"}
            """
        try await expectAll(list, requests: 3) { _, query in
            let page = ItemAPI.page(after: query["after"])
            let next = page.upperBound < 8 ? #"{"next":{"href":"/api/item?after=\#(page.upperBound - 1)"}}"# : "{}"
            return (200, "", #"{"_links":\#(next),"_embedded":{"items":\#(ItemAPI.array(page))}}"#)
        }
    }

    @Test func `The link of OData, whose name has a dot`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"json_link","next":"@odata.nextLink"},"records":"value"}"#
        try await expectAll(list, requests: 3) { _, query in
            let page = ItemAPI.page(after: query["$skiptoken"])
            let next = page.upperBound < 8 ? #""@odata.nextLink":"item?$skiptoken=\#(page.upperBound - 1)","# : ""
            return (200, "", #"{\#(next)"value":\#(ItemAPI.array(page))}"#)
        }
    }

    @Test func `A link in the header`() async throws {
        try await expectAll(#"{"path":"{list}","paginator":{"type":"header_link"}}"#, requests: 3) { _, query in
            let page = ItemAPI.page(after: query["after"])
            let address = "<http://items.example/v1/item?after"
            let next =
                page.upperBound < 8 ? ",\r\n \(address)=\(page.upperBound - 1)>; title=\"a\"; rel=\"next last\"" : ""
            return (200, "Link: \(address)=0>; rel=\"first\"\(next)\r\n", ItemAPI.array(page))
        }
    }

    @Test func `Cursors that change with every capture make no revision, but a changed record does`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"cursor","cursor":"next"},"records":"data"}"#
        let run = Locked((number: 0, last: 7))
        let api = ItemAPI { _, query in
            let (number, last) = run.withLock { ($0.number, $0.last) }
            let page = ItemAPI.page(after: query["cursor"].map { String($0.split(separator: "-")[1]) })
            let next = page.upperBound < 8 ? #""\#(number)-\#(page.upperBound - 1)""# : "null"
            return (200, "", #"{"next":\#(next),"data":\#(ItemAPI.array(page.filter { $0 <= last }))}"#)
        }
        let captures = try captures(list, api)
        let first = try await captures.run().revision
        run.withLock { $0.number = 1 }
        let second = try await captures.run()
        #expect(second.isUnchanged && second.revision.number == first.number)
        run.withLock { $0 = (2, 6) }
        #expect(try await !captures.run().isUnchanged)
        #expect(try captures.numbers(of: "item") == Array(1...6))
    }

    @Test func `A single page whose records are the members of an object`() async throws {
        try await expectAll(#"{"path":"{list}","paginator":{"type":"single_page"}}"#, requests: 1) { _, _ in
            let items = ItemAPI.items(1...7).enumerated().map { #""key \#($0)":\#($1)"# }
            return (200, "", "{\(items.joined(separator: ","))}")
        }
    }
}

/// Captures that were interrupted, and lists that changed.
struct ResumedPaginatorTests {
    /// Pages of three items by a cursor of the current generation. Old cursors get status 410.
    private func cursors(_ generation: Locked<Int>, failingAt page: Locked<Int?>) -> ItemAPI {
        ItemAPI { _, query in
            let parts = query["cursor"]?.split(separator: "-").map(String.init)
            let own = "\(generation.withLock { $0 })"
            let items = ItemAPI.page(after: parts?[1])
            if page.withLock({ $0 }) == items.lowerBound { return (503, "", "") }
            guard parts == nil || parts?[0] == own else { return (410, "", "") }
            let next = items.upperBound < 8 ? #""\#(own)-\#(items.upperBound - 1)""# : "null"
            return (200, "", #"{"next":\#(next),"count":7,"data":\#(ItemAPI.array(items))}"#)
        }
    }

    @Test(arguments: ["", #","count":"count""#])
    func `A list whose cursors are too old is read from its first page`(count: String) async throws {
        let list = #"{"path":"{list}","paginator":{"type":"cursor","cursor":"next"},"records":"data"\#(count)}"#
        let (generation, failing) = (Locked(1), Locked<Int?>(7))
        let captures = try captures(list, cursors(generation, failingAt: failing))
        #expect(try await captures.failure() != nil)
        generation.withLock { $0 = 2 }
        failing.withLock { $0 = nil }
        // With counts, the pages of the interrupted run are used first. Then the capture begins again.
        if !count.isEmpty {
            #expect(try await captures.failure()?.contains("is read again from its first page") == true)
        }
        _ = try await captures.run()
        #expect(try captures.numbers(of: "item") == Array(1...7))
        let revision = try #require(try RevisionReader.newest(in: captures.folder) { _ in true })
        let mirror = try APIMirror(of: RevisionReader(revision, in: captures.folder), captures.catalogue)
        #expect(mirror.pages.count == 3)
    }

    @Test func `Pages of an interrupted run with another limit are not kept`() async throws {
        let failing = Locked(true)
        let api = ItemAPI { _, query in
            if failing.withLock({ $0 }), query["offset"] != "0" { return (503, "", "") }
            let start = Int(query["offset"] ?? "") ?? 0
            return (
                200, "",
                #"{"count":7,"data":\#(ItemAPI.array(start + 1..<start + 1 + (Int(query["limit"] ?? "") ?? 0)))}"#
            )
        }
        func list(_ limit: Int) -> String {
            #"{"path":"{list}","paginator":{"type":"offset","limit":\#(limit)},"records":"data","count":"count"}"#
        }
        var captures = try captures(list(5), api)
        #expect(try await captures.failure() != nil)
        failing.withLock { $0 = false }
        captures.catalogue = try CaptureTests.captures(list(3), api).catalogue
        _ = try await captures.run()
        let revision = try #require(try RevisionReader.newest(in: captures.folder) { _ in true })
        let mirror = try APIMirror(of: RevisionReader(revision, in: captures.folder), captures.catalogue)
        #expect(mirror.pages.count == 3)
    }

    @Test func `New records are found although the pages before them are the same`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"page_number"},"count":"header:X-Total-Count"}"#
        let last = Locked(6)
        let api = ItemAPI { _, query in
            let page = ItemAPI.page(after: "\(3 * ((Int(query["page"] ?? "") ?? 0) - 1))")
            let count = last.withLock { $0 }
            let body = ItemAPI.array(page.filter { $0 <= count })
            return (200, "X-Total-Count: \(count)\r\nETag: \"\(SHA256(of: body.utf8).hex)\"\r\n", body)
        }
        let captures = try captures(list, api)
        _ = try await captures.run()
        last.withLock { $0 = 7 }
        _ = try await captures.run()
        #expect(try captures.numbers(of: "item") == Array(1...7))
    }
}

/// Servers that lie, and declarations that do not fit.
struct HostilePaginatorTests {
    private func failure(
        _ list: String, _ answer: @escaping @Sendable (String, [String: String]) -> ItemAPI.Answer
    ) async throws -> (text: String, requests: Int) {
        let api = ItemAPI(answer)
        let text = try await captures(list, api).failure() ?? "no failure"
        return (text, api.paths.withLock { $0.count })
    }

    @Test func `Links that lead in a circle are refused`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"json_link"},"records":"data"}"#
        let (text, requests) = try await failure(list) { _, query in
            let page = query["page"] ?? "0"
            let next = ["0": "1", "1": "2", "2": "1"][page] ?? ""
            return (200, "", #"{"next":"item?page=\#(next)","data":\#(ItemAPI.array([Int(page) ?? 0]))}"#)
        }
        #expect(text.contains("page 4 of the item list would be item?page=1 again, so the list has no end"))
        #expect(requests < 10)
    }

    @Test func `Pages without records and without an end are refused`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"cursor","cursor":"next"},"records":"data"}"#
        let (text, requests) = try await failure(list) { _, query in
            (200, "", #"{"next":"\#((Int(query["cursor"] ?? "") ?? 0) + 1)","data":[]}"#)
        }
        #expect(text.contains("the item list has 101 pages without a record one after the other"))
        #expect(requests < 150)
    }

    @Test func `A server that ignores the number of the page is noticed`() async throws {
        let (text, requests) = try await failure(#"{"path":"{list}","paginator":{"type":"page_number"}}"#) { _, _ in
            (200, "", ItemAPI.array(1...7))
        }
        #expect(text.contains("the list has item 1 twice, the second time on page 2"))
        #expect(requests < 10)
    }

    @Test(arguments: [
        "https://evil.example/v1/item?page=2", "//evil.example/item", "https://items.example/v1",
        "ftp://items.example/v1/item",
        "https://items.example/v1/../../etc", "https://items.example.evil/v1/item", "/other/item?page=2",
        "item?page=2#x",
        "item?a b", "https://items.example/v1//item", "item/./2", "https://items.example/v1/%2e%2E/admin", "item%2f..",
    ])
    func `Links that leave the API are refused`(link: String) async throws {
        let list = #"{"path":"{list}","paginator":{"type":"json_link"},"records":"data"}"#
        let (text, _) = try await failure(list) { _, _ in
            (200, "", #"{"next":"\#(link)","data":\#(ItemAPI.array(1...3))}"#)
        }
        #expect(text.contains("links to \"\(link)\", which is not below this API's address"), "\(text)")
    }

    @Test(arguments: [#","count":"count""#, ""])
    func `A server with smaller pages than requested is noticed`(count: String) async throws {
        let list = #"{"path":"{list}","paginator":{"type":"offset","limit":5},"records":"data"\#(count)}"#
        let (text, _) = try await failure(list) { _, query in
            (200, "", #"{"count":7,"data":\#(ItemAPI.array(ItemAPI.page(after: query["offset"])))}"#)
        }
        #expect(
            text.contains("though limit=5 was requested; set the paginator's limit to the size of its pages"), "\(text)"
        )
    }

    @Test func `A count that is too large or too small is noticed`() async throws {
        for count in [6, 8] {
            let list = #"{"path":"{list}","paginator":{"type":"json_link"},"records":"data","count":"count"}"#
            let (text, _) = try await failure(list) { _, query in
                let page = ItemAPI.page(after: query["after"])
                let next = page.upperBound < 8 ? #""item?after=\#(page.upperBound - 1)""# : "null"
                return (200, "", #"{"count":\#(count),"next":\#(next),"data":\#(ItemAPI.array(page))}"#)
            }
            #expect(text.contains("the item list claims \(count) records, but has 7"), "\(text)")
        }
    }

    @Test func `A missing page is an error unless it is declared as the end`() async throws {
        let (text, _) = try await failure(#"{"path":"{list}","paginator":{"type":"page_number"}}"#) { _, query in
            (query["page"] == "1" ? 200 : 404, "", ItemAPI.array(1...7))
        }
        #expect(text.contains("item?page=2: answered 404"))
    }

    @Test(arguments: [
        (#"{"more":1,"next":"a","data":[]}"#, "more: is not true or false"),
        (#"{"next":"a","data":[]}"#, "more: is missing"),
        (#"{"more":true,"data":[]}"#, "next: is missing, though there are more pages"),
        (#"{"more":true,"next":"\#(String(repeating: "a", count: 3_000))","data":[]}"#, "longer than 2048 bytes"),
    ])
    func `A cursor that contradicts its flag, or is too long, is an error`(body: String, reason: String) async throws {
        let list = #"{"path":"{list}","paginator":{"type":"cursor","cursor":"next","more":"more"},"records":"data"}"#
        let (text, _) = try await failure(list) { _, _ in (200, "", body) }
        #expect(text.contains(reason) && text.utf8.count < 400, "\(text)")
    }

    @Test func `A string is one cursor, even if it looks like another value`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"cursor","cursor":"next"},"records":"data"}"#
        let api = ItemAPI { _, query in
            let next = ["": #""{\"a\": 3}""#, #"{"a": 3}"#: #""null""#, "null": #""false""#][query["cursor"] ?? ""]
            let number = ["": 1, #"{"a": 3}"#: 2, "null": 3, "false": 4][query["cursor"] ?? ""] ?? 9
            return (200, "", #"{"next":\#(next ?? "false"),"data":\#(ItemAPI.array([number]))}"#)
        }
        let captures = try captures(list, api)
        _ = try await captures.run()
        #expect(try captures.numbers(of: "item") == [1, 2, 3, 4])
    }

    @Test func `A link to a record is not a page`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"json_link"},"records":"data"}"#
        let (text, _) = try await failure(list) { _, _ in
            (200, "", #"{"next":"item/9","data":\#(ItemAPI.array(1...3))}"#)
        }
        #expect(text.contains("links to \"item/9\", which is the address of a record"), "\(text)")
    }

    @Test func `An object is no empty page of an array`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"page_number"},"error":"message"}"#
        for (body, reason) in [
            ("{}", "is not an array as page 1 is"), (#"{"message":"busy"}"#, "message: says \"busy\""),
        ] {
            let (text, _) = try await failure(list) { _, query in
                (200, "", query["page"] == "1" ? ItemAPI.array(1...3) : body)
            }
            #expect(text.contains(reason), "\(text)")
        }
    }

    @Test func `Records that are not where the declaration says are an error, not gaps`() async throws {
        let (text, _) = try await failure(#"{"path":"{list}","paginator":{"type":"single_page"}}"#) { _, _ in
            (200, "", #"{"info":{"count":7},"results":\#(ItemAPI.array(1...7))}"#)
        }
        #expect(text.contains("say where they are with \"records\""), "\(text)")
    }
}
