import Archive
import Capture
import Catalogue
import CatalogueEngine
import Evidence
import HTTP
import Platform
import Testing

/// Lists in which each page names the next one.
extension PaginatorTests {
    @Test(arguments: ["data.@links.next[0].uri", "data.links[rel=next].uri", "data.links[1].uri"])
    func `Links in arrays lead to the next page`(next: String) async throws {
        let list = #"{"path":"{list}","paginator":{"type":"json_link","next":"\#(next)"},"records":"data.rows"}"#
        try await expectAll(list, requests: 3) { _, query in
            let page = ItemAPI.page(after: query["@from"])
            let link = #"{"rel":"next","uri":"item?@from=\#(page.upperBound - 1)"}"#
            let more = page.upperBound < 8 ? "[\(link)]" : "[]"
            let links = #"[{"rel":"self"}\#(page.upperBound < 8 ? "," + link : "")]"#
            let members = #""rows":\#(ItemAPI.array(page)),"links":\#(links),"@links":{"next":\#(more)}"#
            return (200, "", "{\"data\":{\(members)}}")
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

    @Test(arguments: ["data", ""], [true, false])
    func `The id of the last record is the cursor`(records: String, hasFlag: Bool) async throws {
        let flag = hasFlag ? #","more":"header:X-More""# : ""
        let place = records.isEmpty ? "" : #","records":"data""#
        let list = """
            {"paginator":{"type":"cursor","parameter":"after","cursor":"\(records)[-1].id"\(flag)}\(place)}
            """
        // Without a flag, the list ends with an empty page.
        try await expectAll(list, requests: hasFlag ? 3 : 4) { _, query in
            let page = ItemAPI.page(after: query["after"])
            let items = ItemAPI.array(page)
            let header = "X-More: \(page.upperBound < 8)\r\n"
            return (200, header, records.isEmpty ? items : #"{"data":\#(items)}"#)
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

    @Test(arguments: [
        "HTTPS://items.example", "https://Items.EXAMPLE:443", "HTTP://ITEMS.example:80", "http://FAKE.example:80",
    ])
    func `Scheme and host of a link can have capital letters, and the usual port`(host: String) async throws {
        let list = #"{"path":"{list}","paginator":{"type":"json_link"},"records":"data"}"#
        let folder = host.contains("FAKE") ? "api" : "v1"
        try await expectAll(list, requests: 3) { _, query in
            let page = ItemAPI.page(after: query["from"])
            let next = page.upperBound < 8 ? #""\#(host)/\#(folder)/item?from=\#(page.upperBound - 1)""# : "null"
            return (200, "", #"{"next":\#(next),"data":\#(ItemAPI.array(page))}"#)
        }
    }

    @Test(arguments: ["", "Older", "next_page"])
    func `A link in the header with any relation leads to the next page`(relation: String) async throws {
        let rule = relation.isEmpty ? "" : #","rel":"\#(relation)""#
        let name = relation.isEmpty ? "next" : relation
        let list = #"{"path":"{list}","paginator":{"type":"header_link"\#(rule)}}"#
        try await expectAll(list, requests: 3) { _, query in
            let page = ItemAPI.page(after: query["after"])
            let address = "<http://items.example/v1/item?after"
            let next =
                page.upperBound < 8 ? ",\r\n \(address)=\(page.upperBound - 1)>; title=\"a\"; rel=\"\(name) last\"" : ""
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
}
