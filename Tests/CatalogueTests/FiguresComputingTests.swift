import Catalogue
import Mustache
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

struct FiguresComputingTests {
    /// The bars of the figure for a field, and its note.
    private func bars(_ id: String, _ parts: [(value: String, count: Int)]) async throws -> Object {
        let tables = try await FigureRecords().planned().tables()
        let figure = try #require(tables.declaration.figures.first { $0.id == id })
        let items = parts.map { FigureItem(name: $0.value, count: $0.count, path: nil) }
        let whole = parts.reduce(0) { $0 + $1.count }
        return try object(FigureBars(figure: figure, texts: keyTexts).parts(items, whole))
    }

    private func object(_ value: Value?) throws -> Object {
        guard case .object(let object)? = value else { throw ContentFault("", "has no figure") }
        return object
    }

    private func column(_ code: String, _ season: Int?, _ count: Int) -> FigureItem {
        FigureItem(name: "Pilot", count: count, path: "episode/1.html", code: code, group: season)
    }

    /// The model of the figure with a column for each episode.
    private func seasons(_ columns: [FigureItem]) async throws -> Object {
        let tables = try await FigureRecords().planned().tables()
        let figure = try #require(tables.declaration.figures.first { $0.type == .columns })
        return try object(FigureColumns(figure, columns, keyTexts).value())
    }

    @Test func `Parts are sorted by count and value, and their shares add up to 100%`() async throws {
        let counts = [("unknown", 100), ("Alive", 439), ("Dead", 287), ("Absent", 100), ("No", 0)]
        let figure = try await bars("status", counts)
        let bars = figure.objects("bars")
        #expect(bars.map { $0.text("name") } == ["Alive", "Gone", "Absent", "unknown"])
        #expect(bars.map { $0.isFalse("served") } == [false, true, false, false])
        #expect(bars.map { $0.text("kind") } == ["alive", "dead", "unknown", "unknown"])
        #expect(bars.map { $0.text("share") } == ["47%", "31%", "11%", "11%"])
        #expect(bars.map { $0.number("width") } == [47.41, 30.99, 10.8, 10.8])
        #expect(figure.text("note") == "926 characterCount")
        let genders = try await self.bars("gender", counts).objects("bars")
        #expect(genders.allSatisfy { $0.text("kind") == "plain" }, "it has no colours")
    }

    @Test func `Numbers are in their order, and parts of lists have no percentages`() async throws {
        let json = """
            {"name":"a","api":"http://a.example","list":{"paginator":{"type":"single_page"}},"lists":["album"],
            "kinds":{"album":{"fields":{"year":{"type":"number"},"genres":{"type":"list"}}}},
            "figures":[{"id":"years","of":"album.year","most":2,"caption":"c","rest":"r"},
            {"id":"genres","of":"album.genres","caption":"c"}]}
            """
        let figures = try CatalogueDeclaration(Array(json.utf8)).figures
        let items = [("2009", 5), ("987", 4), ("1990", 1)].map { FigureItem(name: $0, count: $1, path: nil) }
        let bars = try figures.map {
            try object(FigureBars(figure: $0, texts: keyTexts).parts(items, 10)).objects("bars")
        }
        #expect(bars[0].map { $0.number("count") } == [4, 5, 1] && bars[0][0].text("share") == "40%")
        #expect(bars[1].map { $0.number("count") } == [5, 4, 1] && bars[1][0].text("share") == "")
    }

    @Test func `The species after the twelfth are combined in one bar with their count and sum`() async throws {
        let parts = (1...15).map { ("Species \($0)", 100 - $0) }
        let bars = try await bars("species", parts).objects("bars")
        #expect(bars.count == 13)
        let last = try #require(bars.last)
        #expect(last.text("name") == "3 figureOtherSpecies" && last.isFalse("served"))
        #expect(last.number("count") == 258)
        #expect(bars.compactMap { $0.number("count") }.reduce(0, +) == Double(parts.map(\.1).reduce(0, +)))
        #expect(try await self.bars("species", Array(parts.prefix(12))).objects("bars").count == 12)
    }

    @Test(
        arguments: [
            (0, 0, "0%"), (0, 9, "0%"), (1, 826, "<1%"), (1, 100, "1%"), (825, 826, ">99%"), (826, 826, "100%"),
            (1, 2, "50%"),
        ])
    func `A share is never 0% for some, nor 100% for less than all`(count: Int, whole: Int, share: String) {
        #expect(keyTexts.share(count, of: whole) == share)
    }

    @Test func `Characters are sorted by the count of different episodes and then by id`() async throws {
        let records = FigureRecords(
            people: [.init(9, [1, 2]), .init(3, [4, 4, 4]), .init(2, [1, 3]), .init(1), .init(4, [7])],
            episodes: [1, 2, 3, 4, 7].map { .init($0, "S01E0\($0)", 0) })
        let model = try await FiguresSite.model(records)
        let bars = try #require(model.chart("people")).objects("bars")
        #expect(bars.map { $0.text("path") } == [2, 9, 3, 4].map { "character/\($0).html" })
        #expect(bars.map { $0.number("count") } == [2, 2, 1, 1])
        let matrix = try #require(model.chart("shared"))
        #expect(matrix.objects("rows").map { $0.text("name") } == [2, 9, 3, 4].map { "Person \($0)" })
        // A row of numbers and four rows of 20 units each. The last cells end at the edge, with a gap of one unit.
        #expect(matrix.objects("rows").map { $0.number("at") } == [30, 50, 70, 90] && matrix.number("size") == 100)
        #expect(matrix.text("ground")?.hasSuffix("M80 80h19v19h-19z") == true)
    }

    @Test func `Locations are sorted by the count of residents and then by id, fifteen at most`() async throws {
        let places = (1...20).map { FigureRecords.Place(21 - $0, "Place", $0 == 20 ? 0 : ($0 + 1) / 2) }
        let model = try await FiguresSite.model(FigureRecords(people: (1...10).map { .init($0) }, places: places))
        let bars = try #require(model.chart("places")).objects("bars")
        #expect(
            bars.map { $0.text("path") }
                == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16].map { "location/\($0).html" })
        #expect(bars.first?.number("width") == 100)
    }

    @Test func `Placeholders are filled once`() {
        let filled = keyTexts.filled(
            TextDeclaration("figureSharedAlternative"),
            ["name": "{other}", "other": "{", "count": "}", "pairs": "{pairs}"])
        #expect(filled == "{other} and {: }; {none} of {pairs} without")
    }

    @Test func `The matrix is symmetric and counts each pair once`() {
        var random = SeededRandom(3)
        let people = (0..<25).map { _ in (0..<random.integer(below: 40)).map { _ in Int32(random.integer(below: 51)) } }
        let shared = SharedReferences(people.map { Set($0) })
        for row in 0..<25 {
            #expect(shared.counts[row][row] == Set(people[row]).count)
            for column in 0..<25 {
                #expect(shared.counts[row][column] == shared.counts[column][row])
                #expect(shared.counts[row][column] == Set(people[row].filter(people[column].contains)).count)
            }
        }
        #expect(shared.pairs == 300)
        #expect(shared.pairsWithout * 2 == shared.counts.joined().count { $0 == 0 } - people.count { $0.isEmpty })
    }

    @Test func `The closest pair and the partners are the first among equals`() {
        let shared = SharedReferences([[1, 2], [1, 2, 3], [1, 2, 3], [3], [9]])
        #expect(shared.closest.map { [$0.one, $0.other, $0.count] } == [1, 2, 3])
        #expect(shared.partners(of: 0) == [1, 2])
        #expect(shared.partners(of: 1) == [2, 0, 3])
        #expect(shared.partners(of: 4) == [])
        #expect(shared.pairsWithout == 5)
    }

    @Test(
        arguments: [
            (0, []), (1, [1]), (2, [1, 2]), (3, [1, 2, 3]), (5, [1, 2, 3, 4, 5]), (6, [1, 2, 3, 4, 6]),
            (51, [2, 4, 10, 23, 51]),
            (100_000, [10, 100, 1_000, 10_000, 100_000]),
        ])
    func `There are at most five shades, and the last one ends at the highest count`(highest: Int, ends: [Int]) {
        #expect(SharedReferences.shades(upTo: highest) == ends)
        let episodes = Set(0..<Int32(min(highest, 51)))
        let shared = SharedReferences([episodes, episodes])
        #expect(
            shared.shade(0) == nil
                && shared.shade(min(highest, 51)) == (shared.shades.isEmpty ? nil : shared.shades.count))
    }

    @Test(arguments: 1...200)
    func `Every count up to the highest has a shade`(highest: Int) {
        let ends = SharedReferences.shades(upTo: highest)
        #expect(ends.count <= 5 && ends.last == highest && zip(ends, ends.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `Seasons are sorted, and episodes without a season come last`() async throws {
        let figure = try await seasons([
            column("S02E01", 2, 5), column("x", nil, 1), column("S01E02", 1, 7), column("S01E01", 1, 3),
        ])
        let groups = figure.objects("groups")
        #expect(groups.map { $0.text("name") } == ["Season 1", "Season 2", "figureNoSeason"])
        #expect(groups.map { $0.text("short") } == ["1", "2", "–"])
        let episodes = groups.map { $0.objects("columns") }
        #expect(episodes.map { $0.map { $0.text("code") } } == [["S01E02", "S01E01"], ["S02E01"], ["x"]])
        // Six columns: 0 and 1, an empty one, 3, an empty one, 5.
        #expect(episodes.map { $0.map { $0.number("left") } } == [[2.33, 19], [52.33], [85.67]])
        #expect(
            episodes.joined().map { $0.number("height") } == [11, 4.71, 7.86, 1.57], "the highest has the full height")
    }

    @Test(
        arguments: [
            (0, [0]), (1, [0, 1]), (4, [0, 1, 2, 3, 4]), (9, [0, 2, 4, 6, 8]), (65, [0, 20, 40, 60]),
            (100, [0, 50, 100]),
        ])
    func `Grid lines are at round numbers, five at most`(highest: Int, lines: [Int]) {
        #expect(FigureColumns.lines(upTo: highest) == lines)
    }

    @Test func `A bar of zero has no width, and no bar is wider than the drawing`() {
        #expect([0, 1, 500, 1_000, 2_000].map { FigureBars.width($0, of: 1_000) } == [0, 0.75, 50, 100, 100])
        #expect(FigureBars.width(0, of: 0) == 0)
    }

    @Test func `At most a thousand episodes have columns`() async throws {
        let all = (1...1_500).map { (number: Int) in column("E\(number)", number, 1) }
        let figure = try await seasons(all)
        #expect(
            figure.objects("groups").count == 1_000 && figure.text("note") == "1digitGroups000 episodeCount 500 andMore"
        )
        let whole = try await seasons(Array(all.prefix(1_000)))
        #expect(whole.objects("groups").count == 1_000 && whole.text("note") == "1digitGroups000 episodeCount")
    }
}
