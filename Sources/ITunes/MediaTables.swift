import Archive
import Catalogue

/// The content of a revision: the searches with their results, every item once, and albums.
struct MediaTables: Sendable {
    struct Found: Sendable {
        let search: Search
        let key: RecordKey
        let path: SitePath
        let entries: [Entry]
        /// The number of explicit results that are excluded by the search.
        let leftOut: Int
    }

    /// A result on its search's page.
    enum Entry: Sendable {
        case item(Int)
        /// A result that cannot be shown, with the reason.
        case broken(title: String?, fault: ContentFault)
    }

    struct Place: Sendable {
        let key: RecordKey
        let kind: Kind
        /// The part that other pages show. The item's own page is made from its record.
        let brief: Item
        let picture: Asset?
        let source: ItemSource
    }

    /// An item from the lookups.
    private struct Known {
        let brief: Item
        let picture: Asset?
        let position: Int
    }

    /// The searches that found each item.
    let searchesOfItem: [[Int]]
    /// Sorted by medium, store and the order of the configuration.
    let searches: [Found]
    /// In the order of the searches.
    let items: [Place]
    private let rows: [RecordKey: Int]
    private let albums: [ArtistKey: [Album]]

    private struct ArtistKey: Hashable {
        let store: Search.Store
        let id: Int64
    }

    init(_ reader: RevisionReader) throws {
        let counts = try reader.recordCounts()
        for (name, count) in counts where Kind(name)?.role == .search && count > Search.most {
            throw ArchiveError.damaged(
                "revision \(reader.revision.number) has \(count) searches, more than the \(Search.most) that are taken")
        }
        let lookups = try Self.items(reader, counts)
        var items: [Place] = []
        var rows: [RecordKey: Int] = [:]
        var searches: [Found] = []
        var slugs: Set<String> = []
        for kind in Kind.all(.search) {
            let itemKind = Kind(.item, kind.medium, kind.store)
            let range = 0..<(counts[kind.name] ?? 0)
            var origins = try reader.origins(of: kind.name, at: range)[...]
            searches += try reader.records(of: kind.name, at: range) { record in
                // The number is a digest of the path, which detects a search with a wrong path.
                guard case .answer(let path, _)? = origins.popFirst()?.acquisition, let search = Search(path: path),
                    Search.number(of: path) == record.key.id
                else {
                    throw ArchiveError.damaged("\(record.key) does not come from an answer to its search")
                }
                let findings = try SearchResults(try AnswerBody(record: record.bytes), kind, limit: search.limit)
                var entries: [Entry] = []
                var leftOut = 0
                for (index, result) in findings.results.enumerated() {
                    switch result {
                    case .odd: continue
                    case .broken(let fault, let title):
                        entries.append(.broken(title: title?.shortened, fault: fault))
                    case .item(let own):
                        let key = RecordKey(itemKind.name, own.id)
                        let known = lookups[key]
                        let item = known?.brief ?? own.brief
                        // The service does not exclude all explicit results (docs/apis.md, 5.1).
                        if item.isExplicit, !search.explicit {
                            leftOut += 1
                            continue
                        }
                        if rows[key] == nil {
                            rows[key] = items.count
                            let source =
                                known.map { ItemSource.record($0.position) } ?? .result(index, of: record.key)
                            items.append(
                                Place(
                                    key: key, kind: itemKind, brief: item, picture: known?.picture, source: source))
                        }
                        entries.append(.item(rows[key] ?? 0))
                    }
                }
                return Found(
                    search: search, key: record.key, path: MediaAddresses.results(search, record.key, &slugs),
                    entries: entries, leftOut: leftOut)
            }
        }
        self.searches = searches
        var searchesOfItem = [[Int]](repeating: [], count: items.count)
        for (index, found) in searches.enumerated() {
            for case .item(let row) in found.entries where searchesOfItem[row].last != index {
                searchesOfItem[row].append(index)
            }
        }
        self.searchesOfItem = searchesOfItem
        self.items = items
        self.rows = rows
        albums = try Self.albums(of: items, reader, counts)
    }

    /// The items from lookups. One record is in memory at a time.
    private static func items(_ reader: RevisionReader, _ counts: [String: Int]) throws -> [RecordKey: Known] {
        var items: [RecordKey: Known] = [:]
        for name in counts.keys.sorted() {
            guard let kind = Kind(name), kind.role == .item else { continue }
            var position = 0
            _ = try reader.records(of: name, at: 0..<(counts[name] ?? 0)) { record in
                items[record.key] = Known(
                    brief: try Item(record.bytes, kind.medium).brief, picture: record.picture, position: position)
                position += 1
            }
        }
        return items
    }

    /// The albums of the artists of all songs.
    private static func albums(
        of items: [Place], _ reader: RevisionReader, _ counts: [String: Int]
    ) throws -> [ArtistKey: [Album]] {
        let artists = Set(
            items.compactMap { place in place.brief.artistID.map { ArtistKey(store: place.kind.store, id: $0) } })
        var albums: [ArtistKey: [Album]] = [:]
        for name in counts.keys.sorted() {
            guard let kind = Kind(name), kind.role == .albums else { continue }
            _ = try reader.records(of: name, at: 0..<(counts[name] ?? 0)) { record in
                for (artist, own) in try Albums(try AnswerBody(record: record.bytes)).byArtist {
                    // Another search can have fewer albums of the artist, so the first ones are kept.
                    let key = ArtistKey(store: kind.store, id: artist)
                    if artists.contains(key), own.count > albums[key]?.count ?? 0 { albums[key] = own }
                }
            }
        }
        return albums
    }

    /// The row of an item; nil if no search shows it.
    func row(of key: RecordKey) -> Int? { rows[key] }

    /// The kinds of all items, in the order of media and stores.
    var kinds: [Kind] {
        let present = Set(items.map(\.kind))
        return Kind.all(.item).filter(present.contains)
    }

    /// Up to five other albums of a song's artist.
    func otherAlbums(of place: Place) -> [Album] {
        guard place.kind.medium == .music, let artist = place.brief.artistID else { return [] }
        return Array(
            (albums[ArtistKey(store: place.kind.store, id: artist)] ?? []).filter { $0.id != place.brief.albumID }
                .prefix(5))
    }
}

/// The record that contains an item.
enum ItemSource {
    case record(Int)
    /// A result in a search's answer, because the lookup did not return the item.
    case result(Int, of: RecordKey)
}

/// Reads whole items. It keeps the last search's answer for consecutive items.
struct ItemReader {
    private let tables: MediaTables
    private let reader: RevisionReader
    private var answer: (key: RecordKey, body: AnswerBody, rows: [Range<Int>])?

    init(_ tables: MediaTables, _ reader: RevisionReader) {
        self.tables = tables
        self.reader = reader
    }

    mutating func item(_ place: MediaTables.Place) throws -> Item {
        let (kind, position) = tables.source(of: place)
        switch place.source {
        case .record:
            guard let record = try reader.records(of: kind, at: position..<position + 1).first, record.key == place.key
            else { break }
            return try Item(record.bytes, place.kind.medium)
        case .result(let index, let key):
            if answer?.key != key, let record = try reader.records(of: kind, at: position..<position + 1).first {
                let body = try AnswerBody(record: record.bytes)
                answer = (record.key, body, try body.rows())
            }
            guard let answer, answer.key == key, answer.rows.indices.contains(index) else { break }
            return try Item(answer.body.bytes[answer.rows[index]], place.kind.medium)
        }
        throw ArchiveError.damaged("\(place.key) changed while the revision was read")
    }
}

extension MediaTables {
    /// The record that contains the item: its own, or the search's answer.
    func source(of place: Place) -> (kind: String, position: Int) {
        switch place.source {
        case .record(let position): (place.key.kind, position)
        case .result(_, let search): (search.kind, position(ofSearch: search))
        }
    }

    /// A search's position among those of its medium and store.
    func position(ofSearch key: RecordKey) -> Int {
        searches.lazy.filter { $0.key.kind == key.kind }.map(\.key).enumerated().first { $0.element == key }?.offset
            ?? 0
    }
}
