import Mustache
import Testing

@testable import RickAndMorty

struct FiguresComputingTests {
    private func page(_ data: FigureData) -> FigurePage { FigurePage(data: data, texts: keyTexts) }

    @Test func `Parts are sorted by count and value, and their shares add up to 100%`() {
        let counts = [("unknown", 100), ("Alive", 439), ("Dead", 287), ("Absent", 100), ("No", 0)]
        let parts = counts.map { FigureData.Part($0, $1) }
        let bars = page(.with(statuses: parts)).parts("status", "figureStatus", parts)
        #expect(bars.bars.map(\.name) == ["Alive", "Gone", "Absent", "unknown"])
        #expect(bars.bars.map(\.served) == [true, false, true, true])
        #expect(bars.bars.map(\.kind) == ["alive", "dead", "unknown", "unknown"])
        #expect(bars.bars.map(\.share) == ["47%", "31%", "11%", "11%"])
        #expect(bars.full == 926 && bars.note == "926 figureCharacterCount")
    }

    @Test func `The species after the twelfth are combined in one bar with their count and sum`() {
        let parts = (1...15).map { FigureData.Part("Species \($0)", 100 - $0) }
        let bars = page(.with()).parts("species", "figureSpecies", parts, shown: FigurePage.speciesShown).bars
        #expect(bars.count == 13)
        #expect(
            bars.last?.name == "3 figureOtherSpecies" && bars.last?.count == 87 + 86 + 85 && bars.last?.served == false)
        #expect(bars.map(\.count).reduce(0, +) == parts.map(\.count).reduce(0, +))
        #expect(page(.with()).parts("species", "figureSpecies", Array(parts.prefix(12)), shown: 12).bars.count == 12)
    }

    @Test(
        arguments: [
            (0, 0, "0%"), (0, 9, "0%"), (1, 826, "<1%"), (1, 100, "1%"), (825, 826, ">99%"), (826, 826, "100%"),
            (1, 2, "50%"),
        ])
    func `A share is never 0% for some, nor 100% for less than all`(count: Int, whole: Int, share: String) {
        #expect(keyTexts.share(count, of: whole) == share)
    }

    @Test func `Characters are sorted by the count of different episodes and then by id`() {
        let people: [FigureData.Person] = [
            .init(9, [1, 2]), .init(3, [4, 4, 4]), .init(2, [1, 3]), .init(1, []), .init(4, [7]),
        ]
        #expect(FigurePage.most(people).map(\.id) == [2, 9, 3, 4])
    }

    @Test func `Placeholders are filled once`() {
        let filled = keyTexts.text(
            "figureSharedAlternative", ["name": "{other}", "other": "{", "episodes": "}", "pairs": "{pairs}"])
        #expect(filled == "{other} and {: }; {none} of {pairs} without")
    }

    @Test func `The matrix is symmetric and counts each pair once`() {
        var random = Random(seed: 3)
        let people = (0..<25).map { _ in (0..<random.integer(below: 40)).map { _ in Int64(random.integer(below: 51)) } }
        let shared = SharedEpisodes(people)
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
        let shared = SharedEpisodes([[1, 2], [1, 2, 3], [1, 2, 3], [3], [9]])
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
        #expect(SharedEpisodes.shades(upTo: highest) == ends)
        let shared = SharedEpisodes([Array(0..<Int64(min(highest, 51))), Array(0..<Int64(min(highest, 51)))])
        #expect(
            shared.shade(0) == nil
                && shared.shade(min(highest, 51)) == (shared.shades.isEmpty ? nil : shared.shades.count))
    }

    @Test(arguments: 1...200)
    func `Every count up to the highest has a shade`(highest: Int) {
        let ends = SharedEpisodes.shades(upTo: highest)
        #expect(ends.count <= 5 && ends.last == highest && zip(ends, ends.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `Seasons are sorted, and episodes without a season come last`() {
        let figure = FigureSeasons([
            .init("S02E01", 2, 5), .init("x", nil, 1), .init("S01E02", 1, 7), .init("S01E01", 1, 3),
        ])
        #expect(figure.groups.map(\.season) == [1, 2, nil])
        #expect(figure.groups.map(\.start) == [0, 3, 5])
        #expect(figure.groups.map { $0.episodes.map(\.code) } == [["S01E02", "S01E01"], ["S02E01"], ["x"]])
        #expect(figure.highest == 7)
    }

    @Test(
        arguments: [
            (0, [0]), (1, [0, 1]), (4, [0, 1, 2, 3, 4]), (9, [0, 2, 4, 6, 8]), (65, [0, 20, 40, 60]),
            (100, [0, 50, 100]),
        ])
    func `Grid lines are at round numbers, five at most`(highest: Int, lines: [Int]) {
        #expect(FigureSeasons.lines(upTo: highest) == lines)
    }

    @Test func `A bar of zero has no width, and no bar is wider than the drawing`() {
        let bars = FigureBars(id: "x", caption: "", note: "", nameHead: "", countHead: "", full: 1_000, bars: [])
        #expect([0, 1, 500, 1_000, 2_000].map(bars.width) == [0, 0.75, 50, 100, 100])
        #expect(
            FigureBars(id: "x", caption: "", note: "", nameHead: "", countHead: "", full: 0, bars: []).width(0) == 0)
    }

    @Test func `A long name is shortened for its label at the end of a character`() {
        #expect(FigureBars.shortened("Earth (Replacement Dimension)") == "Earth (Replacement Dimension)")
        #expect(FigureBars.shortened("The Wizards of Unnecessarily X Long") == "The Wizards of Unnecessarily…")
        #expect(FigureBars.shortened(String(repeating: "👩‍🚀", count: 31)) == String(repeating: "👩‍🚀", count: 29) + "…")
    }

    @Test func `At most a thousand episodes have columns`() {
        let all = (1...1_500).map { (number: Int) in FigureData.Episode("E\(number)", number, 1) }
        #expect(FigureSeasons(all).groups.count == 1_000)
        #expect(FigureSeasons(Array(all.prefix(1_000))).groups.count == 1_000)
    }
}
