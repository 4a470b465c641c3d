import Archive
import Catalogue

/// What lists, casts, filters, search and figures have to know of every character, in compact columns: about 50 bytes
/// each.
struct CharacterTable: Sendable {
    private(set) var ids: [Int64] = []
    private(set) var names = TextColumn()
    private(set) var statuses = ValueColumn()
    private(set) var species = ValueColumn()
    private(set) var types = ValueColumn()
    private(set) var genders = ValueColumn()
    /// The id of the location last seen at; 0 for none that is known.
    private(set) var locations: [Int64] = []
    /// In how many episodes.
    private(set) var appearances: [Int32] = []
    /// The pictures by row.
    private(set) var pictures = PictureColumn()
    private var isSorted = true
    /// The rows in the order of their numbers, where that is another than the API's.
    private var order: [Int32] = []

    /// A picture's facts, as far as pages show them.
    struct Picture: Sendable, Hashable {
        let format: PictureFormat
        let width: Int32
        let height: Int32
    }

    /// One character's part of the table; its texts are shortened, as all other pages show them.
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

    /// Makes room for so many rows.
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

    /// What pages call a character: a heading or a link needs some text, and the API promises none.
    func name(_ row: Int) -> String { Character.shown(names[row], ids[row]) }

    /// The row of a character; nil where the capture has none of that number.
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

    /// Says that all are in: from now on they can be found by their numbers.
    mutating func finish() {
        names.finish()
        guard !isSorted else { return }
        order = ids.indices.map { Int32($0) }.sorted { ids[Int($0)] < ids[Int($1)] }
    }
}
