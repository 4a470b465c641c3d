import Archive
import Catalogue
import Mustache

struct FigurePages: PageSet {
    let maker: PageMaker<CharacterTables>

    var batchCount: Int { 1 }

    func pagePaths(inBatch batch: Int) -> [SitePath] { maker.editions.map { $0.path(CharacterAddresses.figures) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let data = try data(reader)
        return PageBatch(pages: maker.editions.map { edition in { page(data, in: edition) } })
    }

    private func page(_ data: FigureData, in edition: Edition) -> Page {
        let texts = edition.texts
        let head = PageHead(
            CharacterAddresses.figures, title: texts[CharacterTexts.figures],
            description: texts[CharacterTexts.figuresDescription],
            section: "figures")
        let values = FigurePage(data: data, texts: texts).values()
        return maker.page("figures", CharacterModels.figures, head, in: edition, values)
    }
}

extension FigurePages {
    private func data(_ reader: RevisionReader) throws -> FigureData {
        let tables = maker.tables
        func parts(_ name: String, _ column: ValueColumn) -> [FigureData.Part] {
            let facet = maker.facets.facets.first { $0.name == name }
            let paths = Dictionary(
                facet.map { facet in facet.values.map { ($0.value, Facets.path($0, of: facet, page: 0).text) } } ?? [],
                uniquingKeysWith: { first, _ in first })
            return column.values.indices.map { place in
                FigureData.Part(
                    value: column.values[place], count: column.counts[place], path: paths[column.values[place]])
            }
        }
        return FigureData(
            statuses: parts("status", tables.characters.statuses), species: parts("species", tables.characters.species),
            genders: parts("gender", tables.characters.genders),
            episodes: tables.episodes.map { episode in
                FigureData.Episode(
                    code: episode.code, name: episode.name, season: episode.season, characters: episode.cast.rows.count,
                    path: CharacterAddresses.episode(episode.id).text)
            },
            people: try people(reader),
            places: tables.locations.map { location in
                FigureData.Place(
                    id: location.id, name: location.name, residents: location.cast.rows.count,
                    path: CharacterAddresses.location(location.id).text)
            })
    }

    /// Twice the number of compared characters, because a record can list an episode twice. Only these are read again.
    private func people(_ reader: RevisionReader) throws -> [FigureData.Person] {
        let table = maker.tables.characters
        let rows = table.appearances.indices.sorted {
            (-table.appearances[$0], table.ids[$0]) < (-table.appearances[$1], table.ids[$1])
        }
        return try rows.prefix(2 * FigurePage.peopleCompared).sorted().flatMap { row in
            try reader.records(of: "character", at: row..<row + 1).map { record in
                let character = try Character(archived: record.bytes)
                return FigureData.Person(
                    id: character.id, name: character.shownName,
                    episodes: character.episode.compactMap {
                        maker.tables.episodeRow(of: $0).map(maker.tables.episodes.id)
                    },
                    path: CharacterAddresses.character(character.id).text)
            }
        }
    }
}

/// Makes the page of figures.
struct FigurePage {
    let data: FigureData
    let texts: Texts

    static let speciesShown = 12
    static let peopleShown = 20
    static let peopleCompared = 25
    static let placesShown = 15
}

extension FigurePage {
    func values() -> KeyValuePairs<String, any TemplateValue> {
        let people = Self.most(data.people)
        let status = parts("status", "figureStatus", data.statuses).value(texts)
        let gender = parts("gender", "figureGender", data.genders).value(texts)
        let species = parts("species", "figureSpecies", data.species, shown: Self.speciesShown).value(texts)
        let episodes = FigureSeasons(data.episodes).value(texts)
        let appearances = appearances(people).value(texts)
        let places = residents().value(texts)
        let shared = FigureMatrix(Array(people.prefix(Self.peopleCompared))).value(texts)
        let isEmpty = [status, gender, species, episodes, appearances, places].allSatisfy { $0 == nil }
        return [
            "status": status, "gender": gender, "species": species, "episodes": episodes, "people": appearances,
            "places": places, "shared": shared, "empty": isEmpty,
        ]
    }

    /// The characters with at least one episode, sorted by the number of episodes, then by id.
    static func most(_ people: [FigureData.Person]) -> [FigureData.Person] {
        let counted = people.map { (person: $0, count: Set($0.episodes).count) }.filter { $0.count > 0 }
        return counted.sorted { (-$0.count, $0.person.id) < (-$1.count, $1.person.id) }.map(\.person)
    }

    /// Bars for the parts of all characters, the largest first. The parts that are not shown become one bar.
    func parts(_ group: String, _ key: String, _ parts: [FigureData.Part], shown: Int = .max) -> FigureBars {
        let sorted = parts.filter { $0.count > 0 }.sorted { (-$0.count, $0.value) < (-$1.count, $1.value) }
        let whole = sorted.reduce(0) { $0 + $1.count }
        var bars = sorted.prefix(shown).map { part in
            let name = texts.label(group, part.value) ?? part.value
            return FigureBar(
                name: texts.shown(name), served: name == part.value && texts.shown(name) == name, count: part.count,
                share: texts.share(part.count, of: whole), path: part.path,
                kind: group == "status" ? CharacterTexts.mood(part.value) : "plain")
        }
        let rest = sorted.dropFirst(shown)
        if !rest.isEmpty {
            let count = rest.reduce(0) { $0 + $1.count }
            bars.append(
                FigureBar(
                    name: texts.plural("figureOtherSpecies", rest.count), served: false, count: count,
                    share: texts.share(count, of: whole)))
        }
        return FigureBars(
            id: group, caption: texts.text(key), note: texts.plural("figureCharacterCount", whole),
            nameHead: texts.text(key + "Head"), countHead: texts.text("figureCharacters"), full: whole, bars: bars)
    }

    private func appearances(_ people: [FigureData.Person]) -> FigureBars {
        let bars = people.prefix(Self.peopleShown).map { person in
            FigureBar(
                name: texts.shown(person.name), served: true, count: Set(person.episodes).count, path: person.path)
        }
        return FigureBars(
            id: "people", caption: texts.text("figurePeople"), note: texts.text("figurePeopleNote"),
            nameHead: texts.text("figureCharacter"), countHead: texts.text("figureEpisodes"),
            full: bars.first?.count ?? 0, bars: bars)
    }

    private func residents() -> FigureBars {
        let places = data.places.filter { $0.residents > 0 }.sorted { (-$0.residents, $0.id) < (-$1.residents, $1.id) }
        let bars = places.prefix(Self.placesShown).map { place in
            FigureBar(name: texts.shown(place.name), served: true, count: place.residents, path: place.path)
        }
        return FigureBars(
            id: "places", caption: texts.text("figurePlaces"), note: texts.text("figurePlacesNote"),
            nameHead: texts.text("figureLocation"),
            countHead: texts.text("figureResidents"), full: bars.first?.count ?? 0, bars: bars)
    }
}

struct FigureData: Sendable {
    /// The number of characters with a status, species or gender, as served.
    struct Part: Sendable {
        let value: String
        let count: Int
        let path: String?
    }

    /// An episode with its number of characters. The season is nil if the code contains none.
    struct Episode: Sendable {
        let code: String
        let name: String
        let season: Int?
        let characters: Int
        let path: String?
    }

    struct Person: Sendable {
        let id: Int64
        let name: String
        let episodes: [Int64]
        let path: String?
    }

    struct Place: Sendable {
        let id: Int64
        let name: String
        let residents: Int
        let path: String?
    }

    let statuses: [Part]
    let species: [Part]
    let genders: [Part]
    let episodes: [Episode]
    /// Must include the 25 with the most episodes.
    let people: [Person]
    /// Must include the 15 with the most residents.
    let places: [Place]
}
