package import Archive

/// What a catalogue says of all that can be searched: its kinds, in the order in which equally good results are shown.
public struct SearchTable: Sendable {
    package let kinds: [SearchKind]

    package init(kinds: [SearchKind]) {
        self.kinds = kinds
    }

    package var count: Int { kinds.reduce(0) { $0 + $1.count } }

    /// Up to so many rows stand in one file, which is loaded as a whole; lists can be filtered by that only.
    package static let mostInOneFile = 20_000

    package var isWhole: Bool { count <= Self.mostInOneFile }
}

/// Things of one kind that have a page each. Rows are asked for one by one, so that nothing is copied.
public struct SearchKind: Sendable {
    package let name: String
    /// What a page's path begins with; the id and ".html" follow: "character/".
    package let pathPrefix: String
    package let count: Int
    /// A row's id, between 0 and 2^53, so that scripts hold it exactly.
    package let id: @Sendable (_ row: Int) -> Int64
    /// A row's name, which is always searched.
    package let label: @Sendable (_ row: Int) -> String
    package let pictures: SearchPictures?
    /// What else is known of a row, in the order in which it is told.
    package let columns: [SearchColumn]

    package init(
        name: String, pathPrefix: String, count: Int, id: @escaping @Sendable (Int) -> Int64,
        label: @escaping @Sendable (Int) -> String, pictures: SearchPictures? = nil, columns: [SearchColumn]
    ) {
        self.name = name
        self.pathPrefix = pathPrefix
        self.count = count
        self.id = id
        self.label = label
        self.pictures = pictures
        self.columns = columns
    }
}

/// Where the pictures of a kind's rows stand: folder, the row's id, ".", ending.
public struct SearchPictures: Sendable {
    package let folder: String
    package let endings: [String]
    /// Which ending a row's picture has; nil where the row has no picture.
    package let ending: @Sendable (_ row: Int) -> Int?

    package init(folder: String, endings: [String], ending: @escaping @Sendable (Int) -> Int?) {
        self.folder = folder
        self.endings = endings
        self.ending = ending
    }

    /// Pictures whose files end as their formats do.
    package init(folder: String, format: @escaping @Sendable (_ row: Int) -> PictureFormat?) {
        let formats: [PictureFormat] = [.jpeg, .png, .gif, .webp]
        self.init(folder: folder, endings: formats.map(\.fileExtension)) { row in
            format(row).flatMap { formats.firstIndex(of: $0) }
        }
    }
}

/// One property of a kind's rows.
public struct SearchColumn: Sendable {
    /// What a column is good for.
    public struct Uses: OptionSet, Sendable {
        /// The bits, as the search index has them.
        public let rawValue: Int

        /// Uses by their bits.
        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        package static let facet = Uses(rawValue: 1)
        package static let searched = Uses(rawValue: 2)
        package static let told = Uses(rawValue: 4)
    }

    /// The values that rows can have.
    public enum Values: Sendable {
        case listed([String])
        /// The names of another kind's rows: a character's location is a row of the locations.
        case labels(of: String)
    }

    package let name: String
    package let uses: Uses
    package let values: Values
    package let value: @Sendable (_ row: Int) -> Int?

    package init(_ name: String, _ uses: Uses, _ values: Values, value: @escaping @Sendable (Int) -> Int?) {
        self.name = name
        self.uses = uses
        self.values = values
        self.value = value
    }

    /// A column of served values. An empty one is none, but where lists can be filtered by it: it is a value to choose
    /// then.
    package init(_ name: String, _ uses: Uses, _ column: ValueColumn) {
        self.init(name, uses, .listed(column.values)) { row in
            column[row].isEmpty && !uses.contains(.facet) ? nil : Int(column.codes[row])
        }
    }
}
