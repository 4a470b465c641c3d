public import Archive

/// What one revision changed against the one before it.
public struct RevisionChanges: Sendable {
    /// A record with what people call it.
    public struct Named: Sendable, Equatable {
        /// Which record.
        public let key: RecordKey
        /// What it is called; of one that is gone, what it was called. Kind and number where the memory for a history
        /// is used up.
        public let title: String
    }

    /// A record whose values changed.
    public struct Changed: Sendable, Equatable {
        /// Which record.
        public let key: RecordKey
        /// What it is called now.
        public let title: String
        /// Its members that differ, by name; kept for pages only.
        public let fields: [FieldChange]
        /// How many more of them differ, whose values are not kept.
        public let moreFields: Int
    }

    /// The earlier revision.
    public let from: Revision
    /// The later one.
    public let to: Revision
    /// Records that came, by kind and number.
    public private(set) var added: [Named] = []
    /// Records that are gone.
    public private(set) var removed: [Named] = []
    /// Records whose values changed; those spelled in another way only are not among them.
    public private(set) var changed: [Changed] = []
    /// Pictures that came, went or changed; none where either state was imported.
    public let pictures: [PictureDifference]

    /// How many bytes of records were compared.
    public private(set) var comparedBytes: Int64 = 0

    /// The kinds of all records that came, went or changed.
    public var kinds: Set<String> {
        Set(added.map(\.key.kind)).union(removed.map(\.key.kind)).union(changed.map(\.key.kind))
    }

    /// Whether both states say the same.
    public var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && pictures.isEmpty }

    /// Compares a revision with an earlier one. The changed values are not kept.
    /// - Parameter earlier: of the same source.
    /// - Throws: `ArchiveError`, `ContentFault`: what the archive holds cannot be read.
    public init(in reader: RevisionReader, from earlier: Revision, _ catalogue: any Catalogue) throws {
        var memory = Int.max
        try self.init(in: reader, from: earlier, catalogue, memory: &memory) { _ in nil }
    }

    /// Compares a revision with an earlier one, for pages.
    /// - Parameter memory: about how many bytes changed values and names may take; what they take is subtracted.
    init(forPagesFrom earlier: Revision, in reader: RevisionReader, _ catalogue: any Catalogue, memory: inout Int)
        throws
    {
        try self.init(in: reader, from: earlier, catalogue, memory: &memory, \.shown)
    }

    private init(
        in reader: RevisionReader, from earlier: Revision, _ catalogue: any Catalogue, memory: inout Int,
        _ keep: (FieldChange) -> FieldChange?
    ) throws {
        from = earlier
        to = reader.revision
        pictures = try reader.pictureDifferences(from: earlier)
        func title(of record: [UInt8], _ key: RecordKey) -> String {
            guard memory > 0 else { return "\(key)" }
            let title = catalogue.title(of: record, key)
            // Swift keeps up to 15 bytes without an allocation.
            if memory != .max, title.utf8.count > 15 { memory -= 32 + title.utf8.count }
            return title
        }
        comparedBytes = try reader.forEachDifference(from: earlier) { record in
            let key = record.key
            switch (record.old, record.new) {
            case (let old?, let new?):
                let fields = try FieldChange.between(old, new)
                guard !fields.isEmpty else { return }
                var kept: [FieldChange] = []
                for field in fields {
                    memory -= memory == .max ? 0 : field.weight
                    if memory > 0, let field = keep(field) { kept.append(field) }
                }
                changed.append(
                    Changed(key: key, title: title(of: new, key), fields: kept, moreFields: fields.count - kept.count))
            case (nil, let new?): added.append(Named(key: key, title: title(of: new, key)))
            case (let old?, nil): removed.append(Named(key: key, title: title(of: old, key)))
            case (nil, nil): break
            }
        }
    }
}
