import Archive
import Catalogue
import Foundation
import Mustache
import TestSupport
import Testing

@testable import RickAndMorty

struct PlanTests {
    /// A plan and its revision.
    private final class PlannedRevision {
        let plan: SitePlan
        let reader: RevisionReader
        private let scratch: ScratchFolder

        init(
            _ characters: [String], residents: [String] = [],
            place: String = #""name":"Earth","type":"Planet","dimension":"""#,
            episodes: [String] = [PlanTests.episode(1)]
        ) async throws {
            scratch = try ScratchFolder()
            let folder = ArchiveFolder(scratch["archive"])
            let writer = try ArchiveWriter(folder)
            let source = Source(catalogue: "rickandmorty", api: "http://a.example/api", origin: .live)
            let revision = try await RevisionWriter(of: source, in: folder, through: writer, resumeAfter: 0)
            let lists = [
                ("location", [#"{"id":1,\#(place),"residents":[\#(residents.joined(separator: ","))]}"#]),
                ("episode", episodes),
                ("character", characters),
            ]
            for (kind, records) in lists {
                let body = Array("[\(records.joined(separator: ","))]".utf8)
                let exchange = try await revision.accept(
                    NewExchange(
                        path: kind, role: .page, status: 200, headers: [], received: 1, content: .document(body)))
                let slices = try JSONSlices.elements(of: body).map { place in
                    let facts = try RickAndMorty().facts(of: body[place], kind: kind, base: source.api)
                    return RecordSlice(key: RecordKey(kind, facts.id), range: place, in: body)
                }
                try await revision.addRecords(slices, of: exchange, at: 0)
            }
            guard case .new(let finished) = try await revision.finish(gaps: []) else {
                throw CocoaError(.fileReadUnknown)
            }
            try await writer.close()
            reader = try RevisionReader(finished, in: folder)
            let context = SiteContext(
                isSample: false, api: source.api, captured: "2026-11-21", gaps: [], generator: "Amber test",
                editions: [Edition(try Strings.english(), index: 0)])
            plan = try RickAndMorty().plan(for: reader, context)
        }

        func paths(_ family: Family) -> [[String]] {
            let set = plan.pages[family.rawValue]
            return (0..<set.batchCount).map { set.pagePaths(inBatch: $0).map(\.text) }
        }

        func pages(_ family: Family) throws -> [[Page]] {
            let set = plan.pages[family.rawValue]
            return try (0..<set.batchCount).map { try set.batch($0, from: reader).pages.map { try $0() } }
        }
    }

    /// The page sets in the order of the plan, before the lists by value.
    private enum Family: Int {
        case lists, characters, episodeLists, episodes, locationLists, locations, figures
    }

    private static func episode(
        _ id: Int, name: String = "Pilot", airDate: String = "December 2, 2013", code: String = "S01E01"
    ) -> String {
        #"{"id":\#(id),"name":"\#(name)","air_date":"\#(airDate)","episode":"\#(code)","characters":[]}"#
    }

    private static func character(_ id: Int, name: String? = nil, place: String = "Earth", episodes: [Int] = [1])
        -> String
    {
        let base = "https://rickandmortyapi.com/api"
        let seen = episodes.map { "\"\(base)/episode/\($0)\"" }.joined(separator: ",")
        return """
            {"id":\(id),"name":"\(name ?? "No. \(id)")","status":"Alive","species":"Human","type":"","gender":"Male",\
            "origin":{"name":"","url":""},"location":{"name":"\(place)","url":"\(base)/location/1"},"image":"","episode":[\(seen)]}
            """
    }

    private func made(_ count: Int) async throws -> PlannedRevision {
        try await PlannedRevision((0..<count).map { Self.character($0 * 2 + 1) })
    }

    private func text(_ value: Value?, _ name: String) -> String? {
        guard case .object(let object) = value, case .text(let text) = object[name] else { return nil }
        return text
    }

    private static func long(_ letter: String) -> String { String(repeating: letter, count: 100_000) }

    @Test(
        arguments: [0, 1, 20, 21, 60])
    func `Each list page has 20 characters, and planned paths equal rendered ones`(
        count: Int
    ) async throws {
        let made = try await made(count)
        #expect(made.paths(.lists).count == max(1, (count + 19) / 20))
        #expect(
            made.paths(.lists) == made.paths(.lists).indices.map { [$0 == 0 ? "index.html" : "page/\($0 + 1).html"] })
        #expect(made.paths(.characters).flatMap { $0 } == (0..<count).map { "character/\($0 * 2 + 1).html" })
        for family in [Family.lists, .characters, .episodeLists, .episodes, .locationLists, .locations] {
            #expect(try made.pages(family).map { $0.map(\.path.text) } == made.paths(family))
        }
    }

    @Test func `Previous and next links cross batches and stop at both ends`() async throws {
        let pages = try await made(41).pages(.characters).flatMap { $0 }
        for (index, page) in pages.enumerated() {
            #expect(text(page.model["previous"], "path") == (index > 0 ? pages[index - 1].path.text : nil))
            #expect(text(page.model["next"], "path") == (index < 40 ? pages[index + 1].path.text : nil))
        }
    }

    @Test func `The pager has the first page, the last, and two on either side`() async throws {
        let lists = try await made(220).pages(.lists).map { $0[0].model }
        func numbers(_ batch: Int) -> [Int] {
            guard case .list(let items) = lists[batch]["numbers"] else { return [] }
            return items.compactMap {
                if case .object(let item) = $0, case .integer(let number) = item["number"] { number } else { nil }
            }
        }
        #expect(numbers(0) == [1, 2, 3, 11])
        #expect(numbers(1) == [1, 2, 3, 4, 11])
        #expect(numbers(5) == [1, 4, 5, 6, 7, 8, 11])
        #expect(numbers(10) == [1, 9, 10, 11])
        #expect(
            try await made(1).pages(.lists)[0][0].model["numbers"].map {
                if case .list(let items) = $0 { items.count } else { 0 }
            } == 1)
    }

    @Test func `A page shows location, type and each episode once, with its date`() async throws {
        let made = try await PlannedRevision([Self.character(1, episodes: [1, 1, 1])])
        let model = try made.pages(.characters)[0][0].model
        #expect(text(model["location"], "name") == "Earth" && text(model["location"], "type") == "Planet")
        guard case .null = model["origin"], case .list(let episodes) = model["episodes"] else {
            Issue.record("an unnamed origin is none, and episodes are a list")
            return
        }
        #expect(episodes.map { text($0, "machineDate") } == ["2013-12-02"])
    }

    @Test func `A long cast continues on further pages`() async throws {
        let base = "https://rickandmortyapi.com/api/character/"
        let made = try await PlannedRevision(
            (1...1_201).map { Self.character($0) }, residents: (1...1_201).map { "\"\(base)\($0)\"" })
        #expect(made.paths(.locations) == [["location/1.html", "location/1/2.html", "location/1/3.html"]])
        let pages = try made.pages(.locations)[0]
        let casts = pages.map { page -> [String?] in
            guard case .list(let cards) = page.model["cast"] else { return [] }
            return cards.map { text($0, "path") }
        }
        #expect(casts.map(\.count) == [500, 500, 201])
        #expect(casts.flatMap { $0 } == (1...1_201).map { "character/\($0).html" })
        guard case .object(let paging) = pages[1].model["paging"] else {
            Issue.record("a page of a cast links to its neighbours")
            return
        }
        #expect(
            text(paging["previous"], "path") == "location/1.html" && text(paging["next"], "path") == "location/1/3.html"
        )
    }

    @Test func `Tables keep short texts, and the record's own page shows full ones`() async throws {
        let (name, code, date) = (Self.long("n"), Self.long("c"), Self.long("d"))
        let made = try await PlannedRevision(
            [Self.character(1, episodes: [1, 2])],
            place: #""name":"\#(name)","type":"\#(code)","dimension":"\#(date)""#,
            episodes: [Self.episode(1, name: name, airDate: date, code: code), Self.episode(2)])
        let tables = try CharacterTables(made.reader, LinkReader(bases: RickAndMorty().bases))
        let (episode, location) = (tables.episodes[0], tables.locations[0])
        let kept = [episode.name, episode.code, episode.airDate, location.name, location.type, location.dimension]
        #expect(kept == [name, code, date, name, code, date].map(\.shortened) && kept.allSatisfy { $0.count == 300 })

        let pages = try made.pages(.episodes)[0].map(\.model)
        #expect(["name", "code", "airDate"].map { pages[0].text($0) } == [name, code, date])
        #expect(["name", "code", "airDate"].map { pages[1].text($0) } == ["Pilot", "S01E01", "December 2, 2013"])
        #expect(text(pages[1]["previous"], "name") == name.shortened)
        let place = try made.pages(.locations)[0][0].model
        #expect(["name", "type", "dimension"].map { place.text($0) } == [name, code, date])
    }

    @Test func `A character's page shows a thousand episodes and counts the others`() async throws {
        let all = Array(1...1_201)
        let made = try await PlannedRevision(
            [Self.character(1, episodes: all + all + [5_000]), Self.character(2)],
            episodes: all.map { Self.episode($0) })
        let pages = try made.pages(.characters)[0].map(\.model)
        guard case .list(let shown) = pages[0]["episodes"] else {
            Issue.record("episodes are a list")
            return
        }
        #expect(shown.map { text($0, "path") } == all.prefix(1_000).map { "episode/\($0).html" })
        #expect(pages[0].text("episodeCount") == "1201 episodes")
        #expect(pages[0].text("moreEpisodes") == "and 201 more")
        #expect(pages[0].text("missing")?.isEmpty == false)
        #expect(pages[1].text("moreEpisodes") == "")
    }

    @Test(
        arguments: ["", "  "])
    func `A location without a name gets the name of its page`(name: String)
        async throws
    {
        let model = try await PlannedRevision([Self.character(1, place: name)]).pages(.characters)[0][0].model
        #expect(text(model["location"], "name") == "Earth" && text(model["location"], "path") == "location/1.html")
        guard case .null = model["origin"] else {
            Issue.record("a place without name and link is none")
            return
        }
    }

    @Test(
        arguments: ["", " ", "\\t\\n"])
    func `A character without a name is shown with its id`(name: String)
        async throws
    {
        let made = try await PlannedRevision([Self.character(1), Self.character(2, name: name)])
        let pages = try made.pages(.characters)[0]
        guard case .text("Character 2") = pages[1].model["name"], case .text("Character 2") = pages[1].model["title"],
            case .list(let cards) = try made.pages(.lists)[0][0].model["cards"]
        else {
            Issue.record("\(pages[2].model.values)")
            return
        }
        #expect(cards.map { text($0, "name") } == ["No. 1", "Character 2"])
        #expect(text(pages[0].model["next"], "name") == "Character 2")
    }
}

extension Object {
    fileprivate func text(_ name: String) -> String? {
        if case .text(let text) = self[name] { text } else { nil }
    }
}
