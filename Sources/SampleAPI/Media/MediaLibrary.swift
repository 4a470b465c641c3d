/// What is played, shown and read on the Lantern Archipelago: an invented store of songs, films and books, in the shape
/// of a store's search answers, with their oddities.
///
/// All of it follows from the seed. Rows are written when asked for, in the words and the currency of a country's
/// store.
public struct MediaLibrary: Sendable {
    /// The address that all links and pictures in the rows begin with. It is not the server's own.
    public static let canonicalBase = "https://media.sample.invalid"

    /// What everything follows from.
    public let seed: UInt64

    let items: [MediaItem]

    /// Where things are, by id, and what a picture is of, by its name.
    let places: [Int: Int]
    let artworks: [String: Kind]

    /// The places of what belongs to what is at a place: albums of artists, songs of albums, books of authors.
    private let parts: [Int: [Int]]

    /// A library that is the same for the same seed.
    public init(seed: UInt64 = 1) {
        let items = MediaMaker(seed: seed).items
        self.seed = seed
        self.items = items
        places = Dictionary(uniqueKeysWithValues: zip(items.map(\.id), items.indices))
        artworks = Dictionary(
            items.filter { $0.kind != .song && $0.kind != .artist }.map { ($0.artwork, $0.kind) },
            uniquingKeysWith: { $1 })
        var parts: [Int: [Int]] = [:]
        for place in items.indices where items[place].kind != .movie {
            for maker in items[place].makers { parts[maker, default: []].append(place) }
        }
        self.parts = parts
    }

    /// What a row is about: who made it, songs that belong together, a song, a film, a book.
    public enum Kind: String, Sendable, CaseIterable {
        /// One kind of row.
        case artist, album, song, movie, book
    }

    /// The ids of a kind, in the library's order.
    public func ids(of kind: Kind) -> [Int64] { items.filter { $0.kind == kind }.map { Int64($0.id) } }

    /// A row as a country's store answers it.
    ///
    /// - Parameter country: two letters, in any case.
    /// - Returns: a JSON object; nil where there is no such id or no such store, or where that store does not sell it.
    public func row(_ id: Int64, country: String = "US") -> [UInt8]? {
        guard let place = places[Int(id)], let store = MediaStore(country), store.sells(items[place]) else {
            return nil
        }
        return row(of: items[place], in: store)
    }

    /// What of a kind belongs to an artist or an album; songs belong to an album's artist too.
    func parts(of place: Int, _ kind: Kind) -> [Int] {
        let direct = parts[place] ?? []
        return (direct + direct.flatMap { parts[$0] ?? [] }).filter { items[$0].kind == kind }
    }

    /// A picture as PNG, as large as fits into a box: albums' are square, films' and books' two wide and three high.
    ///
    /// - Parameter name: as in the rows' addresses.
    /// - Returns: nil where nothing has such a picture.
    public func artwork(_ name: String, width: Int, height: Int) -> [UInt8]? {
        guard let kind = artworks[name] else { return nil }
        let size = Self.size(of: kind, width: width, height: height)
        let dice = Dice(seed, .artwork, Int(truncatingIfNeeded: UInt64(name, radix: 16) ?? 0))
        return Drawing(dice, width: size.width, height: size.height, tall: kind == .album ? 300 : 450).artwork(kind)
    }

    /// The largest size that fits into a box, its longest side at most 1000, an original's.
    static func size(of kind: Kind, width: Int, height: Int) -> (width: Int, height: Int) {
        let (width, height) = (min(max(width, 1), 1000), min(max(height, 1), 1000))
        guard kind != .album else { return (min(width, height), min(width, height)) }
        return width * 3 <= height * 2 ? (width, max(width * 3 / 2, 1)) : (max((height * 2 + 1) / 3, 1), height)
    }
}
