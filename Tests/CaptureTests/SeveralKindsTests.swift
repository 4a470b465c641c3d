import Capture
import Catalogue
import Evidence
import Platform
import Testing

/// One list with records of several kinds.
struct SeveralKindsTests {
    private static let list =
        #"{"name":"works","kind":"{type}","kinds":{"Film":"film","E-Book":"book","Hardcover":"book"}}"#

    /// Works with these types. Those of one kind count from 1.
    private static func works(_ types: [String], _ more: String = "") -> [String] {
        var counts: [String: Int] = [:]
        return types.map { type in
            let kind = type == "Film" ? "film" : "book"
            counts[kind, default: 0] += 1
            return #"{"id":\#(counts[kind] ?? 0),"name":"n","type":"\#(type)"\#(more)}"#
        }
    }

    private static let types = ["Film", "E-Book", "Hardcover", "Film", "Film", "E-Book", "Film"]

    @Test(arguments: [true, false])
    func `Each record has the kind that its member names, and the proof counts each kind`(hasCount: Bool) async throws {
        let types = Locked(Self.types)
        let api = ItemAPI { path, query in
            page(path == "works" ? Self.works(types.withLock { $0 }) : objects(1...2), query)
        }
        let captures = try captures(lists: "[\(Self.list),\"thing\"]", count: hasCount, api)
        let report = try await captures.run()
        #expect(report.gapTexts == [] && report.records == ["film": 4, "book": 3, "thing": 2])
        #expect(try captures.numbers(of: "book") == [1, 2, 3])
        try captures.expectComplete(["film": 4, "book": 3, "thing": 2])
        let (mirror, proof) = try captures.evidence()
        #expect(
            mirror.pages.map(\.path.text).filter { $0.contains("works") }
                == (1...(hasCount ? 3 : 4)).map { "api/film/works/page/\($0).json" })
        #expect(proof.kinds.map(\.kind) == ["film", "book", "thing"])
        #expect(proof.kinds.map { $0.claimed?.records } == (hasCount ? [4, 3, 2] : [nil, nil, nil]))
        #expect(proof.kinds.map(\.unlisted) == [0, 0, 0])
        #expect(try await captures.run().isUnchanged)
        // Another order is a change, although the ids of the rows are the same.
        types.withLock { $0.swapAt(0, 1) }
        #expect(try await !captures.run().isUnchanged)
    }

    @Test func `A record of another kind, or without one, is a gap`() async throws {
        let works = Self.works(["Film", "Song", "E-Book", "Film"]) + [#"{"id":9,"name":"n"}"#]
        let captures = try captures(lists: "[\(Self.list)]", ItemAPI { _, query in page(works, query) })
        let report = try await captures.run()
        #expect(
            report.gapTexts == [
                #"works?page=1 data[1].type: is "Song", which is not a key of "kinds""#,
                "works?page=2 data[1].type: is missing, so the record has no kind",
            ])
        #expect(report.records == ["film": 2, "book": 1])
        let proof = try captures.evidence().proof
        #expect(!proof.isComplete && proof.kinds.map(\.missing) == [2, 0])
        #expect(proof.kinds.map { $0.claimed?.records } == [4, 1])
    }

    @Test func `A list that has fewer records than it claims fails`() async throws {
        let api = ItemAPI { _, query in
            var answer = page(Self.works(Self.types), query)
            answer.body.replace(#""count":7"#, with: #""count":8"#)
            return answer
        }
        let failure = try await captures(lists: "[\(Self.list)]", api).failure() ?? ""
        #expect(failure.contains("the film works list claims 8 records, but has 7"), "\(failure)")
    }

    @Test(arguments: ["works/2", "film/2", "book/2", "other/2"])
    func `Links to records begin with the path of the list, or with the kind`(link: String) async throws {
        let kinds = #"{"thing":{"fields":{"film":{"type":"reference","to":"film"}}}}"#
        let api = ItemAPI { path, query in
            let address = #""film":"https://items.example/v1/\#(link)""#
            return page(path == "works" ? Self.works(Self.types) : objects(1...1) { _ in address }, query)
        }
        let report = try await captures(lists: "[\(Self.list),\"thing\"]", kinds: kinds, api).run()
        #expect(report.gaps.isEmpty == ["works/2", "film/2"].contains(link), "\(report.gapTexts)")
    }

    @Test func `Rows and lists of children can have several kinds, and records of one kind can have children`()
        async throws
    {
        let lists = """
            [{"name":"works","kind":"{type}","kinds":{"Film":"film","E-Book":"book"},"detail":"{url}"},
            {"name":"extras","kind":"{meta.type}","kinds":{"s":"song","t":"text"},"path":"films/{film.id}/extras"}]
            """
        let api = ItemAPI { path, query in
            let steps = path.split(separator: "/")
            if path == "works" {
                let rows = [1, 2].flatMap { id in
                    ["Film", "E-Book"].map {
                        #"{"id":\#(id),"type":"\#($0)","url":"https://items.example/v1/\#($0)s/\#(id)"}"#
                    }
                }
                return page(rows, query)
            }
            if steps.count == 2 { return (200, "", #"{"id":\#(steps[1]),"name":"\#(steps[0])"}"#) }
            let first = (Int(steps[1]) ?? 0) * 10
            return page(objects(first...first + 1) { #""meta":{"type":"\#($0 % 2 == 0 ? "s" : "t")"}"# }, query)
        }
        let captures = try captures(lists: lists, api)
        let report = try await captures.run()
        #expect(report.gapTexts == [] && report.records == ["film": 2, "book": 2, "song": 2, "text": 2])
        try captures.expectComplete(["film": 2, "book": 2, "song": 2, "text": 2])
        #expect(api.paths.withLock { $0.filter { $0.hasSuffix("s/1") }.sorted() } == ["E-Books/1", "Films/1"])
        #expect(try await captures.run().isUnchanged)
    }
}
