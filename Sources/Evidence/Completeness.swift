package import Archive
package import Catalogue
import Platform

/// The counts that a revision states and has, and the contradictions in it. The data is only read, never repaired.
public struct Completeness: Sendable {
    /// The counts of one kind.
    public struct Kind: Sendable {
        /// The number of records and list pages.
        public struct Count: Sendable, Equatable {
            package let records: Int
            package let pages: Int
        }

        package let kind: String
        /// Whether it has a list. Only then do missing numbers mean anything.
        package let isListed: Bool
        /// The counts that the list states; nil if they are unknown.
        package let claimed: Count?
        package let records: Int
        /// The number of list pages; nil if there are no answers, and for a kind without a list.
        package let pages: Int?
        /// The number of records that are not in the list.
        package let besideLists: Int
        /// The highest number; 0 if there are no records.
        package let highest: Int64
        /// The numbers from 1 to the highest that no record has, in runs.
        package let absent: [ClosedRange<Int64>]
        /// The numbers that several records have, each with how many.
        package let repeated: [(number: Int64, times: Int)]

        package var absentCount: Int { absent.reduce(0) { $0 + $1.count } }
    }

    /// A wrong reference.
    public struct Finding: Sendable, Equatable {
        package let record: RecordKey
        /// Its place in the record: "episode[3]".
        package let keyPath: String
        package let named: RecordKey
        /// The member of the named record that lacks the reference back; empty for other errors.
        package let answer: String
    }

    /// A picture that several records share.
    public struct SharedPicture: Sendable, Equatable {
        package let sha256: SHA256
        package internal(set) var records: RecordList
    }

    /// The pictures of all records.
    public struct Pictures: Sendable {
        package let had: Int
        package let shared: [SharedPicture]
        /// The records that have none though others of their kind have.
        package let missing: [RecordKey]
    }

    package let revision: Revision
    package let rootHash: RootHash
    /// Every kind, in the order of the catalogue's lists.
    package let kinds: [Kind]
    /// The gaps of the capture; for an imported state, the links in its records that lead nowhere.
    package let gaps: FindingList<Gap>
    package let dangling: FindingList<Finding>
    /// References that should be mutual and are not.
    package let oneSided: FindingList<Finding>
    /// References that are in the same member several times.
    package let repeated: FindingList<Finding>
    /// Nil for an imported state, which has no pictures.
    package let pictures: Pictures?
    private let indexes: [String: NumberIndex]

    package init(of mirror: APIMirror, _ rootHash: RootHash, _ reader: RevisionReader, _ catalogue: any Catalogue)
        throws
    {
        let isImported = reader.revision.imported != nil
        // Every existing or expected kind: first those of the lists, then others by name.
        let names = try catalogue.kinds(among: reader.recordCounts().keys)
        var indexes: [String: NumberIndex] = [:]
        for name in names {
            indexes[name] = try mirror.records.first { $0.kind == name }?.index ?? NumberIndex(name, reader)
        }
        let listed = Set(catalogue.lists.map(\.kind))
        let claims = try reader.claims()
        let beside = try reader.unlistedRecordCounts()
        kinds = names.compactMap { kind in
            guard let index = indexes[kind] else { return nil }
            let isListed = listed.contains(kind)
            return Kind(
                kind: kind, isListed: isListed,
                claimed: claims[kind].map { Kind.Count(records: $0.count, pages: $0.pages) },
                records: index.numbers.count,
                pages: isImported || !isListed ? nil : mirror.pages.count { $0.kind == kind },
                besideLists: isListed ? beside[kind] ?? 0 : 0, highest: index.highest,
                absent: isListed ? index.absent : [], repeated: index.repeated)
        }
        var reading = try ReferenceReading(names, indexes, catalogue, reader)
        self.indexes = indexes
        revision = reader.revision
        self.rootHash = rootHash
        gaps = reading.gaps
        dangling = reading.dangling
        repeated = reading.repeated
        oneSided = try reading.oneSided()
        pictures = isImported ? nil : try reading.pictures()
    }

    package func has(_ key: RecordKey) -> Bool { indexes[key.kind]?.position(of: key.id) != nil }

    /// Whether everything that the API lists and names is here. Errors in the API's own data do not count.
    package var isComplete: Bool {
        gaps.count == 0
            && kinds.allSatisfy { kind in
                guard let pages = kind.pages else { return true }
                // An empty list may claim 0 pages, but page 1 was requested.
                let claimed = kind.claimed.map { Kind.Count(records: $0.records, pages: max(1, $0.pages)) }
                return claimed == Kind.Count(records: kind.records - kind.besideLists, pages: pages)
            }
    }
}

extension Completeness {
    /// The format is described in docs/format.md.
    package var json: JSON {
        let leftOut: [(key: String, value: JSON)] = [
            ("gaps", gaps.leftOut), ("dangling", dangling.leftOut), ("oneSided", oneSided.leftOut),
            ("repeated", repeated.leftOut),
        ].filter { $0.1 > 0 }.map { ($0.0, .integer($0.1)) }
        return Self.object([
            "format": .text("amber completeness 1"),
            "revision": .integer(Int(revision.number)),
            "date": .text(timestamp(milliseconds: revision.finished)),
            "imported": revision.imported.map { .text(timestamp(milliseconds: $0)) },
            "catalogue": .text(revision.source.catalogue),
            "api": .text(revision.source.api),
            "origin": .text(revision.source.origin.rawValue),
            "rootHash": .text(rootHash.hex),
            "complete": .flag(isComplete),
            "kinds": .list(kinds.map(Self.json)),
            "gaps": Self.each(gaps.first) {
                Self.object(["url": .text($0.url), "keyPath": .text($0.keyPath), "reason": .text($0.reason)])
            },
            "dangling": Self.each(dangling.first, Self.json),
            "oneSided": Self.each(oneSided.first, Self.json),
            "repeated": Self.each(repeated.first, Self.json),
            "leftOut": leftOut.isEmpty ? nil : .object(leftOut),
            "pictures": pictures.map {
                Self.object([
                    "found": .integer($0.had),
                    "shared": Self.each($0.shared) {
                        Self.object(["sha256": .text($0.sha256.hex), "records": Self.each($0.records, Self.json)])
                    },
                    "missing": Self.each($0.missing, Self.json),
                ])
            },
        ])
    }

    /// An object without the members that are nil.
    private static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(members.compactMap { key, value in value.map { (key: key, value: $0) } })
    }

    private static func each<Elements: RandomAccessCollection & Sendable>(
        _ elements: Elements, _ json: @escaping @Sendable (Elements.Element) -> JSON
    ) -> JSON where Elements.Index == Int {
        .each(elements.count) { json(elements[elements.startIndex + $0]) }
    }

    private static func json(_ kind: Kind) -> JSON {
        object([
            "kind": .text(kind.kind),
            "claimed": kind.claimed.map { object(["records": .integer($0.records), "pages": .integer($0.pages)]) },
            "found": object(["records": .integer(kind.records), "pages": kind.pages.map { .integer($0) }]),
            "besideLists": .integer(kind.besideLists),
            "highest": .integer(Int(kind.highest)),
            "absent": .integer(kind.absentCount),
            "absentNumbers": .list(
                kind.absent.map { .list([.integer(Int($0.lowerBound)), .integer(Int($0.upperBound))]) }),
            "repeatedNumbers": .list(
                kind.repeated.map { object(["id": .integer(Int($0.number)), "times": .integer($0.times)]) }),
        ])
    }

    private static func json(_ key: RecordKey) -> JSON {
        object(["kind": .text(key.kind), "id": .integer(Int(key.id))])
    }

    private static func json(_ finding: Finding) -> JSON {
        object([
            "record": json(finding.record), "keyPath": .text(finding.keyPath), "names": json(finding.named),
            "notIn": finding.answer.isEmpty ? nil : .text(finding.answer),
        ])
    }
}
