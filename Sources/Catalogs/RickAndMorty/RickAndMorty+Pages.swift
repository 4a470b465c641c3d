package import Archive
package import Catalogue
import Mustache

extension RickAndMorty {
    package var pageTemplates: [PageTemplate] {
        [
            PageTemplate("index", Models.index), PageTemplate("character", Models.character),
            PageTemplate("episodes", Models.episodes),
            PageTemplate("episode", Models.episode), PageTemplate("locations", Models.locations),
            PageTemplate("location", Models.location),
            PageTemplate("figures", Models.figures),
        ]
    }

    package var texts: [TextNeed] { Words.all }

    /// Lists and pages of characters, episodes and locations, lists by status, gender and species, and the avatars.
    package func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan {
        let world = try World(reader, LinkReader(bases: bases + [context.api]))
        let frame = PageFrame(context, outline(world, context))
        let search = Self.search(world)
        let facets = Facets([
            ("status", Words.status, world.characters.statuses), ("gender", Words.gender, world.characters.genders),
            ("species", Words.species, world.characters.species),
        ])
        let maker = PageMaker(
            world: world, frame: frame, facets: facets, canFilter: search.isWhole, telling: Telling(world: world))
        let shared = facets.facets.flatMap { facet in
            facet.values.map { maker.characters(sharing: ($0, facet)) }
        }
        let pages: [any PageSet] = [
            maker.characters(), CharacterPages(maker: maker), maker.episodes(), maker.episodePages(),
            maker.locations(), maker.locationPages(), FigurePages(maker: maker),
        ]
        return SitePlan(pages: pages + shared, frame: frame, search: search, telling: maker.telling)
    }

    private func outline(_ world: World, _ context: SiteContext) -> SiteOutline {
        let pictured = world.characters.pictures.first
        return SiteOutline(
            title: context.isSample ? Words.sampleTitle : Words.title, language: "en",
            sections: [
                .init("characters", at: Places.index, Words.characters),
                .init("episodes", at: Places.episodes(page: 0), Words.episodes),
                .init("locations", at: Places.locations(page: 0), Words.locations),
                .init("figures", at: Places.figures, Words.figures),
            ],
            counts: [
                (Words.characterCount, world.characters.count), (Words.episodeCount, world.episodes.count),
                (Words.locationCount, world.locations.count),
                (Words.pictureCount, world.characters.pictures.pictured),
            ],
            picture: pictured.flatMap { row in
                world.characters.pictures[row].map { Places.picture(world.characters.ids[row], $0.format) }
            },
            searchLabel: Words.searchLabel, searchDescription: Words.searchDescription
        )
    }
}

extension RickAndMorty {
    /// What the search finds: characters, locations and episodes, in columns that are read from the world as it is.
    static func search(_ world: World) -> SearchTable {
        SearchTable(kinds: [characters(world), locations(world), episodes(world)])
    }

    private static func characters(_ world: World) -> SearchKind {
        let table = world.characters
        return SearchKind(
            name: "character", pathPrefix: "character/", count: table.count, id: { table.ids[$0] },
            label: { table.name($0) }, pictures: SearchPictures(folder: "avatar/") { table.pictures[$0]?.format },
            columns: [
                SearchColumn("status", [.facet, .told], table.statuses),
                SearchColumn("species", [.facet, .searched, .told], table.species),
                SearchColumn("type", [.searched, .told], table.types), SearchColumn("gender", .facet, table.genders),
                SearchColumn("location", [.searched, .told], .labels(of: "location")) {
                    world.locationRow(table.locations[$0])
                },
            ])
    }

    private static func locations(_ world: World) -> SearchKind {
        let locations = world.locations
        return SearchKind(
            name: "location", pathPrefix: "location/", count: locations.count, id: { locations.id($0) },
            label: { locations[$0].name },
            columns: [
                SearchColumn("type", [.searched, .told], locations.types),
                SearchColumn("dimension", [.searched, .told], locations.dimensions),
            ])
    }

    private static func episodes(_ world: World) -> SearchKind {
        let episodes = world.episodes
        var codes = ValueColumn()
        for episode in episodes { codes.append(episode.code) }
        return SearchKind(
            name: "episode", pathPrefix: "episode/", count: episodes.count, id: { episodes.id($0) },
            label: { episodes[$0].name }, columns: [SearchColumn("code", [.searched, .told], codes)])
    }
}

/// Where pages and pictures stand in each edition.
enum Places {
    static let index = SitePath(fixed: "index.html")
    static let figures = SitePath(fixed: "figures.html")

    /// How many stand on a page of a list.
    static let episodesPerPage = 100
    static let locationsPerPage = 500

    static func character(_ id: Int64) -> SitePath { SitePath("character/", id, ".html") }
    /// A location's page, or a further page of its residents; pages count from 0.
    static func location(_ id: Int64, page: Int = 0) -> SitePath { SitePath("location/", id, page: page) }

    /// An episode's page, or a further page of its cast; pages count from 0.
    static func episode(_ id: Int64, page: Int = 0) -> SitePath { SitePath("episode/", id, page: page) }

    static func picture(_ id: Int64, _ format: PictureFormat) -> SitePath { SitePath("avatar/", id, format.ending) }

    static func characters(page: Int) -> SitePath { page == 0 ? index : SitePath("page/", page + 1, ".html") }
    static func locations(page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "locations.html") : SitePath("locations/", page + 1, ".html")
    }
    static func episodes(page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "episodes.html") : SitePath("episodes/", page + 1, ".html")
    }
}

extension PictureFormat {
    var ending: StaticString {
        switch self {
        case .png: ".png"
        case .jpeg: ".jpg"
        case .gif: ".gif"
        case .webp: ".webp"
        }
    }
}
