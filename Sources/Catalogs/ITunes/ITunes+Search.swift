import Archive
import Catalogue

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
                SearchColumn("kind", [.facet, .told], columns.kinds),
                SearchColumn("album", .searched, albums),
                SearchColumn("genre", [.facet, .searched, .told], columns.genres),
                SearchColumn("explicit", .facet, columns.explicit), SearchColumn("country", .facet, columns.countries),
            ])
    }
}
