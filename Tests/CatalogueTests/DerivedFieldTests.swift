import Catalogue
import KnownCatalogues
import Mustache
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

/// The fields whose values come from other records, and the order of cards.
struct DerivedFieldTests {
    private static let base = "https://rickandmortyapi.com/api"

    private static func links(_ kind: String, _ ids: [Int]) -> String {
        "[" + ids.map { "\"\(base)/\(kind)/\($0)\"" }.joined(separator: ",") + "]"
    }

    /// - Parameter casts: the ids of the characters of each episode. Episode 1 is the first.
    private func planned(
        casts: [[Int]], origins: [Int: Int] = [:], residents: [Int] = [], codes: [String]? = nil
    ) async throws -> PlannedRevision {
        let ids = Set(casts.joined()).union(origins.keys).sorted()
        let characters = ids.map { id in
            let episodes = casts.indices.filter { casts[$0].contains(id) }.map { $0 + 1 }
            let origin = origins[id].map { "\(Self.base)/location/\($0)" } ?? ""
            return """
                {"id":\(id),"name":"No. \(id)","status":"Alive","species":"Human","type":"","gender":"Male","image":"",\
                "origin":{"name":"","url":"\(origin)"},"location":{"name":"","url":""},\
                "episode":\(Self.links("episode", episodes))}
                """
        }
        let episodes = casts.enumerated().map { index, cast in
            let code = codes?[index] ?? "S01E0\(index + 1)"
            return
                #"{"id":\#(index + 1),"name":"E","air_date":"","episode":"\#(code)","characters":\#(Self.links("character", cast))}"#
        }
        let location =
            #"{"id":7,"name":"L","type":"Planet","dimension":"","residents":\#(Self.links("character", residents))}"#
        return try await PlannedRevision(
            .rickAndMorty(), [("location", [location]), ("episode", episodes), ("character", characters)],
            Strings.english())
    }

    @Test func `Ids can be strings of digits, and references can be ids`() async throws {
        let character = """
            {"id":"1","name":"No. 1","status":"Alive","species":"Human","type":"","gender":"Male","image":"",\
            "origin":{"name":"","url":"7"},"location":{"name":"","url":7},"episode":[2]}
            """
        let episode = #"{"id":2,"name":"E","air_date":"","episode":"S01E01","characters":["1"]}"#
        let location = #"{"id":"7","name":"L","type":"Planet","dimension":"","residents":[1]}"#
        let revision = try await PlannedRevision(
            .rickAndMorty(), [("location", [location]), ("episode", [episode]), ("character", [character])],
            Strings.english())
        let page = try page("character/1.html", of: revision)
        #expect(page.text("field.origin.path") == "location/7.html")
        #expect(page.text("field.location.path") == "location/7.html")
        #expect(page.objects("field.episode.items").map { $0.text("path") } == ["episode/2.html"])
        let place = try self.page("location/7.html", of: revision)
        #expect(place.objects("field.residents.items").map { $0.text("path") } == ["character/1.html"])
    }

    private func page(_ path: String, of revision: PlannedRevision) throws -> Object {
        for index in revision.plan.pages.indices where revision.paths(index).joined().contains(path) {
            if let page = try revision.pages(index).joined().first(where: { $0.path.text == path }) {
                return page.model
            }
        }
        throw Missing(path: path)
    }

    private struct Missing: Error { let path: String }

    private func companions(_ id: Int, of revision: PlannedRevision) throws -> [String] {
        try page("character/\(id).html", of: revision).objects("field.companions.items").map {
            "\($0.text("record.name") ?? "") \($0.text("count") ?? "")"
        }
    }

    @Test func `Companions are sorted by common episodes, then by position, without the character`() async throws {
        let revision = try await planned(casts: [[1, 2, 3], [1, 3, 4], [1, 2, 3], [5]])
        #expect(try companions(1, of: revision) == ["No. 3 3 episodes", "No. 2 2 episodes"])
        #expect(try companions(4, of: revision) == ["No. 1 ", "No. 3 "])
        #expect(try companions(5, of: revision).isEmpty)
        #expect(try page("character/5.html", of: revision).isFalse("field.companions.any"))
    }

    @Test func `Only ten companions are shown, and an episode listed twice counts once`() async throws {
        let revision = try await planned(casts: [Array(1...30), Array(1...30), [1, 30, 30]])
        let names = try companions(1, of: revision)
        #expect(names.count == 10 && names.first == "No. 30 3 episodes" && names.last == "No. 10 2 episodes")
    }

    @Test func `Of a large cast, only the first 200 characters are companions`() async throws {
        // The last two characters have fewer episodes, so they are at the end of the large casts.
        let revision = try await planned(casts: [Array(1...300), Array(1...300), Array(1...298)])
        #expect(try companions(300, of: revision).first == "No. 1 2 episodes")
        #expect(try companions(300, of: revision).contains { $0.hasPrefix("No. 299 ") } == false)
        #expect(try companions(299, of: revision).count == 10)
    }

    @Test func `A location shows the characters that come from it, and a collage of its residents`() async throws {
        let revision = try await planned(
            casts: [[1, 2], [2], [3]], origins: [3: 7, 1: 7, 2: 8], residents: [1, 2, 3])
        let page = try page("location/7.html", of: revision)
        #expect(page.objects("field.natives.items").map { $0.text("name") } == ["No. 1", "No. 3"])
        #expect(page.text("field.natives.count") == "2 characters come from here")
        #expect(page.objects("field.residents.items").map { $0.text("name") } == ["No. 2", "No. 1", "No. 3"])
    }

    @Test func `A cast is in the order of appearances, and equal numbers keep the API's order`() async throws {
        let revision = try await planned(casts: [[4, 3, 2, 1], [1, 2], [2]])
        let cast = try page("episode/1.html", of: revision).objects("field.characters.items")
        #expect(cast.map { $0.text("name") } == ["No. 2", "No. 1", "No. 4", "No. 3"])
    }

    @Test func `Episodes are grouped by season, with the first and the last appearance`() async throws {
        let revision = try await planned(
            casts: [[1], [1, 3], [1], [1, 2, 3], [2]], codes: ["S01E01", "S01E02", "S03E01", "S03E02", "special"])
        let first = try page("character/1.html", of: revision)
        let groups = first.objects("field.episode.groups")
        #expect(groups.map { $0.text("label") } == ["Season 1", "Season 3"])
        #expect(groups.map { $0.text("count") } == ["2 episodes", "2 episodes"])
        #expect(first.text("field.episode.first.path") == "episode/1.html")
        #expect(first.text("field.episode.last.path") == "episode/4.html")
        let alone = try await planned(casts: [[1], [2, 2]], codes: ["special", "S01E01"])
        #expect(try page("character/1.html", of: alone).isNull("field.episode.first"))
    }

    @Test func `Episodes are not grouped if a group has less than two of them on average`() async throws {
        let revision = try await planned(
            casts: [[1], [1, 2], [1, 2], [2]], codes: ["S01E01", "S01E02", "S02E01", "special"])
        for id in [1, 2] {
            let page = try page("character/\(id).html", of: revision)
            #expect(page.objects("field.episode.groups").isEmpty && page.isFalse("field.episode.isGrouped"))
            #expect(page.objects("field.episode.items").count == 3)
        }
    }

    @Test func `The home page begins with frequent records and values, and the latest group`() async throws {
        let revision = try await planned(
            casts: [[1, 2], [2, 1], [2, 3], [4]], origins: [5: 7], residents: [1, 2],
            codes: ["S01E01", "S01E02", "S02E01", "S02E02"])
        let sections = try page("index.html", of: revision).objects("highlights")
        #expect(
            sections.map { $0.text("title") } == [
                "Seen most often", "The latest season in this archive", "Places with the most residents", "By species",
                "Characters by status", "Characters by gender",
            ])
        #expect(sections.map { $0.text("path") } == [nil, "season/2.html", nil, nil, nil, nil])
        let items = sections.map { section in
            section.objects("items").map {
                "\($0.text("name") ?? "") \($0.text("note") ?? "") \($0.text("path") ?? "")"
            }
        }
        #expect(items[0].prefix(2) == ["No. 2 3 episodes character/2.html", "No. 1 2 episodes character/1.html"])
        #expect(items[0].count == 4, "a character without episodes is not frequent")
        #expect(items[1] == ["E S02E01 episode/3.html", "E S02E02 episode/4.html"])
        #expect(items[2] == ["L 2 residents location/7.html"])
        #expect(items[3] == ["Human 5 species/human.html"])
        #expect(sections[3].objects("items").map { $0.number("width") } == [100])
        #expect(try page("species/human.html", of: revision).objects("highlights").isEmpty)
        #expect(try page("episodes.html", of: revision).objects("highlights").isEmpty)
    }

    @Test func `Facts of facets lead to the lists of their values`() async throws {
        let revision = try await planned(casts: [[1]])
        let facts = try page("character/1.html", of: revision).objects("facts")
        #expect(facts.map { $0.text("path") } == ["status/alive.html", "species/human.html", "gender/male.html"])
        #expect(facts.map { $0.text("tone") } == ["alive", "", ""])
        let place = try page("location/7.html", of: revision).objects("facts")
        #expect(place.map { $0.text("path") } == ["location-type/planet.html"])
    }

    @Test func `A reference can come from another record of the same kind`() async throws {
        let json = """
            {"name":"talk","api":"http://a.example/api","list":{"paginator":{"type":"single_page"}},"lists":["notes"],
            "kinds":{"notes":{"card":["grandparent"],"fields":{"parent":{"type":"reference","to":"notes"},
            "grandparent":{"type":"reference","to":"notes","from":"parent.parent"}}}}}
            """
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let notes = [#"{"id":1}"#, #"{"id":2,"parent":1}"#, #"{"id":3,"parent":2}"#]
        let table = try await PlannedRevision(catalogue, [("notes", notes)], texts).tables()["notes"]
        let field = try #require(table.kind.field("grandparent"))
        #expect((0..<3).map { table.reference(field, $0) } == [nil, nil, 1])
    }
}
