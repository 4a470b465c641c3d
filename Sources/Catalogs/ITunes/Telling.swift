import Archive
import Catalogue

/// What pages say of searches and items wherever they name them.
struct Telling: RecordTelling {
    let world: World

    var kinds: [(name: String, count: TextNeed)] {
        let kinds = Kind.all(.search) + Kind.all(.item) + Kind.all(.albums).filter { $0.medium == .music }
        return kinds.map { ($0.name, Self.count($0.role, $0.medium)) }
    }

    private static func count(_ role: Kind.Role, _ medium: Search.Medium) -> TextNeed {
        switch (role, medium) {
        case (.search, _): Words.searchCount
        case (.albums, _): Words.albumsCount
        case (.item, .music): Words.songCount
        case (.item, .movie): Words.movieCount
        case (.item, .ebook): Words.bookCount
        }
    }

    func page(of key: RecordKey) -> RecordPage? {
        if let row = world.row(of: key) {
            let place = world.items[row]
            let picture: RecordPage.Picture? = place.picture.map {
                (path: Places.picture(key, $0.format), width: $0.width, height: $0.height)
            }
            return RecordPage(path: Places.item(key), name: place.brief.title, picture: picture)
        }
        return world.searches.first { $0.key == key }.map { RecordPage(path: $0.path, name: $0.search.term) }
    }

    func members(of kind: String) -> [ToldMember] {
        guard let kind = Kind(kind), kind.role == .item else {
            return [("results", Words.results), ("resultCount", nil)]
        }
        return [
            ("trackName", Words.name), ("artistName", Words.artist), ("collectionName", Words.album),
            ("primaryGenreName", Words.genre), ("genres", Words.genre), ("releaseDate", Words.released),
            ("trackExplicitness", Words.explicit), ("averageUserRating", Words.rating),
            ("longDescription", Words.description), ("description", Words.description),
            ("artworkUrl100", Words.artwork),
        ]
    }

    func key(_ element: JSONValue, of member: String, in kind: String) -> RecordKey? {
        guard let kind = Kind(kind), kind.role == .search, case .literal(let digits)? = element["trackId"],
            let id = Int64(digits)
        else {
            return nil
        }
        return RecordKey(Kind(.item, kind.medium, kind.store).name, id)
    }

    func shown(_ value: JSONValue, of member: String, in key: RecordKey, _ texts: Texts) -> ShownValue? {
        if member == "trackExplicitness", let word = value.text.flatMap({ texts.value("explicit", $0) }) {
            return ShownValue(word, isServed: false)
        }
        if member == "releaseDate", let day = value.text.flatMap({ Day($0) }) {
            return ShownValue(Facts.date(day, texts), isServed: false)
        }
        // Results are objects: their titles say which.
        let title = ["trackName", "collectionName", "artistName"].lazy.compactMap { value[$0]?.text }.first
        let text = (title?.showable ?? value.shown).shortened
        return value == .literal("null") || text.isBlank ? nil : ShownValue(text, isServed: true)
    }
}

/// The texts that pages of this catalogue ask for beside those that templates name.
enum Words {
    static let title = TextNeed("mediaTitle")
    static let sampleTitle = TextNeed("mediaSampleTitle")
    static let searches = TextNeed("searches")
    static let items = TextNeed("allMedia")
    static let searchLabel = TextNeed("mediaSearchLabel")
    static let searchDescription = TextNeed("mediaSearchDescription")
    static let complete = TextNeed("mediaComplete")
    static let indexDescription = TextNeed("searchesDescription", filling: ["searches", "items"])
    static let resultsTitle = TextNeed("resultsTitle", filling: ["term", "medium", "country"])
    static let resultsDescription = TextNeed("resultsDescription", filling: ["term", "count"])
    static let leftOut = TextNeed(plural: "leftOut")
    static let itemDescription = TextNeed("itemDescription", filling: ["name", "facts"])
    static let artworkOf = TextNeed("artworkOf", filling: ["name"])
    static let kind = TextNeed("mediaKind")
    static let explicit = TextNeed("explicit")
    static let country = TextNeed("country")
    static let genre = TextNeed("genre")
    static let name = TextNeed("name")
    static let artist = TextNeed("artist")
    static let album = TextNeed("album")
    static let released = TextNeed("released")
    static let description = TextNeed("mediaDescription")
    static let rating = TextNeed("rating")
    static let results = TextNeed("results")
    static let artwork = TextNeed("artwork")
    static let date = TextNeed("dateOf", filling: ["day", "month", "year"])
    static let ratingOf = TextNeed(plural: "ratingOf", filling: ["rating"])
    static let megabytes = TextNeed("megabytes", filling: ["number"])
    static let decimalMark = TextNeed("decimalMark")
    static let music = TextNeed("music")
    static let movies = TextNeed("movies")
    static let books = TextNeed("books")
    static let itemCount = TextNeed(plural: "itemCount")
    static let songCount = TextNeed(plural: "songCount")
    static let movieCount = TextNeed(plural: "movieCount")
    static let bookCount = TextNeed(plural: "bookCount")
    static let searchCount = TextNeed(plural: "searchCount")
    static let albumsCount = TextNeed(plural: "albumsCount")
    static let resultCount = TextNeed(plural: "resultCount")
    static let pictureCount = TextNeed(plural: "pictureCount")

    static let all = [
        title, sampleTitle, searches, items, searchLabel, searchDescription, complete, indexDescription, resultsTitle,
        resultsDescription, itemDescription, artworkOf, leftOut, kind, explicit, country, genre, name, artist, album,
        released,
        description, rating, results, artwork, date, ratingOf, megabytes, decimalMark, music, movies, books, itemCount,
        songCount, movieCount, bookCount, searchCount, albumsCount, resultCount, pictureCount,
    ]
}

extension Search.Medium {
    var label: TextNeed {
        switch self {
        case .music: Words.music
        case .movie: Words.movies
        case .ebook: Words.books
        }
    }
}
