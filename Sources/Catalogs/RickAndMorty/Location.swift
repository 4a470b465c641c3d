import Catalogue

/// A location as the API serves it (API.md). Type and dimension may be empty.
struct Location: Decodable, Numbered {
    let id: Int64
    let name: String
    let type: String
    let dimension: String
    let residents: [String]

    init(decoding bytes: some Sequence<UInt8>) throws(ContentFault) {
        self = try JSONRecord.decode(Self.self, from: bytes)
        try Self.check(id)
    }

    /// From an archived record, which was decoded when it was captured.
    init(archived bytes: [UInt8]) throws(ContentFault) {
        let fields = try JSONFields(bytes)
        id = try fields.integer("id")
        name = try fields.text("name")
        type = try fields.text("type")
        dimension = try fields.text("dimension")
        residents = try fields.texts("residents")
    }

    func facts(_ links: LinkReader) -> RecordFacts {
        var sorter = LinkSorter(links)
        for (index, link) in residents.enumerated() { sorter.add(link, kind: "character", at: "residents[\(index)]") }
        return RecordFacts(id: id, card: [], mentions: sorter.references, pictures: [], refused: sorter.refused)
    }
}
