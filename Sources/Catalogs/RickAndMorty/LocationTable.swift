import Catalogue

/// All locations in columns; each is put together when it is asked for.
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
        casts.append(entry.residents)
    }

    subscript(row: Int) -> LocationEntry {
        LocationEntry(
            id: ids[row], name: names[row], type: types[row], dimension: dimensions[row], residents: casts[row])
    }

    /// The number of the one in a row.
    func id(_ row: Int) -> Int64 { ids[row] }

    /// The residents of the one in a row.
    func residents(_ row: Int) -> Cast { casts[row] }

    /// Gives back the room that is left.
    mutating func finish() {
        names.finish()
        casts.finish()
    }
}
