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

    let artists: [MediaArtist]
    let albums: [MediaAlbum]
    let songs: [MediaSong]
    let movies: [MediaMovie]
    let books: [MediaBook]

    /// Where things are, by id, and what picture an artwork's name stands for.
    let places: [Int: Place]
    let artworks: [String: Artwork.Form]

    /// The places of albums that are an artist's, or that they are on; of an album's songs; of an author's books.
    let albumsOfArtist: [Int: [Int]]
    let songsOfAlbum: [Int: [Int]]
    let booksOfAuthor: [Int: [Int]]

    /// A library that is the same for the same seed.
    public init(seed: UInt64 = 1) {
        let made = MediaMaker(seed: seed)
        self.seed = seed
        artists = made.artists
        albums = made.albums
        songs = made.songs
        movies = made.movies
        books = made.books

        var places: [Int: Place] = [:]
        var artworks: [String: Artwork.Form] = [:]
        for (place, artist) in made.artists.enumerated() { places[artist.id] = Place(.artist, place) }
        for (place, album) in made.albums.enumerated() {
            places[album.id] = Place(.album, place)
            artworks[album.artwork] = .sleeve
        }
        for (place, song) in made.songs.enumerated() { places[song.id] = Place(.song, place) }
        for (place, movie) in made.movies.enumerated() {
            places[movie.id] = Place(.movie, place)
            artworks[movie.artwork] = .poster
        }
        for (place, book) in made.books.enumerated() {
            places[book.id] = Place(.book, place)
            artworks[book.artwork] = .cover
        }
        self.places = places
        self.artworks = artworks

        var albumsOfArtist: [Int: [Int]] = [:]
        for (place, album) in made.albums.enumerated() {
            albumsOfArtist[album.artist, default: []].append(place)
            if let guest = album.guest { albumsOfArtist[guest, default: []].append(place) }
        }
        self.albumsOfArtist = albumsOfArtist
        songsOfAlbum = Dictionary(grouping: made.songs.indices) { made.songs[$0].album }
        var booksOfAuthor: [Int: [Int]] = [:]
        for (place, book) in made.books.enumerated() {
            for author in book.authors { booksOfAuthor[author, default: []].append(place) }
        }
        self.booksOfAuthor = booksOfAuthor
    }
}

extension MediaLibrary {
    /// What a row is about.
    public enum Kind: String, Sendable, CaseIterable {
        /// Who made it.
        case artist
        /// Songs that belong together.
        case album
        /// A song.
        case song
        /// A film.
        case movie
        /// A book.
        case book
    }

    /// One of a kind, by its place in the library.
    struct Place: Hashable {
        let kind: Kind
        let index: Int

        init(_ kind: Kind, _ index: Int) {
            self.kind = kind
            self.index = index
        }
    }

    /// The ids of a kind, in the library's order.
    public func ids(of kind: Kind) -> [Int64] {
        count(of: kind).map { Int64(id(of: Place(kind, $0))) }
    }

    /// A row as a country's store answers it.
    ///
    /// - Parameter country: two letters, in any case.
    /// - Returns: a JSON object; nil where there is no such id or no such store, or where that store does not sell it.
    public func row(_ id: Int64, country: String = "US") -> [UInt8]? {
        guard let place = places[Int(id)], let store = MediaStore(country), isSold(place, in: store) else { return nil }
        return row(of: place, in: store)
    }

    func count(of kind: Kind) -> Range<Int> {
        switch kind {
        case .artist: artists.indices
        case .album: albums.indices
        case .song: songs.indices
        case .movie: movies.indices
        case .book: books.indices
        }
    }

    func id(of place: Place) -> Int {
        switch place.kind {
        case .artist: artists[place.index].id
        case .album: albums[place.index].id
        case .song: songs[place.index].id
        case .movie: movies[place.index].id
        case .book: books[place.index].id
        }
    }

    /// Music is sold everywhere; Russian films and books in their own store only, and some others not in that.
    func isSold(_ place: Place, in store: MediaStore) -> Bool {
        switch place.kind {
        case .artist, .album, .song: true
        case .movie: store.isRussian ? movies[place.index].isInRussia : !movies[place.index].isRussian
        case .book: store.isRussian ? books[place.index].isInRussia : !books[place.index].isRussian
        }
    }
}
