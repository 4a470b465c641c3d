import Archive
import Capture
import Catalogue
import CatalogueEngine
import Evidence
import HTTP
import Platform
import SQLite
import Testing

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

    @Test func `A list whose last page is missing in the archive is damaged`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"cursor","cursor":"next"},"records":"data"}"#
        let captures = try captures(list, cursors(Locked(1), failingAt: Locked(nil)))
        let revision = try await captures.run().revision
        let db = try Connection(captures.folder.database, .readWrite)
        try db.run("DELETE FROM answer WHERE path = 'item?cursor=1-6'")
        let error = try #require(throws: ArchiveError.self) {
            _ = try APIMirror(of: RevisionReader(revision, in: captures.folder), captures.catalogue)
        }
        #expect("\(error)".contains("the item list continues with item?cursor=1-6, which is missing"), "\(error)")
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
        #expect(text.contains("the item list has 101 consecutive pages without a record"))
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
        "https://items.example:444/v1/item?page=2", "https://items.example:80/v1/item",
        "https://a@items.example/v1/item",
        "https://Items.example:443@evil.example/v1/item", "https://items.example./v1/item",
        "https://İtems.example/v1/i",
        "https://items.example:443:443/v1/item", "https://ITEMS.example:/v1/item",
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

    @Test func `A count without a way to a second page is an error that names the place`() async throws {
        for (members, end) in [
            ("", "; check the paginator"),
            (#","links":{"next":"item?after=3"}"#, "; links.next: announces another page, which was not read"),
        ] {
            let list =
                #"{"path":"{list}","paginator":{"type":"json_link","next":"go.on"},"records":"data","count":"n"}"#
            let (text, requests) = try await failure(list) { _, _ in
                (200, "", #"{"n":7,"data":\#(ItemAPI.array(1...3))\#(members)}"#)
            }
            let reason = "the item list claims 7 records, but has 3, and nothing leads to more at go.on"
            #expect(text.contains(reason + end) && requests == 1, "\(text)")
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
            ("{}", "page 2 of the item list is an object, but page 1 is an array"),
            (#"{"message":"busy"}"#, "message: has the error \"busy\""),
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

    /// The members or the header with which an answer announces another page, the place in the message, and the type of
    /// the paginator that it names.
    @Test(arguments: [
        (#""continue":{"from":"a"}"#, "continue", "cursor"), (#""next":"item?page=2""#, "next", "json_link"),
        (#""next":2"#, "next", ""), (#""next_page":3"#, "next_page", ""), (#""has_more":true"#, "has_more", ""),
        (#""nextPageToken":"abc""#, "nextPageToken", "cursor"),
        (#""links":{"next":"https://items.example/v1/item?page=2"}"#, "links.next", "json_link"),
        (#""_links":{"next":{"href":"x"}}"#, "_links.next.href", "json_link"),
        (#""@odata.nextLink":"item?x=1""#, "@odata.nextLink", "json_link"),
        (#""meta":{"next_cursor":"abc"}"#, "meta.next_cursor", "cursor"),
        (#""batching":{"next":"https://items.example/v1/item?b_start=7"}"#, "batching.next", "json_link"),
        (
            #""@links":{"next":[{"rel":"next","uri":"item?@page_index=2"}]}"#, "@links.next[rel=next].uri", "json_link"
        ), (#""links":[{"rel":"self"},{"rel":"next","href":"x"}]"#, "links[rel=next].href", "json_link"),
        (#""paged":{"next_link":"?start=7"}"#, "paged.next_link", "json_link"),
        ("Link: <item?page=2>; rel=next\r\n", "the header field Link", "header_link"),
    ])
    func `A last page that announces another page is a gap`(sign: String, place: String, type: String) async throws {
        let isHeader = sign.hasPrefix("Link")
        for paginator in [#"{"type":"single_page"}"#, #"{"type":"json_link","next":"elsewhere"}"#] {
            let list = #"{"path":"{list}","paginator":\#(paginator),"records":"data"}"#
            let api = ItemAPI { _, _ in
                (200, isHeader ? sign : "", #"{"data":\#(ItemAPI.array(1...7))\#(isHeader ? "" : "," + sign)}"#)
            }
            let captures = try captures(list, api)
            let gaps = try await captures.run().gapTexts
            let start = "item \(place): announces another page, which was not read; declare the paginator"
            #expect(gaps.count == 1 && gaps[0].hasPrefix(start) && gaps[0].contains(type), "\(gaps)")
            #expect(try captures.numbers(of: "item") == Array(1...7) && !captures.evidence().proof.isComplete)
        }
    }

    @Test(arguments: [
        (#"{"type":"cursor","cursor":"header:X-Nxt"}"#, "header:X-Nxt"), (#"{"type":"json_link"}"#, "next"),
        (#"{"type":"header_link","rel":"nxt"}"#, "header:Link"),
        (#"{"type":"cursor","cursor":"data[1].nxt"}"#, "data[1].nxt"),
    ])
    func `A list whose pages have no value at the place of the next page is complete, with a note`(
        paginator: String, place: String
    ) async throws {
        let api = ItemAPI { _, _ in
            (200, "Link: <item?page=9>; rel=last\r\n", #"{"data":\#(ItemAPI.array(1...3))}"#)
        }
        let captures = try captures(#"{"paginator":\#(paginator),"records":"data"}"#, api)
        let report = try await captures.run()
        let proof = try captures.evidence().proof
        #expect(report.gapTexts.isEmpty && proof.isComplete && proof.kinds[0].lackedNext?.text == place)
        let start = "no page of the item list has a value at \(place), the place of the next page"
        #expect(report.notes.count == 1 && report.notes[0].hasPrefix(start), "\(report.notes)")
    }

    @Test(arguments: [
        (#""next":null,"#, ""), (#""next":"","#, ""), (#""count":3,"#, #","count":"count""#),
    ])
    func `A list that says that it ends, or has a count, has no note`(members: String, count: String) async throws {
        let api = ItemAPI { _, _ in (200, "", #"{\#(members)"data":\#(ItemAPI.array(1...3))}"#) }
        let captures = try captures(#"{"paginator":{"type":"json_link"},"records":"data"\#(count)}"#, api)
        #expect(try await captures.run().notes.isEmpty)
        #expect(try captures.evidence().proof.kinds[0].lackedNext == nil)
    }

    @Test func `A list of children has a note only if no record's list has a next page`() async throws {
        let children = #"{"name":"parts","kind":"part","path":"item/{item.id}/parts"}"#
        for isRight in [false, true] {
            let api = ItemAPI { path, query in
                if path == "item" { return (200, "", #"{"next":null,"data":\#(ItemAPI.array(1...2))}"#) }
                let id = path.hasPrefix("item/1") ? 1 : 2
                let next = isRight && id == 2 && query.isEmpty ? #""next":"?page=2","# : ""
                return (200, "", #"{\#(next)"data":[{"id":\#(query.isEmpty ? id : id + 4)}]}"#)
            }
            let json = """
                {"name":"items","api":"https://items.example/v1",
                "list":{"paginator":{"type":"json_link"},"records":"data"},"lists":["item",\(children)]}
                """
            let captures = try captures(declaration: json, api)
            let report = try await captures.run()
            #expect(report.gapTexts.isEmpty && report.notes.count == (isRight ? 0 : 1), "\(report)")
            #expect(try captures.evidence().proof.kinds.map(\.lackedNext?.text) == [nil, isRight ? nil : "next"])
        }
    }

    @Test(arguments: [
        (#"{"items_total":55,"data":ITEMS}"#, "", "data", "items_total: is 55"),
        (#"{"data":{"@total_size":94,"collection":ITEMS}}"#, "", "data.collection", "data.@total_size: is 94"),
        (#"{"meta":{"total":8},"data":ITEMS}"#, "", "data", "meta.total: is 8"),
        ("ITEMS", "X-Total-Count: 70\r\n", nil, "header:X-Total-Count: is 70"),
    ])
    func `A count larger than the only page is a gap`(body: String, header: String, records: String?, start: String)
        async throws
    {
        let place = records.map { #","records":"\#($0)""# } ?? ""
        for count in [7, 6] {
            let api = ItemAPI { _, _ in (200, header, body.replacing("ITEMS", with: ItemAPI.array(1...count))) }
            let list = #"{"path":"{list}","paginator":{"type":"single_page"}\#(place)}"#
            let gaps = try await captures(list, api).run().gapTexts
            let reason = "item \(start), but the only page of the list has \(count) records; declare the paginator"
            #expect(gaps.count == 1 && gaps[0].hasPrefix(reason), "\(gaps)")
        }
    }

    @Test(arguments: [
        #""next":null,"links":{"next":"","self":"item"},"has_more":false,"continue":{},"_links":{"next":{"href":null}}"#,
        #""next":0,"page":{"next":[]},"total":7,"comments":{"count":90},"meta":{"count":"many"}"#,
        #""poll":{"next":"June","has_more":true},"links":[{"rel":"self","href":"a"}]"#,
    ])
    func `A last page that announces no other page is complete`(members: String) async throws {
        let list = #"{"path":"{list}","paginator":{"type":"single_page"},"records":"data"}"#
        let captures = try captures(
            list, ItemAPI { _, _ in (200, "", #"{"data":\#(ItemAPI.array(1...7)),\#(members)}"#) })
        #expect(try await captures.run().gapTexts.isEmpty)
    }

    @Test func `A complete answer of another form is requested once more, and the message has its members`()
        async throws
    {
        let list = #"{"path":"{list}","paginator":{"type":"page_number"},"records":"data","count":"page.total"}"#
        func check(_ body: String, _ reason: String, requests: Int, at location: SourceLocation = #_sourceLocation)
            async throws
        {
            let api = ItemAPI { _, _ in (200, "Content-Type: text/html\r\n", body) }
            var captures = try captures(list, api)
            captures.attempts = 3
            let text = try await captures.failure() ?? ""
            #expect(
                text.contains("http://fake.example/api/item?page=1: \(reason)"), "\(text)", sourceLocation: location)
            #expect(api.paths.withLock { $0.count } == requests, sourceLocation: location)
        }
        try await check(
            #"{"data":[],"page":{"limit":12,"number":1}}"#,
            "page.total: is missing; page has limit, number (2 attempts)", requests: 2)
        try await check(
            #"{"error":{"code":"busy"}}"#,
            #"error: has the error "{"code":"busy"}" instead of a list page"#, requests: 3)
        try await check("<html>Sorry</html>", "is a web page (text/html), not JSON (2 attempts)", requests: 2)
        try await check(#"{"data":[],"page":{"li"#, "", requests: 3)
    }
}
