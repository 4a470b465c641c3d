import Archive
import Catalogue
import Pages

/// Presents searches and items on pages.
struct MediaPresenter: RecordPresenter {
    let tables: MediaTables

    var kinds: [(name: String, count: TextDeclaration)] {
        let kinds = Kind.all(.search) + Kind.all(.item) + Kind.all(.albums).filter { $0.medium == .music }
        return kinds.map { ($0.name, Self.count($0.role, $0.medium)) }
    }

    private static func count(_ role: Kind.Role, _ medium: Search.Medium) -> TextDeclaration {
        switch (role, medium) {
        case (.search, _): MediaTexts.searchCount
        case (.albums, _): MediaTexts.albumsCount
        case (.item, .music): MediaTexts.songCount
        case (.item, .movie): MediaTexts.movieCount
        case (.item, .ebook): MediaTexts.bookCount
        }
    }

    func page(of key: RecordKey) -> RecordPage? {
        if let row = tables.row(of: key) {
            let place = tables.items[row]
            let picture: RecordPage.Picture? = place.picture.map {
                (path: MediaAddresses.picture(key, $0.format), width: $0.width, height: $0.height)
            }
            return RecordPage(path: MediaAddresses.item(key), name: place.brief.title, picture: picture)
        }
        return tables.searches.first { $0.key == key }.map { RecordPage(path: $0.path, name: $0.search.term) }
    }

    func members(of kind: String) -> [FieldLabel] {
        guard let kind = Kind(kind), kind.role == .item else {
            return [("results", MediaTexts.results), ("resultCount", nil)]
        }
        return [
            ("trackName", MediaTexts.name), ("artistName", MediaTexts.artist), ("collectionName", MediaTexts.album),
            ("primaryGenreName", MediaTexts.genre), ("genres", MediaTexts.genre), ("releaseDate", MediaTexts.released),
            ("trackExplicitness", MediaTexts.explicit), ("averageUserRating", MediaTexts.rating),
            ("longDescription", MediaTexts.description), ("description", MediaTexts.description),
            ("artworkUrl100", MediaTexts.artwork),
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
        // A result is an object, so its title is shown.
        let title = ["trackName", "collectionName", "artistName"].lazy.compactMap { value[$0]?.text }.first
        let text = (title?.showable ?? value.shown).shortened
        return value == .literal("null") || text.isBlank ? nil : ShownValue(text, isServed: true)
    }
}

/// The texts that this catalogue uses in addition to those in templates.
enum MediaTexts {
    static let title = TextDeclaration("mediaTitle")
    static let sampleTitle = TextDeclaration("mediaSampleTitle")
    static let searches = TextDeclaration("searches")
    static let items = TextDeclaration("allMedia")
    static let searchLabel = TextDeclaration("mediaSearchLabel")
    static let searchDescription = TextDeclaration("mediaSearchDescription")
    static let complete = TextDeclaration("mediaComplete")
    static let indexDescription = TextDeclaration("searchesDescription", filling: ["searches", "items"])
    static let resultsTitle = TextDeclaration("resultsTitle", filling: ["term", "medium", "country"])
    static let resultsDescription = TextDeclaration("resultsDescription", filling: ["term", "count"])
    static let leftOut = TextDeclaration(plural: "leftOut")
    static let itemDescription = TextDeclaration("itemDescription", filling: ["name", "facts"])
    static let artworkOf = TextDeclaration("artworkOf", filling: ["name"])
    static let kind = TextDeclaration("mediaKind")
    static let explicit = TextDeclaration("explicit")
    static let country = TextDeclaration("country")
    static let genre = TextDeclaration("genre")
    static let name = TextDeclaration("name")
    static let artist = TextDeclaration("artist")
    static let album = TextDeclaration("album")
    static let released = TextDeclaration("released")
    static let description = TextDeclaration("mediaDescription")
    static let rating = TextDeclaration("rating")
    static let results = TextDeclaration("results")
    static let artwork = TextDeclaration("artwork")
    static let date = TextDeclaration("dateOf", filling: ["day", "month", "year"])
    static let ratingOf = TextDeclaration(plural: "ratingOf", filling: ["rating"])
    static let megabytes = TextDeclaration("megabytes", filling: ["number"])
    static let decimalMark = TextDeclaration("decimalMark")
    static let music = TextDeclaration("music")
    static let movies = TextDeclaration("movies")
    static let books = TextDeclaration("books")
    static let itemCount = TextDeclaration(plural: "itemCount")
    static let songCount = TextDeclaration(plural: "songCount")
    static let movieCount = TextDeclaration(plural: "movieCount")
    static let bookCount = TextDeclaration(plural: "bookCount")
    static let searchCount = TextDeclaration(plural: "searchCount")
    static let albumsCount = TextDeclaration(plural: "albumsCount")
    static let resultCount = TextDeclaration(plural: "resultCount")
    static let pictureCount = TextDeclaration(plural: "pictureCount")

    static let all = [
        title, sampleTitle, searches, items, searchLabel, searchDescription, complete, indexDescription, resultsTitle,
        resultsDescription, itemDescription, artworkOf, leftOut, kind, explicit, country, genre, name, artist, album,
        released,
        description, rating, results, artwork, date, ratingOf, megabytes, decimalMark, music, movies, books, itemCount,
        songCount, movieCount, bookCount, searchCount, albumsCount, resultCount, pictureCount,
    ]
}

extension Search.Medium {
    var label: TextDeclaration {
        switch self {
        case .music: MediaTexts.music
        case .movie: MediaTexts.movies
        case .ebook: MediaTexts.books
        }
    }
}
