import Catalogue

/// An episode as the API serves it (API.md).
struct Episode: Decodable, Numbered {
    let id: Int64
    let name: String
    let airDate: String
    let episode: String
    let characters: [String]

    enum CodingKeys: String, CodingKey {
        case id, name, airDate = "air_date", episode, characters
    }

    init(decoding bytes: some Sequence<UInt8>) throws(ContentFault) {
        self = try JSONRecord.decode(Self.self, from: bytes)
        try Self.check(id)
    }

    /// From an archived record, which was decoded when it was captured.
    init(archived bytes: [UInt8]) throws(ContentFault) {
        let fields = try JSONFields(bytes)
        id = try fields.integer("id")
        name = try fields.text("name")
        airDate = try fields.text("air_date")
        episode = try fields.text("episode")
        characters = try fields.texts("characters")
    }

    func facts(_ links: LinkReader) -> RecordFacts {
        var sorter = LinkSorter(links)
        for (index, link) in characters.enumerated() { sorter.add(link, kind: "character", at: "characters[\(index)]") }
        return RecordFacts(id: id, card: [], mentions: sorter.references, pictures: [], refused: sorter.refused)
    }
}
