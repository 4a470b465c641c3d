package import Archive
import Platform

/// What happened to a source from its first revision to the one that is read: what each revision changed, and when.
public struct History: Sendable {
    /// What happened to one record.
    package struct Event: Sendable {
        package enum What: Sendable, Equatable {
            case came, went
            case changed([FieldChange])
        }

        package let revision: Revision
        package let what: What
    }

    /// The revisions in the order of their dates; the last one is that which is read.
    package let revisions: [Revision]
    /// What each revision after the first changed against the one before it, in the same order.
    package let changes: [RevisionChanges]
    private let places: [RecordKey: [Place]]

    /// Where an event is in `changes`. A million of them are in memory.
    private struct Place {
        let revision: Int32
        /// The index of the changed record; `came` or `went`.
        let record: Int32

        static let came: Int32 = -1
        static let went: Int32 = -2
    }

    /// About how many bytes the changed values and the names of all revisions take in memory at most: a million short
    /// ones. Small values in JSON are ten times as large in memory.
    static let mostMemory = 192 << 20

    /// Reads the history of the revision that is read.
    /// - Throws: `ArchiveError`, `ContentFault`: what the archive holds cannot be read.
    package init(_ reader: RevisionReader, _ catalogue: any Catalogue) throws {
        try self.init(reader, catalogue, memory: Self.mostMemory)
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

    /// What happened to a record, in order; empty for one that was there from the first revision and never changed.
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

/// What one revision changed against the one before it.
public struct RevisionChanges: Sendable {
    /// A record with what people call it.
    public struct Named: Sendable, Equatable {
        package let key: RecordKey
        /// What it is called; of one that is gone, what it was called. Kind and number where the memory for a history
        /// is used up.
        package let title: String
    }

    /// A record whose values changed.
    public struct Changed: Sendable, Equatable {
        package let key: RecordKey
        package let title: String
        /// Its members that differ, by name; kept for pages only.
        package let fields: [FieldChange]
        /// How many more of them differ, whose values are not kept.
        package let moreFields: Int
    }

    package let from: Revision
    package let to: Revision
    /// Records that came, by kind and number.
    package private(set) var added: [Named] = []
    package private(set) var removed: [Named] = []
    /// Records whose values changed; those spelled in another way only are not among them.
    package private(set) var changed: [Changed] = []
    /// Pictures that came, went or changed; none where either state was imported.
    package let pictures: [PictureDifference]
    package private(set) var comparedBytes: Int64 = 0

    package var kinds: Set<String> { Set((added + removed).map(\.key.kind) + changed.map(\.key.kind)) }

    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && pictures.isEmpty }

    /// Compares a revision with an earlier one of the same source. The changed values are not kept.
    /// - Throws: `ArchiveError`, `ContentFault`: what the archive holds cannot be read.
    package init(in reader: RevisionReader, from earlier: Revision, _ catalogue: any Catalogue) throws {
        var memory: Int?
        try self.init(in: reader, from: earlier, catalogue, memory: &memory)
    }

    /// - Parameter memory: about how many bytes changed values and names may take; what they take is subtracted. nil to
    ///   keep all names and no values.
    fileprivate init(
        in reader: RevisionReader, from earlier: Revision, _ catalogue: any Catalogue, memory: inout Int?
    ) throws {
        from = earlier
        to = reader.revision
        pictures = try reader.pictureDifferences(from: earlier)
        func title(of record: [UInt8], _ key: RecordKey) -> String {
            guard memory ?? 1 > 0 else { return "\(key)" }
            let title = catalogue.title(of: record, key)
            // Swift keeps up to 15 bytes without an allocation.
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
