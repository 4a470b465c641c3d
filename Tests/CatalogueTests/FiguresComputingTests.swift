import Mustache
import Testing

@testable import RickAndMorty

/// What the figures count, before anything is drawn.
struct FiguresComputingTests {
    private func page(_ data: FigureData) -> FigurePage { FigurePage(data: data, texts: keyTexts) }

    @Test(
        "Parts are ordered by count, then by value; shares are of all of them; a translated value is not marked as served"
    )
    func parts() {
        let counts = [("unknown", 100), ("Alive", 439), ("Dead", 287), ("Absent", 100), ("No", 0)]
        let parts = counts.map { FigureData.Part($0, $1) }
        let bars = page(.with(statuses: parts)).parts("status", "figureStatus", parts)
        #expect(bars.bars.map(\.name) == ["Alive", "Gone", "Absent", "unknown"])
        #expect(bars.bars.map(\.served) == [true, false, true, true])
        #expect(bars.bars.map(\.kind) == ["alive", "dead", "unknown", "unknown"])
        #expect(bars.bars.map(\.share) == ["47%", "31%", "11%", "11%"])
        #expect(bars.full == 926 && bars.note == "926 figureCharacterCount")
    }

    @Test("Species behind the twelfth are one bar that holds their sum and says how many they are")
    func otherSpecies() {
        let parts = (1...15).map { FigureData.Part("Species \($0)", 100 - $0) }
        let bars = page(.with()).parts("species", "figureSpecies", parts, shown: FigurePage.speciesShown).bars
        #expect(bars.count == 13)
        #expect(
            bars.last?.name == "3 figureOtherSpecies" && bars.last?.count == 87 + 86 + 85 && bars.last?.served == false)
        #expect(bars.map(\.count).reduce(0, +) == parts.map(\.count).reduce(0, +))
        #expect(page(.with()).parts("species", "figureSpecies", Array(parts.prefix(12)), shown: 12).bars.count == 12)
    }

    @Test(
        "A share is never 0% for something, nor 100% for less than all",
        arguments: [
            (0, 0, "0%"), (0, 9, "0%"), (1, 826, "<1%"), (1, 100, "1%"), (825, 826, ">99%"), (826, 826, "100%"),
            (1, 2, "50%"),
        ])
    func shares(count: Int, whole: Int, share: String) {
        #expect(keyTexts.share(count, of: whole) == share)
    }

    @Test(
        "Who is in most episodes comes first, of equals the lower id; an episode counts once, and who is in none is left out"
    )
    func mostSeen() {
        let people: [FigureData.Person] = [
            .init(9, [1, 2]), .init(3, [4, 4, 4]), .init(2, [1, 3]), .init(1, []), .init(4, [7]),
        ]
        #expect(FigurePage.most(people).map(\.id) == [2, 9, 3, 4])
    }

    @Test("Placeholders are filled once: what is put in is not looked through")
    func placeholders() {
        let filled = keyTexts.text(
            "figureSharedAlternative", ["name": "{other}", "other": "{", "episodes": "}", "pairs": "{pairs}"])
        #expect(filled == "{other} and {: }; {none} of {pairs} without")
    }

    @Test("The matrix is symmetrical, its diagonal holds each one's own number, and the pairs are counted once")
    func symmetry() {
        var random = Random(seed: 3)
        let people = (0..<25).map { _ in (0..<random.below(40)).map { _ in Int64(random.below(51)) } }
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

    @Test("The closest two and the partners are the first of equals; one who is alone has none")
    func partners() {
        let shared = SharedEpisodes([[1, 2], [1, 2, 3], [1, 2, 3], [3], [9]])
        #expect(shared.closest.map { [$0.one, $0.other, $0.count] } == [1, 2, 3])
        #expect(shared.partners(of: 0) == [1, 2])
        #expect(shared.partners(of: 1) == [2, 0, 3])
        #expect(shared.partners(of: 4) == [])
        #expect(shared.pairsWithout == 5)
    }

    @Test(
        "Shades end at the highest count, ascend, and are no more than five",
        arguments: [
            (0, []), (1, [1]), (2, [1, 2]), (3, [1, 2, 3]), (5, [1, 2, 3, 4, 5]), (6, [1, 2, 3, 4, 6]),
            (51, [2, 4, 10, 23, 51]),
            (100_000, [10, 100, 1_000, 10_000, 100_000]),
        ])
    func shades(highest: Int, ends: [Int]) {
        #expect(SharedEpisodes.shades(upTo: highest) == ends)
        let shared = SharedEpisodes([Array(0..<Int64(min(highest, 51))), Array(0..<Int64(min(highest, 51)))])
        #expect(
            shared.shade(0) == nil
                && shared.shade(min(highest, 51)) == (shared.shades.isEmpty ? nil : shared.shades.count))
    }

    @Test("Every count up to the highest has a shade", arguments: 1...200)
    func everyShade(highest: Int) {
        let ends = SharedEpisodes.shades(upTo: highest)
        #expect(ends.count <= 5 && ends.last == highest && zip(ends, ends.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("Seasons are in order, episodes as given, a gap between; what has no season comes last")
    func seasons() {
        let figure = FigureSeasons([
            .init("S02E01", 2, 5), .init("x", nil, 1), .init("S01E02", 1, 7), .init("S01E01", 1, 3),
        ])
        #expect(figure.groups.map(\.season) == [1, 2, nil])
        #expect(figure.groups.map(\.start) == [0, 3, 5])
        #expect(figure.groups.map { $0.episodes.map(\.code) } == [["S01E02", "S01E01"], ["S02E01"], ["x"]])
        #expect(figure.highest == 7)
    }

    @Test(
        "Lines stand at round numbers, five at most",
        arguments: [
            (0, [0]), (1, [0, 1]), (4, [0, 1, 2, 3, 4]), (9, [0, 2, 4, 6, 8]), (65, [0, 20, 40, 60]),
            (100, [0, 50, 100]),
        ])
    func lines(highest: Int, lines: [Int]) {
        #expect(FigureSeasons.lines(upTo: highest) == lines)
    }

    @Test("A bar of zero has no width, the smallest is visible, and none is wider than the drawing")
    func widths() {
        let bars = FigureBars(id: "x", caption: "", note: "", nameHead: "", countHead: "", full: 1_000, bars: [])
        #expect([0, 1, 500, 1_000, 2_000].map(bars.width) == [0, 0.75, 50, 100, 100])
        #expect(
            FigureBars(id: "x", caption: "", note: "", nameHead: "", countHead: "", full: 0, bars: []).width(0) == 0)
    }

    @Test("A long name is cut for its label, at a whole letter")
    func labels() {
        #expect(FigureBars.shortened("Earth (Replacement Dimension)") == "Earth (Replacement Dimension)")
        #expect(FigureBars.shortened("The Wizards of Unnecessarily X Long") == "The Wizards of Unnecessarily…")
        #expect(FigureBars.shortened(String(repeating: "👩‍🚀", count: 31)) == String(repeating: "👩‍🚀", count: 29) + "…")
    }

    @Test("Of very many episodes a thousand have columns")
    func manyEpisodes() {
        let all = (1...1_500).map { (number: Int) in FigureData.Episode("E\(number)", number, 1) }
        #expect(FigureSeasons(all).groups.count == 1_000)
        #expect(FigureSeasons(Array(all.prefix(1_000))).groups.count == 1_000)
    }
}
