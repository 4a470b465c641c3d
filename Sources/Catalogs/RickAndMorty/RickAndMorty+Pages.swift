package import Archive
package import Catalogue
import Mustache

extension RickAndMorty {
    package var pageTemplates: [PageTemplate] {
        [
            PageTemplate("index", CharacterModels.index), PageTemplate("character", CharacterModels.character),
            PageTemplate("episodes", CharacterModels.episodes),
            PageTemplate("episode", CharacterModels.episode), PageTemplate("locations", CharacterModels.locations),
            PageTemplate("location", CharacterModels.location),
            PageTemplate("figures", CharacterModels.figures),
        ]
    }

    package var texts: [TextDeclaration] { CharacterTexts.all }

    /// Lists and pages of characters, episodes and locations, lists by status, gender and species, and the avatars.
    package func plan(for reader: RevisionReader, _ context: SiteContext) throws -> SitePlan {
        let tables = try CharacterTables(reader, LinkReader(bases: bases + [context.api]))
        let frame = PageFrame(context, outline(tables, context))
        let search = Self.search(tables)
        let facets = Facets([
            ("status", CharacterTexts.status, tables.characters.statuses),
            ("gender", CharacterTexts.gender, tables.characters.genders),
            ("species", CharacterTexts.species, tables.characters.species),
        ])
        let maker = PageMaker(
            tables: tables, frame: frame, facets: facets, canFilter: search.fitsOneFile,
            presenter: CharacterPresenter(tables: tables))
        let shared = facets.facets.flatMap { facet in
            facet.values.map { maker.characters(sharing: ($0, facet)) }
        }
        let pages: [any PageSet] = [
            maker.characters(), CharacterPages(maker: maker), maker.episodes(), maker.episodePages(),
            maker.locations(), maker.locationPages(), FigurePages(maker: maker),
        ]
        return SitePlan(pages: pages + shared, frame: frame, search: search, presenter: maker.presenter)
    }

    private func outline(_ tables: CharacterTables, _ context: SiteContext) -> SiteOutline {
        let pictured = tables.characters.pictures.first
        return SiteOutline(
            title: context.isSample ? CharacterTexts.sampleTitle : CharacterTexts.title, language: "en",
            sections: [
                .init("characters", at: CharacterAddresses.index, CharacterTexts.characters),
                .init("episodes", at: CharacterAddresses.episodes(page: 0), CharacterTexts.episodes),
                .init("locations", at: CharacterAddresses.locations(page: 0), CharacterTexts.locations),
                .init("figures", at: CharacterAddresses.figures, CharacterTexts.figures),
            ],
            counts: [
                (CharacterTexts.characterCount, tables.characters.count),
                (CharacterTexts.episodeCount, tables.episodes.count),
                (CharacterTexts.locationCount, tables.locations.count),
                (CharacterTexts.pictureCount, tables.characters.pictures.pictured),
            ],
            picture: pictured.flatMap { row in
                tables.characters.pictures[row].map {
                    CharacterAddresses.picture(tables.characters.ids[row], $0.format)
                }
            },
            searchLabel: CharacterTexts.searchLabel, searchDescription: CharacterTexts.searchDescription
        )
    }
}

extension RickAndMorty {
    /// The search index: characters, locations and episodes, in columns that are read from the tables.
    static func search(_ tables: CharacterTables) -> SearchTable {
        SearchTable(kinds: [characters(tables), locations(tables), episodes(tables)])
    }

    private static func characters(_ tables: CharacterTables) -> SearchKind {
        let table = tables.characters
        return SearchKind(
            name: "character", pathPrefix: "character/", count: table.count, id: { table.ids[$0] },
            label: { table.name($0) }, pictures: SearchPictures(folder: "avatar/") { table.pictures[$0]?.format },
            columns: [
                SearchColumn("status", [.facet, .shown], table.statuses),
                SearchColumn("species", [.facet, .searched, .shown], table.species),
                SearchColumn("type", [.searched, .shown], table.types), SearchColumn("gender", .facet, table.genders),
                SearchColumn("location", [.searched, .shown], .labels(of: "location")) {
                    tables.locationRow(table.locations[$0])
                },
            ])
    }

    private static func locations(_ tables: CharacterTables) -> SearchKind {
        let locations = tables.locations
        return SearchKind(
            name: "location", pathPrefix: "location/", count: locations.count, id: { locations.id($0) },
            label: { locations[$0].name },
            columns: [
                SearchColumn("type", [.searched, .shown], locations.types),
                SearchColumn("dimension", [.searched, .shown], locations.dimensions),
            ])
    }

    private static func episodes(_ tables: CharacterTables) -> SearchKind {
        let episodes = tables.episodes
        var codes = ValueColumn()
        for episode in episodes { codes.append(episode.code) }
        return SearchKind(
            name: "episode", pathPrefix: "episode/", count: episodes.count, id: { episodes.id($0) },
            label: { episodes[$0].name }, columns: [SearchColumn("code", [.searched, .shown], codes)])
    }
}

/// The paths of pages and pictures in each language.
enum CharacterAddresses {
    static let index = SitePath(fixed: "index.html")
    static let figures = SitePath(fixed: "figures.html")

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
