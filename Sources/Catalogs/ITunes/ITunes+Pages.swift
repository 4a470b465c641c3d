package import Archive
package import Catalogue
import Mustache

extension ITunes {
    /// Each page family's template.
    package var pageTemplates: [PageTemplate] {
        [
            PageTemplate("searches", Models.index), PageTemplate("results", Models.results),
            PageTemplate("media", Models.items),
            PageTemplate("song", Models.song), PageTemplate("movie", Models.movie), PageTemplate("book", Models.book),
        ]
    }

    /// What the pages ask for.
    package var texts: [TextNeed] { Words.all }

    /// The searches and what they found, all items by 20, lists by kind, explicitness, country and genre, and the
    /// artwork.
    package func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan {
        let world = try World(reader)
        let frame = PageFrame(context, outline(world, context))
        let search = Self.search(world)
        let maker = PageMaker(world: world, frame: frame, canFilter: search.isWhole)
        let shared = maker.facets.facets.flatMap { facet in
            facet.values.map { ItemLists(maker: maker, current: ($0, facet)) }
        }
        let pages: [any PageSet] = [
            SearchIndex(maker: maker), SearchPages(maker: maker), ItemLists(maker: maker, current: nil),
            try ItemPages(maker: maker, reader),
        ]
        return SitePlan(
            pages: pages + shared, frame: frame, search: search, telling: maker.telling)
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
                .init(Words.searchCount, world.searches.count), .init(Words.songCount, count(.music)),
                .init(Words.movieCount, count(.movie)), .init(Words.bookCount, count(.ebook)),
                .init(Words.pictureCount, world.items.count { $0.picture != nil }),
            ],
            picture: pictured.flatMap { place in place.picture.map { Places.picture(place.key, $0.format) } },
            searchLabel: Words.searchLabel, searchDescription: Words.searchDescription, complete: Words.complete)
    }
}

extension ITunes {
    /// Items by medium and store, with the members that the service serves.
    package var exportTables: [ExportTable] {
        Search.Medium.allCases.flatMap { medium in
            Search.Store.allCases.map { store in
                let members = Self.common + Self.own(medium)
                return ExportTable(
                    Kind(.item, medium, store).name,
                    [.init("id", .id)] + members.map { .init(Self.column($0), .value([$0])) })
            }
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
