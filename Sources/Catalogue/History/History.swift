package import Archive
import Platform

/// The history of a source, from its first revision to the one that is read.
package struct History: Sendable {
    /// A change of one record.
    package enum Change: Sendable, Equatable {
        case added, removed
        case changed([FieldChange])
    }

    package typealias Event = (revision: Revision, change: Change)

    /// The revisions in the order of their dates. The last one is the revision that is read.
    package let revisions: [Revision]
    /// The changes of each revision after the first, compared with the revision before it, in the same order.
    package let changes: [RevisionChanges]
    /// The changes of each record with their index in `changes`. Elements are small, because there can be a million.
    private let events: [RecordKey: [(index: Int32, change: Change)]]

    /// The approximate limit for changed values and names in memory, in bytes. It is enough for a million short values.
    /// A small JSON value takes ten times its size in memory.
    package static let maxMemory = 192 << 20

    /// Reads the history up to the reader's revision.
    /// - Throws: `ArchiveError` or `ContentFault` if the archive's content cannot be read.
    package init(_ reader: RevisionReader, _ catalogue: any Catalogue, memory: Int = maxMemory) throws {
        var memory: Int? = memory
        var compared: Int64 = 0
        var events: [RecordKey: [(index: Int32, change: Change)]] = [:]
        revisions = try reader.history()
        changes = try zip(revisions, revisions.dropFirst()).enumerated().map { index, pair in
            let reader = pair.1 == reader.revision ? reader : try RevisionReader(pair.1, in: reader.folder)
            let changes = try RevisionChanges(in: reader, from: pair.0, catalogue, memory: &memory)
            compared += changes.comparedBytes
            try reader.requirePlausible(comparedBytes: compared)
            func add(_ change: Change, to key: RecordKey) {
                events[key, default: []].append((Int32(index), change))
            }
            for record in changes.added { add(.added, to: record.key) }
            for record in changes.removed { add(.removed, to: record.key) }
            for record in changes.changed { add(.changed(record.fields), to: record.key) }
            return changes
        }
        self.events = events
    }

    /// The changes of a record, in order; empty for a record that is in the first revision and never changed.
    package func events(of key: RecordKey) -> [Event] {
        events[key, default: []].map { (changes[Int($0.index)].to, $0.change) }
    }
}

extension Revision {
    package var day: String { String(moment.prefix(10)) }
    package var moment: String { timestamp(milliseconds: finished) }
}

/// The differences between a revision and an earlier one.
package struct RevisionChanges: Sendable {
    /// An added or removed record.
    package struct TitledRecord: Sendable, Equatable {
        package let key: RecordKey
        /// The title; for a removed record, its last title. If the memory limit is reached, the kind and the number.
        package let title: String
    }

    /// A record whose values changed.
    package struct ChangedRecord: Sendable, Equatable {
        package let key: RecordKey
        package let title: String
        /// The values that differ, sorted by member; empty if the values are not kept.
        package let fields: [FieldChange]
        /// The number of other members that differ, whose values are not kept.
        package let moreFields: Int
    }

    /// A difference between revisions besides their values and pictures.
    package enum OtherDifference: String, Sendable {
        /// The JSON of equal values, such as its white space or escapes.
        case spelling
        case gaps
        /// The parts of the declaration that decide how the API is requested and read.
        case declaration
        /// The pages of lists: for example, the order of the records.
        case pages
    }

    package let from: Revision
    package let to: Revision
    /// The added records, sorted by kind and number.
    package private(set) var added: [TitledRecord] = []
    package private(set) var removed: [TitledRecord] = []
    /// The records whose values changed, and not only their JSON syntax, such as white space.
    package private(set) var changed: [ChangedRecord] = []
    /// The pictures and files that were added, removed or changed; empty if either revision was imported.
    package let pictures: [PictureDifference]
    /// The changed records that have these files, by the path of the file. It is empty if changed values are not kept.
    package private(set) var owners: [String: RecordKey] = [:]
    /// Other differences; empty if a record or picture differs.
    package private(set) var otherDifferences: [OtherDifference] = []
    package private(set) var comparedBytes: Int64 = 0

    package var kinds: Set<String> { Set((added + removed).map(\.key.kind) + changed.map(\.key.kind)) }

    package var isEmpty: Bool { added.isEmpty && removed.isEmpty && changed.isEmpty && pictures.isEmpty }

    /// Compares a revision with an earlier one of the same source. The changed values are not kept.
    /// - Throws: `ArchiveError` or `ContentFault` if the archive's content cannot be read.
    package init(in reader: RevisionReader, from earlier: Revision, _ catalogue: any Catalogue) throws {
        var memory: Int?
        try self.init(in: reader, from: earlier, catalogue, memory: &memory)
    }

    /// - Parameter memory: the approximate number of bytes that changed values and names may still use. Their size is
    ///   subtracted. If it is nil, all names and no values are kept.
    fileprivate init(
        in reader: RevisionReader, from earlier: Revision, _ catalogue: any Catalogue, memory: inout Int?
    ) throws {
        from = earlier
        to = reader.revision
        pictures = try reader.pictureDifferences(from: earlier)
        func title(of record: [UInt8], _ key: RecordKey) -> String {
            guard memory ?? 1 > 0 else { return "\(key)" }
            let title = catalogue.title(of: record, key)
            memory? -= key.text?.utf8.count ?? 0
            // Swift stores up to 15 bytes without an allocation.
            if title.utf8.count > 15 { memory? -= 32 + title.utf8.count }
            return title
        }
        let files = Set(memory == nil ? [] : pictures.map(\.path))
        var isRespelled = false
        comparedBytes = try reader.forEachDifference(from: earlier) { record in
            let key = catalogue.key(of: record.new ?? record.old ?? [], record.key)
            for bytes in files.isEmpty ? [] : [record.old, record.new].compactMap(\.self) {
                // `try?`, because an earlier record can lack what the declaration requires now.
                let facts = try? catalogue.archivedFacts(of: bytes, key, base: to.source.api)
                for file in facts?.files ?? [] where files.contains(file.path) { owners[file.path] = key }
            }
            switch (record.old, record.new) {
            case (let old?, let new?):
                var fields = try FieldChange.between(old, new)
                isRespelled = isRespelled || fields.isEmpty
                guard !fields.isEmpty else { return }
                if memory ?? 0 > 0 { fields = fields.flatMap { catalogue.parts(of: $0, in: key.kind) } }
                var kept: [FieldChange] = []
                for field in fields {
                    memory? -= field.weight
                    if memory ?? 0 > 0 { kept.append(field.withoutListValues) }
                }
                let (title, more) = (title(of: new, key), fields.count - kept.count)
                changed.append(ChangedRecord(key: key, title: title, fields: kept, moreFields: more))
            case (nil, let new?): added.append(TitledRecord(key: key, title: title(of: new, key)))
            case (let old?, nil): removed.append(TitledRecord(key: key, title: title(of: old, key)))
            case (nil, nil): break
            }
        }
        let rows = Set(catalogue.lists.filter(\.hasDetail).flatMap(\.kinds))
        for (records, other) in [(\Self.added, earlier), (\Self.removed, to)]
        where self[keyPath: records].contains(where: { rows.contains($0.key.kind) }) {
            let uncaptured = try Self.uncaptured(in: RevisionReader(other, in: reader.folder), catalogue)
            self[keyPath: records].removeAll { uncaptured.contains($0.key) }
        }
        guard isEmpty else { return }
        if isRespelled { otherDifferences.append(.spelling) }
        if try RevisionReader(earlier, in: reader.folder).gaps() != reader.gaps() { otherDifferences.append(.gaps) }
        if let old = from.captureDigest, let new = to.captureDigest, old != new {
            otherDifferences.append(.declaration)
        }
        if otherDifferences.isEmpty, from.digest != to.digest { otherDifferences.append(.pages) }
    }

    /// The records that a revision lacks only because of gaps: a row of a list leads to them, and their request failed.
    private static func uncaptured(in reader: RevisionReader, _ catalogue: any Catalogue) throws -> Set<RecordKey> {
        let gaps = Set(try reader.gaps().filter(\.keyPath.isEmpty).map(\.url))
        guard !gaps.isEmpty else { return [] }
        var keys: Set<RecordKey> = []
        let (catalogue, base) = (try catalogue.catalogue(of: reader), reader.revision.source.api)
        try reader.forEachAnswer(as: .page, withHeaders: true) { answer in
            let body = try reader.document(of: answer)
            let page = PageAnswer(path: answer.path, headers: answer.headers, body: body, base: base)
            for list in catalogue.lists where list.hasDetail {
                // `try?`, because other lists have other rules. Only rows that lead to a gap count.
                for row in (try? catalogue.page(page, of: list))?.records ?? [] {
                    // `try?`, for the same reason.
                    let row = try? catalogue.detail(of: body[row], in: list, base: base)
                    if let row, gaps.contains(row.path ?? "") { keys.insert(row.key) }
                }
            }
        }
        return keys
    }
}
