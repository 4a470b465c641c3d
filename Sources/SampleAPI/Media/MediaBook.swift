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
