import CatalogueEngine
import Discovery
import HTTP
import Platform
import Testing

/// A server in memory. It gets the target of a request without "/v1" at its beginning.
func client(_ answer: @escaping @Sendable (_ target: String) -> (header: String, body: String)?) -> Client {
    Client { (request) async throws(HTTPError) in
        let target = request.url.target
        let found = answer(target.hasPrefix("/v1") ? String(target.dropFirst(3)) : target)
        let (header, body) = found ?? ("", "{}")
        return Response(
            status: found == nil ? 404 : 200, rawHeaders: Array("HTTP/1.1 200 OK\r\n\(header)\r\n".utf8),
            body: .bytes(Array(body.utf8)), url: request.url, received: 0)
    }
}

/// An API in memory, by the path and query of a request.
func survey(
    _ base: String = "https://api.example/v1", lists: [String] = [], only: [String] = [],
    _ answer: @escaping @Sendable (_ path: String, _ query: [String: String]) -> (header: String, body: String)?
) async -> APIDescription? {
    let client = client { target in
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let pairs = (parts.dropFirst().first ?? "").split(separator: "&").map {
            $0.split(separator: "=", maxSplits: 1)
        }
        let query = Dictionary(pairs.map { (String($0[0]), String($0.last ?? "")) }) { $1 }
        return answer(parts[0], query)
    }
    do {
        return try await APISurvey(client, api: base).describe(lists: lists, only: only)
    } catch {
        Issue.record(error)
        return nil
    }
}

/// Items with numbers from 1 to 30.
func items(_ numbers: Range<Int>, _ more: (Int) -> String = { _ in "" }) -> String {
    let items = numbers.filter { (1...30).contains($0) }.map { number in
        #"{"id":\#(number),"name":"item \#(number)","colour":"\#(number % 2 == 0 ? "red" : "blue")"\#(more(number))}"#
    }
    return "[\(items.joined(separator: ","))]"
}

func number(_ text: String?) -> Int { text.flatMap { Int($0) } ?? 0 }

/// Expects a valid declaration with these parts.
func expect(
    _ description: APIDescription?, _ parts: [String], without others: [String] = [],
    location: SourceLocation = #_sourceLocation
) throws {
    let description = try #require(description, sourceLocation: location)
    let text = description.declaration(name: "test", title: "Test", language: "en", headers: [])
    #expect(throws: Never.self, "\(text)", sourceLocation: location) { try CatalogueDeclaration(Array(text.utf8)) }
    for part in parts { #expect(text.contains(part), "\(part) is not in \(text)", sourceLocation: location) }
    for part in others { #expect(!text.contains(part), "\(part) is in \(text)", sourceLocation: location) }
}

struct SurveyTests {
    @Test func `Page numbers with a count and links, below a root that names the lists`() async throws {
        let found = await survey { path, query in
            if path == "/" { return ("", #"{"items":"http://api.example/v1/items/","users":"/v1/users/"}"#) }
            if path == "/users/" { return ("", #"{"count":1,"next":null,"results":[{"id":1,"username":"ada"}]}"#) }
            let start = 10 * (max(1, number(query["page"])) - 1)
            let next = start < 20 ? #""https://api.example/v1/items/?page=\#(start / 10 + 2)""# : "null"
            return ("", #"{"count":30,"next":\#(next),"results":\#(items(start + 1..<start + 11))}"#)
        }
        try expect(
            found,
            [
                #""list": { "path": "{list}/", "paginator": { "type": "page_number" }, "records": "results", "count": "count" }"#,
                #""colour": { "type": "enum", "facet": true }"#, #""title": "username""#, #""columns": ["colour"]"#,
            ])
        #expect(found?.lists.map(\.name) == ["items", "users"] && found?.doubts == [])
    }

    @Test func `An address whose last segment is not unique is no id`() async throws {
        let found = await survey { path, _ in
            if path == "/" { return ("", #"{"items":"https://api.example/v1/items"}"#) }
            let items = (1...4).map { number in
                let folder = number % 2 == 0 ? "news" : "events"
                return #"{"@id":"https://api.example/v1/\#(folder)/x\#(number / 3)","name":"n","number":"N\#(number)"}"#
            }
            return path == "/items" ? ("", "[\(items.joined(separator: ","))]") : nil
        }
        try expect(found, [#""id": "number""#], without: [#""id": "@id""#])
    }

    @Test func `Offsets with rows whose records are requested one by one`() async throws {
        let found = await survey { path, query in
            if path == "/" { return ("", #"{"thing":"https://api.example/v1/thing/"}"#) }
            guard path == "/thing/" else {
                return (
                    "",
                    #"{"id":\#(path.split(separator: "/").last ?? ""),"name":"a","art":{"front":"https://cdn.example/1.png"}}"#
                )
            }
            let limit = query["limit"].map { number($0) } ?? 20
            let start = number(query["offset"])
            let rows = (start + 1...max(start + 1, min(30, start + limit))).map {
                #"{"name":"t\#($0)","url":"https://api.example/v1/thing/\#($0)/"}"#
            }
            let next =
                start + limit < 30
                ? #""https://api.example/v1/thing/?offset=\#(start + limit)&limit=\#(limit)""# : "null"
            return ("", #"{"count":30,"next":\#(next),"results":[\#(rows.joined(separator: ","))]}"#)
        }
        try expect(
            found,
            [
                #""paginator": { "type": "offset", "limit": 100 }"#, #""detail": "{url}""#,
                #""hosts": ["cdn.example"]"#,
                #""picture": { "type": "image", "path": "art.front" }"#, #""layout": "cards""#,
            ])
    }

    @Test func `Counts in the header, HTML, and ids that refer to another list`() async throws {
        let found = await survey { path, query in
            if path == "/" {
                return ("", #"{"routes":{"/wp/v2/posts":{},"/wp/v2/tags":{},"/wp/v2/posts/(?P<id>)":{}}}"#)
            }
            let isTags = path == "/tags"
            let start = 10 * (max(1, number(query["page"])) - 1)
            let posts = items(start + 1..<start + 11) { #","tags":[1],"content":{"rendered":"<p>\#($0)</p>"}"# }
            return (
                "X-WP-Total: \(isTags ? 1 : 30)\r\nX-WP-TotalPages: \(isTags ? 1 : 3)\r\n",
                isTags ? items(1..<2) : posts
            )
        }
        try expect(
            found,
            [
                #""count": "header:X-WP-Total", "pages": "header:X-WP-TotalPages""#,
                #""content": { "type": "html", "path": "content.rendered" }"#,
                #""tags": { "type": "references", "to": "tags" }"#,
            ])
    }

    @Test(arguments: [
        (
            #"{"links":{"next":"https://api.example/v1/item?page%5Bn%5D=2"},"data":ITEMS}"#,
            #""type": "json_link", "next": "links.next""#
        ),
        (
            #"{"@odata.nextLink":"https://api.example/v1/item?skip=10","value":ITEMS}"#,
            #""type": "json_link", "next": "@odata.nextLink""#
        ),
        (#"{"_links":{"next":{"href":"/v1/item?p=2"}},"_embedded":{"items":ITEMS}}"#, #""records": "_embedded.items""#),
        (#"{"next_cursor":"abc","items":ITEMS}"#, #""type": "cursor", "cursor": "next_cursor""#),
        (#"ITEMS"#, #""type": "single_page""#),
        (#"{"a":{"id":"a","name":"A","x":1},"b":{"id":"b","name":"B","x":2}}"#, #""textIds": true"#),
    ])
    func `Other forms of lists`(body: String, part: String) async throws {
        let found = await survey(lists: ["https://api.example/v1/item"]) { _, query in
            let start = query.isEmpty || ["page", "offset", "limit", "$limit"].contains { query[$0] != nil } ? 0 : 10
            return ("", body.replacing("ITEMS", with: items(start + 1..<start + 11)))
        }
        try expect(found, [part, #""lists": ["item"]"#])
    }

    @Test func `Page numbers and offsets have the names that the next link uses`() async throws {
        @Sendable func address(_ path: String, _ query: String) -> String { "https://api.example/v1\(path)?\(query)" }
        let found = await survey(lists: [
            address("/issue", "@page_size=10"), address("/@search", "type=Old%20Item"),
            address("/@search", "type=Page"),
        ]) { path, query in
            guard query["page"] == nil, query["offset"] == nil, query["limit"] == nil else { return nil }
            if path == "/issue" {
                let number = max(1, number(query["@page_index"]))
                let links =
                    #"{"next":[{"rel":"next","uri":"\#(address(path, "@page_index=\(number + 1)&@page_size=10"))"}]}"#
                let items = items(number * 10 - 9..<number * 10 + 1)
                return ("", #"{"data":{"collection":\#(items),"@links":\#(links),"@total_size":30}}"#)
            }
            let (start, size) = (number(query["b_start"]), query["b_size"].map { number($0) } ?? 12)
            let next = address(path, "type=\(query["type"] ?? "")&b_start=\(start + size)")
            let name = "\(query["type"] ?? "") "
            let items = items(start + 1..<start + size + 1).replacing("item ", with: name)
            return ("", #"{"batching":{"next":"\#(next)"},"items":\#(items),"items_total":30}"#)
        }
        let offset =
            #""paginator": { "type": "offset", "parameter": "b_start", "limitParameter": "b_size", "limit": 100 }"#
        try expect(
            found,
            [
                #""paginator": { "type": "page_number", "parameter": "@page_index" }"#, #""count": "data.@total_size""#,
                #""path": "{list}?@page_size=10""#, #""path": "@search?type=Page""#, offset, #""count": "items_total""#,
            ])
        #expect(found?.lists.map(\.kind) == ["issue", "old_item", "pages"])
    }

    @Test func `A next link in another object is followed, and a list without further pages names what was tried`()
        async throws
    {
        let next = #""paged":{"next":"https://api.example/v1/a?token=x"}"#
        let linked = await survey(lists: ["https://api.example/v1/a"]) { _, query in
            ("", "{\(next),\"items\":\(query["token"] == nil ? items(1..<11) : items(11..<21))}")
        }
        try expect(linked, [#""next": "paged.next""#])
        let found = await survey(lists: ["https://api.example/v1/b?k=SECRET"]) { _, query in
            query["skip"] == nil ? ("", "{\"items\":\(items(1..<11))}") : nil
        }
        #expect(
            found?.doubts == [
                "b: no way from the first page to further pages was found (page=2: the same 10 records; offset=10: the "
                    + "same 10 records; skip=10: no answer; $offset=10: the same 10 records)"
            ])
    }

    @Test func `The next page is found in a header field, and names in the segment that differs`() async throws {
        let found = await survey(lists: ["a", "b"].map { "https://api.example/v1/sets/\($0)/records" }) { path, query in
            let token = number(query["_token"])
            let next = token < 2 ? "Next-Page: https://api.example/v1\(path)?_token=\(token + 1)\r\n" : ""
            return (next, "{\"data\":\(items(token * 10 + 1..<token * 10 + 11))}")
        }
        try expect(
            found,
            [
                #""path": "sets/{list}/records", "paginator": { "type": "json_link", "next": "header:Next-Page" }"#,
                #""lists": ["a", "b"]"#,
            ])
    }

    @Test func `The collections of an OGC API are found, and the values of records in a member`() async throws {
        let found = await survey { path, query in
            func link(_ relation: String, _ path: String) -> String {
                #""links":[{"rel":"\#(relation)","href":"https://api.example/v1\#(path)"}]"#
            }
            if path == "/" { return ("", "{\(link("data", "/collections"))}") }
            if path == "/collections" {
                return ("", #"{"collections":[{"id":"wells",\#(link("items", "/collections/wells/items"))}]}"#)
            }
            let (limit, offset) = (query["limit"].map { number($0) } ?? 10, number(query["offset"]))
            let features = (offset + 1..<min(31, offset + limit + 1)).map {
                #"{"type":"Feature","id":"w\#($0)","properties":{"name":"Well \#($0)","well_id":"w\#($0)","region":"\#($0 % 2 == 0 ? "east" : "west")","depth_m":\#($0).5}}"#
            }
            return ("", #"{"numberMatched":30,"features":[\#(features.joined(separator: ","))]}"#)
        }
        try expect(
            found,
            [
                #""path": "collections/{list}/items""#, #""lists": ["wells"]"#, #""count": "numberMatched""#,
                #""title": "properties.name""#, #""type": { "type": "hidden" }"#,
                #""region": { "type": "enum", "path": "properties.region", "facet": true }"#,
                #""well_id": { "type": "hidden", "path": "properties.well_id" }"#,
                #""depth_m": { "type": "number", "path": "properties.depth_m", "label": "Depth", "unit": "{number} m" }"#,
            ])
    }

    @Test func `A limit in the address of a list belongs to the paginator`() async throws {
        let found = await survey(lists: ["https://api.example/v1/item?kind=a&start=2015&limit=5"]) { _, query in
            let (limit, offset) = (query["limit"].map { number($0) } ?? 10, number(query["offset"]))
            return query["kind"] == nil
                ? nil : ("", #"{"total":30,"items":\#(items(offset + 1..<offset + limit + 1))}"#)
        }
        let path = #""path": "{list}?kind=a&start=2015", "paginator": { "type": "offset", "limit": 5 }"#
        try expect(found, [path])
    }

    @Test func `An address without a name is no list, and doubts leave out queries`() async throws {
        let found = await survey(lists: [
            "https://api.example/v1/", "https://api.example/v1/a", "https://api.example/v1/b?k=SECRET",
        ]) {
            path, _ in path == "/a" ? ("", items(1..<11)) : nil
        }
        let reasons = try #require(found).refused.map(\.reason).joined(separator: "\n")
        #expect(
            reasons.contains("https://api.example/v1/b answered status 404") && !reasons.contains("SECRET"),
            "\(reasons)")
    }

    @Test func `The reason names rows that are arrays, and web pages`() async throws {
        #expect(
            await survey(lists: ["https://api.example/v1/item"]) { _, _ in ("", #"{"rows":[[1,"a"]],"x":[{"id":1}]}"#) }
                == nil)
        let found = await survey(lists: [
            "https://api.example/v1/a", "https://api.example/v1/b", "https://api.example/v1/c",
        ]) { path, _ in
            switch path {
            case "/a": ("", items(1..<11))
            case "/b": ("", #"{"rows":[[1,"a"]],"x":[{"id":1}]}"#)
            default: ("Content-Type: text/html\r\n", "<p>")
            }
        }
        let refused = try #require(found?.refused)
        #expect(refused.map(\.name) == ["b", "c"])
        #expect(refused[0].reason.contains("/v1/b has \"rows\", whose rows are arrays"), "\(refused)")
        #expect(refused[1].reason.contains("/v1/c is a web page (text/html), not JSON"), "\(refused)")
    }

    @Test(arguments: ["/v1", ""])
    func `The address of a list is enough`(folder: String) async throws {
        let found = await survey("https://api.example\(folder)/things.json") { path, _ in
            path == "/things.json" ? ("", items(1..<5)) : nil
        }
        try expect(
            found, [#""api": "https://api.example\#(folder)""#, #""path": "{list}.json""#, #""lists": ["things"]"#])
        #expect(found?.address == "https://api.example\(folder)")
    }

    @Test func `A hostile API ends in bounded time, and gives a valid declaration or none`() async throws {
        let requests = Locked(0)
        let names = (0..<300).map { #""x\#($0)../\"{env:HOME}":"https://api.example/v1/x\#($0)/../../etc""# }
        let endless = await survey { path, _ in
            requests.withLock { $0 += 1 }
            if path == "/" {
                return ("", "{\"select\":\"/v1/select\",\"../a\":\"/v1/b\",\(names.joined(separator: ","))}")
            }
            let odd =
                #"{"id":{"a":1},"__proto__":"<script>alert(1)</script>","{env:HOME}":"{env:HOME}","\u0000":"\u202e","n":"#
            return (
                "X-Total-Count: 99999999999999999999\r\nLink: <https://evil.example/>; rel=\"next\"\r\n",
                "[\(odd)1},\(odd)2}]"
            )
        }
        #expect(requests.withLock { $0 } <= 200)
        try expect(endless, [], without: ["{env:HOME}", "evil.example", "<script>"])
        for body in ["", "[", "null", "[]", "{}", "[1]", #"{"a":"b"}"#, String(repeating: "[", count: 5_000)] {
            #expect(await survey { _, _ in ("", body) } == nil, "\(body.prefix(20))")
        }
        #expect(await survey { _, _ in nil } == nil)
    }
}
