import Catalogue
import Foundation
import KnownCatalogues
import Mustache
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

/// The plan of the Rick and Morty API's site.
struct PlanTests {
    /// The page sets in the order of the plan, before the lists by value.
    fileprivate enum Family: Int {
        case lists, characters, locationLists, locations, episodeLists, episodes, figures
    }

    private func planned(
        _ characters: [String], residents: [String] = [],
        place: String = #""name":"Earth","type":"Planet","dimension":"""#,
        episodes: [String] = [PlanTests.episode(1)], in texts: Texts? = nil
    ) async throws -> PlannedRevision {
        try await PlannedRevision(
            .rickAndMorty(),
            [
                ("location", [#"{"id":1,\#(place),"residents":[\#(residents.joined(separator: ","))]}"#]),
                ("episode", episodes), ("character", characters),
            ], texts ?? Strings.english())
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

    private func planned(_ count: Int) async throws -> PlannedRevision {
        try await planned((0..<count).map { Self.character($0 * 2 + 1) })
    }

    private static func long(_ letter: String) -> String { String(repeating: letter, count: 100_000) }
}

extension PlanTests {
    @Test(arguments: [0, 1, 20, 21, 60])
    func `Each list page has 20 characters, and planned paths equal rendered ones`(count: Int) async throws {
        let revision = try await planned(count)
        let lists = revision.paths(.lists)
        #expect(lists.count == max(1, (count + 19) / 20))
        #expect(lists == lists.indices.map { [$0 == 0 ? "index.html" : "page/\($0 + 1).html"] })
        #expect(revision.paths(.characters).flatMap { $0 } == (0..<count).map { "character/\($0 * 2 + 1).html" })
        for family in [Family.lists, .characters, .episodeLists, .episodes, .locationLists, .locations, .figures] {
            #expect(try revision.pages(family).map { $0.map(\.path.text) } == revision.paths(family))
        }
        #expect(
            revision.paths(.locationLists) == [["locations.html"]] && revision.paths(.figures) == [["figures.html"]])
    }

    @Test func `Lists by value follow the figures, in the order of the fields`() async throws {
        let revision = try await planned(21)
        let lists = (Family.figures.rawValue + 1..<revision.plan.pages.count).map(revision.paths)
        #expect(
            lists == ["status/alive", "gender/male", "species/human", "type/other"].map {
                [["\($0).html"], ["\($0)/2.html"]]
            } + ["location-type/planet", "dimension/other", "season/1"].map { [["\($0).html"]] })
        let page = try revision.pages(Family.figures.rawValue + 1)[1][0].model
        #expect(page.text("value") == "Alive" && page.objects("cards").map { $0.text("name") } == ["No. 41"])
    }

    @Test func `A text field is shown in words of the language, or as served without them`() async throws {
        let characters = [
            Self.character(1).replacingOccurrences(of: ##"{"name":"""##, with: ##"{"name":"unknown""##),
            Self.character(2).replacingOccurrences(of: "Human", with: "Blob"),
        ]
        let revision = try await planned(characters, in: Strings.russian())
        let cards = try revision.pages(.lists)[0][0].model.objects("cards")
        #expect(cards.map { $0.text("field.species.text") } == ["Человек", "Blob"])
        #expect(cards.map { $0.isFalse("field.species.asServed") } == [true, false])
        let pages = try revision.pages(.characters).flatMap { $0 }.map(\.model)
        let facts = pages.map { page in
            page.objects("facts").map { fact -> [String?] in
                [fact.text("label"), fact.text("name"), fact.objects("notes").compactMap { $0.text("text") }.joined()]
            }
        }
        #expect(facts[0].contains(["Вид", "Человек", ""]) && facts[1].contains(["Вид", "Blob", ""]))
        #expect(facts[0].contains(["Происхождение", "Неизвестно", ""]))
        #expect(facts[0].contains(["Локация", "Earth", "Планета"]))
        let served = pages.map { page in
            page.objects("facts").filter { !$0.isFalse("asServed") }.map { $0.text("name") }
        }
        #expect(served == [["Earth"], ["Blob", "Earth"]])
        #expect(try #require(pages[0].text("description")).contains("Человек"))
        #expect(revision.plan.pages.flatMap { $0.pagePaths(inBatch: 0).map(\.text) }.contains("species/human.html"))
    }

    @Test func `Previous and next links cross batches and stop at both ends`() async throws {
        let pages = try await planned(41).pages(.characters).flatMap { $0 }
        #expect(pages.count == 41)
        for (index, page) in pages.enumerated() {
            #expect(page.model.text("previous.path") == (index > 0 ? pages[index - 1].path.text : nil))
            #expect(page.model.text("next.path") == (index < 40 ? pages[index + 1].path.text : nil))
        }
    }

    @Test func `The pager has the first page, the last, and two on either side`() async throws {
        let lists = try await planned(220).pages(.lists).map { $0[0].model }
        func numbers(_ batch: Int) -> [Double?] { lists[batch].objects("numbers").map { $0.number("number") } }
        #expect(numbers(0) == [1, 2, 3, 11])
        #expect(numbers(1) == [1, 2, 3, 4, 11])
        #expect(numbers(5) == [1, 4, 5, 6, 7, 8, 11])
        #expect(numbers(10) == [1, 9, 10, 11])
        #expect(try await planned(1).pages(.lists)[0][0].model.objects("numbers").count == 1)
    }

    @Test func `A page shows location, type and each episode once, with its date`() async throws {
        let revision = try await planned([Self.character(1, episodes: [1, 1, 1])])
        let model = try revision.pages(.characters)[0][0].model
        #expect(model.text("field.location.name") == "Earth")
        #expect(model.objects("field.location.notes").map { $0.text("text") } == ["Planet"])
        #expect(model.isNull("field.origin"))
        #expect(model.objects("field.episode.items").map { $0.text("field.air_date.machine") } == ["2013-12-02"])
    }

    @Test func `A long list of cards continues on further pages`() async throws {
        let base = "https://rickandmortyapi.com/api/character/"
        let revision = try await planned(
            (1...1_201).map { Self.character($0) }, residents: (1...1_201).map { "\"\(base)\($0)\"" })
        #expect(revision.paths(.locations) == [["location/1.html", "location/1/2.html", "location/1/3.html"]])
        let pages = try revision.pages(.locations)[0].map(\.model)
        let cards = pages.map { $0.objects("field.residents.items").map { $0.text("path") } }
        #expect(cards.map(\.count) == [500, 500, 201])
        #expect(cards.flatMap { $0 } == (1...1_201).map { "character/\($0).html" })
        #expect(pages[1].text("paging.previous.path") == "location/1.html")
        #expect(pages[1].text("paging.next.path") == "location/1/3.html")
        #expect(pages.map { $0.text("field.residents.count") } == Array(repeating: "1,201 residents", count: 3))
    }

    @Test func `Tables keep short texts, and the record's own page shows full ones`() async throws {
        let (name, code, date) = (Self.long("n"), Self.long("c"), Self.long("d"))
        let revision = try await planned(
            [Self.character(1, episodes: [1, 2])],
            place: #""name":"\#(name)","type":"\#(code)","dimension":"\#(date)""#,
            episodes: [Self.episode(1, name: name, airDate: date, code: code), Self.episode(2)])
        let tables = try revision.tables()
        let kept = [("episode", ["code", "air_date"]), ("location", ["type", "dimension"])].flatMap { kind, fields in
            [tables[kind].names[0]] + fields.compactMap(tables[kind].kind.field).map { tables[kind].text($0, 0) }
        }
        #expect(kept == [name, code, date, name, code, date].map(\.shortened) && kept.allSatisfy { $0.count == 300 })

        let episode = ["name", "field.code.text", "field.air_date.text"]
        let pages = try revision.pages(.episodes)[0].map(\.model)
        #expect(episode.map { pages[0].text($0) } == [name, code, date])
        #expect(episode.map { pages[1].text($0) } == ["Pilot", "S01E01", "December 2, 2013"])
        #expect(pages[1].text("previous.name") == name.shortened)
        let place = try revision.pages(.locations)[0][0].model
        #expect(["name", "field.type.text", "field.dimension.text"].map { place.text($0) } == [name, code, date])
    }

    @Test func `A character's episodes continue on further pages, each once`() async throws {
        let all = Array(1...1_201)
        let revision = try await planned(
            [Self.character(1, episodes: all + all + [5_000]), Self.character(2)],
            episodes: all.map { Self.episode($0) })
        let pages = try revision.pages(.characters)[0].map(\.model)
        #expect(pages.map { $0.objects("field.episode.items").count } == [500, 500, 201, 1])
        #expect(
            pages[..<3].flatMap { $0.objects("field.episode.items") }.map { $0.text("path") }
                == all.map { "episode/\($0).html" })
        for page in pages[..<3] {
            #expect(page.text("field.episode.count") == "1,201 episodes")
            #expect(page.text("field.episode.first.path") == "episode/1.html")
            #expect(page.text("field.episode.last.path") == "episode/1201.html")
        }
        #expect(pages[2].text("paging.position") == "page 3 of 3" && pages[3].isFalse("paging.several"))
        #expect(pages[0].text("field.episode.missing")?.isEmpty == false)
        #expect(pages[3].text("field.episode.missing") == "")
    }

    @Test(arguments: ["", "  "])
    func `A location without a name gets the name of its page`(name: String) async throws {
        let model = try await planned([Self.character(1, place: name)]).pages(.characters)[0][0].model
        #expect(
            model.text("field.location.name") == "Earth" && model.text("field.location.path") == "location/1.html")
        #expect(model.isNull("field.origin"), "a place without name and link is none")
    }

    @Test(arguments: ["", " ", "\\t\\n"])
    func `A character without a name is shown with its id`(name: String) async throws {
        let revision = try await planned([Self.character(1), Self.character(2, name: name)])
        let pages = try revision.pages(.characters)[0].map(\.model)
        #expect(pages[1].text("name") == "Character 2" && pages[1].text("title") == "Character 2")
        let cards = try revision.pages(.lists)[0][0].model.objects("cards")
        #expect(cards.map { $0.text("name") } == ["No. 1", "Character 2"])
        #expect(pages[0].text("next.name") == "Character 2")
    }

    @Test func `Episodes are grouped by season, and unnumbered ones come in a group of their own`() async throws {
        let codes = ["S01E01", "S02E01", "special", "S01E02"]
        let revision = try await planned(
            [], episodes: codes.enumerated().map { Self.episode($0 + 1, name: "No. \($0 + 1)", code: $1) })
        let groups = try revision.pages(.episodeLists)[0][0].model.objects("groups")
        #expect(groups.map { $0.text("label") } == ["Season 1", "Season 2", "Other episodes"])
        #expect(
            groups.map { $0.objects("items").map { $0.text("field.code.text") } } == [
                ["S01E01", "S01E02"], ["S02E01"], ["special"],
            ])
        // Each season has a list, also one with one episode.
        let lists = ["season/1.html", "season/2.html", "season/other.html"]
        #expect(groups.map { $0.text("path") } == lists)
        #expect(
            try revision.pages(.episodes)[0].map { $0.model.text("field.season.list") }
                == [lists[0], lists[1], nil, lists[0]])
        let pages = try revision.plan.pages.indices.flatMap { try revision.pages($0).joined() }
        let found = lists.map { path in pages.first { $0.path.text == path }?.model }
        #expect(found.map { $0?.text("value") } == ["Season 1", "Season 2", "not specified"])
        #expect(
            found.map { $0?.objects("rows").map { $0.text("path") } } == [
                ["episode/1.html", "episode/4.html"], ["episode/2.html"], ["episode/3.html"],
            ])
    }
}

extension PlannedRevision {
    fileprivate func paths(_ family: PlanTests.Family) -> [[String]] { paths(family.rawValue) }
    fileprivate func pages(_ family: PlanTests.Family) throws -> [[Page]] { try pages(family.rawValue) }
}
