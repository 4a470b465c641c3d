package import Archive
package import Catalogue
import Platform

/// Compares the counts that a revision's lists claim with its records and pages, and lists contradictions in the data.
package struct Completeness: Sendable {
    /// The counts of one kind.
    package struct Kind: Sendable {
        /// The number of records and list pages; nil if the pages of the list can have different sizes.
        package typealias Count = (records: Int, pages: Int?)

        let index: NumberIndex
        /// The ids that several records have, with the count of these records.
        package let repeated: [(key: RecordKey, times: Int)]
        /// Whether the kind has a list. Missing numbers are reported only for such a kind.
        package let isListed: Bool
        /// The counts that the list claims; nil if they are unknown.
        package let claimed: Count?
        /// Whether a list of the kind is declared to have one page. Nothing then shows whether there are more pages.
        package let hasSinglePage: Bool
        /// The declared place of the next page, if no page of a list without a count has a value there.
        package let lackedNext: AnswerValue?
        /// The number of list pages; nil for an imported state, and for a kind without a list.
        package let pages: Int?
        /// The number of records that are not in the list.
        package let unlisted: Int
        /// The number of the list's rows whose record is not in the revision. Only lists of rows have such rows.
        package let missing: Int
        /// If only changed records were requested since the last complete capture, the times since which they changed.
        /// Records that were deleted since then are not noticed.
        package let changesSince: [String]

        package var kind: String { index.kind }
        package var records: Int { index.numbers.count }
        /// The highest number; nil if the numbers of the records say nothing.
        package var highest: Int64? { index.highest }
        /// The ranges of numbers from 1 to the highest that no record has.
        package var absent: [ClosedRange<Int64>] { isListed ? index.absent : [] }
        package var absentCount: Int { absent.reduce(0) { $0 + $1.count } }
    }

    /// A wrong reference.
    package struct Finding: Sendable, Equatable {
        /// The record that contains the reference.
        package let record: RecordKey
        /// The reference's position in the record, such as "episode[3]".
        package let keyPath: String
        package let target: RecordKey
        /// The member of the target that does not refer back to the record; empty for other errors.
        package let missingIn: String
    }

    package typealias SharedPicture = (sha256: SHA256, records: [RecordKey])

    /// The pictures of all records.
    package struct Pictures: Sendable {
        /// The number of records with a picture.
        package internal(set) var captured = 0
        package internal(set) var shared: [SharedPicture] = []
        /// The records with the address of a picture that was not captured.
        package internal(set) var missing: [RecordKey] = []
    }

    package let revision: Revision
    package let rootHash: RootHash
    /// Every kind: first those of the catalogue's lists, in their order, then the others.
    package let kinds: [Kind]
    package let gaps: [Gap]
    /// References to records that the revision does not have, in the order of kinds and positions.
    package internal(set) var dangling = FindingList()
    /// References that should be mutual, but only one of the two records has them.
    package internal(set) var oneSided = FindingList()
    /// References that are in the same member several times.
    package internal(set) var repeated = FindingList()
    /// Nil for an imported state, which has no pictures.
    package internal(set) var pictures: Pictures?

    package init(of mirror: APIMirror, _ rootHash: RootHash, _ reader: RevisionReader) throws {
        let isImported = reader.revision.imported != nil
        let catalogue = mirror.catalogue
        let listed = Set(catalogue.listedKinds)
        let chains = Set(catalogue.lists.filter(\.paginator.isChain).flatMap(\.kinds))
        let single = Set(catalogue.lists.filter { $0.paginator == .single }.flatMap(\.kinds))
        let claims = try reader.claims()
        let unlisted = try reader.unlistedRecordCounts()
        // The kinds of the lists are included even if they have no records.
        let indexes = try catalogue.kinds(among: reader.recordCounts().keys).map { kind in
            try mirror.records.first { $0.kind == kind } ?? NumberIndex(kind, reader)
        }
        let rowCounts = try RowCounts(of: mirror, indexes, reader)
        var knownEnds: [Int: Bool] = [:]
        kinds = try indexes.map { index in
            let kind = index.kind
            let rows = rowCounts.counts(of: kind)
            let isListed = listed.contains(kind)
            return Kind(
                index: index,
                repeated: try index.repeated.map { (try index.key(of: $0.number, reader, catalogue), $0.times) },
                isListed: isListed,
                claimed: rows?.claimed.map { ($0, nil) }
                    ?? claims[kind].map { ($0.count, chains.contains(kind) ? nil : $0.pages) },
                hasSinglePage: single.contains(kind),
                lackedNext: index.numbers.isEmpty ? nil : try mirror.lackedNext(of: kind, reader, &knownEnds),
                pages: isImported || !isListed
                    ? nil : mirror.pages.count { catalogue.lists[$0.list].kinds.contains(kind) },
                unlisted: isListed ? rows.map { index.numbers.count - $0.found } ?? unlisted[kind] ?? 0 : 0,
                missing: rows?.missing ?? 0, changesSince: mirror.changes[kind] ?? [])
        }
        revision = reader.revision
        self.rootHash = rootHash
        gaps = try reader.gaps()
        try readReferences(catalogue, reader)
        if !isImported { try readSharedPictures(catalogue, reader) }
    }

    func index(of kind: String) -> NumberIndex? { kinds.first { $0.kind == kind }?.index }

    package func has(_ key: RecordKey) -> Bool { index(of: key.kind)?.position(of: key.id) != nil }

    /// Whether there are no gaps, and each list has as many records and pages as it claims. A list that claims nothing
    /// was read to its end. Errors in the API's own data do not count.
    package var isComplete: Bool {
        gaps.isEmpty
            && kinds.allSatisfy { kind in
                guard kind.missing == 0 else { return false }
                guard let pages = kind.pages, let claimed = kind.claimed else { return true }
                // An empty list may claim 0 pages, but it has page 1.
                return claimed.records == kind.records - kind.unlisted
                    && claimed.pages.map { max(1, $0) == pages } ?? true
            }
    }
}

extension Completeness {
    /// The format is described in docs/format.md.
    package var json: JSON {
        let leftOut: JSON = [
            "dangling": Self.number(dangling.omitted), "oneSided": Self.number(oneSided.omitted),
            "repeated": Self.number(repeated.omitted),
        ]
        return [
            "format": .text("amber completeness 1"), "revision": .integer(Int(revision.number)),
            "date": .text(timestamp(milliseconds: revision.finished)),
            "imported": revision.imported.map { .text(timestamp(milliseconds: $0)) },
            "catalogue": .text(revision.source.catalogue), "api": .text(revision.source.api),
            "origin": .text(revision.source.origin.rawValue), "rootHash": .text(rootHash.hex),
            "complete": .flag(isComplete), "kinds": .list(kinds.map(Self.json)),
            "gaps": Self.each(gaps) {
                ["url": .text($0.url), "keyPath": .text($0.keyPath), "reason": .text($0.reason)]
            },
            "dangling": Self.each(dangling.first, Self.json),
            "oneSided": Self.each(oneSided.first, Self.json),
            "repeated": Self.each(repeated.first, Self.json),
            "leftOut": leftOut.members?.isEmpty == true ? nil : leftOut,
            "pictures": pictures.map {
                [
                    "found": .integer($0.captured),
                    "shared": Self.each($0.shared) {
                        ["sha256": .text($0.sha256.hex), "records": Self.each($0.records, Self.json)]
                    },
                    "missing": Self.each($0.missing, Self.json),
                ]
            },
        ]
    }

    private static func number(_ number: Int) -> JSON? { number > 0 ? .integer(number) : nil }

    private static func each<Item: Sendable>(_ items: [Item], _ json: @escaping @Sendable (Item) -> JSON) -> JSON {
        .each(items.count) { json(items[$0]) }
    }

    private static func json(_ kind: Kind) -> JSON {
        [
            "kind": .text(kind.kind),
            "claimed": kind.claimed.map { ["records": .integer($0.records), "pages": $0.pages.map { .integer($0) }] },
            "found": ["records": .integer(kind.records), "pages": kind.pages.map { .integer($0) }],
            "besideLists": .integer(kind.unlisted), "missingRows": number(kind.missing),
            "lackedNext": kind.lackedNext.map { .text($0.text) },
            "changesSince": kind.changesSince.isEmpty ? nil : .list(kind.changesSince.map { .text($0) }),
            "highest": kind.highest.map { .integer(Int($0)) },
            "absent": kind.highest.map { _ in .integer(kind.absentCount) },
            "absentNumbers": kind.highest.map { _ in
                .list(kind.absent.map { .list([.integer(Int($0.lowerBound)), .integer(Int($0.upperBound))]) })
            },
            "repeatedNumbers": .list(kind.repeated.map { ["id": $0.key.idJSON, "times": .integer($0.times)] }),
        ]
    }

    private static func json(_ key: RecordKey) -> JSON { ["kind": .text(key.kind), "id": key.idJSON] }

    private static func json(_ finding: Finding) -> JSON {
        [
            "record": json(finding.record), "keyPath": .text(finding.keyPath), "names": json(finding.target),
            "notIn": finding.missingIn.isEmpty ? nil : .text(finding.missingIn),
        ]
    }
}

/// A list of wrong references. Only a limited number is kept; the others are counted.
package struct FindingList: Sendable, Equatable {
    package private(set) var first: [Completeness.Finding] = []
    /// The number of findings that are only counted.
    var omitted = 0

    /// The maximum number of findings that are kept. Each needs about 100 bytes, and a server can cause millions.
    static var maximum: Int { 100_000 }

    package var count: Int { first.count + omitted }
    var hasRoom: Bool { first.count < Self.maximum }

    mutating func append(_ finding: Completeness.Finding) {
        if hasRoom { first.append(finding) } else { omitted += 1 }
    }
}
