import Archive
import Catalogue
import Platform

/// All that a revision has, as far as pages of others need it: what a plan is made from.
struct World: Sendable {
    let characters: CharacterTable
    let locations: [LocationEntry]
    let episodes: [EpisodeEntry]
    let links: LinkReader
    private let locationRows: [Int64: Int]
    private let episodeRows: [Int64: Int]

    init(_ reader: RevisionReader, _ links: LinkReader) throws {
        let counts = try reader.recordCounts()
        func sweep(_ kind: String) -> RecordSweep { RecordSweep(kind, count: counts[kind] ?? 0, workers: processorCount) }

        var characters = CharacterTable()
        try sweep("character").run(reader) { record in
            (try CharacterTable.Entry(archived: record.bytes), record.picture)
        } take: { entry, picture in
            characters.append(entry, picture, location: links.key(entry.location, kind: "location")?.id)
        }
        characters.finish()
        let table = characters
        var locations: [LocationEntry] = []
        try sweep("location").run(reader) { record in
            let location = try Location(archived: record.bytes)
            return LocationEntry(
                id: location.id, name: location.name, type: location.type, dimension: location.dimension,
                residents: Cast(location.residents, links, table))
        } take: {
            locations.append($0)
        }
        var episodes: [EpisodeEntry] = []
        try sweep("episode").run(reader) { record in
            let episode = try Episode(archived: record.bytes)
            return EpisodeEntry(
                id: episode.id, name: episode.name, airDate: episode.airDate,
                machineDate: AirDate.machineReadable(episode.airDate) ?? "", code: episode.episode,
                cast: Cast(episode.characters, links, table))
        } take: {
            episodes.append($0)
        }

        self.characters = characters
        self.locations = locations
        self.episodes = episodes
        self.links = links
        // Of a number that came twice, which the capture names as a gap, the first counts.
        locationRows = Dictionary(locations.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
        episodeRows = Dictionary(episodes.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The location that a link means; nil where it means none that is here.
    func location(_ link: String) -> LocationEntry? {
        links.key(link, kind: "location").flatMap { locationRows[$0.id] }.map { locations[$0] }
    }

    /// The row of an episode that a link means.
    func episode(_ link: String) -> EpisodeEntry? {
        links.key(link, kind: "episode").flatMap { episodeRows[$0.id] }.map { episodes[$0] }
    }

    /// The row of an episode by its number.
    func episodeRow(_ id: Int64) -> Int? { episodeRows[id] }

    /// The row of a location by its number.
    func locationRow(_ id: Int64) -> Int? { locationRows[id] }
}
