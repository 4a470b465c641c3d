package import Archive
package import Catalogue
import Mustache
package import Pages

extension ITunes {
    package var pageTemplates: [PageTemplate] {
        [
            PageTemplate("searches", MediaModels.index), PageTemplate("results", MediaModels.results),
            PageTemplate("media", MediaModels.items),
            PageTemplate("song", MediaModels.song), PageTemplate("movie", MediaModels.movie),
            PageTemplate("book", MediaModels.book),
        ]
    }

    package var texts: [TextDeclaration] { MediaTexts.all }

    /// The searches and their results, all items, lists by kind, explicitness, country and genre, and the artwork.
    package func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan {
        let tables = try MediaTables(reader)
        let frame = PageFrame(context, outline(tables, context))
        let search = Self.search(tables)
        let facets = Facets(Columns(tables.items).facets)
        let maker = PageMaker(
            tables: tables, frame: frame, facets: facets, canFilter: search.fitsOneFile,
            presenter: MediaPresenter(tables: tables))
        let shared = facets.facets.flatMap { facet in facet.values.map { maker.items(sharing: ($0, facet)) } }
        let pages: [any PageSet] = [
            maker.index(), SearchPages(maker: maker), maker.items(), try ItemPages(maker: maker, reader),
        ]
        return SitePlan(pages: pages + shared, frame: frame, search: search, presenter: maker.presenter)
    }

    private func outline(_ tables: MediaTables, _ context: SiteContext) -> SiteOutline {
        func count(_ medium: Search.Medium) -> Int { tables.items.count { $0.kind.medium == medium } }
        let pictured = tables.items.first { $0.picture != nil }
        return SiteOutline(
            // Titles and names can be in any language in every store.
            title: context.isSample ? MediaTexts.sampleTitle : MediaTexts.title, language: "",
            sections: [
                .init("searches", at: MediaAddresses.index, MediaTexts.searches),
                .init("items", at: MediaAddresses.items(page: 0), MediaTexts.items),
            ],
            counts: [
                (MediaTexts.searchCount, tables.searches.count), (MediaTexts.songCount, count(.music)),
                (MediaTexts.movieCount, count(.movie)), (MediaTexts.bookCount, count(.ebook)),
                (MediaTexts.pictureCount, tables.items.count { $0.picture != nil }),
            ],
            picture: pictured.flatMap { place in place.picture.map { MediaAddresses.picture(place.key, $0.format) } },
            searchLabel: MediaTexts.searchLabel, searchDescription: MediaTexts.searchDescription,
            complete: MediaTexts.complete)
    }
}

extension ITunes {
    /// The items of each medium and store, with the service's members.
    package var exportTables: [ExportTable] {
        Kind.all(.item).map { kind in
            let members = Self.common + Self.own(kind.medium)
            return ExportTable(kind.name, [("id", .id)] + members.map { (Self.column($0), .value([$0])) })
        }
    }

    private static let common = ["trackName", "artistName", "releaseDate", "trackViewUrl", "artworkUrl100"]

    private static func own(_ medium: Search.Medium) -> [String] {
        switch medium {
        case .music: ["collectionName", "primaryGenreName", "trackExplicitness", "trackTimeMillis"]
        case .movie: ["primaryGenreName", "contentAdvisoryRating", "trackTimeMillis", "longDescription"]
        case .ebook: ["averageUserRating", "userRatingCount", "fileSizeBytes", "description"]
        }
    }

    /// The column's name for a member, such as "track_name".
    private static func column(_ member: String) -> String {
        member.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }
}

extension ITunes {
    /// The search index: the items of each kind, in columns.
    static func search(_ tables: MediaTables) -> SearchTable {
        SearchTable(kinds: tables.kinds.map { kind($0, tables) })
    }

    private static func kind(_ kind: Kind, _ tables: MediaTables) -> SearchKind {
        let places = tables.items.filter { $0.kind == kind }
        let columns = Columns(places)
        var artists = ValueColumn()
        var albums = ValueColumn()
        for place in places {
            artists.append(place.brief.artist ?? "")
            albums.append(place.brief.album ?? "")
        }
        return SearchKind(
            name: kind.name, pathPrefix: "\(kind.name)/", count: places.count, id: { places[$0].key.id },
            label: { places[$0].brief.title },
            pictures: SearchPictures(folder: MediaAddresses.folder(of: kind.name)) { places[$0].picture?.format },
            columns: [
                SearchColumn("artist", [.searched, .shown], artists),
                SearchColumn("kind", [.facet, .shown], columns.kinds), SearchColumn("album", .searched, albums),
                SearchColumn("genre", [.facet, .searched, .shown], columns.genres),
                SearchColumn("explicit", .facet, columns.explicit), SearchColumn("country", .facet, columns.countries),
            ])
    }
}

/// The columns for lists by one value.
struct Columns {
    private(set) var kinds = ValueColumn()
    private(set) var explicit = ValueColumn()
    private(set) var countries = ValueColumn()
    private(set) var genres = ValueColumn()

    init(_ items: some Sequence<MediaTables.Place>) {
        for place in items {
            kinds.append(place.kind.medium.kind)
            explicit.append(Self.explicitness(place.brief))
            countries.append(place.kind.store.rawValue)
            genres.append(place.brief.genres.first ?? "")
        }
    }

    /// A clean edit is not explicit. Books have no value (docs/apis.md, 5.1).
    private static func explicitness(_ item: Item) -> String {
        switch item.explicitness {
        case nil: ""
        case "cleaned": "notExplicit"
        case let word?: word.shortened
        }
    }

    var facets: [(name: String, label: TextDeclaration, values: ValueColumn)] {
        [
            ("kind", MediaTexts.kind, kinds), ("explicit", MediaTexts.explicit, explicit),
            ("country", MediaTexts.country, countries),
            ("genre", MediaTexts.genre, genres),
        ]
    }
}

/// The paths of pages and pictures in each language.
enum MediaAddresses {
    static let index = SitePath(fixed: "index.html")

    static func items(page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "media.html") : SitePath("media/", page + 1, ".html")
    }

    static func item(_ key: RecordKey) -> SitePath { SitePath(joined: "\(key.kind)/\(key.id).html") }

    static func picture(_ key: RecordKey, _ format: PictureFormat) -> SitePath {
        SitePath(joined: "\(folder(of: key.kind))\(key.id).\(format.fileExtension)")
    }

    static func folder(of kind: String) -> String { "artwork/\(kind)/" }

    /// The path of a search's page: the words of the search, or its number if it has none, then medium and store.
    static func results(_ search: Search, _ key: RecordKey, _ taken: inout Set<String>) -> SitePath {
        let words = SitePath.words(search.term, bytes: 48)
        var slug =
            "\(words.isEmpty ? "\(key.id)" : words)-\(search.medium.rawValue)-\(search.store.rawValue.lowercased())"
        if !taken.insert(slug).inserted {
            slug += "-\(key.id)"
            taken.insert(slug)
        }
        return SitePath(joined: "found/\(slug).html")
    }
}
