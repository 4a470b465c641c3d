/// One thing in a library, or who made it. What a kind does not have keeps its default.
struct MediaItem: Sendable {
    let kind: MediaLibrary.Kind
    let id: Int
    let name: String
    /// Places in the library: of an album's artist and guest, a song's album, a film's studio, a book's authors.
    var makers: [Int] = []
    /// Whose name is below the title.
    var artistName = ""
    /// What makes an artist: `Artist`, `Author` or `Movie Artist`.
    var trade = ""
    var genres: [MediaGenre] = []
    var date = ""
    /// Hundredths; nil where it is sold with its album only.
    var price: Int?
    /// `explicit`, `cleaned` or `notExplicit`.
    var explicitness = "notExplicit"
    /// Music is sold everywhere; Russian films and books in their own store only, and some others not in that.
    var isInAmerica = true
    var isInRussia = true
    var artwork = ""
    /// Of an album and a song.
    var trackCount = 0
    var number = 0
    var copyright = ""
    var isStreamable = true
    /// Of a song and a film.
    var milliseconds: Int?
    /// Of a film: whether the studio is named in place of a director, whether several are sold as one, its rating.
    var isByStudio = false
    var bundle: (id: Int, name: String, count: Int, number: Int)?
    var rating = 0
    /// Of a film and a book.
    var description: String?
    /// Of a book: bytes, twice the average of its ratings, and how many rated.
    var size: Int?
    var stars: (halves: Int, count: Int)?

    /// What is printed beside it; nothing where there is nothing to warn of.
    var advisory: String? { ["explicit": "Explicit", "cleaned": "Clean"][explicitness] }
}

/// A genre, with the names that storefronts have for it.
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
    /// What all books belong to: always named, and says nothing.
    static let allBooks = MediaGenre(id: 38, english: "Books", russian: "Книги")
}

extension String {
    fileprivate var genres: [MediaGenre] {
        stride(from: 0, to: items.count, by: 3).map { place in
            MediaGenre(id: Int(items[place]) ?? 0, english: items[place + 1], russian: items[place + 2])
        }
    }
}

/// A country's storefront: what its rows name it, and what is paid with there.
struct MediaStore {
    /// ISO 3166-1 alpha-2, as asked for.
    let code: String
    /// Alpha-3, as answered.
    let country: String
    let currency: String

    private static let known = """
        US USA USD|RU RUS RUB|GB GBR GBP|DE DEU EUR|FR FRA EUR|ES ESP EUR|IT ITA EUR|JP JPN JPY|AU AUS AUD|CA CAN CAD
        KZ KAZ KZT|RS SRB USD
        """.items.map { $0.split(separator: " ").map(String.init) }

    /// - Parameter code: in any case; nil for a country that has no store.
    init?(_ code: String) {
        guard let facts = Self.known.first(where: { $0[0] == code.uppercased() }) else { return nil }
        (self.code, country, currency) = (facts[0], facts[1], facts[2])
    }

    var isRussian: Bool { code == "RU" }

    func name(of genre: MediaGenre) -> String { isRussian ? genre.russian : genre.english }

    func sells(_ item: MediaItem) -> Bool { isRussian ? item.isInRussia : item.isInAmerica }

    /// A price of the American store in hundredths, in this store's currency with two decimals.
    ///
    /// - Parameter mark: what is before the decimals.
    func price(_ cents: Int, mark: String = ".") -> String {
        let price = isRussian && cents > 0 ? cents * 15 / 100 * 100 : cents
        return "\(price / 100)\(mark)\((price.magnitude % 100).padded())"
    }

    /// A price as it is shown to people.
    func shown(_ cents: Int) -> String {
        switch (cents, isRussian) {
        case (0, true): "Бесплатно"
        case (0, false): "Free"
        case (_, true): "\(price(cents, mark: ",")) ₽"
        case (_, false): "$\(price(cents))"
        }
    }

    /// The address of a page about something, such as `https://…/us/album/nine-bells/1234567890?uo=4`: a name in it is
    /// small letters and digits, joined by dashes, percent-encoded.
    func page(_ folder: String, _ name: String, _ id: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        let slug = words.joined(separator: "-").utf8.map { byte in
            byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
        return MediaLibrary.canonicalBase + "/\(code.lowercased())/\(folder)/"
            + "\(slug.joined())\(slug.isEmpty ? "" : "/")\(id)\(id.contains("?") ? "&" : "?")uo=4"
    }
}
