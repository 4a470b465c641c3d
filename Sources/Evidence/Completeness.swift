public import Archive
public import Catalogue

/// What a revision claims, what it has, and what in it does not fit together: found by reading it, nothing repaired.
public struct Completeness: Sendable {
    /// What is to be said of the records of one kind.
    public struct Kind: Sendable {
        /// How many records and list pages.
        public struct Count: Sendable, Equatable {
            /// Records.
            public let records: Int
            /// Pages of the list.
            public let pages: Int
        }

        /// The API's word.
        public let kind: String
        /// Whether a list holds them: only then do the numbers between them say anything.
        public let isListed: Bool
        /// What the list said of itself; nil where that is not known.
        public let claimed: Count?
        /// How many records are there.
        public let records: Int
        /// How many list pages are there; nil where there are no answers, and for a kind without a list.
        public let pages: Int?
        /// How many of the records no list brought.
        public let besideLists: Int
        /// The highest number; 0 where there is no record.
        public let highest: Int64
        /// The numbers from 1 to the highest that no record has, in runs.
        public let absent: [ClosedRange<Int64>]
        /// Numbers that several records have, each with how many.
        public let repeated: [(number: Int64, times: Int)]
    }

    /// A reference that does not lead where it should.
    public struct Finding: Sendable, Equatable {
        /// The record that names another.
        public let record: RecordKey
        /// Where in it: "episode[3]".
        public let keyPath: String
        /// The record that it names.
        public let named: RecordKey
        /// The member of that one that should name it in turn; empty where that is not the matter.
        public let answer: String
    }

    /// A picture that several records share.
    public struct SharedPicture: Sendable, Equatable {
        /// The digest of its bytes.
        public let sha256: SHA256
        /// The records that show it.
        public let records: RecordList
    }

    /// What is to be said of pictures.
    public struct Pictures: Sendable {
        /// How many records have theirs.
        public let had: Int
        /// Those that are the same bytes.
        public let shared: [SharedPicture]
        /// The records that have none, though others of their kind have.
        public let missing: [RecordKey]
    }

    /// The revision.
    public let revision: Revision
    /// Its root hash.
    public let rootHash: RootHash
    /// Every kind, in the order of the catalogue's lists.
    public let kinds: [Kind]
    /// What the capture lacks; of an imported state, the links in its records that lead nowhere.
    public let gaps: FindingList<Gap>
    /// References to records that are not there.
    public let dangling: FindingList<Finding>
    /// References that ought to be answered by one in the other direction, and are not.
    public let oneSided: FindingList<Finding>
    /// References that stand in the same member of the same record before.
    public let repeated: FindingList<Finding>
    /// Nil for an imported state, which has no pictures.
    public let pictures: Pictures?
    private let indexes: [String: NumberIndex]

    /// Whether a record is there.
    public func has(_ key: RecordKey) -> Bool { indexes[key.kind]?.position(of: key.id) != nil }
}

extension Completeness {
    /// Reads all of a revision.
    public init(of twin: Twin, _ rootHash: RootHash, _ reader: RevisionReader, _ catalogue: any Catalogue) throws {
        let isImported = reader.revision.imported != nil
        let names = try Self.kinds(reader, catalogue)
        let indexes = try names.map { name in
            if let known = twin.records.first(where: { $0.kind == name }) { return known.index }
            return try NumberIndex(name, reader)
        }
        let listed = Set(catalogue.lists.map(\.kind))
        let claims = try reader.claims()
        let beside = try reader.countsBesideLists()
        kinds = zip(names, indexes).map { kind, index in
            Kind(
                kind: kind, isListed: listed.contains(kind),
                claimed: claims[kind].map { Kind.Count(records: $0.count, pages: $0.pages) },
                records: index.numbers.count,
                pages: isImported || !listed.contains(kind) ? nil : twin.pages.count { $0.kind == kind },
                besideLists: listed.contains(kind) ? beside[kind] ?? 0 : 0, highest: index.highest,
                absent: listed.contains(kind) ? index.absent : [], repeated: index.repeated)
        }
        self.indexes = Dictionary(zip(names, indexes), uniquingKeysWith: { first, _ in first })
        var reading = ReferenceReading(names, indexes, catalogue, reader, gaps: try reader.gaps())
        try reading.run()
        revision = reader.revision
        self.rootHash = rootHash
        gaps = reading.gaps
        dangling = reading.dangling
        repeated = reading.repeated
        oneSided = try reading.oneSided()
        pictures = isImported ? nil : try reading.pictures()
    }

    /// Every kind that there is or should be: those of the lists, then others by name.
    private static func kinds(_ reader: RevisionReader, _ catalogue: any Catalogue) throws -> [String] {
        try catalogue.kinds(among: reader.recordCounts().keys)
    }

    /// Whether everything that the API lists and names is here; what its own data gets wrong is no matter.
    public var isComplete: Bool {
        gaps.count == 0
            && kinds.allSatisfy { kind in
                guard let pages = kind.pages else { return true }
                return kind.claimed == Kind.Count(records: kind.records - kind.besideLists, pages: pages)
            }
    }
}
