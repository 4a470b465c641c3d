import Archive
import Catalogue
import HTMLCheck
import Mustache
import Pages
import Platform

/// Rules of an API that its declaration cannot describe.
enum CatalogueExtension: String, CaseIterable, Sendable {
    /// Apple's iTunes Search API. Source: docs/apis.md.
    case itunes

    enum Function: String, CaseIterable, Sendable {
        case studio, genres, albums

        var type: FieldDeclaration.FieldType {
            switch self {
            case .studio: .string
            case .genres: .list
            case .albums: .links
            }
        }
    }

    /// The maximum number of results, and of artists in a lookup of their albums. The latter keeps the address short.
    static let mostResults = 200
    private static let artistsPerCall = 50
    /// The maximum number of requests for the albums of the artists of a search. 200 results need 4.
    private static let mostParts: Int64 = 16

    /// Whether the artist of a film is a studio (docs/apis.md, 4): "studio", or empty.
    static func studio(of record: JSONFields) -> String {
        record.scalar(FieldPath("artistViewUrl")).contains("/studio/") ? "studio" : ""
    }

    /// The genres without that of all books, which has a fixed number (docs/apis.md, 4).
    static func genres(of record: JSONFields) throws -> [String] {
        guard record.has("genres") else { return [] }
        let texts = try record.texts("genres")
        let ids = record.has("genreIds") ? try record.texts("genreIds") : []
        return texts.count == ids.count ? zip(texts, ids).filter { $1 != "38" }.map(\.0) : texts
    }

    /// Checks that a result has the type of a kind, which is the value of its field "kind".
    static func check(_ record: JSONFields, _ kind: KindDeclaration) throws {
        // The type of a result (docs/apis.md, 4).
        let type = ["kind", "collectionType", "wrapperType"].lazy.compactMap { record.optionalText($0) }.first ?? ""
        let hasItem = record.has("trackId") || record.has("trackName")
        try require(!hasItem || record.optionalText("kind")?.isBlank == false, "kind", "is missing")
        let wanted = kind.field("kind")?.value ?? ""
        try require(type == wanted, "kind", "is \(type.quoted), not \(wanted.quoted)")
        try require(!record.scalar(kind.title).isBlank, kind.title.text, "is missing")
    }
}

/// The JSON object of an answer. It is after line feeds. Source: docs/apis.md, 2.
struct SearchAnswer {
    /// The range of the object in the answer, and the ranges of the results.
    let place: Range<Int>
    let rows: [Range<Int>]

    /// - Throws: `ContentFault` for an error message of the service, and for missing results or a wrong count.
    init(_ body: [UInt8]) throws {
        let members = try JSONSlices.members(of: body)
        if let error = members["errorMessage"] {
            throw ContentFault("errorMessage", "says \(JSONText.quotedError(body[error])) where results belong")
        }
        let results = try require(members["results"], "results", "is missing")
        let found = try ContentFault.inside("results") { try JSONSlices.elements(of: body, at: results) }
        let count = try JSONFields(body).integer("resultCount")
        try require(count == found.count, "resultCount", "is \(count), though there are \(found.count) results")
        (place, rows) = (JSONSlices.whole(body), found)
    }
}

struct SearchResults {
    enum Result {
        case record(id: Int64, JSONFields)
        /// An item that cannot have a page.
        case broken(ContentFault, title: String)
        /// A result of another type than requested.
        case odd
    }

    private(set) var results: [Result] = []
    /// The faults of results without a page. The faults of items are reported when they are looked up.
    private(set) var faults: [ContentFault] = []

    /// - Parameter limit: the number of requested results. A damaged archive can contain any number.
    init(_ body: [UInt8], _ kind: KindDeclaration, limit: Int) throws {
        let limit = min(max(limit, 0), CatalogueExtension.mostResults)
        let rows = try SearchAnswer(body).rows
        for (index, place) in rows.prefix(limit).enumerated() {
            var record: JSONFields?
            do {
                let fields = try JSONFields(Array(body[place]))
                record = fields
                results.append(.record(id: try kind.checkedKey(fields, hasExtension: true).id, fields))
            } catch let fault as ContentFault {
                let isItem = record != nil && (fault.keyPath != "kind" || fault.reason == "is missing")
                results.append(isItem ? .broken(fault, title: record?.scalar(kind.title) ?? "") : .odd)
                let effect = isItem ? "the item has no page" : "it is skipped"
                faults.append(ContentFault(fault.keyPath, "\(fault.reason); \(effect)").inside("results[\(index)]"))
            }
        }
        if rows.count > limit {
            let reason = "are \(rows.count - limit) more than the \(limit) that were asked for; they are skipped"
            faults.append(ContentFault("results", reason))
        }
    }
}

extension CatalogueExtension {
    /// The facts of a search: the items to look up, and the albums of songs' artists.
    static func facts(of body: [UInt8], _ search: RecordKey, limit: Int, _ declaration: CatalogueDeclaration)
        throws -> RecordFacts
    {
        let kind = try require(declaration.results(of: search.kind), "", "is no answer to a search")
        let found = try SearchResults(body, kind, limit: limit)
        var references: [Reference] = []
        var artists: Set<Int64> = []
        for (index, result) in found.results.enumerated() {
            guard case .record(let id, let record) = result else { continue }
            references.append(Reference(RecordKey(kind.name, id), at: "results[\(index)].trackId"))
            if let artist = artist(of: record) { artists.insert(artist) }
        }
        let country = declaration.parameters[kind.name]?["country"] ?? ""
        let sorted = kind.fields.contains { $0.function == .albums } ? artists.sorted() : []
        for (part, start) in stride(from: 0, to: sorted.count, by: artistsPerCall).enumerated() {
            let ids = sorted[start..<min(start + artistsPerCall, sorted.count)].map { "\($0)" }.joined(separator: ",")
            // A damaged archive can contain a number of more than 40 bits, which must not overflow.
            let key = RecordKey(declaration.albums(of: kind), search.id &* mostParts &+ Int64(part))
            // One more than is shown, because the song's own album can be among them (docs/apis.md, 5.12).
            let path = "lookup?id=\(ids)&entity=album&limit=\(ArtistAlbums.limit)&country=\(country)"
            references.append(Reference(key, at: "results", path: path))
        }
        return RecordFacts(search, card: references, refused: found.faults)
    }

    static func artist(of record: JSONFields) -> Int64? {
        Int64(record.scalar(FieldPath("artistId"))).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Whether a search without explicit songs leaves out an item that the service has (docs/apis.md, 5.1).
    static func isLeftOut(_ explicitness: String, of root: Root) -> Bool {
        explicitness == "explicit" && root.values["explicit"] == "no"
    }
}

/// The answer to a lookup of several artists' albums: each artist, then the albums. Source: docs/apis.md, 1.
struct ArtistAlbums {
    typealias Album = (id: Int64, title: String, link: String, year: String)

    /// The albums by the artist before them in the answer. Their own number can be a co-artist's (docs/apis.md, 5.12).
    private(set) var byArtist: [Int64: [Album]] = [:]
    /// The maximum number of albums of each artist, in lookups and in memory.
    static let limit = 6
    /// The faults of rows that are neither artists nor albums, or are incomplete.
    private(set) var faults: [ContentFault] = []

    init(_ body: [UInt8]) throws {
        var artist: Int64?
        for (index, place) in try SearchAnswer(body).rows.enumerated() {
            do {
                let row = try JSONFields(Array(body[place]))
                if row.optionalText("wrapperType") == "artist" {
                    artist = nil
                    artist = try row.integer("artistId")
                } else if row.optionalText("wrapperType") == "collection" || row.has("collectionType") {
                    guard let artist else { throw ContentFault("", "is an album without an artist before it") }
                    let title = try row.text("collectionName")
                    let link = row.scalar(FieldPath("collectionViewUrl"))
                    let isValid = link.isEmpty || WebAddress.isValid(link)
                    if !isValid {
                        let reason = "is \(link.quoted), which is no address on the web"
                        faults.append(ContentFault("results[\(index)].collectionViewUrl", reason))
                    }
                    let day = Day(moment: row.scalar(FieldPath("releaseDate")))
                    guard byArtist[artist, default: []].count < Self.limit else { continue }
                    let id = try row.integer("collectionId")
                    byArtist[artist, default: []].append(
                        (id, title.shortened, isValid ? link : "", day.map { "\($0.year)" } ?? ""))
                } else {
                    throw ContentFault("", "is neither an artist nor an album; it is skipped")
                }
            } catch let fault as ContentFault {
                faults.append(fault.inside("results[\(index)]"))
            }
        }
    }

    /// Up to five other albums of a song's artist.
    static func others(_ albums: [Int64: [Album]], for record: JSONFields) -> [Album] {
        let own = record.scalar(FieldPath("collectionId"))
        return Array(
            (CatalogueExtension.artist(of: record).flatMap { albums[$0] } ?? []).filter { "\($0.id)" != own }.prefix(5))
    }
}

/// The addresses of pictures. Source: docs/apis.md, 5.9 and 5.10.
extension CatalogueExtension {
    /// The path of a picture below a base address, or its address on the service's picture hosts; nil for others.
    static func picturePath(of url: String, bases: [String]) -> String? {
        let url = WebLinks.normalised(url)
        guard url.utf8.count <= LinkReader.longest, WebAddress.isValid(url) else { return nil }
        for base in bases where url.hasPrefix("\(base)/") {
            let path = String(url.dropFirst(base.count + 1))
            // Otherwise it could be mistaken for a whole address.
            let isPlain = DeclaredCatalogue.isPlain(path) && !path.utf8.contains { "%?#".utf8.contains($0) }
            return isPlain && !path.hasSuffix("/") ? sized(path) : nil
        }
        guard let parts = url.wholeMatch(of: /(https?):\/\/([a-z0-9\-]+)\.mzstatic\.com([\/?#].*)?/),
            !url.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
        else { return nil }
        // http://is4.mzstatic.com is also https://is4-ssl.mzstatic.com.
        let isPlain = parts.1 == "http" && !parts.2.hasSuffix("-ssl")
        return sized("https://\(parts.2)\(isPlain ? "-ssl" : "").mzstatic.com\(parts.3 ?? "")")
    }

    /// Replaces the size in an address that ends like "100x100bb.jpg" or "100x100bb-85.png" by the requested one. The
    /// service never enlarges a picture. Other addresses stay.
    private static func sized(_ url: String) -> String {
        guard let slash = url.lastIndex(of: "/"),
            let name = url[url.index(after: slash)...].wholeMatch(of: /[0-9]+x[0-9]+(bb(?:-[0-9]+)?\.(?:jpg|png|webp))/)
        else { return url }
        return "\(url[...slash])600x600\(name.1)"
    }
}

extension PageMaker {
    /// Links to other albums of a song's artist. An album with a list on this site has the cover of one of its songs.
    func albums(of record: RecordContent, _ kind: KindDeclaration, in rows: ListRows) -> [Value] {
        let country = tables.declaration.parameters[kind.name]?["country"] ?? ""
        let artist = kind.field("artist").map { record.texts[$0.index] }
        let facets = facets(of: rows)
        return ArtistAlbums.others(tables.albums[country] ?? [:], for: record.undeclared.fields).map { album in
            // Albums of several artists can have the same title.
            let list = facets["album", album.title]
            let song = list?.rows.lazy.map { rows.locate(Int($0)) }.first { song in
                song.table.kind.field("artist").map { song.table.text($0, song.row) } == artist
            }
            return RecordModels.link([
                "name": album.title, "link": album.link, "note": album.year,
                "list": song.flatMap { _ in list?.path() },
                "picture": song.map(tables.picture),
            ])
        }
    }
}
