/// A song on an album.
struct MediaSong: Sendable {
    let id: Int
    let name: String
    /// Its place in the library's albums.
    let album: Int
    let number: Int
    let milliseconds: Int
    let explicitness: Explicitness
    /// Hundredths; nil where it is sold with its album only.
    let price: Int?
    let isStreamable: Bool
}
