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
            artists.append(place.item.artist?.shortened ?? "")
            albums.append(place.item.album?.shortened ?? "")
        }
        let formats: [PictureFormat] = [.jpeg, .png, .gif, .webp]
        return SearchKind(
            name: kind.name, pathPrefix: "\(kind.name)/", count: places.count, id: { places[$0].key.id },
            label: { places[$0].item.title.shortened },
            pictures: SearchPictures(folder: Places.folder(of: kind.name), endings: formats.map(\.fileExtension)) { row in
                places[row].picture.flatMap { formats.firstIndex(of: $0.format) }
            },
            columns: [
                column("artist", [.searched, .told], artists), column("kind", [.facet, .told], columns.kinds),
                column("album", .searched, albums), column("genre", [.facet, .searched, .told], columns.genres),
                column("explicit", .facet, columns.explicit), column("country", .facet, columns.countries),
            ])
    }

    /// A column of values. An empty one is none, but where lists can be filtered by it: it is a value to choose then.
    private static func column(_ name: String, _ uses: SearchColumn.Uses, _ column: ValueColumn) -> SearchColumn {
        SearchColumn(name, uses, .listed(column.values)) { row in
            column[row].isEmpty && !uses.contains(.facet) ? nil : Int(column.codes[row])
        }
    }
}
