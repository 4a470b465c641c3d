import Archive
import Catalogue
import Platform

/// The data of all records that is needed on pages of other records.
struct CharacterTables: Sendable {
    let characters: CharacterTable
    let locations: LocationTable
    let episodes: EpisodeTable
    let links: LinkReader
    private let locationRows: [Int64: Int]
    private let episodeRows: [Int64: Int]

    init(_ reader: RevisionReader, _ links: LinkReader) throws {
        let counts = try reader.recordCounts()
        func sweep(_ kind: String) -> ParallelRecordReader {
            ParallelRecordReader(kind, count: counts[kind] ?? 0, workers: processorCount)
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
            return LocationEntry(location, cast: Cast(location.residents, links, table))
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
        locationRows = Self.rows(locations.indices, locations.id)
        episodeRows = Self.rows(episodes.indices, episodes.id)
    }

    /// If a number is repeated, which is a gap of the capture, the first record counts.
    private static func rows(_ rows: Range<Int>, _ id: (Int) -> Int64) -> [Int64: Int] {
        Dictionary(rows.map { (id($0), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The location that a link refers to; nil if it is not captured.
    func location(_ link: String) -> LocationEntry? {
        links.key(link, kind: "location").flatMap { locationRows[$0.id] }.map { locations[$0] }
    }

    /// The row of the episode that a link refers to; nil if it is not captured.
    func episodeRow(of link: String) -> Int? { links.key(link, kind: "episode").flatMap { episodeRows[$0.id] } }

    func episodeRow(_ id: Int64) -> Int? { episodeRows[id] }

    func locationRow(_ id: Int64) -> Int? { locationRows[id] }
}

/// The characters in a record, without duplicates, in its order.
struct Cast: Sendable {
    let rows: ArraySlice<Int32>
    /// The number of further characters that are not captured.
    let missing: Int

    /// The number of characters on a page. A longer cast has further pages.
    static let perPage = 500

    var paging: Paging { Paging(count: rows.count, perPage: Self.perPage) }

    /// The rows on a page; pages count from 0.
    func rows(on page: Int) -> ArraySlice<Int32> {
        rows.dropFirst(paging.positions(of: page).lowerBound).prefix(Self.perPage)
    }
}

extension Cast {
    init(_ links: [String], _ reader: LinkReader, _ characters: CharacterTable) {
        var seen: Set<Int32> = []
        var rows: [Int32] = []
        var missing = 0
        rows.reserveCapacity(links.count)
        for link in links {
            if let row = reader.key(link, kind: "character").flatMap({ characters.row(of: $0.id) }) {
                if seen.insert(Int32(row)).inserted { rows.append(Int32(row)) }
            } else {
                missing += 1
            }
        }
        self.init(rows: rows[...], missing: missing)
    }
}

/// A column of casts in one array, which takes less memory than an array for each.
struct CastColumn: Sendable {
    private var rows: [Int32] = []
    private var ends: [Int] = []
    private var missing: [Int32] = []

    mutating func append(_ cast: Cast) {
        rows += cast.rows
        ends.append(rows.count)
        missing.append(Int32(clamping: cast.missing))
    }

    subscript(row: Int) -> Cast {
        Cast(rows: rows[(row == 0 ? 0 : ends[row - 1])..<ends[row]], missing: Int(missing[row]))
    }

    mutating func finish() { rows = Array(rows[...]) }
}
