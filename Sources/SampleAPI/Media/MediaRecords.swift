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

/// Whether something may be played with children in the room.
enum Explicitness: String, Sendable {
    case explicit, cleaned, notExplicit

    /// What is printed beside it; nothing where there is nothing to warn of.
    var advisory: String? {
        switch self {
        case .explicit: "Explicit"
        case .cleaned: "Clean"
        case .notExplicit: nil
        }
    }
}

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

/// A film.
struct MediaMovie: Sendable {
    /// Several films sold as one.
    struct Bundle: Sendable {
        let id: Int
        let name: String
        let count: Int
        let number: Int
    }
    let id: Int
    let name: String
    let director: String
    /// Its place in the library's artists.
    let studio: Int
    /// Whether the studio stands where directors do.
    let isByStudio: Bool
    let bundle: Bundle?
    let genre: MediaGenre
    let date: String
    /// Its place in the ratings of a store.
    let rating: Int
    let milliseconds: Int?
    let description: String?
    let price: Int
    let isRussian: Bool
    /// Whether the Russian store has it too; what is Russian is sold there only.
    let isInRussia: Bool
    let artwork: String
}

/// A book.
struct MediaBook: Sendable {
    let id: Int
    let name: String
    /// Places in the library's artists.
    let authors: [Int]
    let genres: [MediaGenre]
    let date: String
    let price: Int
    let description: String
    /// Twice the average, 2 to 10, and how many rated; nil where nobody did.
    let rating: (halves: Int, count: Int)?
    let size: Int?
    let isRussian: Bool
    let isInRussia: Bool
    let artwork: String
}
