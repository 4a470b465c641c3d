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
