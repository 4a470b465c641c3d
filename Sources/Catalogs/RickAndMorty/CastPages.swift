import Archive
import Catalogue
import Mustache

/// An episode or a location.
protocol CastEntry: Sendable {
    var id: Int64 { get }
    var name: String { get }
    var cast: Cast { get }

    /// The shortened texts in the table that the page shows in full, and the names of their members.
    var texts: [String] { get }
    static var members: [StaticString] { get }
}

/// The pages of each episode or location, with its characters. A long cast has further pages.
struct CastPages<Entry: CastEntry>: PageSet {
    /// The content that differs between the two kinds.
    typealias Content = (
        description: String, type: String, data: [(key: String, value: JSON)], own: PageMaker<CharacterTables>.Values
    )

    let maker: PageMaker<CharacterTables>
    let kind: String
    let shape: Shape
    let count: Int
    let entry: @Sendable (_ row: Int) -> Entry
    let counted: TextDeclaration
    let path: @Sendable (_ id: Int64, _ page: Int) -> SitePath
    /// The paths of the list's pages, and the number of entries on each.
    let list: @Sendable (_ page: Int) -> SitePath
    let perList: Int
    let content: @Sendable (Entry, _ full: [String], _ count: String, Texts) -> Content

    private var batches: Paging { Paging(count: count, perPage: 10) }

    var batchCount: Int { batches.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        places(in: batch).flatMap { row, page in maker.editions.map { $0.path(path(entry(row).id, page)) } }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let rows = batches.positions(of: batch)
        let origins = try reader.origins(of: kind, at: rows)
        guard origins.map(\.key.id) == rows.map({ entry($0).id }) else {
            throw ArchiveError.damaged("the \(kind)s at \(rows) changed while the revision was read")
        }
        let full = try rows.map { try fullTexts(at: $0, from: reader) }
        return PageBatch(
            pages: places(in: batch).flatMap { row, page in
                maker.editions.map { edition -> DeferredPage in
                    { self.page(row, page, full[row - rows.lowerBound], origins[row - rows.lowerBound], in: edition) }
                }
            })
    }

    private func places(in batch: Int) -> [(row: Int, page: Int)] {
        batches.rowPages(of: batch) { entry($0).cast.paging.pages }
    }

    /// The full texts of an entry. The record is read only if a text in the table is shortened.
    private func fullTexts(at row: Int, from reader: RevisionReader) throws -> [String] {
        let texts = entry(row).texts
        // A shortened text ends with an ellipsis.
        guard texts.contains(where: { $0.unicodeScalars.last == "…" }) else { return texts }
        let records = try reader.records(of: kind, at: row..<row + 1) { record in
            let fields = try JSONFields(record.bytes)
            return try Entry.members.map { try fields.text($0) }
        }
        guard let full = records.first else {
            throw ArchiveError.damaged("the \(kind) at \(row) no longer exists")
        }
        return full
    }

    private func page(_ row: Int, _ page: Int, _ full: [String], _ origin: RecordOrigin, in edition: Edition) -> Page {
        let texts = edition.texts
        let entry = entry(row)
        let cast = entry.cast
        let count = texts.plural(counted, cast.rows.count)
        let content = content(entry, full, count, texts)
        let head = PageHead(
            path(entry.id, page), title: maker.title(entry.name, page: page, texts), description: content.description,
            section: "\(kind)s", type: content.type, data: content.data)
        return maker.page(
            kind, shape, head, in: edition, content.own,
            [
                "hasCast": !cast.rows.isEmpty, "cast": cast.rows(on: page).map { maker.card(Int($0), texts) },
                "castCount": count, "paging": cast.paging.value(page) { path(entry.id, $0) },
                "missing": maker.missing(cast.missing, texts), "history": maker.history(origin.key, texts),
                "provenance": maker.provenance(origin, texts),
                "list": Paging.number(row / perList, current: row / perList, list), "previous": neighbour(row - 1),
                "next": neighbour(row + 1),
            ])
    }

    private func neighbour(_ row: Int) -> Value? {
        guard (0..<count).contains(row) else { return nil }
        let entry = entry(row)
        return PageParts.link(path(entry.id, 0), entry.name)
    }
}

extension PageMaker<CharacterTables> {
    func episodePages() -> CastPages<EpisodeEntry> {
        CastPages(
            maker: self, kind: "episode", shape: CharacterModels.episode, count: tables.episodes.count,
            entry: { tables.episodes[$0] }, counted: CharacterTexts.characterCount,
            path: { CharacterAddresses.episode($0, page: $1) },
            list: CharacterAddresses.episodes, perList: CharacterAddresses.episodesPerPage
        ) { episode, full, count, texts in
            let name = [episode.name, episode.code, episode.airDate].filter { !$0.isBlank }.joined(separator: ", ")
            var data: [(key: String, value: JSON)] = []
            if let season = episode.season, let number = episode.number {
                let partOf = JSON.object([("@type", .text("TVSeason")), ("seasonNumber", .integer(season))])
                data = [("episodeNumber", .integer(number)), ("partOfSeason", partOf)]
            }
            if !episode.machineDate.isEmpty { data.append(("datePublished", .text(episode.machineDate))) }
            return (
                texts.filled(CharacterTexts.countDescription, ["name": name, "count": count]), "TVEpisode", data,
                [
                    "name": EpisodeEntry.heading(full[0], episode.id), "code": full[1],
                    "season": episode.seasonName(texts) ?? "", "airDate": full[2], "machineDate": episode.machineDate,
                ]
            )
        }
    }

    func locationPages() -> CastPages<LocationEntry> {
        CastPages(
            maker: self, kind: "location", shape: CharacterModels.location, count: tables.locations.count,
            entry: { tables.locations[$0] }, counted: CharacterTexts.residentCount,
            path: { CharacterAddresses.location($0, page: $1) },
            list: CharacterAddresses.locations, perList: CharacterAddresses.locationsPerPage
        ) { location, full, count, texts in
            (
                texts.filled(CharacterTexts.countDescription, ["name": location.name, "count": count]), "Place", [],
                ["name": LocationEntry.heading(full[0], location.id), "type": full[1], "dimension": full[2]]
            )
        }
    }
}
