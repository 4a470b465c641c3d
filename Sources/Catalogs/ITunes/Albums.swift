import Catalogue

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
                    artist = row.id("artistId")
                    guard let artist else { throw row.faults.last ?? ContentFault("artistId", "is missing") }
                    byArtist[artist] = byArtist[artist] ?? []
                case _ where row.isCollection || row.kind == "Album":
                    guard let artist else { throw ContentFault("", "is an album that no artist stands before") }
                    guard let id = row.id("collectionId") else {
                        throw row.faults.last ?? ContentFault("collectionId", "is missing")
                    }
                    guard let title = row.text("collectionName") else {
                        throw row.faults.last ?? ContentFault("collectionName", "is missing")
                    }
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
