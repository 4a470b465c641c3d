import Archive
import Catalogue

/// A location as the API serves it (docs/apis.md). Type and dimension may be empty.
struct Location: Numbered {
    let id: Int64
    let name: String
    let type: String
    let dimension: String
    let residents: [String]
    /// The record's own address; empty where it has none.
    let url: String

    init(_ fields: JSONFields) throws(ContentFault) {
        id = try fields.integer("id")
        name = try fields.text("name")
        type = try fields.text("type")
        dimension = try fields.text("dimension")
        residents = try fields.texts("residents")
        url = fields.textIfAny("url") ?? ""
    }

    func facts(_ links: LinkReader) -> RecordFacts {
        var sorter = LinkSorter(links)
        for (index, link) in residents.enumerated() { sorter.add(link, kind: "character", at: "residents[\(index)]") }
        sorter.check(url, is: RecordKey("location", id))
        return RecordFacts(id: id, card: [], mentions: sorter.references, pictures: [], refused: sorter.refused)
    }
}
