import Archive
import Catalogue

/// A character as the API serves it (docs/apis.md).
struct Character: Numbered {
    struct Place {
        let name: String
        let url: String

        init(_ fields: JSONFields) throws(ContentFault) {
            name = try fields.text("name")
            url = try fields.text("url")
        }
    }

    let id: Int64
    let name: String
    let status: String
    let species: String
    let type: String
    let gender: String
    let origin: Place
    let location: Place
    let image: String
    let episode: [String]
    /// The record's own address; empty where it has none.
    let url: String

    init(_ fields: JSONFields) throws(ContentFault) {
        id = try fields.integer("id")
        name = try fields.text("name")
        status = try fields.text("status")
        species = try fields.text("species")
        type = try fields.text("type")
        gender = try fields.text("gender")
        origin = try Place(try fields.object("origin"))
        location = try Place(try fields.object("location"))
        image = try fields.text("image")
        episode = try fields.texts("episode")
        url = fields.textIfAny("url") ?? ""
    }
}

extension Character {
    /// What its page calls it: a heading or a link needs some text, and the API promises none.
    var heading: String { Self.shown(name, id) }
    /// What other pages call it.
    var shownName: String { heading.shortened }

    static func shown(_ name: String, _ id: Int64) -> String { name.isBlank ? "Character \(id)" : name }

    func facts(_ links: LinkReader) -> RecordFacts {
        var sorter = LinkSorter(links)
        // An unknown place has a name and an empty url.
        if !location.url.isEmpty { sorter.add(location.url, kind: "location", at: "location.url") }
        if !origin.url.isEmpty { sorter.add(origin.url, kind: "location", at: "origin.url") }
        for (index, link) in episode.enumerated() { sorter.add(link, kind: "episode", at: "episode[\(index)]") }
        sorter.check(url, is: RecordKey("character", id))
        let picture = image.isEmpty ? nil : sorter.picture(image, at: "image")
        return RecordFacts(
            id: id, card: sorter.references, mentions: [], pictures: picture.map { [$0] } ?? [], refused: sorter.refused
        )
    }
}
