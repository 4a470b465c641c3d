import Archive
import Catalogue
import Mustache

/// The page of figures in each edition.
struct FigurePages: PageSet {
    let maker: PageMaker

    var batchCount: Int { 1 }

    func pagePaths(inBatch batch: Int) -> [SitePath] { maker.editions.map { $0.path(Places.figures) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let data = try data(reader)
        return PageBatch(pages: maker.editions.map { edition in { page(data, in: edition) } })
    }

    private func page(_ data: FigureData, in edition: Edition) -> Page {
        let texts = edition.texts
        let head = PageHead(
            Places.figures, title: texts[Words.figures], description: texts[Words.figuresDescription],
            section: "figures")
        let values = FigurePage(data: data, texts: EditionTexts(texts: texts)).values()
        return maker.page("figures", Models.figures, head, in: edition, values)
    }
}

extension FigurePages {
    private func data(_ reader: RevisionReader) throws -> FigureData {
        let world = maker.world
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
                    id: location.id, name: location.name, residents: location.residents.rows.count,
                    path: Places.location(location.id).text)
            })
    }

    /// Twice as many as are compared, since a record may list an episode twice; only these are read again.
    private func people(_ reader: RevisionReader) throws -> [FigureData.Person] {
        let table = maker.world.characters
        let rows = table.appearances.indices.sorted {
            (-table.appearances[$0], table.ids[$0]) < (-table.appearances[$1], table.ids[$1])
        }
        return try rows.prefix(2 * FigurePage.peopleCompared).sorted().flatMap { row in
            try reader.records(of: "character", at: row..<row + 1).map { record in
                let character = try Character(archived: record.bytes)
                return FigureData.Person(
                    id: character.id, name: character.shownName,
                    episodes: character.episode.compactMap {
                        maker.world.episodeRow(of: $0).map(maker.world.episodes.id)
                    },
                    path: Places.character(character.id).text)
            }
        }
    }
}
