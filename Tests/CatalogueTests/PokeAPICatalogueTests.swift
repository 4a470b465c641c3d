import Catalogue
import Foundation
import Mustache
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

/// The catalogue `pokeapi` with invented records in the form of the API. No name is one of the games.
struct PokeAPICatalogueTests {
    private static let api = "https://pokeapi.co/api/v2"

    private static func names(_ english: String) -> String {
        let languages = [("fr", 5, "\(english) en français"), ("en", 9, english)]
        return languages.map { code, id, name in
            #"{"language":{"name":"\#(code)","url":"\#(api)/language/\#(id)/"},"name":"\#(name)"}"#
        }.joined(separator: ",")
    }

    private static func link(_ kind: String, _ id: Int) -> String { #"{"url":"\#(api)/\#(kind)/\#(id)/"}"# }

    private static func species(_ id: Int, _ name: String, from: String = "null") -> String {
        """
        {"id":\(id),"name":"\(name.lowercased())","names":[\(names(name))],"color":\(link("pokemon-color", 5)),
        "generation":\(link("generation", 1)),"evolution_chain":\(link("evolution-chain", 1)),"evolves_from_species":\(from),
        "habitat":null,"shape":null,"growth_rate":null,"is_legendary":false,"is_mythical":false,"egg_groups":[],
        "genera":[{"genus":"Genre","language":{"name":"fr"}},{"genus":"Pebble creature","language":{"name":"en"}}],
        "flavor_text_entries":[
        {"flavor_text":"It sleeps\\nunder\\fstones.","language":{"name":"en"}},{"flavor_text":"Il dort.","language":{"name":"fr"}},
        {"flavor_text":"IT sleeps under stones.","language":{"name":"en"}},{"flavor_text":"It hums.","language":{"name":"en"}}],
        "varieties":[{"is_default":true,"pokemon":\(link("pokemon", id))}],"pokedex_numbers":[]}
        """
    }

    private static let records: [(kind: String, records: [String])] = [
        (
            "pokemon",
            [
                """
                {"id":1,"name":"grumblet-river","species":\(link("pokemon-species", 1)),"height":7,"weight":69,"base_experience":64,
                "types":[{"slot":1,"type":\(link("type", 11))},{"slot":2,"type":\(link("type", 6))}],
                "stats":[{"base_stat":50,"stat":\(link("stat", 1))},{"base_stat":100,"stat":\(link("stat", 2))}],
                "abilities":[],"forms":[],"held_items":[],"sprites":{"front_default":null},
                "moves":[{"move":\(link("move", 1)),"version_group_details":[{"move_learn_method":{"name":"egg"}}]},
                {"move":\(link("move", 2)),"version_group_details":[{"move_learn_method":{"name":"machine"}},
                {"move_learn_method":{"name":"level-up"}}]}]}
                """
            ]
        ),
        ("type", [11, 6].map { #"{"id":\#($0),"name":"t","names":[\#(names($0 == 6 ? "Rock" : "Water"))]}"# }),
        (
            "pokemon-species",
            [species(1, "Grumblet"), species(2, "Grumblor", from: link("pokemon-species", 1))]
        ),
        ("generation", [#"{"id":1,"name":"g","names":[\#(names("Generation I"))]}"#]),
        (
            "move",
            [1, 2].map { #"{"id":\#($0),"name":"m","names":[\#(names("Move \($0)"))],"type":\#(link("type", 6))}"# }
        ),
        (
            "evolution-chain",
            [
                """
                {"id":1,"baby_trigger_item":null,"chain":{"species":{"name":"grumblet","url":"\(api)/pokemon-species/1/"},"evolution_details":[],"evolves_to":[
                {"species":\(link("pokemon-species", 2)),"evolution_details":[{"min_level":16,"item":null},{"min_level":16}],
                "evolves_to":[]}]}}
                """
            ]
        ),
        ("pokemon-color", [#"{"id":5,"name":"green","names":[\#(names("Green"))]}"#]),
        ("stat", [1, 2].map { #"{"id":\#($0),"name":"s","names":[\#(names($0 == 1 ? "HP" : "Attack"))]}"# }),
    ]

    private func planned(_ language: String) async throws -> PlannedRevision {
        func bytes(_ path: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: "\(Program.root)/\(path)")))
        }
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(bytes("Catalogues/pokeapi/catalogue.json")))
        let own = try bytes("Catalogues/pokeapi/strings/\(language).json")
        let keys = try JSON(own)["texts"]?.members?.map(\.key) ?? []
        let texts = try Texts(bytes("Templates/strings/\(language).json"), language: language).adding(own)
            .adding(standards: catalogue.texts, own: Set(keys))
        return try await PlannedRevision(catalogue, Self.records, texts)
    }

    /// The pages of the records of a kind, with the markup of their sections.
    private func pages(_ kind: String, of revision: PlannedRevision) throws -> [(model: Object, sections: String)] {
        let set = try #require(
            revision.plan.pages.indices.first { index in
                revision.paths(index).joined().contains { $0.hasPrefix("\(kind)/") && !$0.hasPrefix("\(kind)/page") }
            })
        return try revision.pages(set).joined().map { page in
            (page.model, try #require(page.model.html("sections")))
        }
    }

    @Test(arguments: ["en", "ru"])
    func `A creature has the words of its slug, the values of its species, and its numbers as bars`(language: String)
        async throws
    {
        let isEnglish = language == "en"
        let (page, sections) = try #require(try pages("pokemon", of: await planned(language)).first)
        #expect(page.text("name") == "Grumblet River")
        let facts = page.objects("facts").map { "\($0.text("label") ?? ""): \($0.text("name") ?? "")" }
        let wanted =
            isEnglish
            ? ["Type: Water", "Second type: Rock", "Species: Grumblet", "Generation: Generation I", "Height: 0.7 m"]
            : ["Тип: Водный", "Второй тип: Каменный", "Вид: Grumblet", "Поколение: Поколение I", "Рост: 0,7 м"]
        for fact in wanted { #expect(facts.contains(fact), "\(fact) is not in \(facts)") }
        #expect(
            sections.contains(
                isEnglish
                    ? ">Attack</a><span class=\"count\">100" : "xml:lang=\"ru\">Атака</a><span class=\"count\">100"))
        #expect(sections.contains("width=\"28%\"") && sections.contains("width=\"56%\""))
        // A move that is learned in two ways is in both sections.
        let parts = sections.split(separator: "<section").map(String.init)
        for (part, moves) in [
            ("of-level_moves", ["Move 2"]), ("of-machine_moves", ["Move 2"]), ("of-egg_moves", ["Move 1"]),
        ] {
            let section = try #require(parts.first { $0.contains(part) })
            #expect(["Move 1", "Move 2"].filter { section.contains(">\($0)<") } == moves)
        }
        #expect(!sections.contains("of-tutor_moves"))
    }

    @Test func `A species has each description once, and a chain is a tree of links`() async throws {
        let revision = try await planned("en")
        let (page, sections) = try #require(try pages("pokemon-species", of: revision).first)
        #expect(
            page.text("name") == "Grumblet" && page.text("description")?.hasPrefix("It sleeps under stones.") == true)
        #expect(sections.contains("<p>It sleeps under stones.</p><p>It hums.</p>") && sections.contains(">Grumblor<"))
        let (chain, tree) = try #require(try pages("evolution-chain", of: revision).first)
        #expect(chain.text("name") == "Grumblet")
        let links = tree.matches(of: /href="\.\.\/pokemon-species\/(\d)\.html"/).map { String($0.1) }
        #expect(links == ["1", "2"])
        #expect(tree.contains("<dt>Level</dt><dd>16</dd>"), "\(tree)")
    }
}
