/// An album, a single or an EP.
struct MediaAlbum: Sendable {
    let id: Int
    let name: String
    /// Places in the library's artists: whose id it has, and who else is on it.
    let artist: Int
    let guest: Int?
    let genre: MediaGenre
    let date: String
    let explicitness: Explicitness
    let trackCount: Int
    let price: Int
    let copyright: String
    let artwork: String
}
