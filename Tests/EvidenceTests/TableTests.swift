import Archive
import Catalogue
import Testing

@testable import Evidence

struct TableTests {
    @Test func `A path list returns each path unchanged, alone and in ranges`() throws {
        let texts =
            (1...300).map { "api/thing/picture/\($0 * 7).jpeg" } + [
                "api/a.png", "api/thing/picture/7.jpeg", "api/thing/picture/7.jpeg",
            ]
            + ["api/\(String(repeating: "x", count: 200)).png", "a/b"]
        var list = PathList()
        for text in texts { try list.append(SitePath(joined: text)) }
        #expect(list.count == texts.count)
        #expect(list.paths(at: 0..<texts.count).map(\.text) == texts)
        #expect(texts.indices.map { list[$0].text } == texts)
        for range in [0..<0, 63..<65, 64..<64, 100..<200, 300..<305] {
            #expect(list.paths(at: range).map(\.text) == Array(texts[range]))
        }
        #expect(PathList().paths(at: 0..<0).isEmpty)
        let long = SitePath(joined: String(repeating: "x", count: 150) + "/" + String(repeating: "x", count: 150))
        #expect(throws: ArchiveError.damaged("the path \(long) is longer than 255 bytes")) { try list.append(long) }
    }

    private typealias Pair = MutualPairs.Pair

    @Test(
        arguments: [
            // (stored pairs, pairs marked before all are stored, pairs marked after that)
            ([(1, 2), (1, 5), (2, 1)], [], [(2, 1), (1, 2)]), ([(2, 1), (1, 5), (1, 2)], [(2, 1), (1, 2)], []),
            ([(1, 2), (1, 2), (2, 1), (1, 2), (1, 5)], [(2, 1)], [(1, 2), (1, 2)]),
        ])
    func `References that only one side has are found in any order and number`(
        held: [(Int, Int)], before: [(Int, Int)], after: [(Int, Int)]
    ) {
        var pairs = MutualPairs()
        for (index, pair) in held.enumerated() {
            pairs.add(Pair(held: pair.0, other: pair.1))
            if index == 0 { for pair in before + [(9, 9)] { pairs.mark(Pair(held: pair.0, other: pair.1)) } }
        }
        pairs.close()
        for pair in after + [(3, 1), (0, 7), (3, 1)] { pairs.mark(Pair(held: pair.0, other: pair.1)) }
        #expect(pairs.oneSided.held == [Pair(held: 1, other: 5)])
        #expect(pairs.oneSided.other == [(0, 7), (3, 1), (9, 9)].map { Pair(held: $0.0, other: $0.1) })
        #expect(pairs.oneSided.held.map { "\($0.held) \($0.other)" } == ["1 5"])
    }

    /// Each number has two distant positions, so a linear search would take many times as long.
    @Test func `All positions of a number are found without a linear search`() async throws {
        let count = 10_000
        let records = (0..<2 * count).map { index in
            let number = Int64(count - index % count)
            return (id: number, json: #"{"id":\#(number),"boxes":[]}"#)
        }
        let reader = try await ThingArchive().capture([ThingArchive.Page(kind: "thing", number: 1, records: records)])
        let index = try NumberIndex("thing", reader)
        let time = ContinuousClock().measure {
            for position in 0..<2 * count {
                let first = position % count
                if index.positions(sameAs: position) != [first, first + count] {
                    Issue.record("the number at \(position)")
                }
            }
        }
        #expect(time < .seconds(2))
        #expect(index.position(of: 1) == count - 1 && index.position(of: Int64(count) + 1) == nil)
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func `The lines of a root hash do not depend on the batch size`(limit: Int) async throws {
        let records = (1...40).map { (id: Int64($0), json: #"{"id":\#($0),"boxes":[]}"#) }
        let pictures = Dictionary(uniqueKeysWithValues: (1...20).map { ("of/\($0).png", Optional("\($0 % 7)")) })
        let reader = try await ThingArchive().capture(
            [ThingArchive.Page(kind: "thing", number: 1, records: records)], pictures: pictures)
        let mirror = try APIMirror(of: reader, Things())
        var lines: [String] = []
        try RootHashLines(mirror, reader, limit: limit).forEach { lines.append($0) }
        #expect(
            lines.count == 61 && lines == lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                && Set(lines).count == 61)
        var hasher = SHA256Hasher()
        for line in lines { hasher.update(line) }
        #expect(hasher.finish() == (try RootHash(of: mirror, reader, Things()).sha256))
    }
}
