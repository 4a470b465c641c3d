import Archive
import Catalogue
import Foundation
import Platform
import TestSupport
import Testing

@testable import Evidence

struct CompletenessTests {
    private static func thing(_ id: Int64, _ boxes: String..., picture: String? = nil) -> (id: Int64, json: String) {
        let picture = picture.map { #","picture":"\#($0)""# } ?? ""
        return (id, #"{"id":\#(id),"boxes":[\#(boxes.map { "\"\($0)\"" }.joined(separator: ","))]\#(picture)}"#)
    }

    private static func box(_ id: Int64, _ things: String...) -> (id: Int64, json: String) {
        (id, #"{"id":\#(id),"things":[\#(things.map { "\"\($0)\"" }.joined(separator: ","))]}"#)
    }

    private static func completeness(_ reader: RevisionReader) throws -> Completeness {
        let mirror = try APIMirror(of: reader, Things())
        return try Completeness(of: mirror, RootHash(of: mirror, reader), reader)
    }

    private static func texts(_ findings: FindingList) -> [String] {
        findings.first.map {
            "\($0.record) \($0.keyPath): \($0.target)\($0.missingIn.isEmpty ? "" : ", not in \($0.missingIn)")"
        }
    }

    @Test func `Records of a kind that the catalogue does not have are refused`() async throws {
        let page = ThingArchive.Page(kind: "moon", number: 1, records: [(1, #"{"id":1}"#)])
        let reader = try await ThingArchive().importFiles([("moons.json", page)])
        let refusal = ArchiveError.damaged(
            "it has records of the kind \"moon\", which the catalogue \"things\" does not have")
        #expect(throws: refusal) { try Self.completeness(reader) }
    }

    @Test func `A consistent revision has no findings`() async throws {
        let reader = try await ThingArchive().capture(
            [
                ThingArchive.Page(kind: "thing", number: 1, records: [Self.thing(1, "box/1"), Self.thing(2, "box/1")]),
                ThingArchive.Page(kind: "box", number: 1, records: [Self.box(1, "thing/2", "thing/1")]),
            ], claims: ["thing": (2, 1), "box": (1, 1)])
        let found = try Self.completeness(reader)
        #expect(found.isComplete)
        #expect(found.kinds.map(\.kind) == ["thing", "box"])
        #expect(found.kinds.map { $0.claimed?.records } == [2, 1] && found.kinds.map { $0.claimed?.pages } == [1, 1])
        #expect(found.kinds.map(\.records) == [2, 1] && found.kinds.map(\.pages) == [1, 1])
        #expect(found.kinds.allSatisfy { $0.absent.isEmpty && $0.repeated.isEmpty && $0.unlisted == 0 })
        #expect(found.dangling.count + found.oneSided.count + found.repeated.count == 0 && found.gaps.isEmpty)
        let pictures = try #require(found.pictures)
        #expect(pictures.captured == 0 && pictures.shared.isEmpty && pictures.missing.isEmpty)
    }

    @Test func `Dangling, one-sided and repeated references are reported with their key paths`() async throws {
        let reader = try await ThingArchive().capture(
            [
                ThingArchive.Page(
                    kind: "thing", number: 1,
                    records: [Self.thing(1, "box/1", "box/7", "box/2"), Self.thing(2, "box/2", "box/2"), Self.thing(3)]),
                ThingArchive.Page(
                    kind: "box", number: 1,
                    records: [Self.box(1, "thing/3", "thing/1"), Self.box(2, "thing/2", "thing/9", "thing/3")]),
            ], claims: ["thing": (3, 1), "box": (2, 1)])
        let found = try Self.completeness(reader)
        #expect(Self.texts(found.dangling) == ["thing 1 boxes[1]: box 7", "box 2 things[1]: thing 9"])
        #expect(
            Self.texts(found.oneSided) == [
                "thing 1 boxes[2]: box 2, not in things", "box 1 things[0]: thing 3, not in boxes",
                "box 2 things[2]: thing 3, not in boxes",
            ])
        #expect(Self.texts(found.repeated) == ["thing 2 boxes[1]: box 2"])
        #expect(found.isComplete, "faults of the API's own data are no gaps")
    }

    @Test func `If a number is repeated, the references of all its records are checked`() async throws {
        let reader = try await ThingArchive().capture(
            [
                ThingArchive.Page(
                    kind: "thing", number: 1,
                    records: [Self.thing(5, "box/1"), Self.thing(2), Self.thing(5, "box/2"), Self.thing(2)]),
                ThingArchive.Page(kind: "box", number: 1, records: [Self.box(1, "thing/5"), Self.box(2)]),
            ], claims: ["thing": (5, 2), "box": (2, 1)], gaps: [Gap(url: "things/1", reason: "is odd")])
        let found = try Self.completeness(reader)
        let things = found.kinds[0]
        #expect(things.repeated.map { "\($0.key.id) \($0.times)" } == ["2 2", "5 2"])
        #expect(things.highest == 5 && things.absent == [1...1, 3...4] && things.absentCount == 3)
        #expect(Self.texts(found.oneSided) == ["thing 5 boxes[0]: box 2, not in things"])
        #expect(!found.isComplete && found.gaps == [Gap(url: "things/1", reason: "is odd")])
    }

    @Test(arguments: [false, true])
    func `Each page of a list with several kinds is read once for all kinds`(isChain: Bool) async throws {
        // The last rows are a box that was not captured, and one that is no object.
        let rows = [Self.thing(1), Self.box(2), Self.box(9), (id: 0, json: "0")]
        let page = ThingArchive.Page(kind: "all", number: 1, records: rows, kinds: [1: "thing", 2: "box"])
        let reader = try await ThingArchive().capture([page])
        let catalogue = SharedList(isChain: isChain)
        let mirror = try APIMirror(of: reader, catalogue)
        let rootHash = try RootHash(of: mirror, reader)
        let before = catalogue.pagesRead.withLock { $0 }
        let kinds = try Completeness(of: mirror, rootHash, reader).kinds
        // A page of a chain is read once more, to find whether it has the address of the next one.
        #expect(catalogue.pagesRead.withLock { $0 } == before + (isChain ? 2 : 1))
        #expect(kinds.map(\.kind) == ["thing", "box"] && kinds.map(\.records) == [1, 1])
        #expect(kinds.map(\.missing) == [1, 1] && kinds.map(\.unlisted) == [0, 0])
        #expect(kinds.map { $0.claimed?.records } == [2, 2])
        #expect(kinds.allSatisfy { $0.lackedNext?.text == (isChain ? "next" : nil) })
    }

    @Test func `Sparse numbers have no highest one and no missing ones`() async throws {
        let reader = try await ThingArchive().capture([
            ThingArchive.Page(kind: "thing", number: 1, records: [Self.thing(3), Self.thing(400)]),
            ThingArchive.Page(kind: "box", number: 1, records: []),
        ])
        let found = try Self.completeness(reader)
        #expect(found.kinds.allSatisfy { $0.highest == nil && $0.absent.isEmpty })
        #expect(!String(decoding: found.json.bytes, as: UTF8.self).contains("absent"))
    }

    @Test func `Shared and missing pictures are reported with their records`() async throws {
        let records = (1...5).map { Self.thing($0, picture: $0 == 5 ? "" : "of/\($0).png") }
        let reader = try await ThingArchive().capture(
            [
                ThingArchive.Page(
                    kind: "thing", number: 1, records: records,
                    pictures: [1: "of/1.png", 2: "of/2.png", 3: "of/3.png", 4: "of/4.png"]),
                ThingArchive.Page(kind: "box", number: 1, records: [Self.box(1)]),
            ], pictures: ["of/1.png": "same", "of/2.png": "own", "of/3.png": "same", "of/4.png": nil])
        let pictures = try #require(try Self.completeness(reader).pictures)
        let things = (0...5).map { RecordKey("thing", $0) }
        #expect(pictures.captured == 3)
        #expect(pictures.shared.map { $0.sha256 } == [SHA256(of: "same".utf8)])
        #expect(pictures.shared.map { $0.records } == [[things[1], things[3]]])
        #expect(pictures.missing == [things[4]], "a record without the address of a picture lacks none")
    }

    @Test func `An imported revision reports each gap of its import once, and no claims or pictures`() async throws {
        let kept = try ThingArchive()
        let things = [Self.thing(1, "box/1", "nowhere", picture: "of/1.png")]
        let gap = Gap(url: "things.json", keyPath: "[0].boxes[1]", reason: "is not a link to a record")
        let reader = try await kept.importFiles(
            [
                ("things.json", ThingArchive.Page(kind: "thing", number: 1, records: things)),
                ("boxes.json", ThingArchive.Page(kind: "box", number: 1, records: [Self.box(1)])),
            ], gaps: [gap])
        let found = try Self.completeness(reader)
        #expect(
            found.kinds.allSatisfy { $0.claimed == nil && $0.pages == nil } && found.kinds.map(\.records) == [1, 1])
        #expect(found.pictures == nil)
        #expect(found.gaps == [gap])
        #expect(Self.texts(found.oneSided) == ["thing 1 boxes[0]: box 1, not in things"])
        let json = String(decoding: found.json.bytes, as: UTF8.self)
        #expect(
            !json.contains("claimed") && !json.contains("pages") && !json.contains("pictures")
                && json.contains(#""imported":"2"#))
    }

    @Test func `The file completeness.json contains all findings`() async throws {
        let reader = try await ThingArchive().capture(
            [
                ThingArchive.Page(
                    kind: "thing", number: 1,
                    records: [Self.thing(1, "box/1", "box/1", "box/8", picture: "of/1.png"), Self.thing(4)],
                    pictures: [1: "of/1.png"]),
                ThingArchive.Page(kind: "box", number: 1, records: [Self.box(1)]),
            ], claims: ["thing": (3, 1)], pictures: ["of/1.png": "one"],
            gaps: [Gap(url: "things/3", keyPath: "a", reason: "is <lost>")])
        let found = try Self.completeness(reader)
        let date = try #require(
            String(decoding: found.json.bytes, as: UTF8.self).split(separator: "\"").first { $0.hasPrefix("20") })
        let expected = """
            {"format":"amber completeness 1","revision":1,"date":"\(date)","catalogue":"things","api":"http://127.0.0.1/things",\
            "origin":"live","rootHash":"\(found.rootHash.hex)","complete":false,"kinds":[\
            {"kind":"thing","claimed":{"records":3,"pages":1},"found":{"records":2,"pages":1},"besideLists":0,"highest":4,"absent":2,\
            "absentNumbers":[[2,3]],"repeatedNumbers":[]},\
            {"kind":"box","found":{"records":1,"pages":1},"besideLists":0,"highest":1,"absent":0,"absentNumbers":[],"repeatedNumbers":[]}],\
            "gaps":[{"url":"things/3","keyPath":"a","reason":"is \\u003clost\\u003e"}],\
            "dangling":[{"record":{"kind":"thing","id":1},"keyPath":"boxes[2]","names":{"kind":"box","id":8}}],\
            "oneSided":[{"record":{"kind":"thing","id":1},"keyPath":"boxes[0]","names":{"kind":"box","id":1},"notIn":"things"}],\
            "repeated":[{"record":{"kind":"thing","id":1},"keyPath":"boxes[1]","names":{"kind":"box","id":1}}],\
            "pictures":{"found":1,"shared":[],"missing":[]}}
            """
        #expect(String(decoding: found.json.bytes, as: UTF8.self) == expected)
    }

    @Test func `References beyond the limit are counted but not listed`() async throws {
        let most = FindingList.maximum
        let links = [String](repeating: #""box/7""#, count: most + 5).joined(separator: ",")
        let reader = try await ThingArchive().capture(
            [
                ThingArchive.Page(
                    kind: "thing", number: 1, records: [(1, #"{"id":1,"boxes":[\#(links)]}"#), Self.thing(2, "box/8")]),
                ThingArchive.Page(kind: "box", number: 1, records: []),
            ], claims: ["thing": (2, 1), "box": (0, 1)])
        let found = try Self.completeness(reader)
        #expect(found.dangling.count == most + 6 && found.dangling.first.count == most)
        #expect(found.repeated.count == most + 4 && found.repeated.first.last?.keyPath == "boxes[\(most)]")
        #expect(String(decoding: found.json.bytes, as: UTF8.self).contains(#""leftOut":{"dangling":6,"repeated":4}"#))
    }

    @Test func `One-sided references beyond the limit are counted but not listed`() async throws {
        let most = FindingList.maximum
        let (half, boxes) = (most / 2 + 1, Array(1...Int64(most / 2 + 1)))
        let links = boxes.map { "\"box/\($0)\"" }.joined(separator: ",")
        let things = (Int64(1)...3).map { (id: $0, json: #"{"id":\#($0),"boxes":[\#(links)]}"#) }
        let files = [
            ("things.json", ThingArchive.Page(kind: "thing", number: 1, records: things)),
            ("boxes.json", ThingArchive.Page(kind: "box", number: 1, records: boxes.map { Self.box($0) })),
        ]
        let found = try Self.completeness(try await ThingArchive().importFiles(files))
        #expect(found.oneSided.count == 3 * half)
        #expect(Set(found.oneSided.first.map(\.record.id)) == [1, 2])
        #expect(found.oneSided.first.count == most)
    }
}
