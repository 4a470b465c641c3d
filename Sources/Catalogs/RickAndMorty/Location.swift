import Archive
import Catalogue

/// A location of the API (docs/apis.md). Type and dimension can be empty.
struct Location: Numbered {
    let id: Int64
    let name: String
    let type: String
    let dimension: String
    let residents: [String]
    /// The record's own address; empty if missing.
    let url: String

    init(_ fields: JSONFields) throws(ContentFault) {
        id = try fields.integer("id")
        name = try fields.text("name")
        type = try fields.text("type")
        dimension = try fields.text("dimension")
        residents = try fields.texts("residents")
        url = fields.optionalText("url") ?? ""
    }

    func facts(_ links: LinkReader) -> RecordFacts {
        var sorter = LinkSorter(links)
        sorter.add(residents, kind: "character", in: "residents")
        sorter.check(url, is: RecordKey("location", id))
        return RecordFacts(id: id, card: [], references: sorter.references, pictures: [], refused: sorter.refused)
    }
}

struct LocationEntry: CastEntry {
    let id: Int64
    let name: String
    let type: String
    let dimension: String
    let cast: Cast

    static let members: [StaticString] = ["name", "type", "dimension"]
    var texts: [String] { [name, type, dimension] }

    static func heading(_ name: String, _ id: Int64) -> String { name.isBlank ? "Location \(id)" : name }
}

extension LocationEntry {
    init(_ location: Location, cast: Cast) {
        self.init(
            id: location.id, name: Self.heading(location.name, location.id).shortened, type: location.type.shortened,
            dimension: location.dimension.shortened, cast: cast)
    }
}

struct LocationTable: RandomAccessCollection, Sendable {
    private var ids: [Int64] = []
    private var names = TextColumn()
    private(set) var types = ValueColumn()
    private(set) var dimensions = ValueColumn()
    private var casts = CastColumn()

    var startIndex: Int { 0 }
    var endIndex: Int { ids.count }

    mutating func append(_ entry: LocationEntry) {
        ids.append(entry.id)
        names.append(entry.name)
        types.append(entry.type)
        dimensions.append(entry.dimension)
        casts.append(entry.cast)
    }

    subscript(row: Int) -> LocationEntry {
        LocationEntry(id: ids[row], name: names[row], type: types[row], dimension: dimensions[row], cast: casts[row])
    }

    func id(_ row: Int) -> Int64 { ids[row] }

    mutating func finish() {
        names.finish()
        types.finish()
        dimensions.finish()
        casts.finish()
    }
}
