import Archive
import Catalogue

/// What a search brought: its results in order, each an item or what keeps it from being one.
struct Findings {
    enum Result {
        case item(Item)
        /// What should be an item and cannot have a page.
        case broken(ContentFault, title: String?)
        /// Something else than was searched for.
        case odd(ContentFault)
    }

    let kind: Kind
    let results: [Result]
    /// How many results were asked for, and how many more came.
    private let limit: Int
    private let surplus: Int

    /// - Parameter limit: how many results the search asked for; as many as can be where that is not known.
    init(_ body: AnswerBody, _ kind: Kind, limit: Int = Search.limits.upperBound) throws(ContentFault) {
        self.kind = kind
        // A damaged archive may say any number.
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
            var row = try Row(bytes)
            if row.kind == kind.medium.kind || row.isUnsaid { return .broken(fault, title: row.text("trackName")) }
        } catch {
            return .odd(error)
        }
        return .odd(fault)
    }
}

extension Findings {
    /// What is wrong with results that have no page. Faults of items are named where they are looked up.
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
                    // One more than is shown: the album of the song may be among them (docs/apis.md, 5.12).
                    path: "lookup?id=\(ids)&entity=album&limit=\(Albums.limit)&country=\(kind.store.rawValue)"))
        }
        return references
    }

    /// So many keep the address short.
    private static let artistsPerCall = 50
}

extension Kind {
    /// The most calls for the albums of one search's artists: 200 results are 4.
    private static let mostParts: Int64 = 16

    /// The albums of a part of the artists that a search found.
    static func albums(of search: RecordKey, part: Int, _ kind: Kind) -> RecordKey {
        // A search's number has 40 bits; a damaged archive may say another, which has to lead nowhere.
        RecordKey(Kind(.albums, kind.medium, kind.store).name, search.id &* mostParts &+ Int64(part))
    }
}

/// The answer to a lookup of several artists' albums: each artist, then the albums. Source: docs/apis.md, 1.
struct Albums {
    /// The albums by the number of the artist behind whom they stand: those made with others have another's number
    /// (docs/apis.md, 5.12).
    let byArtist: [Int64: [Album]]
    /// The most albums that are kept for each artist: as many as a lookup asks for.
    static let limit = 6
    /// Rows that are neither, or say too little.
    let faults: [ContentFault]

    init(_ body: AnswerBody) throws(ContentFault) {
        var byArtist: [Int64: [Album]] = [:]
        var faults: [ContentFault] = []
        var artist: Int64?
        for (index, place) in try body.rows().enumerated() {
            do throws(ContentFault) {
                var row = try Row(body.bytes[place])
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
