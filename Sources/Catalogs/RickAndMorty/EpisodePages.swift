import Archive
import Catalogue
import Mustache

/// A page for each episode, with those in it.
struct EpisodePages: PageSet {
    private static let perBatch = 10

    let maker: PageMaker

    private var episodes: EpisodeTable { maker.world.episodes }
    private var batches: Paging { Paging(count: episodes.count, perPage: Self.perBatch) }

    var batchCount: Int { batches.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        places(in: batch).flatMap { row, page in
            maker.editions.map { $0.path(Places.episode(episodes.id(row), page: page)) }
        }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let rows = batches.positions(of: batch)
        let origins = try reader.origins(of: "episode", at: rows)
        guard origins.map(\.key.id) == rows.map(episodes.id) else {
            throw ArchiveError.damaged("the episodes at \(rows) are not those that were there a moment ago")
        }
        let full = try rows.map { row in
            let episode = episodes[row]
            return try maker.fullTexts(
                [episode.name, episode.code, episode.airDate], of: ["name", "episode", "air_date"], in: "episode",
                at: row, from: reader)
        }
        return PageBatch(
            pages: places(in: batch).flatMap { row, page in
                maker.editions.map { edition -> DeferredPage in
                    { self.page(row, page, full[row - rows.lowerBound], origins[row - rows.lowerBound], in: edition) }
                }
            })
    }

    /// Rows with the pages of their casts.
    private func places(in batch: Int) -> [(row: Int, page: Int)] {
        batches.places(of: batch) { episodes.cast($0).paging.pages }
    }
}

extension EpisodePages {
    private func page(_ row: Int, _ page: Int, _ full: [String], _ origin: RecordOrigin, in edition: Edition) -> Page {
        let texts = edition.texts
        let episode = episodes[row]
        let name = episode.name
        let (fullName, fullCode, fullAirDate) = (full[0], full[1], full[2])
        let count = texts.plural(Words.characterCount, episode.cast.rows.count)
        let date = episode.machineDate
        let head = PageHead(
            Places.episode(episode.id, page: page), title: maker.title(name, page: page, texts),
            description: texts.filled(
                Words.countDescription,
                [
                    "name": [name, episode.code, episode.airDate].filter { !$0.isBlank }.joined(separator: ", "),
                    "count": count,
                ]),
            section: "episodes", type: "TVEpisode", data: data(episode, date))
        let list = row / EpisodeLists.perPage
        return maker.page(
            "episode", Models.episode, head, in: edition,
            [
                "name": .text(EpisodeEntry.heading(fullName, episode.id)), "code": .text(fullCode),
                "season": .text(EpisodeLists.season(of: episode, texts) ?? ""),
                "airDate": .text(fullAirDate), "machineDate": .text(date), "hasCast": .flag(!episode.cast.rows.isEmpty),
                "cast": maker.cast(episode.cast, page: page, texts), "castCount": .text(count),
                "paging": episode.cast.paging.value(page) { Places.episode(episode.id, page: $0) },
                "missing": maker.missing(episode.cast.missing, texts),
                "history": maker.history(origin.key, texts), "provenance": maker.provenance(origin, texts),
                "list": Paging.number(list, current: list, Places.episodes), "previous": neighbour(row - 1),
                "next": neighbour(row + 1),
            ])
    }

    private func data(_ episode: EpisodeEntry, _ date: String) -> [(key: String, value: JSON)] {
        var data: [(key: String, value: JSON)] = []
        if let season = episode.season, let number = episode.number {
            data.append(("episodeNumber", .integer(number)))
            data.append(("partOfSeason", .object([("@type", .text("TVSeason")), ("seasonNumber", .integer(season))])))
        }
        if !date.isEmpty { data.append(("datePublished", .text(date))) }
        return data
    }

    private func neighbour(_ row: Int) -> Value {
        guard episodes.indices.contains(row) else { return .null }
        return PageParts.link(Places.episode(episodes.id(row)), episodes[row].name)
    }
}

/// The list of episodes by season, on one page up to a hundred.
struct EpisodeLists: PageSet {
    static let perPage = 100

    let maker: PageMaker

    private var paging: Paging { Paging(count: maker.world.episodes.count, perPage: Self.perPage) }

    var batchCount: Int { paging.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] { maker.editions.map { $0.path(Places.episodes(page: batch)) } }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(pages: maker.editions.map { edition in { page(batch, in: edition) } })
    }

    /// "Season 1"; nil where the episode's number names none.
    static func season(of episode: EpisodeEntry, _ texts: Texts) -> String? {
        episode.season.map { texts.filled(Words.season, ["number": "\($0)"]) }
    }

    private func page(_ page: Int, in edition: Edition) -> Page {
        let texts = edition.texts
        var seasons: [(label: String, episodes: [Value])] = []
        for episode in maker.world.episodes[paging.positions(of: page)] {
            let label = Self.season(of: episode, texts) ?? texts[Words.otherEpisodes]
            let place = seasons.firstIndex { $0.label == label } ?? seasons.count
            if place == seasons.count { seasons.append((label, [])) }
            let count = texts.plural(Words.characterCount, episode.cast.rows.count)
            seasons[place].episodes.append(
                .object(Models.countedEpisode.object(maker.episodeRow(episode), ["count": .text(count)])))
        }
        let title = texts[Words.episodes]
        let count = texts.plural(Words.episodeCount, paging.count)
        let head = PageHead(
            Places.episodes(page: page),
            title: maker.title(title, page: page, texts),
            description: texts.filled(Words.episodesDescription, ["count": count]), section: "episodes",
            type: "CollectionPage")
        return maker.page(
            "episodes", Models.episodes, head, in: edition,
            [
                "seasons": .list(
                    seasons.map { Models.seasonList.value(["label": .text($0.label), "episodes": .list($0.episodes)]) })
            ], paging.values(page, counted: Words.episodeCount, texts, path: Places.episodes))
    }
}
