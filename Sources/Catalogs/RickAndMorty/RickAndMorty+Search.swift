import Archive
import Catalogue

extension RickAndMorty {
    /// What the search finds: characters, locations and episodes, in columns that are read from the world as it is.
    static func search(_ world: World) -> SearchTable {
        SearchTable(kinds: [characters(world), locations(world), episodes(world)])
    }

    private static func characters(_ world: World) -> SearchKind {
        let table = world.characters
        return SearchKind(
            name: "character", pathPrefix: "character/", count: table.count, id: { table.ids[$0] },
            label: { table.name($0) },
            pictures: SearchPictures(folder: "avatar/") { table.pictures[$0]?.format },
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
            label: { episodes[$0].name },
            columns: [SearchColumn("code", [.searched, .told], codes)])
    }
}
