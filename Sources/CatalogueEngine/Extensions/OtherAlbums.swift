import Mustache
import Pages

extension PageMaker {
    /// Links to other albums of a song's artist. An album with a list on this site has the cover of one of its songs.
    func albums(of record: RecordContent, _ kind: KindDeclaration, in rows: ListRows) -> [Value] {
        let country = tables.declaration.parameters[kind.name]?["country"] ?? ""
        let artist = kind.field("artist").map { record.texts[$0.index] }
        return ArtistAlbums.others(tables.albums[country] ?? [:], for: record.undeclared.fields).map { album in
            // Albums of several artists can have the same title.
            let song = facets.rows(of: album.title, in: "album").lazy.map { rows.locate(Int($0)) }.first { song in
                song.table.kind.field("artist").map { song.table.text($0, song.row) } == artist
            }
            return RecordModels.link([
                "name": album.title, "link": album.link, "note": album.year,
                "list": song.flatMap { _ in facets.path(of: album.title, in: "album") },
                "picture": song.map(tables.picture),
            ])
        }
    }
}
