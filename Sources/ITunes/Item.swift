import Archive
import Catalogue
import HTMLCheck

/// A song, film or book. Source of every member: docs/apis.md, 4.
struct Item {
    /// An item without a valid id has no page.
    let id: Int64
    private(set) var title: String
    private(set) var link: String

    private(set) var artist: String?
    /// The service's page about the artist, director, company or author.
    private(set) var artistLink: String?
    let artistID: Int64?
    /// The service's page about a film's studio, if it differs from `artistLink`.
    private(set) var companyLink: String?
    private(set) var album: String?
    let albumID: Int64?
    /// The genres, without the genre that every book has.
    private(set) var genres: [String]
    /// As served: explicit, cleaned or notExplicit; nil for books.
    private(set) var explicitness: String?
    private(set) var advisory: String?
    let released: Day?
    let milliseconds: Int64?
    /// Plain text for a film, HTML for a book.
    private(set) var description: String?
    let rating: Rating?
    /// The size of a book's file in bytes.
    let size: Int64?
    /// The address of its picture, as served.
    private(set) var artwork: String?
    /// The faults of members that are ignored.
    private(set) var faults: [ContentFault]

    struct Rating: Hashable {
        let average: Double
        let count: Int64
    }

    /// - Throws: `ContentFault` for another kind, or a missing number, title or link.
    init(_ bytes: some Sequence<UInt8>, _ medium: Search.Medium) throws(ContentFault) {
        var row = try SearchResult(bytes)
        guard !row.isUnsaid else { throw ContentFault("kind", "is missing") }
        guard row.kind == medium.kind else {
            throw ContentFault("kind", "is \(row.kind.quoted), not \(medium.kind.quoted)")
        }
        id = try row.required("trackId") { $0.id($1) }
        title = try row.required("trackName") { $0.text($1) }
        link = try row.required("trackViewUrl") { $0.link($1) }
        artist = row.text("artistName")
        artistLink = row.link("artistViewUrl")
        artistID = row.id("artistId")
        companyLink = medium == .movie && artistLink == nil ? row.link("collectionArtistViewUrl") : nil
        album = medium == .music ? row.text("collectionName") : nil
        albumID = medium == .music ? row.id("collectionId") : nil
        genres = medium == .ebook ? Self.genres(&row) : row.text("primaryGenreName").map { [$0] } ?? []
        explicitness = medium == .ebook ? nil : row.text("trackExplicitness")
        advisory = medium == .movie ? row.text("contentAdvisoryRating") : nil
        released = row.day("releaseDate")
        milliseconds = row.integer("trackTimeMillis", in: 1...Self.longest)
        description =
            switch medium {
            case .music: nil
            case .movie: row.text("longDescription") ?? row.text("shortDescription")
            case .ebook: row.text("description")
            }
        rating = medium == .ebook ? Self.rating(&row) : nil
        size = medium == .ebook ? row.integer("fileSizeBytes", in: 1...Self.largest) : nil
        artwork = row.text("artworkUrl100") ?? row.text("artworkUrl60")
        faults = row.faults
    }

    /// Larger values are errors: eleven days in milliseconds, and a terabyte in bytes.
    private static let longest: Int64 = 1_000_000_000
    private static let largest: Int64 = 1_000_000_000_000

    /// Whether `artistLink` is the page of a studio (docs/apis.md, 4).
    var isByStudio: Bool { artistLink?.contains("/studio/") == true }

    /// False for a clean edit (docs/apis.md, 5.1).
    var isExplicit: Bool { explicitness == "explicit" }

    /// The part of the item that other pages show.
    var brief: Item {
        var brief = self
        brief.title = title.shortened
        brief.artist = artist?.shortened
        brief.album = album?.shortened
        brief.genres = genres.prefix(1).map(\.shortened)
        brief.explicitness = explicitness?.shortened
        brief.link = ""
        (brief.artistLink, brief.companyLink, brief.advisory, brief.description, brief.artwork) = (
            nil, nil, nil, nil, nil
        )
        brief.faults = []
        return brief
    }

    /// The maximum number of genres on a page. The service returns about ten.
    private static let mostGenres = 100

    /// The genres without that of all books, which has a fixed number (docs/apis.md, 4).
    private static func genres(_ row: inout SearchResult) -> [String] {
        let names = row.texts("genres")
        let numbers = row.texts("genreIds")
        let own = names.count == numbers.count ? zip(names, numbers).filter { $1 != "38" }.map(\.0) : names
        let shown = own.filter { !$0.isBlank }
        if shown.count > mostGenres {
            row.note(
                ContentFault(
                    "genres", "are \(shown.count), more than the \(mostGenres) that are shown; the others are skipped"))
        }
        return Array(shown.prefix(mostGenres))
    }

    /// The average and the number of ratings; nil unless both exist (docs/apis.md, 5.15).
    private static func rating(_ row: inout SearchResult) -> Rating? {
        guard let average = row.number("averageUserRating"), let count = row.integer("userRatingCount"), count > 0,
            average > 0, average <= 5
        else { return nil }
        return Rating(average: average, count: count)
    }
}

struct Album {
    let id: Int64
    let title: String
    let link: String?
    let released: Day?
}

/// The addresses of pictures. Source: docs/apis.md, 5.9 and 5.10.
enum Artwork {
    /// The requested size. The service never enlarges a picture.
    private static let side = 600

    /// The path of a picture below a base address, or its whole address on the service's picture hosts; nil for other
    /// addresses.
    static func path(of url: String, bases: [String]) -> String? {
        guard url.utf8.count <= 2_048, WebAddress.isValid(url) else { return nil }
        for base in bases where url.hasPrefix("\(base)/") {
            let path = url.dropFirst(base.count + 1)
            return isPlain(path) ? sized(String(path)) : nil
        }
        if url.hasPrefix("https://"), isPictureHost(host(of: url)), !climbs(url) { return sized(url) }
        // http://is4.mzstatic.com is also https://is4-ssl.mzstatic.com.
        let host = host(of: url)
        guard url.hasPrefix("http://"), isPictureHost(host), !climbs(url), let dot = host.firstIndex(of: ".") else {
            return nil
        }
        let secure = host[..<dot].hasSuffix("-ssl") ? String(host) : "\(host[..<dot])-ssl\(host[dot...])"
        return sized("https://\(secure)\(url.dropFirst("http://".count + host.count))")
    }

    /// Whether a path has no escapes and no empty or ".." segments. Otherwise it could be mistaken for a whole
    /// address.
    private static func isPlain(_ path: Substring) -> Bool {
        !path.utf8.contains(where: { "%?#".utf8.contains($0) })
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && $0 != "." && $0 != ".."
            }
    }

    private static func climbs(_ url: String) -> Bool { url.split(separator: "/").contains { $0 == "." || $0 == ".." } }

    private static func host(of url: String) -> Substring {
        let parts = url.split(separator: "/", maxSplits: 2)
        return parts.count > 1 ? parts[1] : ""
    }

    private static func isPictureHost(_ host: Substring) -> Bool {
        let name = host.dropLast(".mzstatic.com".count)
        return host.hasSuffix(".mzstatic.com") && !name.isEmpty
            && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == "-" }
    }

    /// Replaces the size in an address that ends like "100x100bb.jpg" or "100x100bb-85.png". Other addresses stay.
    private static func sized(_ url: String) -> String {
        guard let slash = url.lastIndex(of: "/") else { return url }
        let name = url[url.index(after: slash)...]
        let width = name.prefix(while: isDigit)
        let height = name.dropFirst(width.count + 1).prefix(while: isDigit)
        guard !width.isEmpty, !height.isEmpty, name.dropFirst(width.count).hasPrefix("x") else { return url }
        let ending = name.dropFirst(width.count + 1 + height.count)
        guard ending.hasPrefix("bb") else { return url }
        var rest = ending.dropFirst(2)
        if rest.hasPrefix("-") {
            let quality = rest.dropFirst().prefix(while: isDigit)
            guard !quality.isEmpty else { return url }
            rest = rest.dropFirst(1 + quality.count)
        }
        guard rest == ".jpg" || rest == ".png" || rest == ".webp" else { return url }
        return "\(url[...slash])\(side)x\(side)\(ending)"
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
