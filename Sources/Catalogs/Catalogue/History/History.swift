package import Archive
import Platform

/// The history of a source, from its first revision to the one that is read.
public struct History: Sendable {
    /// A change of one record.
    package struct Event: Sendable {
        package enum What: Sendable, Equatable {
            case came, went
            case changed([FieldChange])
        }

        package let revision: Revision
        package let what: What
    }

    /// The revisions in the order of their dates. The last one is the revision that is read.
    package let revisions: [Revision]
    /// The changes of each revision after the first, compared with the revision before it, in the same order.
    package let changes: [RevisionChanges]
    private let places: [RecordKey: [Place]]

    /// The position of an event in `changes`. It is small, because a million of them can be in memory.
    private struct Place {
        let revision: Int32
        /// The index of the changed record, or `came` or `went`.
        let record: Int32

        static let came: Int32 = -1
        static let went: Int32 = -2
    }

    /// The approximate limit for changed values and names in memory, in bytes. It is enough for a million short values.
    /// A small JSON value takes ten times its size in memory.
    static let maxMemory = 192 << 20

    /// Reads the history up to the reader's revision.
    /// - Throws: `ArchiveError` or `ContentFault` if the archive's content cannot be read.
    package init(_ reader: RevisionReader, _ catalogue: any Catalogue) throws {
        try self.init(reader, catalogue, memory: Self.maxMemory)
    }

    init(_ reader: RevisionReader, _ catalogue: any Catalogue, memory: Int) throws {
        var memory: Int? = memory
        var compared: Int64 = 0
        var places: [RecordKey: [Place]] = [:]
        var revision: Int32 = 0
        revisions = try reader.history()
        changes = try zip(revisions, revisions.dropFirst()).map { earlier, later in
            let reader = later == reader.revision ? reader : try RevisionReader(later, in: reader.folder)
            let changes = try RevisionChanges(in: reader, from: earlier, catalogue, memory: &memory)
            compared += changes.comparedBytes
            try reader.requirePlausible(comparedBytes: compared)
            func add(_ key: RecordKey, _ record: Int32) {
                places[key, default: []].append(Place(revision: revision, record: record))
            }
            for record in changes.added { add(record.key, Place.came) }
            for record in changes.removed { add(record.key, Place.went) }
            for (index, record) in changes.changed.enumerated() { add(record.key, Int32(index)) }
            revision += 1
            return changes
        }
        self.places = places
    }

    /// The changes of a record, in order; empty for a record that is in the first revision and never changed.
    package func events(of key: RecordKey) -> [Event] {
        places[key, default: []].map { place in
            let change = changes[Int(place.revision)]
            let what: Event.What =
                switch place.record {
                case Place.came: .came
                case Place.went: .went
                default: .changed(change.changed[Int(place.record)].fields)
                }
            return Event(revision: change.to, what: what)
        }
    }
}

extension Revision {
    package var day: String { String(moment.prefix(10)) }

    package var moment: String { timestamp(milliseconds: finished) }
}

/// The differences between a revision and an earlier one.
public struct RevisionChanges: Sendable {
    /// A record with its title.
    public struct Named: Sendable, Equatable {
        package let key: RecordKey
        /// The title; for a removed record, its last title. Kind and number if the memory limit is reached.
        package let title: String
    }

    /// A record whose values changed.
    public struct Changed: Sendable, Equatable {
        package let key: RecordKey
        package let title: String
        /// The members that differ, by name. Empty if the values are not kept.
        package let fields: [FieldChange]
        /// The number of other members that differ, whose values are not kept.
        package let moreFields: Int
    }

    package let from: Revision
    package let to: Revision
    /// The added records, by kind and number.
    package private(set) var added: [Named] = []
    package private(set) var removed: [Named] = []
    /// The records whose values changed. Records that differ only in JSON syntax, such as white space, are not in it.
    package private(set) var changed: [Changed] = []
    /// The pictures that were added, removed or changed; empty if either revision was imported.
    package let pictures: [PictureDifference]
    package private(set) var comparedBytes: Int64 = 0

    package var kinds: Set<String> { Set((added + removed).map(\.key.kind) + changed.map(\.key.kind)) }

    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && pictures.isEmpty }

    /// Compares a revision with an earlier one of the same source. The changed values are not kept.
    /// - Throws: `ArchiveError` or `ContentFault` if the archive's content cannot be read.
    package init(in reader: RevisionReader, from earlier: Revision, _ catalogue: any Catalogue) throws {
        var memory: Int?
        try self.init(in: reader, from: earlier, catalogue, memory: &memory)
    }

    /// - Parameter memory: the approximate number of bytes left for changed values and names. Their size is subtracted.
    ///   nil keeps all names and no values.
    fileprivate init(
        in reader: RevisionReader, from earlier: Revision, _ catalogue: any Catalogue, memory: inout Int?
    ) throws {
        from = earlier
        to = reader.revision
        pictures = try reader.pictureDifferences(from: earlier)
        func title(of record: [UInt8], _ key: RecordKey) -> String {
            guard memory ?? 1 > 0 else { return "\(key)" }
            let title = catalogue.title(of: record, key)
            // Swift stores up to 15 bytes without an allocation.
            if title.utf8.count > 15 { memory? -= 32 + title.utf8.count }
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
                    memory? -= field.weight
                    if memory ?? 0 > 0 { kept.append(field.shown) }
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
