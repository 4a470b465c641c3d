import HTMLCheck
import Mustache
import Testing

@testable import RickAndMorty

struct FiguresPageTests {
    private static let usual = FigureData.with(
        statuses: [.init(value: "Alive", count: 3, path: "status/alive.html"), .init("Dead", 1)],
        species: [.init("Human", 4)],
        genders: [.init("Female", 2), .init("", 2)],
        episodes: [.init("S01E01", 1, 3), .init("S01E02", 1, 9), .init("S02E01", 2, 1)],
        people: [.init(1, [1, 2, 3]), .init(2, [1, 2]), .init(3, [3]), .init(4, [1])],
        places: [
            .init(id: 5, name: "Earth", residents: 4, path: "location/5.html"),
            .init(id: 6, name: "Void", residents: 0, path: nil),
        ])

    @Test func `The templates use only existing names`() throws {
        try FiguresSite.library().check("figures", against: FiguresSite.shape)
    }

    @Test func `A normal page is valid and has its data in text alternatives and tables`() throws {
        let page = try FiguresSite.page(Self.usual)
        #expect(page.report.faults == [])
        #expect(page.html.contains(#"aria-label="Alive 3, Gone 1""#))
        #expect(page.html.contains(#"aria-label="3 figureEpisodeCount: 9 in S01E02 Pilot, 1 in S02E01 Pilot""#))
        #expect(page.html.contains(#"aria-label="Person 1 and Person 2: 2 figureEpisodeCount; 2 of 6 without""#))
        #expect(page.html.contains(#"<a href="status/alive.html" lang="en" xml:lang="en">Alive</a>"#))
        #expect(page.html.contains("<span>Gone</span>") && page.html.contains("<span>not given</span>"))
        #expect(page.html.contains(#"<a href="character/1.html" lang="en" xml:lang="en">Person 1</a>"#))
        #expect(!page.html.contains("Void") && !page.html.contains("Данных для статистики пока нет."))
        #expect(page.html.split(separator: "<figure ").count == 8)
    }

    @Test func `A page without data says so and has no figures`() throws {
        let page = try FiguresSite.page(.with())
        #expect(page.report.faults == [])
        #expect(page.html.contains("Данных для статистики пока нет.") && !page.html.contains("<figure"))
    }

    @Test(
        arguments: [
            FigureData.with(episodes: [.init("S01E01", 1, 0)]), .with(episodes: [.init("", nil, 4, name: "")]),
            .with(episodes: [.init("S01E01", 1, 2), .init("S01E02", 1, 2)], people: [.init(1, [1]), .init(2, [1])]),
            .with(people: [.init(1, [1])]), .with(people: [.init(1, [1]), .init(2, [2])]),
            .with(people: [.init(1, [])]),
            .with(
                statuses: [.init("Alive", 0)], places: [.init(id: 1, name: " ", residents: 1, path: "location/1.html")]),
            .with(episodes: (0..<400).map { .init("S\($0)", $0 / 4, $0) }),
        ])
    func `Little data gives a valid page without invalid numbers`(data: FigureData) throws {
        let page = try FiguresSite.page(data)
        #expect(page.report.faults == [])
        #expect(!page.html.contains("nan") && !page.html.contains("inf"))
    }

    @Test func `Episodes with equal counts are described as equal`() throws {
        let page = try FiguresSite.page(.with(episodes: [.init("S01E01", 1, 2), .init("S01E02", 1, 2)]))
        #expect(page.html.contains(#"aria-label="2 figureEpisodeCount, each 2 figureCharacterCount""#))
    }

    @Test(
        arguments: [
            "<script>alert(1)</script>", #""><img src="x" onerror="alert(1)" />"#, "a & b &amp; c", "' onclick='x",
            "]]> <!-- --",
            "{{name}}",
            "{number}", "\u{0}\u{7}\u{FFFE}", "\u{202E}abc", "   ", String(repeating: "<&\"", count: 400),
        ])
    func `Hostile names are shown as text everywhere`(name: String) throws {
        let parts = [FigureData.Part(name, 3), .init("Human", 1)]
        let page = try FiguresSite.page(
            .with(
                statuses: parts, species: parts, genders: parts,
                episodes: [.init(name, 1, 3, name: name), .init("S01E02", nil, 9, name: name)],
                people: [.init(1, [1, 2, 3], name: name), .init(2, [1, 2], name: name)],
                places: [.init(id: 5, name: name, residents: 4, path: nil)]))
        #expect(page.report.faults == [])
        #expect(!page.html.contains("<script") && !page.html.contains("<img") && !page.html.contains("<!--"))
        page.report.forEachLink { target, _ in
            let target = String(decoding: target, as: UTF8.self)
            #expect(target.hasSuffix(".html") || target.hasSuffix(".css"))
        }
    }
}
