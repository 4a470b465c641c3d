import Archive
import Catalogue
import Platform

/// All that a revision has, as far as pages of others need it: what a plan is made from.
struct World: Sendable {
    let characters: CharacterTable
    let locations: LocationTable
    let episodes: EpisodeTable
    let links: LinkReader
    private let locationRows: [Int64: Int]
    private let episodeRows: [Int64: Int]

    init(_ reader: RevisionReader, _ links: LinkReader) throws {
        let counts = try reader.recordCounts()
        func sweep(_ kind: String) -> RecordSweep {
            RecordSweep(kind, count: counts[kind] ?? 0, workers: processorCount)
        }

        var characters = CharacterTable()
        characters.reserve(counts["character"] ?? 0)
        try sweep("character").run(reader) { record in
            (try CharacterTable.Entry(archived: record.bytes), record.picture)
        } take: { entry, picture in
            characters.append(entry, picture, location: links.key(entry.location, kind: "location")?.id)
        }
        characters.finish()
        let table = characters
        var locations = LocationTable()
        try sweep("location").run(reader) { record in
            let location = try Location(archived: record.bytes)
            return LocationEntry(location, residents: Cast(location.residents, links, table))
        } take: { entry in
            locations.append(entry)
        }
        var episodes = EpisodeTable()
        try sweep("episode").run(reader) { record in
            let episode = try Episode(archived: record.bytes)
            return EpisodeEntry(episode, cast: Cast(episode.characters, links, table))
        } take: { entry in
            episodes.append(entry)
        }

        locations.finish()
        episodes.finish()
        self.characters = characters
        self.locations = locations
        self.episodes = episodes
        self.links = links
        // Of a number that came twice, which the capture names as a gap, the first counts.
        let (allLocations, allEpisodes) = (locations, episodes)
        locationRows = Dictionary(
            allLocations.indices.lazy.map { (allLocations.id($0), $0) }, uniquingKeysWith: { first, _ in first })
        episodeRows = Dictionary(
            allEpisodes.indices.lazy.map { (allEpisodes.id($0), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The location that a link means; nil where it means none that is here.
    func location(_ link: String) -> LocationEntry? {
        links.key(link, kind: "location").flatMap { locationRows[$0.id] }.map { locations[$0] }
    }

    /// The row of the episode that a link means; nil where it means none that is here.
    func episodeRow(of link: String) -> Int? { links.key(link, kind: "episode").flatMap { episodeRows[$0.id] } }

    /// The row of an episode by its number.
    func episodeRow(_ id: Int64) -> Int? { episodeRows[id] }

    /// The row of a location by its number.
    func locationRow(_ id: Int64) -> Int? { locationRows[id] }
}
