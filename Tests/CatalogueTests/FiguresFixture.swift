import Catalogue
import Foundation
import HTMLCheck
import KnownCatalogues
import Mustache
import Pages
import TestSupport

@testable import CatalogueEngine

/// Texts that show their own key.
let keyTexts: Texts = {
    let patterns = [
        "figurePercent": "{number}%", "figureSeason": "Season {number}",
        "figureSeasonsAlternative": "{records}: {high} in {most}, {low} in {fewest}",
        "figureSeasonsEqual": "{records}, each {references}", "figureUnnamed": "not given",
        "figureSharedAlternative": "{name} and {other}: {count}; {none} of {pairs} without",
    ]
    do {
        var known: Set<String> = []
        let needed = try (DeclaredCatalogue.rickAndMorty().texts + PageFrame.texts).filter {
            known.insert($0.key).inserted
        }
        let texts = needed.map { need in
            need.isPlural
                ? "\"\(need.key)\":{\"one\":\"{count} \(need.key)\",\"other\":\"{count} \(need.key)\"}"
                : "\"\(need.key)\":\"\(patterns[need.key] ?? need.key)\""
        }
        let json = """
            {"language":"Keys","plurals":"en","texts":{\(texts.joined(separator: ","))},"scripts":{},
            "values":{"status":{"Dead":"Gone"}}}
            """
        return try Texts(Array(json.utf8), language: "en")
    } catch {
        preconditionFailure("\(error)")
    }
}()

/// The records of a site whose figures are tested.
struct FigureRecords: Sendable {
    struct Person: Encodable {
        struct Place: Encodable {
            var name = ""
            var url = ""
        }

        let id: Int
        let name: String
        let status: String
        let species: String
        let gender: String
        var type = ""
        var origin = Place()
        var location = Place()
        var image = ""
        let episode: [String]

        /// - Parameter episodes: the ids of the character's episodes.
        init(
            _ id: Int, _ episodes: [Int] = [], name: String? = nil, status: String = "Alive", species: String = "Human",
            gender: String = "Female"
        ) {
            self.id = id
            self.name = name ?? "Person \(id)"
            self.status = status
            self.species = species
            self.gender = gender
            episode = episodes.map { "https://rickandmortyapi.com/api/episode/\($0)" }
        }
    }

    struct Episode: Encodable {
        private enum CodingKeys: String, CodingKey { case id, name, airDate = "air_date", code = "episode", characters }

        let id: Int
        let name: String
        var airDate = ""
        let code: String
        let characters: [String]

        /// - Parameter count: the number of characters, who have the ids 1, 2 and so on.
        init(_ id: Int, _ code: String, _ count: Int, name: String = "Pilot") {
            self.id = id
            self.name = name
            self.code = code
            characters = FigureRecords.links(count)
        }
    }

    struct Place: Encodable {
        let id: Int
        let name: String
        var type = ""
        var dimension = ""
        let residents: [String]

        /// - Parameter count: the number of residents, who have the ids 1, 2 and so on.
        init(_ id: Int, _ name: String, _ count: Int) {
            self.id = id
            self.name = name
            residents = FigureRecords.links(count)
        }
    }

    var people: [Person] = []
    var episodes: [Episode] = []
    var places: [Place] = []

    private static func links(_ count: Int) -> [String] {
        (0..<count).map { "https://rickandmortyapi.com/api/character/\($0 + 1)" }
    }

    private static func records(_ values: [some Encodable]) throws -> [String] {
        try values.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
    }

    func planned() async throws -> PlannedRevision {
        try await PlannedRevision(
            .rickAndMorty(),
            [
                ("location", Self.records(places)), ("episode", Self.records(episodes)),
                ("character", Self.records(people)),
            ], keyTexts)
    }
}

/// The page of figures, in the project's own templates and a minimal layout.
enum FiguresSite {
    private static let names = [
        "figures", "figure-bars", "figure-columns", "figure-matrix", "figure-shade", "figure-name",
    ]

    static func library(_ names: [String] = names) throws -> Library {
        let layout = """
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" lang="ru" xml:lang="ru"><head><meta charset="utf-8" /><title>{{title}}</title>
            <meta name="viewport" content="width=device-width" /><link rel="stylesheet" href="{{root}}style.css" /></head>
            <body><main>
            {{$scripts}}{{/scripts}}
            {{$content}}
            {{/content}}
            </main></body></html>

            """
        let sources = try names.map { name in
            let file = URL(fileURLWithPath: "\(Program.root)/Templates/\(name).mustache")
            return Mustache.TemplateFile(
                name: name, file: file.lastPathComponent, bytes: [UInt8](try Data(contentsOf: file)))
        }
        return try Library(
            sources + [.init(name: "layout", file: "layout.mustache", bytes: Array(layout.utf8))],
            constants: (try Strings.russian().constants, "strings"))
    }

    /// The model of the page.
    static func model(_ records: FigureRecords) async throws -> Object {
        let revision = try await records.planned()
        let index = revision.plan.pages.firstIndex { $0.pagePaths(inBatch: 0).first?.text == "figures.html" }
        return try revision.pages(index ?? -1)[0][0].model
    }

    /// The page, and the result of its check.
    static func page(_ records: FigureRecords) async throws -> (html: String, report: PageReport) {
        var output: [UInt8] = []
        var renderer = try Renderer(library())
        try renderer.render("figures", .object(try await model(records)), into: &output)
        return (String(decoding: output, as: UTF8.self), PageChecker().check(output))
    }
}
