import Platform

/// An invented library of songs, films and books, in the form of the iTunes Search API's answers, with their
/// irregularities. The seed determines its content. Rows are created on request, in the language of a country's store.
package struct MediaLibrary: Sendable {
    /// The start of all links and picture addresses in the rows. It is not the server's own address.
    package static let canonicalBase = "https://media.sample.invalid"

    package enum Kind: String, Sendable, CaseIterable { case artist, album, song, movie, book }

    private let seed: UInt64
    let items: [MediaItem]
    /// The indices of items by id, and the kind of each picture by its name.
    let indices: [Int: Int]
    let artworks: [String: Kind]
    /// The indices of the items that belong to an item: albums of artists, songs of albums, books of authors.
    private var parts: [Int: [Int]] = [:]

    package init(seed: UInt64 = 1) {
        let items = MediaMaker(seed: seed).items
        self.seed = seed
        self.items = items
        indices = Dictionary(uniqueKeysWithValues: zip(items.map(\.id), items.indices))
        let pictured = items.filter { $0.kind != .song && $0.kind != .artist }
        artworks = Dictionary(pictured.map { ($0.artwork, $0.kind) }, uniquingKeysWith: { $1 })
        for index in items.indices where items[index].kind != .movie {
            for maker in items[index].makers { parts[maker, default: []].append(index) }
        }
    }

    /// The ids of a kind, in the library's order.
    package func ids(of kind: Kind) -> [Int64] { items.filter { $0.kind == kind }.map { Int64($0.id) } }

    /// The items of a kind that belong to an artist or an album. Songs also belong to the artist of their album.
    func parts(of index: Int, _ kind: Kind) -> [Int] {
        let direct = parts[index] ?? []
        return (direct + direct.flatMap { parts[$0] ?? [] }).filter { items[$0].kind == kind }
    }

    /// A picture as PNG, with the largest size that fits into a box; nil if no item has the name.
    package func artwork(_ name: String, width: Int, height: Int) -> [UInt8]? {
        guard let kind = artworks[name] else { return nil }
        let size = Self.size(of: kind, width: width, height: height)
        let random = SeededRandom(seed, .artwork, Int(truncatingIfNeeded: UInt64(name, radix: 16) ?? 0))
        let drawingHeight = kind == .album ? 300.0 : 450
        return Drawing(random, width: size.width, height: size.height, drawingHeight: drawingHeight).artwork(kind)
    }

    /// The largest size that fits into a box. The longest side is at most 1000 pixels, which is the original size.
    static func size(of kind: Kind, width: Int, height: Int) -> (width: Int, height: Int) {
        let (width, height) = (min(max(width, 1), 1000), min(max(height, 1), 1000))
        guard kind != .album else { return (min(width, height), min(width, height)) }
        return width * 3 <= height * 2 ? (width, max(width * 3 / 2, 1)) : (max((height * 2 + 1) / 3, 1), height)
    }

    /// The members of each kind of row, in the service's order.
    private static let members: [Kind: [String]] = [
        .artist: """
        wrapperType|artistType|artistName|artistLinkUrl|artistId|amgArtistId|primaryGenreName|primaryGenreId
        """.items,
        .album: """
        wrapperType|collectionType|artistId|collectionId|amgArtistId|artistName|collectionName|collectionCensoredName
        artistViewUrl|collectionViewUrl|artworkUrl60|artworkUrl100|collectionPrice|collectionExplicitness
        contentAdvisoryRating|trackCount|copyright|country|currency|releaseDate|primaryGenreName
        """.items,
        .song: """
        wrapperType|kind|artistId|collectionId|trackId|artistName|collectionName|trackName|collectionCensoredName
        trackCensoredName|artistViewUrl|collectionViewUrl|trackViewUrl|previewUrl|artworkUrl30|artworkUrl60
        artworkUrl100|collectionPrice|trackPrice|releaseDate|collectionExplicitness|trackExplicitness
        contentAdvisoryRating|discCount|discNumber|trackCount|trackNumber|trackTimeMillis|country|currency
        primaryGenreName|isStreamable
        """.items,
        .movie: """
        wrapperType|kind|artistId|collectionId|trackId|artistName|collectionName|trackName|collectionCensoredName
        trackCensoredName|collectionArtistId|collectionArtistViewUrl|collectionViewUrl|artistViewUrl|trackViewUrl
        previewUrl|artworkUrl30|artworkUrl60|artworkUrl100|collectionPrice|trackPrice|trackRentalPrice
        collectionHdPrice|trackHdPrice|trackHdRentalPrice|releaseDate|collectionExplicitness|trackExplicitness
        discCount|discNumber|trackCount|trackNumber|trackTimeMillis|country|currency|primaryGenreName
        contentAdvisoryRating|shortDescription|longDescription
        """.items,
        .book: """
        artworkUrl60|artworkUrl100|artistViewUrl|trackCensoredName|fileSizeBytes|formattedPrice|trackViewUrl
        artistIds|genres|genreIds|releaseDate|trackId|trackName|kind|currency|description|artistId|artistName
        price|averageUserRating|userRatingCount
        """.items,
    ]

    /// A row in the answers of a country's store.
    /// - Parameter country: two letters, in any case.
    /// - Returns: a JSON object; nil if the id or the store does not exist, or the store does not sell the item.
    package func row(_ id: Int64, country: String = "US") -> [UInt8]? {
        guard let index = indices[Int(id)], let store = MediaStore(country), store.sells(items[index]) else {
            return nil
        }
        return row(of: items[index], in: store)
    }

    func row(of item: MediaItem, in store: MediaStore) -> [UInt8] {
        let values = values(of: item, in: store)
        return JSONObject((Self.members[item.kind] ?? []).map { ($0, values[$0] ?? nil) }).json
    }

    /// All values of a row, by member name. Each kind of row uses some of them.
    private func values(of item: MediaItem, in store: MediaStore) -> [String: (any JSONWritable)?] {
        let isMusic = item.kind == .album || item.kind == .song
        let isMovie = item.kind == .movie
        let album = item.kind == .song ? items[item.makers[0]] : item
        let makers = album.makers.map { items[$0] }
        let artist: MediaItem? = isMovie && !item.isByStudio ? nil : makers.first ?? item
        let collection = isMusic ? (id: album.id, name: album.name, count: album.trackCount, number: 0) : item.bundle
        let one = item.kind == .song || item.bundle != nil ? 1 : nil
        let id = item.kind == .song ? "\(album.id)?i=\(item.id)" : isMusic ? "\(item.id)" : "id\(item.id)"
        let page = store.page(isMusic ? "album" : item.kind.rawValue, item.name, id)
        let (price, rent) = (store.price(item), RawJSON(store.price(399)))
        let ratings = store.isRussian ? MediaWords.russianRatings : MediaWords.ratings
        func picture(_ size: Int) -> String { "\(Self.canonicalBase)/artwork/\(item.artwork)/\(size)x\(size)bb.jpg" }
        return [
            "wrapperType": ["artist", "collection", "track"][item.kind == .artist ? 0 : item.kind == .album ? 1 : 2],
            "kind": isMovie ? "feature-movie" : item.kind == .book ? "ebook" : "song", "artistType": item.artistType,
            "collectionType": "Album", "artistId": artist?.id, "artistIds": makers.map(\.id),
            // Two artists in five have this number.
            "amgArtistId": artist.flatMap { $0.artistType == "Artist" && $0.id / 64 % 5 < 2 ? $0.id / 640 : nil },
            "artistName": item.artistName, "artistLinkUrl": store.page(of: item),
            "artistViewUrl": artist.map { store.page(of: $0) },
            "collectionId": collection?.id, "collectionName": collection?.name,
            "collectionCensoredName": collection?.name, "collectionViewUrl": collection.map { _ in page },
            "collectionArtistId": item.bundle.map { _ in makers[0].id },
            "collectionArtistViewUrl": item.bundle.map { _ in store.page("artist", makers[0].name, "\(makers[0].id)") },
            "collectionPrice": isMusic ? store.price(album) : price, "collectionHdPrice": price,
            "collectionExplicitness": album.explicitness,
            "trackId": item.id, "trackName": item.name, "trackCensoredName": item.name, "trackViewUrl": page,
            "trackPrice": price, "trackRentalPrice": rent, "trackHdPrice": price, "trackHdRentalPrice": rent,
            "trackExplicitness": item.explicitness, "trackCount": collection?.count,
            "trackNumber": isMovie ? item.bundle?.number : item.number, "trackTimeMillis": item.milliseconds,
            "discCount": one, "discNumber": one,
            "previewUrl": "\(Self.canonicalBase)/preview/\(item.id).\(isMovie ? "m4v" : "m4a")",
            "artworkUrl30": picture(30), "artworkUrl60": picture(60), "artworkUrl100": picture(100),
            "contentAdvisoryRating": isMovie
                ? ratings[item.rating % ratings.count]
                : ["explicit": "Explicit", "cleaned": "Clean"][item.explicitness],
            "copyright": item.copyright, "country": store.country, "currency": store.currency,
            "releaseDate": item.date, "primaryGenreName": item.genres.first.map(store.name),
            "primaryGenreId": item.genres.first?.id, "genres": item.genres.map(store.name),
            "genreIds": item.genres.map { "\($0.id)" }, "isStreamable": RawJSON("\(item.isStreamable)"),
            "shortDescription": item.id / 64 % 2 == 0 ? item.description.map { String($0.prefix(100)) } : nil,
            "longDescription": item.description, "description": item.description, "fileSizeBytes": item.size,
            "price": price, "formattedPrice": store.shown(item.price ?? 0),
            "averageUserRating": item.stars.map { RawJSON("\($0.halves / 2).\($0.halves % 2 * 5)") },
            "userRatingCount": item.stars?.count,
        ]
    }
}

/// A song, film, book, album or artist. Properties that its kind does not have keep their defaults.
struct MediaItem: Sendable {
    let kind: MediaLibrary.Kind
    let id: Int
    let name: String
    /// The artist named below the title. An artist has its own name here.
    var artistName: String
    /// Indices in the library: an album's artist and guest, a song's album, a film's studio, or a book's authors.
    var makers: [Int] = []
    /// The type of an artist: `Artist`, `Author` or `Movie Artist`.
    var artistType = ""
    var genres: [MediaGenre] = []
    var date = ""
    /// In hundredths; nil for a song that is only sold with its album.
    var price: Int?
    /// `explicit`, `cleaned` or `notExplicit`.
    var explicitness = "notExplicit"
    /// All stores sell music. Only the Russian store sells Russian films and books, and it lacks some other items.
    var isInAmerica = true
    var isInRussia = true
    var artwork = ""
    /// For albums and songs.
    var trackCount = 0
    var number = 0
    var copyright = ""
    var isStreamable = true
    /// For songs and films.
    var milliseconds: Int?
    /// For films: whether the studio is named instead of a director, the bundle that contains the film, and its rating.
    var isByStudio = false
    var bundle: (id: Int, name: String, count: Int, number: Int)?
    var rating = 0
    /// For films and books.
    var description: String?
    /// For books: the file's size in bytes, the average rating in half stars, and the number of ratings.
    var size: Int?
    var stars: (halves: Int, count: Int)?
}

struct MediaGenre: Sendable {
    let id: Int
    let english: String
    let russian: String

    static let music = """
        14|Pop|Поп|21|Rock|Рок|20|Alternative|Альтернатива|10|Singer/Songwriter|Авторская песня
        7|Electronic|Электронная музыка|11|Jazz|Джаз|15|R&B/Soul|R&B/соул|19|Worldwide|Музыка мира
        """.genres
    static let movies = """
        4406|Drama|Драма|4404|Comedy|Комедия|4410|Kids & Family|Детям и всей семье|4413|Sci-Fi & Fantasy|Фантастика
        4405|Documentary|Документальные|4412|Romance|Мелодрамы|4401|Action & Adventure|Боевики и приключения
        """.genres
    static let books = """
        9031|Fiction & Literature|Художественная литература|9004|Travel & Adventure|Путешествия и приключения
        9019|Science & Nature|Наука и природа|9008|Biographies & Memoirs|Биографии и мемуары
        9028|Cookbooks, Food & Wine|Кулинария|9032|Mysteries & Thrillers|Детективы и триллеры|9012|Humor|Юмор
        9010|Kids|Детям
        """.genres
    /// The genre that every book has in addition to its own genres.
    static let allBooks = MediaGenre(id: 38, english: "Books", russian: "Книги")
}

extension String {
    fileprivate var genres: [MediaGenre] {
        stride(from: 0, to: items.count, by: 3).map { index in
            MediaGenre(id: Int(items[index]) ?? 0, english: items[index + 1], russian: items[index + 2])
        }
    }
}

struct MediaStore {
    /// ISO 3166-1 alpha-2, used in requests.
    let code: String
    /// ISO 3166-1 alpha-3, used in answers.
    let country: String
    let currency: String

    private static let known = """
        US USA USD|RU RUS RUB|GB GBR GBP|DE DEU EUR|FR FRA EUR|ES ESP EUR|IT ITA EUR|JP JPN JPY|AU AUS AUD|CA CAN CAD
        KZ KAZ KZT|RS SRB USD
        """.items.map { $0.split(separator: " ").map(String.init) }

    /// - Parameter code: in upper or lower case.
    /// - Returns: nil for a country without a store.
    init?(_ code: String) {
        guard let facts = Self.known.first(where: { $0[0] == code.uppercased() }) else { return nil }
        (self.code, country, currency) = (facts[0], facts[1], facts[2])
    }

    var isRussian: Bool { code == "RU" }

    func name(of genre: MediaGenre) -> String { isRussian ? genre.russian : genre.english }

    func sells(_ item: MediaItem) -> Bool { isRussian ? item.isInRussia : item.isInAmerica }

    /// Converts a price of the American store, in hundredths, to this store's currency, with two decimals.
    func price(_ cents: Int) -> String {
        let price = isRussian && cents > 0 ? cents * 15 / 100 * 100 : cents
        return "\(price / 100).\((price.magnitude % 100).padded())"
    }

    /// The price of an item; -1 if it is not sold alone.
    func price(_ item: MediaItem) -> RawJSON { RawJSON(price(item.price ?? -100)) }

    /// A price for people.
    func shown(_ cents: Int) -> String {
        switch (cents, isRussian) {
        case (0, true): "Бесплатно"
        case (0, false): "Free"
        case (_, true): "\(price(cents).replacing(".", with: ",")) ₽"
        case (_, false): "$\(price(cents))"
        }
    }

    /// The address of an item's page in the store, such as `https://…/us/album/nine-bells/1234567890?uo=4`. The name in
    /// it consists of lower-case letters and digits, joined by hyphens and percent-encoded.
    func page(_ folder: String, _ name: String, _ id: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        let slug = percentEncoded(words.joined(separator: "-")) { $0 < 0x80 }
        return MediaLibrary.canonicalBase + "/\(code.lowercased())/\(folder)/"
            + "\(slug)\(slug.isEmpty ? "" : "/")\(id)\(id.contains("?") ? "&" : "?")uo=4"
    }

    func page(of artist: MediaItem) -> String {
        page(artist.artistType == "Movie Artist" ? "studio" : "artist", artist.name, "\(artist.id)")
    }
}
