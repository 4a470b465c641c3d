import Capture
import Catalogue
import Evidence
import HTTP
import Platform
import SQLite
import Testing

@testable import Archive

/// Records whose ids are texts or parts of addresses.
extension DetailTests {
    @Test(arguments: [true, false])
    func `The id of a row can be the end of an address in another folder`(isText: Bool) async throws {
        let list = #"{"path":"all-{list}s","paginator":{"type":"single_page"},"detail":"{link}"}"#
        let api = ItemAPI { path, _ in
            let ids = isText ? ["luke", "leia"] : ["1", "2"]
            let rows = (ids + ["?id=3"]).map { #"{"link":"\#(FakeAPI.base)/people/\#($0)"}"# }
            guard path != "all-items" else { return (200, "", "[\(rows.joined(separator: ","))]") }
            let id = path.dropFirst("people/".count)
            return (200, "", #"{"id":\#(isText ? "\"\(id)\"" : String(id)),"name":"n"}"#)
        }
        let captures = try captures(list, api, item: isText ? #","textIds":true"# : "")
        let gaps = try await captures.run().gapTexts
        #expect(gaps.count == 1 && gaps[0].contains("\"people/?id=3\" does not end with a number, or"), "\(gaps)")
        let ids = isText ? ["luke", "leia"].map { RecordKey("item", text: $0).id } : [1, 2]
        #expect(try captures.numbers(of: "item") == ids)
        // A row without a record is not proved.
        #expect(try !captures.evidence().proof.isComplete)
    }

    @Test func `A query can follow the address in a row`() async throws {
        let list = #"{"path":"{list}","paginator":{"type":"single_page"},"detail":"{link}?@verbose={level}"}"#
        let api = ItemAPI { path, query in
            let rows = (1...7).map { #"{"link":"\#(FakeAPI.base)/item/\#($0)","level":"3"}"# }
            guard path != "item" else { return (200, "", "[\(rows.joined(separator: ","))]") }
            return query["@verbose"] == "3" ? (200, "", ItemAPI.items([Int(path.dropFirst(5)) ?? 0])[0]) : (404, "", "")
        }
        let captures = try captures(list, api)
        #expect(try await captures.run().gapTexts.isEmpty)
        #expect(try captures.numbers(of: "item") == Array(1...7))
        try captures.expectComplete(["item": 7])
    }

    @Test func `Addresses with the same last segment are a gap that says so`() async throws {
        let api = ItemAPI { _, _ in
            let links = ["news", "events"].map {
                #"{"url":"https://items.example/v1/\#($0)/santa-rita","uid":"\#($0)1","name":"x"}"#
            }
            return (200, "", "[\(links.joined(separator: ","))]")
        }
        func gaps(_ id: String) async throws -> [String] {
            let item = #","textIds":true,"id":"\#(id)""#
            return try await captures(#"{"paginator":{"type":"single_page"}}"#, api, item: item).run().gapTexts
        }
        let found = try await gaps("url")
        #expect(found.count == 1 && found[0].contains("cut to its last segment, so name another member"), "\(found)")
        #expect(try await gaps("uid") == [])
    }

    @Test(arguments: [true, false])
    func `An id can consist of several values`(hasDetail: Bool) async throws {
        let api = ItemAPI { path, query in
            let places = [(1, 1), (1, 2), (2, 1)]
            let items = places.map { season, number in
                let next = season == 1 ? "\"\(season)/\(number + 1)\"" : "null"
                return #"{"season":{"number":\#(season)},"number":\#(number),"name":"n","next":\#(next)}"#
            }
            if path == "item" { return (200, "", "[\(items.joined(separator: ",")),{\"season\":{\"number\":3}}]") }
            let found = places.firstIndex { path == "item/\($0)-\($1)" }
            return found.map { (200, "", items[$0]) } ?? (404, "", "")
        }
        let item = #","id":"{season.number}/{number}","fields":{"next":{"type":"reference","to":"item"}}"#
        let detail = hasDetail ? #","detail":"item/{season.number}-{number}""# : ""
        let captures = try captures(#"{"paginator":{"type":"single_page"}\#(detail)}"#, api, item: item)
        let gaps = try await captures.run().gapTexts
        let ids = ["1/1", "1/2", "2/1"].map { RecordKey("item", text: $0).id }
        #expect(try captures.numbers(of: "item") == ids)
        #expect(gaps.count == 2 && gaps[0].hasPrefix("item [3].number: is missing"), "\(gaps)")
        #expect(gaps[1].hasPrefix("item/1%2F3 : "), "\(gaps)")
    }

    @Test func `Ids with a slash are references to records`() async throws {
        let api = ItemAPI { path, _ in
            path == "item"
                ? (200, "", #"[{"id":"AC/DC","next":["Zed","N/A"]},{"id":"Zed","next":["AC/DC"]}]"#) : (404, "", "")
        }
        let item = #","textIds":true,"title":"id","fields":{"next":{"type":"references","to":"item"}}"#
        let captures = try captures(#"{"paginator":{"type":"single_page"}}"#, api, item: item)
        let gaps = try await captures.run().gapTexts
        #expect(gaps.count == 1 && gaps[0].hasPrefix("item/N%2FA"), "\(gaps)")
    }

    @Test func `Text ids are in the report and in changes as the API has them`() async throws {
        let names = Locked(["one", "two"])
        let api = ItemAPI { _, _ in
            let items = zip(["obs-1", "obs-2"], names.withLock { $0 }).map {
                #"{"id":"\#($0)","name":"\#($1)","next":"none","image":"https://items.example/v1/a.png"}"#
            }
            return (200, "", "[\(items.joined(separator: ","))]")
        }
        let item =
            #","textIds":true,"fields":{"next":{"type":"reference","to":"item"},"image":{"type":"image"}}"#
        let captures = try captures(#"{"paginator":{"type":"single_page"}}"#, api, item: item)
        _ = try await captures.run()
        names.withLock { $0 = ["one", "zwei"] }
        let revision = try await captures.run().revision
        let json = String(decoding: try captures.evidence().proof.json.bytes, as: UTF8.self)
        #expect(
            json.contains(
                #"{"record":{"kind":"item","id":"obs-1"},"keyPath":"next","names":{"kind":"item","id":"none"}}"#))
        #expect(json.contains(#""missing":[{"kind":"item","id":"obs-1"},{"kind":"item","id":"obs-2"}]"#), "\(json)")
        #expect(!json.contains(#""id":-"#) && !json.contains("highest"), "\(json)")
        let history = try History(RevisionReader(revision, in: captures.folder), captures.catalogue)
        #expect(history.changes.first?.changed.map { "\($0.key)" } == ["item obs-2"])
    }

    @Test func `Ids can be any text if the kind says so`() async throws {
        let ids = [
            "https://items.example/v1/item/12/", "7", "0", "-1", "c9bf9e57-1685-4c89-bafb-ff5af830be8a", "Straße",
            "a/b", "9007199254740993", "A", "a",
        ]
        let body = "[\(ids.map { #"{"id":"\#($0)","name":"\#($0)"}"# }.joined(separator: ","))]"
        let api = ItemAPI { _, _ in (200, "", body) }
        let list = #"{"path":"{list}","paginator":{"type":"single_page"}}"#
        let captures = try captures(list, api, item: #","textIds":true"#)
        let report = try await captures.run()
        #expect(report.gapTexts.isEmpty)
        #expect(try captures.numbers(of: "item") == [12] + ids.dropFirst().map { RecordKey("item", text: $0).id })
        #expect(try captures.evidence().proof.isComplete)
        #expect(try await captures.run().isUnchanged)
        // Without the key, each such id is a gap with its reason.
        let strict = try self.strictReport(list, api)
        #expect(try await strict().gapTexts.count == ids.count - 1)
    }
}
