public import Archive
import Platform

/// What happened to a source from its first revision to the one that is read: what each revision changed, and when.
public struct History: Sendable {
    /// What happened to one record, and in which revision.
    public struct Event: Sendable {
        /// What happened.
        public enum What: Sendable, Equatable {
            /// It was not there before.
            case came
            /// It is not there any more.
            case went
            /// Members of it changed.
            case changed([FieldChange])
        }

        /// The revision that shows it first.
        public let revision: Revision
        /// What happened.
        public let what: What
    }

    /// The revisions in the order of their dates; the last one is that which is read.
    public let revisions: [Revision]
    /// What each revision after the first changed against the one before it, in the same order.
    public let changes: [RevisionChanges]
    private let events: [RecordKey: [Event]]

    /// About how many bytes the changed values and the names of all revisions take in memory at most: a million short
    /// ones. Small values in JSON are ten times as large in memory.
    static let mostMemory = 192 << 20

    /// Reads the history of the revision that is read.
    /// - Throws: `ArchiveError`, `ContentFault`: what the archive holds cannot be read.
    public init(_ reader: RevisionReader, _ catalogue: any Catalogue) throws {
        try self.init(reader, catalogue, memory: Self.mostMemory)
    }

    init(_ reader: RevisionReader, _ catalogue: any Catalogue, memory: Int) throws {
        var memory = memory
        var compared: Int64 = 0
        revisions = try reader.history()
        changes = try zip(revisions, revisions.dropFirst()).map { earlier, later in
            let reader = later == reader.revision ? reader : try RevisionReader(later, in: reader.folder)
            let changes = try RevisionChanges(forPagesFrom: earlier, in: reader, catalogue, memory: &memory)
            compared += changes.comparedBytes
            try reader.requirePlausible(comparedBytes: compared)
            return changes
        }
        var events: [RecordKey: [Event]] = [:]
        for change in changes {
            for record in change.added {
                events[record.key, default: []].append(Event(revision: change.to, what: .came))
            }
            for record in change.removed {
                events[record.key, default: []].append(Event(revision: change.to, what: .went))
            }
            for record in change.changed {
                events[record.key, default: []].append(Event(revision: change.to, what: .changed(record.fields)))
            }
        }
        self.events = events
    }

    /// What happened to a record, in order; empty for one that was there from the first revision and never changed.
    public func events(of key: RecordKey) -> [Event] { events[key] ?? [] }
}

extension Revision {
    /// The day of the state in UTC: "2018-05-01".
    public var day: String { String(moment.prefix(10)) }

    /// The moment of the state in UTC: "2018-05-01T00:00:00Z".
    public var moment: String { timestamp(milliseconds: finished) }
}
