package import Archive
package import Catalogue
import Mustache

extension ITunes {
    package var pageTemplates: [PageTemplate] {
        [
            PageTemplate("searches", Models.index), PageTemplate("results", Models.results),
            PageTemplate("media", Models.items),
            PageTemplate("song", Models.song), PageTemplate("movie", Models.movie), PageTemplate("book", Models.book),
        ]
    }

    package var texts: [TextNeed] { Words.all }

    /// The searches and what they found, all items by 20, lists by kind, explicitness, country and genre, and the
    /// artwork.
    package func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan {
        let world = try World(reader)
        let frame = PageFrame(context, outline(world, context))
        let search = Self.search(world)
        let facets = Facets(Columns(world.items).facets)
        let maker = PageMaker(
            world: world, frame: frame, facets: facets, canFilter: search.isWhole, telling: Telling(world: world))
        let shared = facets.facets.flatMap { facet in facet.values.map { maker.items(sharing: ($0, facet)) } }
        let pages: [any PageSet] = [
            maker.index(), SearchPages(maker: maker), maker.items(), try ItemPages(maker: maker, reader),
        ]
        return SitePlan(pages: pages + shared, frame: frame, search: search, telling: maker.telling)
    }

    private func outline(_ world: World, _ context: SiteContext) -> SiteOutline {
        func count(_ medium: Search.Medium) -> Int { world.items.count { $0.kind.medium == medium } }
        let pictured = world.items.first { $0.picture != nil }
        return SiteOutline(
            // Titles and names are in any language, whatever the store.
            title: context.isSample ? Words.sampleTitle : Words.title, language: "",
            sections: [
                .init("searches", at: Places.index, Words.searches),
                .init("items", at: Places.items(page: 0), Words.items),
            ],
            counts: [
                (Words.searchCount, world.searches.count), (Words.songCount, count(.music)),
                (Words.movieCount, count(.movie)), (Words.bookCount, count(.ebook)),
                (Words.pictureCount, world.items.count { $0.picture != nil }),
            ],
            picture: pictured.flatMap { place in place.picture.map { Places.picture(place.key, $0.format) } },
            searchLabel: Words.searchLabel, searchDescription: Words.searchDescription, complete: Words.complete)
    }
}

extension ITunes {
    /// Items by medium and store, with the members that the service serves.
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

    /// A member's name as a column: "track_name".
    private static func column(_ member: String) -> String {
        member.reduce(into: "") { $0 += $1.isUppercase ? "_\($1.lowercased())" : "\($1)" }
    }
}

extension ITunes {
    /// What the search finds: the items of each kind, in columns.
    static func search(_ world: World) -> SearchTable { SearchTable(kinds: world.kinds.map { kind($0, world) }) }

    private static func kind(_ kind: Kind, _ world: World) -> SearchKind {
        let places = world.items.filter { $0.kind == kind }
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
            pictures: SearchPictures(folder: Places.folder(of: kind.name)) { places[$0].picture?.format },
            columns: [
                SearchColumn("artist", [.searched, .told], artists),
                SearchColumn("kind", [.facet, .told], columns.kinds), SearchColumn("album", .searched, albums),
                SearchColumn("genre", [.facet, .searched, .told], columns.genres),
                SearchColumn("explicit", .facet, columns.explicit), SearchColumn("country", .facet, columns.countries),
            ])
    }
}

/// What items can be chosen by, value by value.
struct Columns {
    private(set) var kinds = ValueColumn()
    private(set) var explicit = ValueColumn()
    private(set) var countries = ValueColumn()
    private(set) var genres = ValueColumn()

    init(_ items: some Sequence<World.Place>) {
        for place in items {
            kinds.append(place.kind.medium.kind)
            explicit.append(Self.explicitness(place.brief))
            countries.append(place.kind.store.rawValue)
            genres.append(place.brief.genres.first ?? "")
        }
    }

    /// A clean edit is not explicit; of books nothing is said (docs/apis.md, 5.1).
    private static func explicitness(_ item: Item) -> String {
        switch item.explicitness {
        case nil: ""
        case "cleaned": "notExplicit"
        case let word?: word.shortened
        }
    }

    var facets: [(name: String, label: TextNeed, values: ValueColumn)] {
        [
            ("kind", Words.kind, kinds), ("explicit", Words.explicit, explicit), ("country", Words.country, countries),
            ("genre", Words.genre, genres),
        ]
    }
}

/// Where pages and pictures stand in each edition.
enum Places {
    static let index = SitePath(fixed: "index.html")

    static func items(page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "media.html") : SitePath("media/", page + 1, ".html")
    }

    static func item(_ key: RecordKey) -> SitePath { SitePath(joined: "\(key.kind)/\(key.id).html") }

    static func picture(_ key: RecordKey, _ format: PictureFormat) -> SitePath {
        SitePath(joined: "\(folder(of: key.kind))\(key.id).\(format.fileExtension)")
    }

    static func folder(of kind: String) -> String { "artwork/\(kind)/" }

    /// A search's page: its words in letters that an address can have, its medium and its store; by its number where
    /// there are none.
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
