import Archive
import Catalogue

/// An episode as the API serves it (docs/apis.md).
struct Episode: Numbered {
    let id: Int64
    let name: String
    let airDate: String
    let episode: String
    let characters: [String]
    /// The record's own address; empty where it has none.
    let url: String

    init(_ fields: JSONFields) throws(ContentFault) {
        id = try fields.integer("id")
        name = try fields.text("name")
        airDate = try fields.text("air_date")
        episode = try fields.text("episode")
        characters = try fields.texts("characters")
        url = fields.textIfAny("url") ?? ""
    }

    func facts(_ links: LinkReader) -> RecordFacts {
        var sorter = LinkSorter(links)
        for (index, link) in characters.enumerated() { sorter.add(link, kind: "character", at: "characters[\(index)]") }
        sorter.check(url, is: RecordKey("episode", id))
        return RecordFacts(id: id, card: [], mentions: sorter.references, pictures: [], refused: sorter.refused)
    }
}
