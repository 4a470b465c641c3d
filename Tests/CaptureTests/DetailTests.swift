import Capture
import Catalogue
import Evidence
import HTTP
import Platform
import SQLite
import Testing

@testable import Archive

/// Lists whose pages have rows, and records that are requested one by one.
struct DetailTests {
    static let list = """
        {"path":"{list}/","paginator":{"type":"offset","limit":3},"records":"results","count":"count","detail":"{url}"}
        """

    /// Seven rows on pages of three, whose addresses have the API's own host.
    private static func page(_ query: [String: String], url: (Int) -> String) -> ItemAPI.Answer {
        let start = Int(query["offset"] ?? "") ?? 0
        let rows = (start + 1..<start + 4).filter { $0 <= 7 }.map { #"{"name":"item \#($0)","url":"\#(url($0))"}"# }
        return (200, "ETag: \"p\(start)\"\r\n", #"{"count":7,"results":[\#(rows.joined(separator: ","))]}"#)
    }

    static func address(_ number: Int) -> String { "https://items.example/v1/item/\(number)/" }

    static func record(_ path: String) -> ItemAPI.Answer {
        let id = path.split(separator: "/").last ?? ""
        return (200, "ETag: \"r\(id)\"\r\n", #"{"id":\#(id),"name":"item \#(id)","size":9}"#)
    }

    private static let whole = ItemAPI { path, query in
        path == "item/" ? page(query, url: address) : record(path)
    }

    @Test(arguments: ["https://items.example", ""])
    func `Each record of a list of rows is requested once, in the order of the rows`(host: String) async throws {
        let api = ItemAPI { path, query in
            // The rows are in the reverse order of ids.
            path == "item/" ? Self.page(query) { "\(host)/v1/item/\(8 - $0)/" } : Self.record(path)
        }
        let captures = try captures(Self.list, api)
        let report = try await captures.run()
        #expect(report.gapTexts.isEmpty)
        #expect(try captures.numbers(of: "item") == Array((1...7).reversed()))
        let paths = api.paths.withLock { $0 }
        #expect(paths.count == 10 && Set(paths).count == 10, "\(paths)")
        let proof = try captures.evidence().proof
        #expect(proof.isComplete && proof.kinds.map(\.records) == [7] && proof.kinds.map(\.unlisted) == [0])
        // The records are requested conditionally, and an unchanged server adds no revision.
        #expect(try await captures.run().isUnchanged)
        #expect(api.paths.withLock { $0.count } == 20)
    }

    @Test(arguments: [true, false])
    func `Verify finds a count that is not the number of records`(hasRows: Bool) async throws {
        let pages = ItemAPI { path, query in
            let start = Int(query["offset"] ?? "") ?? 0
            let records = (start + 1..<start + 4).filter { $0 <= 7 }.map { #"{"id":\#($0),"name":"item \#($0)"}"# }
            return (200, "ETag: \"p\(start)\"\r\n", #"{"count":7,"results":[\#(records.joined(separator: ","))]}"#)
        }
        let list = hasRows ? Self.list : Self.list.replacing(#","detail":"{url}""#, with: "")
        let captures = try captures(list, hasRows ? Self.whole : pages)
        #expect(try await captures.run().gapTexts.isEmpty)
        func faults(count: Int64) throws -> [String] {
            let db = try Connection(captures.folder.database, .readWrite)
            try db.run("UPDATE list SET count = ?", count)
            let digest = try db.computeDigest(of: 1)
            try db.run("UPDATE revision SET digest = ?", digest)
            let seal = try db.computeSeal(of: 1)
            try db.run("UPDATE revision SET seal = ?", seal)
            return captures.folder.proofs().compactMap(\.fault).filter { $0.contains("list claims") }
        }
        #expect(try faults(count: 7) == [])
        #expect(try faults(count: 8) == ["revision 1: the item list claims 8 records, but the archive has 7"])
        // Records without a row can be added to those of rows, so only the report finds a smaller count of rows.
        #expect(try faults(count: 6).isEmpty == hasRows)
    }

    @Test func `A path with members of a row leads to the record`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"single_page"},"detail":"things/{name}.json"}"#
        let api = ItemAPI { path, _ in
            let names = ["a b", "AC/DC", "ж/..", "b/../../c", "a\\\\b"]
            let items = names.enumerated().map { #"{"id":\#($0 + 1),"name":"\#($1)"}"# }
            return (
                200, "", path == "item" ? "[\(items.joined(separator: ","))]" : items[path.contains("a%20") ? 0 : 1]
            )
        }
        let captures = try captures(list, api)
        let report = try await captures.run()
        // Servers decode slashes, so two dots would lead to another place.
        #expect(
            report.gapTexts.count == 3 && report.gapTexts.allSatisfy { $0.contains("valid address of a record") },
            "\(report.gapTexts)")
        #expect(try captures.numbers(of: "item") == [1, 2])
        #expect(Set(api.paths.withLock { $0 }) == ["item", "things/a%20b.json", "things/AC%2FDC.json"])
    }

    @Test func `A row without a record is a gap, and the report is not complete`() async throws {
        let captures = try captures(
            Self.list,
            ItemAPI { path, query in
                if path == "item/" { return Self.page(query, url: Self.address) }
                if path == "item/3/" { return (404, "", "") }
                return path == "item/5/" ? (200, "", #"{"id":6,"name":"another one"}"#) : Self.record(path)
            })
        let report = try await captures.run()
        #expect(report.gapTexts.count == 2, "\(report.gapTexts)")
        #expect(report.gapTexts.contains { $0.contains("item/3/") && $0.contains("does not have this record") })
        #expect(report.gapTexts.contains { $0.contains("item/5/") && $0.contains("was not requested") })
        #expect(try captures.numbers(of: "item") == [1, 2, 4, 6, 7])
        let proof = try captures.evidence().proof
        #expect(!proof.isComplete && proof.kinds.map(\.missing) == [2])
    }

    @Test(arguments: ["{list}/{id}/", "item/{nothing}"])
    func `A list without a row that leads to a record is an error; {list} is its name`(detail: String) async throws {
        let list = #"{"path":"{list}","paginator":{"type":"single_page"},"detail":"\#(detail)"}"#
        let isGood = Locked(detail.contains("{list}"))
        let api = ItemAPI { path, _ in
            path == "item"
                ? (200, "", ItemAPI.array(1...7)) : isGood.withLock { $0 } ? Self.record(path) : (404, "", "")
        }
        let captures = try captures(list, api)
        if isGood.withLock({ $0 }) {
            #expect(try await captures.run().gapTexts.isEmpty)
            isGood.withLock { $0 = false }
            let text = try await captures.failure() ?? ""
            let reason = "item/1/: the server does not have this record; check \"detail\""
            #expect(
                text.contains(
                    "none of the 7 rows of the item list leads to a record: http://fake.example/api/\(reason)"))
            // The answers without a record are requested again.
            isGood.withLock { $0 = true }
            #expect(try await captures.run().isUnchanged)
        } else {
            let text = try await captures.failure() ?? ""
            #expect(
                text.contains("leads to a record: http://fake.example/api/item: [0].nothing: is missing"), "\(text)")
        }
    }

    @Test func `A record that one capture could not get is neither gone nor new in the history`() async throws {
        let state = Locked((missing: "", last: 7))
        let api = ItemAPI { path, query in
            let (missing, last) = state.withLock { $0 }
            guard path == "item/" else { return path == missing ? (404, "", "") : Self.record(path) }
            let rows = (1...last).map { #"{"name":"item \#($0)","url":"\#(Self.address($0))"}"# }
            return (200, "", #"{"count":\#(last),"results":[\#(rows.joined(separator: ","))]}"#)
        }
        let captures = try captures(
            #"{"path":"{list}/","paginator":{"type":"single_page"},"records":"results","count":"count","detail":"{url}"}"#,
            api)
        for next in [("item/3/", 7), ("", 7), ("", 6)] {
            #expect(try await !captures.run().isUnchanged)
            state.withLock { $0 = next }
        }
        let last = try await captures.run().revision
        let history = try History(RevisionReader(last, in: captures.folder), captures.catalogue)
        #expect(history.changes.map { $0.added.count } == [0, 0, 0])
        #expect(history.changes.map { $0.removed.map(\.key) } == [[], [], [RecordKey("item", 7)]])
        #expect(history.changes.map(\.otherDifferences) == [[.gaps], [.gaps], []])
        #expect(history.events(of: RecordKey("item", 3)).isEmpty)
    }

    @Test(arguments: [false, true])
    func `A row that is a number or a text is the id of a record`(isText: Bool) async throws {
        let ids = isText ? [#""a""#, #""b-\u0063""#, #""7""#] : ["1", "2", "7"]
        let bad = isText ? #"[1],{},"""# : #""x",null,1.5"#
        let list = #"{"paginator":{"type":"single_page"},"records":"itemIDs","count":"total","detail":"items/{id}"}"#
        let api = ItemAPI { path, _ in
            guard path != "item" else {
                return (200, "", #"{"total":6,"itemIDs":[\#(ids.joined(separator: ",")),\#(bad)]}"#)
            }
            let id = path.dropFirst("items/".count)
            return (200, "", #"{"itemID":\#(isText ? "\"\(id)\"" : "\(id)"),"name":"n"}"#)
        }
        let item = #","id":"itemID"\#(isText ? #","textIds":true"# : "")"#
        let captures = try captures(list, api, item: item)
        let report = try await captures.run()
        #expect(report.records == ["item": 3])
        #expect(
            report.gapTexts.count == 3 && report.gapTexts.allSatisfy { $0.hasPrefix("item itemIDs[") },
            "\(report.gapTexts)")
        let proof = try captures.evidence().proof
        #expect(proof.kinds.map(\.missing) == [3] && proof.kinds.map(\.claimed?.records) == [6])
    }

    @Test func `Rows of a large page are read in parts, and a repeated one is a gap`() async throws {
        let list = #"{"paginator":{"type":"single_page"},"detail":"items/{id}"}"#
        let ids = Array(1...2_500) + [1]
        let api = ItemAPI { path, _ in
            path == "item"
                ? (200, "", "[\(ids.map { "\($0)" }.joined(separator: ","))]")
                : (200, "", #"{"id":\#(path.dropFirst("items/".count)),"name":"n"}"#)
        }
        let captures = try captures(list, api)
        #expect(try await captures.run().gapTexts == ["item [2500]: is a second item 1 in the same answer"])
        #expect(try captures.numbers(of: "item") == (1...2_500).map { Int64($0) })
    }

    @Test func `A record can be in a member of the answer`() async throws {
        let list = """
            {"paginator":{"type":"single_page"},"records":"query.{list}","detail":"api?page={id}","record":"data.parse"}
            """
        let api = ItemAPI { path, query in
            if path == "item" { return (200, "", #"{"query":{"item":\#(ItemAPI.array(1...7))}}"#) }
            let id = query["page"] ?? ""
            let body = #"{"data":{"x":1,"parse":{"id":\#(id),"name":"n \#(id)"}}}"#
            return (200, "", id == "3" ? #"{"error":"none"}"# : id == "4" ? #"{"data":{"y":2}}"# : body)
        }
        let captures = try captures(list, api)
        let gaps = try await captures.run().gapTexts
        #expect(gaps.count == 2 && gaps[0].contains(#"has the error "none" instead of a record"#), "\(gaps)")
        #expect(gaps.last?.contains("data.parse: is missing; data has y") == true, "\(gaps)")
        #expect(try captures.numbers(of: "item") == [1, 2, 5, 6, 7])
        let revision = try #require(try RevisionReader.newest(in: captures.folder) { _ in true })
        let records = try RevisionReader(revision, in: captures.folder).records(of: "item", at: 0..<1)
        #expect(records.map { String(decoding: $0.bytes, as: UTF8.self) } == [#"{"id":1,"name":"n 1"}"#])
    }

    @Test func `Without a lookup, unknown ids are not requested, and are no gaps`() async throws {
        let json = """
            {"name":"items","api":"https://items.example/v1","lookup":false,
            "list":{"paginator":{"type":"single_page"}},"lists":["item"],
            "kinds":{"item":{"fields":{"next":{"type":"reference","to":"item"}}}}}
            """
        let api = ItemAPI { _, _ in (200, "", #"[{"id":1,"name":"a","next":2},{"id":2,"name":"b","next":9}]"#) }
        let captures = try captures(declaration: json, api)
        #expect(try await captures.run().gapTexts.isEmpty)
        #expect(api.paths.withLock { $0 } == ["item"])
        let proof = try captures.evidence().proof
        #expect(proof.isComplete && proof.dangling.first.map(\.target) == [RecordKey("item", 9)])
    }

    @Test(arguments: [
        "https://evil.example/item/3", "https://items.example/v1/../3",
        "https://items.example/v1/item/?limit=3&offset=0",
        "https://items.example/v1/item/", "javascript:alert(1)", "",
    ])
    func `A row that leads out of the records of the API is a gap`(address: String) async throws {
        let api = ItemAPI { path, query in
            path == "item/" ? Self.page(query) { $0 == 3 ? address : Self.address($0) } : Self.record(path)
        }
        let captures = try captures(Self.list, api)
        let report = try await captures.run()
        #expect(report.gapTexts.count == 1 && report.gapTexts[0].contains("results[2]"), "\(report.gapTexts)")
        #expect(try captures.numbers(of: "item") == [1, 2, 4, 5, 6, 7])
        #expect(api.paths.withLock { paths in paths.allSatisfy { $0.hasPrefix("item/") } })
    }

    @Test func `A second row with an id is a gap`() async throws {
        let captures = try captures(
            Self.list,
            ItemAPI { path, query in
                path == "item/" ? Self.page(query) { Self.address($0 == 3 ? 2 : $0) } : Self.record(path)
            })
        let report = try await captures.run()
        #expect(report.gapTexts.count == 1 && report.gapTexts[0].contains("is a second item 2"), "\(report.gapTexts)")
        #expect(try captures.numbers(of: "item") == [1, 2, 4, 5, 6, 7])
    }

    @Test func `An address that is a page and a record is reported`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"json_link"},"records":"rows","detail":"{url}"}"#
        let api = ItemAPI { path, _ in
            path == "item"
                ? (
                    200, "",
                    #"{"rows":[{"id":1,"url":"https://items.example/v1/both"}],"next":"https://items.example/v1/both"}"#
                )
                : (200, "", #"{"id":1,"name":"a","rows":[]}"#)
        }
        // The page or the record is requested first.
        let sentences = ["has the address of another answer", "uses the address both for two things"]
        let captures = try captures(list, api)
        let error = await #expect(throws: (any Error).self) { try await captures.run() }
        let text = "\(try #require(error))"
        #expect(sentences.contains { text.contains($0) }, "\(text)")
    }

    @Test func `A resumed capture requests no record twice`() async throws {
        let isBroken = Locked(true)
        let api = ItemAPI { path, query in
            if path == "item/" { return Self.page(query, url: Self.address) }
            return path == "item/6/" && isBroken.withLock { $0 } ? (500, "", "") : Self.record(path)
        }
        var captures = try captures(Self.list, api)
        // The server fails for the probe too, so the capture ends.
        captures.client = Client { [client = captures.client] (request) async throws(HTTPError) in
            let isProbe = isBroken.withLock { $0 } && api.paths.withLock { $0.contains("item/6/") }
            if isProbe, request.url.target.contains("offset=0") {
                throw HTTPError(.connect, url: request.url.text, reason: "is down")
            }
            return try await client.send(request)
        }
        await #expect(throws: CaptureError.self) { try await captures.run() }
        let before = api.paths.withLock { Set($0) }
        isBroken.withLock { $0 = false }
        api.paths.withLock { $0 = [] }
        let report = try await captures.run()
        #expect(report.gapTexts.isEmpty)
        let after = api.paths.withLock { $0 }
        #expect(
            after.contains("item/6/") && Set(after).intersection(before.subtracting(["item/6/"])).isEmpty, "\(after)")
        #expect(try captures.numbers(of: "item") == Array(1...7))
    }

    func strictReport(_ list: String, _ api: ItemAPI) throws -> () async throws -> CaptureReport {
        let captures = try captures(list, api)
        return { try await captures.run() }
    }
}
