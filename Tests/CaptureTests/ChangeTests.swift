import Archive
import Capture
import Catalogue
import Evidence
import HTTP
import Platform
import SQLite
import Testing

/// An API with a list that can select the items that changed since a time.
private struct ChangingAPI: Sendable {
    struct Item {
        let id: Int
        var time: String
        var name = "old"
    }

    enum Filter: CaseIterable { case works, includesTheTime, isIgnored, givesNothing, isRefused }

    /// 240 items on 5 pages. Each changed later than the one before it.
    let items = Locked((1...240).map { Item(id: $0, time: Self.time($0)) })
    let filter = Locked(Filter.works)

    static func time(_ number: Int) -> String { "2026-01-01T10:\(1_000 + number)" }

    func add(_ id: Int, changed time: Int) {
        items.withLock { items in
            items.removeAll { $0.id == id }
            items.append(Item(id: id, time: Self.time(time), name: "new"))
            items.sort { $0.id < $1.id }
        }
    }

    var server: ItemAPI {
        ItemAPI { path, query in
            let filter = filter.withLock { $0 }
            let all = items.withLock { $0 }.filter { item in
                guard let since = query["since"] else { return true }
                switch filter {
                case .works: return item.time > since
                case .includesTheTime: return item.time >= since
                case .isIgnored: return true
                case .givesNothing, .isRefused: return false
                }
            }
            if filter == .isRefused, query["since"] != nil { return (400, "", "{}") }
            let page = Int(query["page"] ?? "") ?? 0
            let shown = all.dropFirst(50 * (page - 1)).prefix(50).map { item in
                let time = item.time.isEmpty ? "" : #","time":"\#(item.time)""#
                let image = item.id > 12 ? "" : #","image":"https://items.example/v1/p/\#(item.id).png""#
                return #"{"id":\#(item.id),"name":"\#(item.name)"\#(time)\#(image)}"#
            }
            let link = "<https://items.example/v1/item?page=\(page + 1)&since=\(query["since"] ?? "")>; rel=\"next\""
            return (
                200, page > 0 && all.count > 50 * page ? "Link: \(link)\r\n" : "",
                #"{"count":\#(all.count),"data":[\#(shown.joined(separator: ","))]}"#
            )
        }
    }
}

/// Captures that request only the changed records of a list.
struct ChangeTests {
    private let api = ChangingAPI()
    private let server: ItemAPI
    private let pictures = Locked<[String]>([])
    private var captures: Captures

    init() throws {
        server = api.server
        captures = try CaptureTests.captures(
            declaration: """
                {"name":"items","api":"https://items.example/v1","list":{"paginator":{"type":"page_number"},
                "records":"data","count":"count"},"kinds":{"item":{"fields":{"image":{"type":"image"}}}},
                "lists":[{"name":"item","updated":{"parameter":"since","from":"time","fullEvery":2}}]}
                """, server)
        captures.client = Client { [server, pictures] (request) async throws(HTTPError) in
            guard request.url.target.hasSuffix(".png") else { return try await server.client.send(request) }
            pictures.withLock { $0.append(request.url.target) }
            return Response(
                status: 200, rawHeaders: Array("HTTP/1.1 200 OK\r\n\r\n".utf8), body: .bytes(PictureHeaderTests.png),
                url: request.url, received: millisecondsSince1970())
        }
    }

    /// Captures, and returns the report and the number of requests with and without a time.
    private func capture(all: Bool = false) async throws -> (report: CaptureReport, changed: Int, pages: Int) {
        server.paths.withLock { $0 = [] }
        var captures = captures
        captures.settings.readsAll = all
        let report = try await captures.run()
        let paths = server.paths.withLock { $0 }
        let changed = paths.count { $0.contains("since=") }
        return (report, changed, paths.count - changed)
    }

    private func records() throws -> [String] {
        let revision = try #require(try RevisionReader.newest(in: captures.folder) { _ in true })
        let reader = try RevisionReader(revision, in: captures.folder)
        return try reader.records(of: "item", at: 0..<Int.max) { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private func expectSound(changesSince: Int, _ location: SourceLocation = #_sourceLocation) throws {
        try captures.expectComplete(["item": try records().count], at: location)
        #expect(try captures.evidence().proof.kinds[0].changesSince.count == changesSince, sourceLocation: location)
    }

    @Test func `Only changed records are requested, and the records are those of a complete capture`() async throws {
        #expect(try await capture().pages == 5)
        try expectSound(changesSince: 0)
        #expect(pictures.withLock { $0.count } == 12)
        pictures.withLock { $0 = [] }
        let unchanged = try await capture()
        #expect(unchanged.report.isUnchanged && unchanged.changed == 2 && unchanged.pages == 0)

        for round in 1...3 {
            api.add(7 * round, changed: 300 + 2 * round)
            api.add(300 + round, changed: 301 + 2 * round)
            let (report, changed, pages) = try await capture()
            #expect(!report.isUnchanged && changed == 3 && pages == 0 && report.records == ["item": 240 + round])
            try expectSound(changesSince: round)
        }
        let again = try await capture()
        #expect(again.report.isUnchanged && again.changed == 2)
        let paths = try captures.evidence().mirror.pages.map(\.path.text)
        #expect(paths.contains("api/item/page/5.json") && paths.contains("api/item/changes-3/page/3.json"))
        // The pictures of the other records are taken too.
        #expect(pictures.withLock { Set($0) } == ["/api/p/7.png"])
        #expect(try captures.evidence().mirror.pictures.count == 12)
        let updated = try records()
        #expect(updated.count(where: { $0.contains("new") }) == 6)
        // The complete capture is a new revision, because it proves more.
        let complete = try await capture(all: true)
        #expect(!complete.report.isUnchanged && complete.pages == 5)
        #expect(try records() == updated)
        try expectSound(changesSince: 0)
    }

    @Test(arguments: [0, 3])
    func `Deleted records are noticed by complete captures, which are repeated after some days`(days: Int64)
        async throws
    {
        _ = try await capture()
        api.items.withLock { $0.removeFirst(3) }
        #expect(try await capture().report.isUnchanged)
        let db = try Connection(captures.folder.database, .readWrite)
        try db.run("UPDATE revision SET confirmed = confirmed - ?", days * 86_400_000)
        #expect(try await capture(all: days == 0).report.records == ["item": 237])
    }

    @Test(arguments: ["", "WHERE id = (SELECT min(id) FROM revision)"])
    func `All pages are read if the archive has an impossible time of the last complete capture`(rows: String)
        async throws
    {
        _ = try await capture()
        api.add(7, changed: 302)
        #expect(try await capture().pages == 0)
        let db = try Connection(captures.folder.database, .readWrite)
        try db.run("UPDATE revision SET confirmed = ? \(rows)", Int64.min)
        let again = try await capture()
        #expect(again.changed == 0 && again.pages == 5 && again.report.records == ["item": 240])
    }

    @Test func `A record that is deleted among the last changes is noticed`() async throws {
        _ = try await capture()
        api.items.withLock { $0.removeAll { $0.id == 200 } }
        let (report, changed, pages) = try await capture()
        #expect(report.records == ["item": 239] && changed > 0 && pages == 5)
        #expect(report.notes == ["the item list is read completely: item 200 is no longer among the last changes"])
        try expectSound(changesSince: 0)
    }

    @Test func `A server that does not select records by their time is noticed`() async throws {
        _ = try await capture()
        for (index, filter) in [ChangingAPI.Filter.includesTheTime, .isIgnored, .givesNothing].enumerated() {
            api.filter.withLock { $0 = filter }
            api.add(20 + index, changed: 300 + index)
            let (report, changed, pages) = try await capture()
            #expect(!report.isUnchanged && changed > 0 && (pages == 5) == (filter != .includesTheTime), "\(filter)")
            #expect(try records()[19 + index].contains("new"))
            try expectSound(changesSince: filter == .includesTheTime ? 1 : 0)
        }
        api.filter.withLock { $0 = .isRefused }
        #expect(try await captures.failure()?.contains("answered status 400") == true)
    }

    @Test func `Without times that order the records, all pages are read`() async throws {
        api.items.withLock { $0[100].time = "" }
        for _ in 1...2 {
            let run = try await capture()
            #expect(run.changed == 0 && run.pages == 5)
        }
        api.items.withLock { items in for index in items.indices { items[index].time = "2026" } }
        for _ in 1...2 { #expect(try await capture().changed == 0) }
    }

    @Test func `Changes are requested since a time that leaves the last 100 known ones`() {
        let times = (1...150).map { "\($0)" }
        #expect(ChangeRule.start(times) { _ in true } == "50")
        #expect(ChangeRule.start(times) { $0 != "50" } == "49")
        #expect(ChangeRule.start(times + Array(repeating: "151", count: 200)) { _ in true } == "150")
        #expect(ChangeRule.start(times + [""]) { _ in true } == nil)
        #expect(ChangeRule.start(times + [String(repeating: "9", count: 65)]) { _ in true } == nil)
        #expect(ChangeRule.start(Array(times.prefix(100))) { _ in true } == nil)
        #expect(ChangeRule.isEarlier("9", "10") && ChangeRule.isEarlier("2025-12-09", "2026-01-01"))
        #expect(!ChangeRule.isEarlier("10", "9") && !ChangeRule.isEarlier("a", "a"))
    }

    @Test func `Lists of children are read in the order of their parents`() async throws {
        let server = ItemAPI { path, query in
            if let number = Int(path.split(separator: "/").last ?? "") { return (200, "", #"[{"id":\#(number)}]"#) }
            // The time of the third record is before the others, so it is the only one that is not requested again.
            let times = (1...105).map { (number: $0, time: $0 == 3 ? 1 : 2) }.filter {
                $0.time > Int(query["since"] ?? "") ?? 0
            }
            let items = times.map { #"{"id":\#($0.number),"time":\#($0.time)}"# }
            return (200, "", "[\(items.joined(separator: ","))]")
        }
        let captures = try CaptureTests.captures(
            declaration: """
                {"name":"items","api":"https://items.example/v1","list":{"paginator":{"type":"single_page"}},
                "lists":[{"name":"item","updated":{"parameter":"since","from":"time"}},
                {"name":"parts","kind":"part","path":"parts/{item.id}"}]}
                """, server)
        #expect(try await captures.run().records == ["item": 105, "part": 105])
        #expect(try await captures.run().isUnchanged)
        #expect(server.paths.withLock { $0.contains("item?since=1") })
    }

    /// Runs a capture that fails at the third page.
    private func interruptCapture(all: Bool) async throws {
        var captures = captures
        captures.settings.readsAll = all
        captures.client = Client { [client = captures.client] (request) async throws(HTTPError) in
            guard !request.url.target.hasSuffix("page=3") else {
                throw HTTPError(.connect, url: request.url.text, reason: "is made to fail")
            }
            return try await client.send(request)
        }
        #expect(try await captures.failure() != nil)
    }

    @Test func `A complete capture that was interrupted leaves no claim to a capture of changes`() async throws {
        _ = try await capture()
        api.items.withLock { _ = $0.removeFirst() }
        try await interruptCapture(all: true)
        api.add(7, changed: 300)
        let (report, changed, pages) = try await capture()
        #expect(report.records == ["item": 240] && changed == 3 && pages == 0)
        try expectSound(changesSince: 1)
        #expect(captures.folder.proofs().allSatisfy { $0.fault == nil })
    }

    @Test func `A list of changes that continues with an earlier page is read completely`() async throws {
        let server = ItemAPI { path, query in
            let since = query["since"].flatMap(Int.init)
            let numbers = query["page"] == nil ? (since ?? 0) + 1...100 : 101...150
            let items = numbers.map { #"{"id":\#($0),"time":\#($0)}"# }
            // The first page of all items has 100 of them.
            let link = query["page"] == nil ? "Link: <https://items.example/v1/item?page=2>; rel=\"next\"\r\n" : ""
            return (200, link, "[\(items.joined(separator: ","))]")
        }
        let captures = try CaptureTests.captures(
            declaration: """
                {"name":"items","api":"https://items.example/v1","list":{"paginator":{"type":"header_link"}},
                "lists":[{"name":"item","updated":{"parameter":"since","from":"time"}}]}
                """, server)
        #expect(try await captures.run().records == ["item": 150])
        let report = try await captures.run()
        #expect(report.notes == ["the item list is read completely: its changes continue with an earlier page"])
        #expect(report.isUnchanged)
        try captures.expectComplete(["item": 150])
    }

    @Test func `A capture that was interrupted between changed pages is not taken for a complete one`() async throws {
        _ = try await capture()
        api.add(5, changed: 300)
        api.items.withLock { $0[9].name = "unnoticed" }
        try await interruptCapture(all: false)
        #expect(try await capture(all: true).report.records == ["item": 240])
        let all = try records()
        #expect(all[4].contains("new") && all[9].contains("unnoticed"))
        try expectSound(changesSince: 0)
    }
}
