import Archive
import Catalogue
import Platform

/// All that a revision has, as far as pages of others need it: what a plan is made from.
struct World: Sendable {
    let characters: CharacterTable
    let locations: LocationTable
    let episodes: EpisodeTable
    let links: LinkReader
    /// Tell each location and episode as it was served from any other.
    let locationMarks: [UInt64]
    let episodeMarks: [UInt64]
    /// What pages of characters show of locations and episodes.
    let places: Inputs
    /// All records.
    let inputs: Inputs
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
            (try CharacterTable.Entry(archived: record.bytes), record.picture, record.mark)
        } take: { entry, picture, mark in
            characters.append(entry, picture, location: links.key(entry.location, kind: "location")?.id, mark: mark)
        }
        characters.finish()
        let table = characters
        var locations = LocationTable()
        var locationMarks: [UInt64] = []
        try sweep("location").run(reader) { record in
            let location = try Location(archived: record.bytes)
            return (LocationEntry(location, residents: Cast(location.residents, links, table)), record.mark)
        } take: { entry, mark in
            locations.append(entry)
            locationMarks.append(mark)
        }
        var episodes = EpisodeTable()
        var episodeMarks: [UInt64] = []
        try sweep("episode").run(reader) { record in
            let episode = try Episode(archived: record.bytes)
            return (EpisodeEntry(episode, cast: Cast(episode.characters, links, table)), record.mark)
        } take: { entry, mark in
            episodes.append(entry)
            episodeMarks.append(mark)
        }

        locations.finish()
        episodes.finish()
        self.characters = characters
        self.locations = locations
        self.episodes = episodes
        self.links = links
        self.locationMarks = locationMarks
        self.episodeMarks = episodeMarks
        places = Self.places(locations, episodes)
        inputs = Self.inputs([characters.marks, locationMarks, episodeMarks])
        // Of a number that came twice, which the capture names as a gap, the first counts.
        let (allLocations, allEpisodes) = (locations, episodes)
        locationRows = Dictionary(
            allLocations.indices.lazy.map { (allLocations.id($0), $0) }, uniquingKeysWith: { first, _ in first })
        episodeRows = Dictionary(
            allEpisodes.indices.lazy.map { (allEpisodes.id($0), $0) }, uniquingKeysWith: { first, _ in first })
    }

    private static func places(_ locations: LocationTable, _ episodes: EpisodeTable) -> Inputs {
        var hasher = InputsHasher()
        hasher.add(locations.count)
        for location in locations {
            hasher.add(location.id)
            for text in [location.name, location.type, location.dimension] { hasher.add(text) }
        }
        for episode in episodes {
            hasher.add(episode.id)
            for text in [episode.name, episode.airDate, episode.code] { hasher.add(text) }
        }
        return hasher.finish()
    }

    private static func inputs(_ marks: [[UInt64]]) -> Inputs {
        var hasher = InputsHasher()
        for marks in marks {
            hasher.add(marks.count)
            for mark in marks { hasher.add(mark) }
        }
        return hasher.finish()
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
