import Archive
import Catalogue
import Testing

@testable import Evidence

struct TableTests {
    @Test func `A column of texts returns each path unchanged, alone and in ranges`() {
        let texts =
            (1...300).map { "api/thing/picture/\($0 * 7).jpeg" } + [
                "api/a.png", "api/thing/picture/7.jpeg", "api/thing/picture/7.jpeg",
            ]
            + ["api/\(String(repeating: "x", count: 200)).png", "a/b"]
        var list = TextColumn()
        for text in texts { list.append(text) }
        #expect(list.count == texts.count)
        #expect(list.paths(at: 0..<texts.count).map(\.text) == texts)
        #expect(texts.indices.map { list[$0] } == texts)
        for range in [0..<0, 63..<65, 64..<64, 100..<200, 300..<305] {
            #expect(list.paths(at: range).map(\.text) == Array(texts[range]))
        }
        #expect(TextColumn().paths(at: 0..<0).isEmpty)
    }

    @Test func `One-sided references are found once each, in order`() {
        func pairs(_ pairs: [(Int, Int)]) -> [PositionPair] { pairs.map { PositionPair($0.0, $0.1) }.sorted() }
        let one = pairs([(1, 2), (1, 2), (2, 1), (1, 2), (1, 5), (1, 5)])
        let other = pairs([(2, 1), (1, 2), (3, 1), (9, 9), (0, 7), (3, 1)])
        #expect(one.subtracting(other).map { "\($0.first) \($0.second)" } == ["1 5"])
        #expect(other.subtracting(one) == pairs([(0, 7), (3, 1), (9, 9)]))
        #expect(one.subtracting([]) == pairs([(1, 2), (1, 5), (2, 1)]) && [].subtracting(one) == [])
    }

    /// Each number has two distant positions.
    @Test func `All positions of each number are found`() async throws {
        let count = 10_000
        let records = (0..<2 * count).map { index in
            let number = Int64(count - index % count)
            return (id: number, json: #"{"id":\#(number),"boxes":[]}"#)
        }
        let reader = try await ThingArchive().capture([ThingArchive.Page(kind: "thing", number: 1, records: records)])
        let index = try NumberIndex("thing", reader)
        for position in 0..<2 * count {
            let first = position % count
            if index.positions(sameAs: position) != [first, first + count] {
                Issue.record("the number at \(position)")
            }
        }
        #expect(index.position(of: 1) == count - 1 && index.position(of: Int64(count) + 1) == nil)
    }
}
