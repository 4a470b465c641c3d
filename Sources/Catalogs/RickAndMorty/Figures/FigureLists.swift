import Archive
import Catalogue
import Mustache

/// The page of figures in each edition.
struct FigureLists: PageSet {
    let maker: PageMaker

    var batchCount: Int { 1 }

    func pagePaths(inBatch batch: Int) -> [SitePath] { maker.editions.map { $0.path(Places.figures) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let data = try data(reader)
        return PageBatch(
            pages: maker.editions.map { edition in
                let texts = edition.texts
                let head = PageHead(
                    Places.figures, title: texts[Words.figures], description: texts[Words.figuresDescription], section: "figures")
                let values = FigurePage(data: data, texts: EditionTexts(texts: texts)).values()
                return maker.page("figures", Models.figures, head, in: edition, values)
            })
    }
}

extension FigureLists {
    private func data(_ reader: RevisionReader) throws -> FigureData {
        let world = maker.world
        func parts(_ name: String, _ column: ValueColumn) -> [FigureData.Part] {
            let facet = maker.facets.facets.first { $0.name == name }
            let paths = Dictionary(
                facet.map { facet in facet.values.map { ($0.value, CharacterLists.path($0, of: facet, page: 0).text) } } ?? [],
                uniquingKeysWith: { first, _ in first })
            return column.values.indices.map { place in
                FigureData.Part(value: column.values[place], count: column.counts[place], path: paths[column.values[place]])
            }
        }
        return FigureData(
            statuses: parts("status", world.characters.statuses), species: parts("species", world.characters.species),
            genders: parts("gender", world.characters.genders),
            episodes: world.episodes.map { episode in
                FigureData.Episode(
                    code: episode.code, name: episode.name, season: episode.season, characters: episode.cast.rows.count,
                    path: Places.episode(episode.id).text)
            },
            people: try people(reader),
            places: world.locations.map { location in
                FigureData.Place(
                    id: location.id, name: location.name, residents: location.residents.rows.count, path: Places.location(location.id).text)
            })
    }

    /// Twice as many as are compared, since a record may list an episode twice; only these are read again.
    private func people(_ reader: RevisionReader) throws -> [FigureData.Person] {
        let table = maker.world.characters
        let rows = table.appearances.indices.sorted { (-table.appearances[$0], table.ids[$0]) < (-table.appearances[$1], table.ids[$1]) }
        return try rows.prefix(2 * FigurePage.peopleCompared).sorted().flatMap { row in
            try reader.records(of: "character", at: row..<row + 1).map { record in
                let character = try Character(archived: record.bytes)
                return FigureData.Person(
                    id: character.id, name: character.shownName,
                    episodes: character.episode.compactMap { maker.world.episode($0).map { $0.id } },
                    path: Places.character(character.id).text)
            }
        }
    }
}

/// The figures' words from an edition's texts.
struct EditionTexts: FigureTexts {
    let texts: Texts

    func text(_ key: String) -> String { texts[TextNeed(key)] }
    func plural(_ key: String, _ count: Int) -> String { texts.plural(TextNeed(plural: key), count) }
    func value(_ group: String, _ value: String) -> String { texts.label(group, value) ?? value }

    static let needs = [
        TextNeed("figureStatus"),
        TextNeed("figureStatusHead"),
        TextNeed("figureGender"),
        TextNeed("figureGenderHead"),
        TextNeed("figureSpecies"),
        TextNeed("figureSpeciesHead"),
        TextNeed("figureSeasons"),
        TextNeed("figureSeason", filling: ["number"]),
        TextNeed("figureNoSeason"),
        TextNeed("figureSeasonsAlternative", filling: ["episodes", "fewest", "high", "low", "most"]),
        TextNeed("figureSeasonsEqual", filling: ["characters", "episodes"]),
        TextNeed("figurePeople"),
        TextNeed("figurePeopleNote"),
        TextNeed("figurePlaces"),
        TextNeed("figurePlacesNote"),
        TextNeed("figureLocation"),
        TextNeed("figureResidents"),
        TextNeed("figureCharacter"),
        TextNeed("figureCharacters"),
        TextNeed("figureEpisodes"),
        TextNeed("figureShared"),
        TextNeed("figureSharedNote"),
        TextNeed("figureSharedAlternative", filling: ["episodes", "name", "none", "other", "pairs"]),
        TextNeed("figureSharedNone"),
        TextNeed("figureUnnamed"),
        TextNeed("figurePercent", filling: ["number"]),
        TextNeed("figureMore", filling: ["count"]),
        TextNeed(plural: "figureCharacterCount"),
        TextNeed(plural: "figureEpisodeCount"),
        TextNeed(plural: "figureOtherSpecies"),
    ]
}
