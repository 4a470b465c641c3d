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
    /// The record's own address; empty if missing.
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
        url = fields.optionalText("url") ?? ""
    }
}

extension Character {
    /// The text for headings and links. It is not blank, although the name can be.
    var heading: String { Self.shown(name, id) }
    var shownName: String { heading.shortened }

    static func shown(_ name: String, _ id: Int64) -> String { name.isBlank ? "Character \(id)" : name }

    func facts(_ links: LinkReader) -> RecordFacts {
        var sorter = LinkSorter(links)
        // An unknown place has a name and an empty url.
        if !location.url.isEmpty { sorter.add(location.url, kind: "location", at: "location.url") }
        if !origin.url.isEmpty { sorter.add(origin.url, kind: "location", at: "origin.url") }
        sorter.add(episode, kind: "episode", in: "episode")
        sorter.check(url, is: RecordKey("character", id))
        let picture = image.isEmpty ? nil : sorter.picture(image, at: "image")
        return RecordFacts(
            id: id, card: sorter.references, references: [], pictures: picture.map { [$0] } ?? [],
            refused: sorter.refused)
    }
}

/// The values of all characters for lists, casts, filters, search and figures, in compact columns of about 50 bytes for
/// each character.
struct CharacterTable: Sendable {
    private(set) var ids: [Int64] = []
    private(set) var names = TextColumn()
    private(set) var statuses = ValueColumn()
    private(set) var species = ValueColumn()
    private(set) var types = ValueColumn()
    private(set) var genders = ValueColumn()
    /// The id of the last known location; 0 if unknown.
    private(set) var locations: [Int64] = []
    /// The number of episodes.
    private(set) var appearances: [Int32] = []
    private(set) var pictures = PictureColumn()
    private var isSorted = true
    /// The rows in the order of ids, if that differs from the API's order.
    private var order: [Int32] = []

    /// The properties of a picture that pages show.
    struct Picture: Sendable, Hashable {
        let format: PictureFormat
        let width: Int32
        let height: Int32
    }

    /// The values of one character in the table. Its texts are shortened for other pages.
    struct Entry: Sendable {
        let id: Int64
        let name: String
        let status: String
        let species: String
        let type: String
        let gender: String
        let location: String
        let appearances: Int

        init(archived bytes: [UInt8]) throws(ContentFault) {
            let fields = try JSONFields(bytes)
            id = try fields.integer("id")
            name = try fields.text("name").shortened
            status = try fields.text("status").shortened
            species = try fields.text("species").shortened
            type = try fields.text("type").shortened
            gender = try fields.text("gender").shortened
            location = try fields.object("location").text("url")
            appearances = try fields.count("episode")
        }
    }
}

extension CharacterTable {
    var count: Int { ids.count }

    mutating func reserve(_ count: Int) {
        ids.reserveCapacity(count)
        names.reserve(count)
        statuses.reserve(count)
        species.reserve(count)
        types.reserve(count)
        genders.reserve(count)
        locations.reserveCapacity(count)
        appearances.reserveCapacity(count)
        pictures.reserve(count)
    }

    mutating func append(_ entry: Entry, _ asset: Asset?, location: Int64?) {
        isSorted = isSorted && entry.id > ids.last ?? 0
        ids.append(entry.id)
        names.append(entry.name)
        statuses.append(entry.status)
        species.append(entry.species)
        types.append(entry.type)
        genders.append(entry.gender)
        locations.append(location ?? 0)
        appearances.append(Int32(clamping: entry.appearances))
        pictures.append(
            asset.map {
                Picture(format: $0.format, width: Int32(clamping: $0.width), height: Int32(clamping: $0.height))
            })
    }

    /// The text for headings and links. It is not blank, although the name can be.
    func name(_ row: Int) -> String { Character.shown(names[row], ids[row]) }

    /// The row of a character; nil if it is not captured.
    func row(of id: Int64) -> Int? {
        var low = 0
        var high = ids.count
        while low < high {
            let middle = (low + high) / 2
            if ids[sorted(middle)] < id { low = middle + 1 } else { high = middle }
        }
        return low < ids.count && ids[sorted(low)] == id ? sorted(low) : nil
    }

    private func sorted(_ position: Int) -> Int { isSorted ? position : Int(order[position]) }

    /// Must be called after the last `append` and before `row(of:)`.
    mutating func finish() {
        names.finish()
        guard !isSorted else { return }
        order = ids.indices.map { Int32($0) }.sorted { ids[Int($0)] < ids[Int($1)] }
    }
}

/// The properties of each row's picture. Rows with equal properties share one entry.
struct PictureColumn: Sendable {
    private var kinds: [CharacterTable.Picture?] = []
    private var places: [CharacterTable.Picture?: UInt32] = [:]
    private var codes: [UInt32] = []
    private(set) var pictured = 0
    private(set) var first: Int?

    mutating func reserve(_ count: Int) { codes.reserveCapacity(count) }

    mutating func append(_ picture: CharacterTable.Picture?) {
        if picture != nil {
            first = first ?? codes.count
            pictured += 1
        }
        if let place = places[picture] { return codes.append(place) }
        places[picture] = UInt32(kinds.count)
        codes.append(UInt32(kinds.count))
        kinds.append(picture)
    }

    subscript(row: Int) -> CharacterTable.Picture? { kinds[Int(codes[row])] }
}
