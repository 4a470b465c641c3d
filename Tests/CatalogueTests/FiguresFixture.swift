import Catalogue
import Foundation
import HTMLCheck
import Mustache

@testable import RickAndMorty

/// Texts that show their own key.
let keyTexts: Texts = {
    let patterns = [
        "figurePercent": "{number}%", "figureSeason": "Season {number}", "figureMore": ", {count} more",
        "figureSeasonsAlternative": "{episodes}: {high} in {most}, {low} in {fewest}",
        "figureSeasonsEqual": "{episodes}, each {characters}", "figureUnnamed": "not given",
        "figureSharedAlternative": "{name} and {other}: {episodes}; {none} of {pairs} without",
    ]

    let texts = RickAndMorty().texts.map { need in
        need.isPlural
            ? "\"\(need.key)\":{\"one\":\"{count} \(need.key)\",\"other\":\"{count} \(need.key)\"}"
            : "\"\(need.key)\":\"\(patterns[need.key] ?? need.key)\""
    }
    let json = """
        {"language":"Keys","plurals":"en","texts":{\(texts.joined(separator: ","))},"scripts":{},
        "values":{"status":{"Dead":"Gone"}}}
        """
    do {
        return try Texts(Array(json.utf8), language: "en")
    } catch {
        preconditionFailure("\(error)")
    }
}()

extension FigureData {
    static func with(
        statuses: [Part] = [], species: [Part] = [], genders: [Part] = [], episodes: [Episode] = [],
        people: [Person] = [],
        places: [Place] = []
    ) -> FigureData {
        FigureData(
            statuses: statuses, species: species, genders: genders, episodes: episodes, people: people, places: places)
    }
}

extension FigureData.Part {
    init(_ value: String, _ count: Int) { self.init(value: value, count: count, path: nil) }
}

extension FigureData.Episode {
    init(_ code: String, _ season: Int?, _ characters: Int, name: String = "Pilot") {
        self.init(code: code, name: name, season: season, characters: characters, path: "episode/1.html")
    }
}

extension FigureData.Person {
    init(_ id: Int64, _ episodes: [Int64], name: String? = nil) {
        self.init(id: id, name: name ?? "Person \(id)", episodes: episodes, path: "character/\(id).html")
    }
}

/// The project's own templates of the page in a minimal layout.
enum FiguresSite {
    static let shape = Shape(
        "figures",
        [
            .init("title", .text), .init("root", .text), .init("home", .text), .init("lang", .html),
        ] + CharacterModels.figuresOwn)

    static func library() throws -> Library {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Templates")
            .standardized
        let names = ["figures", "figure-bars", "figure-seasons", "figure-matrix", "figure-shade", "figure-name"]
        let layout = """
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" lang="ru" xml:lang="ru"><head><meta charset="utf-8" /><title>{{title}}</title>
            <meta name="viewport" content="width=device-width" /><link rel="stylesheet" href="{{root}}style.css" /></head>
            <body><main>
            {{$content}}
            {{/content}}
            </main></body></html>

            """
        let sources = try names.map { name in
            let file = folder.appending(path: "\(name).mustache")
            return Mustache.TemplateFile(
                name: name, file: file.lastPathComponent, bytes: [UInt8](try Data(contentsOf: file)))
        }
        return try Library(
            sources + [.init(name: "layout", file: "layout.mustache", bytes: Array(layout.utf8))], mode: .strict,
            constants: Constants(prefix: "t", try Strings.russian().constants, from: "strings"))
    }

    /// The page, and the result of its check.
    static func page(_ data: FigureData, texts: Texts = keyTexts) throws -> (
        html: String, report: PageReport
    ) {
        let common: KeyValuePairs<String, any TemplateValue> = [
            "title": "Figures", "root": "../", "home": "",
            "lang": Value.html(Array(" lang=\"en\" xml:lang=\"en\"".utf8)),
        ]
        var output: [UInt8] = []
        var renderer = try library().renderer()
        try renderer.render(
            "figures", shape.object(common, FigurePage(data: data, texts: texts).values()), into: &output)
        return (String(decoding: output, as: UTF8.self), PageChecker().check(output))
    }
}
