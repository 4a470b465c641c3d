import Catalogue

/// What is shown of each row's picture; rows whose pictures have the same format and size share it.
struct PictureColumn: Sendable {
    private var kinds: [CharacterTable.Picture?] = []
    private var places: [CharacterTable.Picture?: UInt32] = [:]
    private var codes = CodeColumn()
    /// How many rows have a picture.
    private(set) var pictured = 0
    /// The first row that has one.
    private(set) var first: Int?

    /// Makes room for so many rows.
    mutating func reserve(_ count: Int) { codes.reserve(count) }

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
