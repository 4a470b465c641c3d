/// Someone whose name stands below a title: a musician, an author, a film studio.
struct MediaArtist: Sendable {
    enum Trade: String, Sendable {
        case musician = "Artist"
        case author = "Author"
        case studio = "Movie Artist"
    }
    let id: Int
    let name: String
    let trade: Trade
    let isRussian: Bool
    /// Not known of some.
    let genre: MediaGenre?
}
