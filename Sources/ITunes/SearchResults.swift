import Archive
import Catalogue

/// The results of a search, in order.
struct SearchResults {
    enum Result {
        case item(Item)
        /// An item that cannot have a page.
        case broken(ContentFault, title: String?)
        /// A result of another type than requested.
        case odd(ContentFault)
    }

    let kind: Kind
    let results: [Result]
    /// The number of requested results, and the number of results beyond it.
    private let limit: Int
    private let surplus: Int

    /// - Parameter limit: the number of requested results.
    init(_ body: AnswerBody, _ kind: Kind, limit: Int = Search.limits.upperBound) throws(ContentFault) {
        self.kind = kind
        // A damaged archive can contain any number.
        let limit = min(max(limit, 0), Search.limits.upperBound)
        self.limit = limit
        var results: [Result] = []
        let rows = try body.rows()
        surplus = max(0, rows.count - limit)
        for place in rows.prefix(limit) {
            let bytes = body.bytes[place]
            do throws(ContentFault) {
                results.append(.item(try Item(bytes, kind.medium)))
            } catch {
                results.append(Self.other(bytes, error, kind))
            }
        }
        self.results = results
    }

    private static func other(_ bytes: ArraySlice<UInt8>, _ fault: ContentFault, _ kind: Kind) -> Result {
        do throws(ContentFault) {
            var row = try SearchResult(bytes)
            if row.kind == kind.medium.kind || row.isUnsaid { return .broken(fault, title: row.text("trackName")) }
        } catch {
            return .odd(error)
        }
        return .odd(fault)
    }
}

extension SearchResults {
    /// The faults of results without a page. The faults of items are reported when they are looked up.
    var faults: [ContentFault] {
        var faults = results.enumerated().compactMap { index, result -> ContentFault? in
            switch result {
            case .item: nil
            case .broken(let fault, _):
                ContentFault(fault.keyPath, "\(fault.reason); the item has no page").inside("results[\(index)]")
            case .odd(let fault):
                ContentFault(fault.keyPath, "\(fault.reason); it is skipped").inside("results[\(index)]")
            }
        }
        if surplus > 0 {
            faults.append(
                ContentFault("results", "are \(surplus) more than the \(limit) that were asked for; they are skipped"))
        }
        return faults
    }

    /// The items to look up, and the albums of songs' artists.
    func references(of search: RecordKey) -> [Reference] {
        var references: [Reference] = []
        var artists: Set<Int64> = []
        for (index, result) in results.enumerated() {
            guard case .item(let item) = result else { continue }
            references.append(
                Reference(
                    RecordKey(Kind(.item, kind.medium, kind.store).name, item.id), at: "results[\(index)].trackId"))
            if kind.medium == .music, let artist = item.artistID { artists.insert(artist) }
        }
        let sorted = artists.sorted()
        for (part, start) in stride(from: 0, to: sorted.count, by: Self.artistsPerCall).enumerated() {
            let ids = sorted[start..<min(start + Self.artistsPerCall, sorted.count)].map { "\($0)" }.joined(
                separator: ",")
            references.append(
                Reference(
                    Kind.albums(of: search, part: part, kind), at: "results",
                    // One more than is shown, because the song's own album can be among them (docs/apis.md, 5.12).
                    path: "lookup?id=\(ids)&entity=album&limit=\(Albums.limit)&country=\(kind.store.rawValue)"))
        }
        return references
    }

    /// This number keeps the address short.
    private static let artistsPerCall = 50
}

extension Kind {
    /// The maximum number of requests for the albums of a search's artists. 200 results need 4.
    private static let mostParts: Int64 = 16

    /// The key of the request for the albums of some of a search's artists.
    static func albums(of search: RecordKey, part: Int, _ kind: Kind) -> RecordKey {
        // A search's number has 40 bits. A damaged archive can contain a larger one, which must not overflow.
        RecordKey(Kind(.albums, kind.medium, kind.store).name, search.id &* mostParts &+ Int64(part))
    }
}

/// The answer to a lookup of several artists' albums: each artist, then the albums. Source: docs/apis.md, 1.
struct Albums {
    /// The albums by the artist that precedes them in the answer. The artist number in an album can be that of a
    /// co-artist (docs/apis.md, 5.12).
    let byArtist: [Int64: [Album]]
    /// The maximum number of albums of each artist, in lookups and in memory.
    static let limit = 6
    /// The faults of rows that are neither artists nor albums, or are incomplete.
    let faults: [ContentFault]

    init(_ body: AnswerBody) throws(ContentFault) {
        var byArtist: [Int64: [Album]] = [:]
        var faults: [ContentFault] = []
        var artist: Int64?
        for (index, place) in try body.rows().enumerated() {
            do throws(ContentFault) {
                var row = try SearchResult(body.bytes[place])
                switch row.kind {
                case "artist":
                    artist = nil
                    let id = try row.required("artistId") { $0.id($1) }
                    artist = id
                    byArtist[id] = byArtist[id] ?? []
                case _ where row.isCollection || row.kind == "Album":
                    guard let artist else { throw ContentFault("", "is an album that no artist stands before") }
                    let id = try row.required("collectionId") { $0.id($1) }
                    let title = try row.required("collectionName") { $0.text($1) }
                    let album = Album(
                        id: id, title: title.shortened, link: row.link("collectionViewUrl"),
                        released: row.day("releaseDate"))
                    if byArtist[artist, default: []].count < Self.limit { byArtist[artist, default: []].append(album) }
                default: throw ContentFault("", "is \(row.kind.quoted), neither an artist nor an album; it is skipped")
                }
                faults += row.faults.map { $0.inside("results[\(index)]") }
            } catch {
                faults.append(error.inside("results[\(index)]"))
            }
        }
        self.byArtist = byArtist
        self.faults = faults
    }
}
