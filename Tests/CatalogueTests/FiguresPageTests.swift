import HTMLCheck
import KnownCatalogues
import Mustache
import TestSupport
import Testing

@testable import CatalogueEngine

struct FiguresPageTests {
    private static let usual = FigureRecords(
        people: [
            .init(1, [1, 2, 3]), .init(2, [1, 2]), .init(3, [3], gender: ""), .init(4, [1], status: "Dead", gender: ""),
        ],
        episodes: [.init(1, "S01E01", 3), .init(2, "S01E02", 4), .init(3, "S02E01", 1)],
        places: [.init(5, "Earth", 4), .init(6, "Void", 0)])

    @Test func `The templates use only existing names`() throws {
        try FiguresSite.library().check("figures", against: FigureShapes.page)
    }

    @Test func `A normal page is valid and has its data in bars, text alternatives and tables`() async throws {
        let page = try await FiguresSite.page(Self.usual)
        #expect(page.report.faults == [])
        #expect(page.html.contains(#"<span class="count">3 <span class="share">75%</span></span>"#))
        #expect(page.html.contains(#"aria-label="3 episodeCount: 4 in S01E02 Pilot, 1 in S02E01 Pilot""#))
        #expect(page.html.contains(#"aria-label="Person 1 and Person 2: 2 episodeCount; 2 of 6 without""#))
        #expect(page.html.contains(#"<a href="status/alive.html">Alive</a>"#))
        #expect(page.html.contains(#"<a href="status/dead.html">Gone</a>"#))
        #expect(page.html.contains(">not given</a>"))
        #expect(page.html.contains(#"<a href="character/1.html">Person 1</a>"#))
        #expect(page.html.contains("Earth"))
        #expect(!page.html.contains("Void") && !page.html.contains("Данных для статистики пока нет."))
        #expect(page.html.split(separator: "<figure ").count == 8)
    }

    @Test func `A page without data says so and has no figures`() async throws {
        let page = try await FiguresSite.page(FigureRecords())
        #expect(page.report.faults == [])
        #expect(page.html.contains("Данных для статистики пока нет.") && !page.html.contains("<figure"))
    }

    @Test(
        arguments: [
            FigureRecords(episodes: [.init(1, "S01E01", 0)]),
            FigureRecords(people: (1...4).map { .init($0) }, episodes: [.init(1, "", 4, name: "")]),
            FigureRecords(
                people: [.init(1, [1]), .init(2, [1])], episodes: [.init(1, "S01E01", 2), .init(2, "S01E02", 2)]),
            FigureRecords(people: [.init(1, [1])], episodes: [.init(1, "S01E01", 1)]),
            FigureRecords(
                people: [.init(1, [1]), .init(2, [2])], episodes: [.init(1, "S01E01", 0), .init(2, "S01E02", 0)]),
            FigureRecords(people: [.init(1)]), FigureRecords(people: [.init(1, [1])]),
            FigureRecords(people: [.init(1, status: "", species: "", gender: "")], places: [.init(1, " ", 1)]),
            FigureRecords(
                people: (1...40).map { .init($0) },
                episodes: (0..<400).map { .init($0 + 1, "S\($0 / 4)E\($0 % 4)", $0 % 40) }),
        ])
    func `Little data gives a valid page without invalid numbers`(records: FigureRecords) async throws {
        let page = try await FiguresSite.page(records)
        #expect(page.report.faults == [])
        #expect(!page.html.contains("nan") && !page.html.contains("inf"))
    }

    @Test func `Episodes with equal counts are described as equal`() async throws {
        let page = try await FiguresSite.page(
            FigureRecords(
                people: [.init(1), .init(2)], episodes: [.init(1, "S01E01", 2), .init(2, "S01E02", 2)]))
        #expect(page.html.contains(#"aria-label="2 episodeCount, each 2 characterCount""#))
    }

    @Test(
        arguments: [
            "<script>alert(1)</script>", #""><img src="x" onerror="alert(1)" />"#, "a & b &amp; c", "' onclick='x",
            "]]> <!-- --",
            "{{name}}",
            "{number}", "\u{0}\u{7}\u{FFFE}", "\u{202E}abc", "   ", String(repeating: "<&\"", count: 400),
        ])
    func `Hostile names are shown as text everywhere`(name: String) async throws {
        let page = try await FiguresSite.page(
            FigureRecords(
                people: [
                    .init(1, [1, 2], name: name, status: name, species: name, gender: name),
                    .init(2, [1, 2], name: name, status: name, species: name, gender: name), .init(3, [1]),
                ],
                episodes: [.init(1, name, 3, name: name), .init(2, "S01E02", 2, name: name)],
                places: [.init(5, name, 3)]))
        #expect(page.report.faults == [])
        #expect(page.html.split(separator: "<figure ").count == 8)
        #expect(!page.html.contains("<script") && !page.html.contains("<img") && !page.html.contains("<!--"))
        page.report.forEachLink { target, _ in
            let target = String(decoding: target, as: UTF8.self)
            #expect(target.hasSuffix(".html") || target.hasSuffix(".css"))
        }
    }
}
