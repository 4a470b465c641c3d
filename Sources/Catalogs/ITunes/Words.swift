import Catalogue

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
    static let valueTitle = TextNeed("valueTitle", filling: ["title", "value"])
    static let listDescription = TextNeed("listDescription", filling: ["count", "page"])
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
        resultsDescription,
        valueTitle,
        listDescription, itemDescription, artworkOf, leftOut, kind, explicit, country, genre, name, artist, album,
        released,
        description, rating, results, artwork, date, ratingOf, megabytes, decimalMark, music, movies, books, itemCount,
        songCount, movieCount, bookCount, searchCount, albumsCount, resultCount, pictureCount,
    ]
}

extension Search.Medium {
    /// What pages call it.
    var label: TextNeed {
        switch self {
        case .music: Words.music
        case .movie: Words.movies
        case .ebook: Words.books
        }
    }
}
