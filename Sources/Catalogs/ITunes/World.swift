import Archive
import Catalogue

/// All that a revision has: the searches with their results, every item once, and albums.
struct World: Sendable {
    /// A search with what it brought.
    struct Found: Sendable {
        let search: Search
        let key: RecordKey
        let path: SitePath
        let entries: [Entry]
        /// How many explicit results are not shown, since they were not wanted.
        let leftOut: Int
    }

    /// A result on its search's page.
    enum Entry: Sendable {
        /// An item, by its row.
        case item(Int)
        /// What cannot be shown, and why.
        case broken(title: String?, fault: ContentFault)
    }

    /// An item with its page.
    struct Place: Sendable {
        let key: RecordKey
        let kind: Kind
        let item: Item
        let picture: Asset?
        /// Its position among the records of its kind; nil where the lookup did not bring it, and the search's answer has to do.
        let position: Int?
        /// The search whose answer has to do then.
        let search: RecordKey
    }

    /// For each item the searches that found it.
    let searchesOfItem: [[Int]]
    /// By medium, store and the configuration's order.
    let searches: [Found]
    /// In the order in which the searches name them.
    let items: [Place]
    /// All records.
    let inputs: Inputs
    private let rows: [RecordKey: Int]
    private let albums: [ArtistKey: [Album]]

    /// An artist in a store.
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
        var hasher = InputsHasher()
        let (records, albums) = try Self.read(reader, counts, &hasher)
        var items: [Place] = []
        var rows: [RecordKey: Int] = [:]
        var searches: [Found] = []
        var slugs: Set<String> = []
        for medium in Search.Medium.allCases {
            for store in Search.Store.allCases {
                let kind = Kind(.search, medium, store)
                let range = 0..<(counts[kind.name] ?? 0)
                let origins = try reader.origins(of: kind.name, at: range)
                for (record, origin) in zip(try reader.records(of: kind.name, at: range), origins) {
                    hasher.add(record.mark)
                    guard case .answer(let path, _) = origin.way, let search = Search(path: path) else {
                        throw ArchiveError.damaged("\(record.key) was not brought by a search")
                    }
                    let findings = try Findings(try AnswerBody(record: record.bytes), kind)
                    var entries: [Entry] = []
                    var leftOut = 0
                    for result in findings.results {
                        switch result {
                        case .odd: continue
                        case .broken(let fault, let title): entries.append(.broken(title: title, fault: fault))
                        case .item(let own):
                            let itemKind = Kind(.item, medium, store)
                            let key = RecordKey(itemKind.name, own.id)
                            let known = records[key]
                            let item = known?.item ?? own
                            // The service leaves explicit ones out as well as it can (docs/apis.md, 5.1).
                            if item.isExplicit, !search.explicit {
                                leftOut += 1
                                continue
                            }
                            if rows[key] == nil {
                                rows[key] = items.count
                                items.append(
                                    Place(
                                        key: key, kind: itemKind, item: item, picture: known?.picture, position: known?.position,
                                        search: record.key))
                            }
                            entries.append(.item(rows[key] ?? 0))
                        }
                    }
                    searches.append(
                        Found(
                            search: search, key: record.key, path: Places.results(search, record.key, &slugs), entries: entries,
                            leftOut: leftOut))
                }
            }
        }
        self.searches = searches
        var searchesOfItem = [[Int]](repeating: [], count: items.count)
        for (index, found) in searches.enumerated() {
            for case .item(let row) in found.entries where searchesOfItem[row].last != index { searchesOfItem[row].append(index) }
        }
        self.searchesOfItem = searchesOfItem
        self.items = items
        self.rows = rows
        self.albums = albums
        inputs = hasher.finish()
    }

    /// What lookups brought.
    private static func read(
        _ reader: RevisionReader, _ counts: [String: Int], _ hasher: inout InputsHasher
    ) throws -> (items: [RecordKey: (item: Item, picture: Asset?, position: Int)], albums: [ArtistKey: [Album]]) {
        var items: [RecordKey: (item: Item, picture: Asset?, position: Int)] = [:]
        var albums: [ArtistKey: [Album]] = [:]
        for name in counts.keys.sorted() {
            guard let kind = Kind(name), kind.role != .search else { continue }
            for (position, record) in try reader.records(of: name, at: 0..<(counts[name] ?? 0)).enumerated() {
                hasher.add(record.mark)
                if kind.role == .item {
                    items[record.key] = (try Item(record.bytes, kind.medium), record.picture, position)
                } else {
                    for (artist, own) in try Albums(try AnswerBody(record: record.bytes)).byArtist {
                        // One search may know less than another: what is there stays.
                        let key = ArtistKey(store: kind.store, id: artist)
                        if own.count > albums[key]?.count ?? 0 { albums[key] = own }
                    }
                }
            }
        }
        return (items, albums)
    }

    /// The row of an item; nil for one that no search shows.
    func row(of key: RecordKey) -> Int? { rows[key] }

    /// The kinds of the items that there are, in the order of their media and stores.
    var kinds: [Kind] {
        let present = Set(items.map(\.kind))
        return Search.Medium.allCases.flatMap { medium in Search.Store.allCases.map { Kind(.item, medium, $0) } }.filter(present.contains)
    }

    /// Five albums of a song's artist that are not the song's own.
    func otherAlbums(of place: Place) -> [Album] {
        guard place.kind.medium == .music, let artist = place.item.artistID else { return [] }
        return Array((albums[ArtistKey(store: place.kind.store, id: artist)] ?? []).filter { $0.id != place.item.albumID }.prefix(5))
    }
}
