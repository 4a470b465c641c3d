package import Archive
package import Catalogue
import Pages

/// Apple's iTunes Search API: searches, and lookups of the items that they find. Source: docs/apis.md.
package struct ITunes: SiteCatalogue {
    package let searches: [Search]
    /// Further base addresses of pictures, such as the sample's.
    let bases: [String]
    private let searchesByKey: [RecordKey: Search]

    /// - Parameter bases: further base addresses of pictures.
    package init(_ searches: [Search], bases: [String] = []) {
        self.searches = searches
        self.bases = bases
        searchesByKey = Dictionary(searches.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package var name: String { "itunes" }
    package var canonicalAPI: String { "https://itunes.apple.com" }
    /// The service documents no limit. 50 numbers keep the address short.
    package var recordsPerRequest: Int { 50 }
    /// About 20 calls a minute. Further calls are answered with 403 without a body (docs/apis.md, 2 and 3).
    package var rateLimit: CallRate? { CallRate(callsPerMinute: 20, refusalStatus: 403) }
    package var lists: [ListEndpoint] { [] }
    /// True for all media and stores, because a revision can have searches that are no longer configured.
    package func has(kind: String) -> Bool { Kind(kind) != nil }
    package var roots: [RecordKey] { searches.map(\.key) }

    /// The path of a search, or of a lookup of items by number. Lookups of albums need the search's record, which names
    /// the artists.
    package func path(for keys: [RecordKey]) -> String? {
        guard let first = keys.first, let kind = Kind(first.kind) else { return nil }
        switch kind.role {
        case .search: return searchesByKey[first]?.path
        case .item: return "lookup?id=\(keys.map { "\($0.id)" }.joined(separator: ","))&country=\(kind.store.rawValue)"
        case .albums: return nil
        }
    }

    package func plural(of kind: String) -> String { Kind(kind)?.plural ?? "\(kind)s" }
}

extension ITunes {
    package func listPage(_ body: [UInt8]) throws(ContentFault) -> ListPage {
        throw ContentFault("", "is no page of a list: there are none")
    }

    /// In the answer to a lookup of items, each result is a record. Another answer is one record as a whole.
    package func records(in body: [UInt8], requested keys: [RecordKey]) throws(ContentFault) -> [Range<Int>] {
        let answer = try AnswerBody(body)
        guard keys.first.flatMap({ Kind($0.kind) })?.role == .item else { return [answer.place] }
        return try answer.rows().map { $0.lowerBound + answer.start..<$0.upperBound + answer.start }
    }

    package func facts(of record: ArraySlice<UInt8>, kind: String, base: String) throws(ContentFault) -> RecordFacts {
        guard let kind = Kind(kind), kind.role == .item else { throw ContentFault("", "is no item of a store") }
        let item = try Item(record, kind.medium)
        try JSONFields(Array(record)).check()
        var refused = item.faults
        var pictures: [String] = []
        if let artwork = item.artwork {
            if let path = Artwork.path(of: artwork, bases: bases + [base]) {
                pictures = [path]
            } else {
                refused.append(
                    ContentFault("artworkUrl100", "is \(artwork.quoted), which is not on the service's picture hosts"))
            }
        }
        return RecordFacts(id: item.id, card: [], references: [], pictures: pictures, refused: refused)
    }

    /// The facts of an item, or of an answer that is a record as a whole.
    package func facts(of record: ArraySlice<UInt8>, requested keys: [RecordKey], base: String) throws(ContentFault)
        -> RecordFacts
    {
        guard let key = keys.first, let kind = Kind(key.kind) else {
            throw ContentFault("", "is no record of this service")
        }
        switch kind.role {
        case .item: return try facts(of: record, kind: key.kind, base: base)
        case .search:
            try JSONSlices.check(Array(record))
            let limit = searchesByKey[key]?.limit ?? Search.limits.upperBound
            let found = try SearchResults(try AnswerBody(record: Array(record)), kind, limit: limit)
            return RecordFacts(
                id: key.id, card: found.references(of: key), references: [], pictures: [], refused: found.faults)
        case .albums:
            try JSONSlices.check(Array(record))
            let albums = try Albums(try AnswerBody(record: Array(record)))
            return RecordFacts(id: key.id, card: [], references: [], pictures: [], refused: albums.faults)
        }
    }

    package func title(of record: [UInt8], _ key: RecordKey) -> String {
        guard let kind = Kind(key.kind) else { return "\(key)" }
        switch kind.role {
        case .search: return searchesByKey[key]?.term ?? "\(key)"
        case .albums: return "\(key)"
        case .item:
            do throws(ContentFault) {
                return try Item(record, kind.medium).title.shortened
            } catch {
                // Without a valid item there is no title, so the number is used.
                return "\(key)"
            }
        }
    }
}
