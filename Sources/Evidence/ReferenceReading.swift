import Archive
import Catalogue

/// Reads the records and checks their references. Each mutual reference needs eight bytes of memory.
struct ReferenceReading {
    /// The references between two kinds that must be mutual.
    private struct Mutual {
        /// The side whose records are read first. Its pairs are stored until the other side is read.
        let held: ReferenceSide
        let other: ReferenceSide
        /// Whether the stored side is the first side in the catalogue's `MutualReference`.
        let holdsFirst: Bool
        var pairs = MutualPairs()
    }

    private let kinds: [String]
    private let indexes: [String: NumberIndex]
    private let catalogue: any Catalogue
    private let reader: RevisionReader

    /// References to missing records, in the order of kinds and positions.
    private(set) var dangling = FindingList<Completeness.Finding>()
    /// References that are in the same member several times.
    private(set) var repeated = FindingList<Completeness.Finding>()
    /// The gaps of the revision, then the invalid links in an imported state.
    private(set) var gaps: FindingList<Gap>
    private var mutual: [Mutual]
    private var pictureCount = 0
    private var recordsWithoutPicture: [RecordKey] = []

    init(
        _ kinds: [String], _ indexes: [String: NumberIndex], _ catalogue: any Catalogue, _ reader: RevisionReader
    ) throws {
        self.kinds = kinds
        self.indexes = indexes
        self.catalogue = catalogue
        self.reader = reader
        gaps = FindingList(try reader.gaps())
        mutual = catalogue.mutualReferences.map { reference in
            let (first, second) = (reference.first, reference.second)
            let holdsFirst =
                kinds.firstIndex(of: first.kind) ?? kinds.count <= kinds.firstIndex(of: second.kind) ?? kinds.count
            return Mutual(
                held: holdsFirst ? first : second, other: holdsFirst ? second : first, holdsFirst: holdsFirst)
        }
        for kind in kinds { try read(kind) }
    }

    /// Reads the records of a kind. One record is in memory at a time.
    private mutating func read(_ kind: String) throws {
        guard let index = indexes[kind] else { return }
        var without: [Int32] = []
        var havePictures = false
        var position = 0
        _ = try reader.records(of: kind, at: 0..<index.numbers.count) { record in
            let facts = try facts(of: record)
            if reader.revision.imported != nil {
                for fault in facts.refused {
                    let url = catalogue.path(for: [record.key]) ?? "\(record.key)"
                    gaps.append(Gap(url: url, keyPath: fault.keyPath, reason: fault.reason))
                }
            }
            addReferences(facts.card + facts.references, of: record.key)
            havePictures = havePictures || !facts.pictures.isEmpty
            if record.picture == nil { without.append(Int32(position)) } else { pictureCount += 1 }
            position += 1
        }
        for index in mutual.indices where mutual[index].held.kind == kind { mutual[index].pairs.close() }
        if havePictures { recordsWithoutPicture += without.map { RecordKey(kind, index.numbers[Int($0)]) } }
    }

    private func facts(of record: StoredRecord) throws -> RecordFacts {
        try catalogue.archivedFacts(of: record.bytes, record.key, base: reader.revision.source.api)
    }

    private mutating func addReferences(_ references: [Reference], of key: RecordKey) {
        let own = indexes[key.kind]?.position(of: key.id) ?? 0
        var known: Set<Target> = []
        var pairs: [(mutual: Int, isHeld: Bool, pair: MutualPairs.Pair)] = []
        for reference in references {
            let member = Self.member(reference)
            func finding() -> Completeness.Finding {
                Completeness.Finding(record: key, keyPath: reference.keyPath, target: reference.key, missingIn: "")
            }
            if !known.insert(Target(member: member, key: reference.key)).inserted { repeated.append(finding()) }
            guard let position = indexes[reference.key.kind]?.position(of: reference.key.id) else {
                dangling.append(finding())
                continue
            }
            for (index, sides) in mutual.enumerated() {
                func isReference(from side: ReferenceSide, to answer: ReferenceSide) -> Bool {
                    side.kind == key.kind && member == side.member && answer.kind == reference.key.kind
                }
                if isReference(from: sides.held, to: sides.other) {
                    pairs.append((index, true, .init(held: own, other: position)))
                }
                if isReference(from: sides.other, to: sides.held) {
                    pairs.append((index, false, .init(held: position, other: own)))
                }
            }
        }
        // The pairs of each record are sorted now, so that `MutualPairs.close` sorts faster.
        pairs.sort { $0.pair < $1.pair }
        for (index, isHeld, pair) in pairs {
            if isHeld { mutual[index].pairs.add(pair) } else { mutual[index].pairs.mark(pair) }
        }
    }

    private static func member(_ reference: Reference) -> Substring {
        reference.keyPath.prefix { $0 != "[" && $0 != "." }
    }

    /// The target of a reference, and the member that contains the reference.
    private struct Target: Hashable {
        let member: Substring
        let key: RecordKey
    }
}

extension ReferenceReading {
    /// The references that should be mutual, but only one side has them; in the order of pairs, sides and positions.
    mutating func oneSided() throws -> FindingList<Completeness.Finding> {
        var findings = FindingList<Completeness.Finding>()
        for index in mutual.indices {
            let sides = mutual[index]
            mutual[index].pairs = MutualPairs()
            let (held, other) = sides.pairs.oneSided
            for isHeld in [sides.holdsFirst, !sides.holdsFirst] {
                if isHeld {
                    try addFindings(held.map { ($0.held, $0.other) }, from: sides.held, to: sides.other, &findings)
                } else {
                    try addFindings(other.map { ($0.other, $0.held) }, from: sides.other, to: sides.held, &findings)
                }
            }
        }
        return findings
    }

    /// Reads the records again to find the key paths of the references, until the list is full.
    private func addFindings(
        _ pairs: [(from: Int, to: Int)], from side: ReferenceSide, to other: ReferenceSide,
        _ findings: inout FindingList<Completeness.Finding>
    ) throws {
        guard let own = indexes[side.kind], let others = indexes[other.kind] else { return }
        var rest = pairs.sorted { $0 < $1 }[...]
        while let position = rest.first?.from, findings.hasRoom {
            let group = rest.prefix { $0.from == position }
            rest = rest.dropFirst(group.count)
            var wanted = Set(group.map { others.numbers[$0.to] })
            // If several records have the same number, each of them may have the reference.
            for position in own.positions(sameAs: position) where !wanted.isEmpty {
                guard let record = try reader.records(of: side.kind, at: position..<position + 1).first else {
                    continue
                }
                let facts = try facts(of: record)
                for reference in facts.card + facts.references
                where reference.key.kind == other.kind && Self.member(reference) == side.member
                    && wanted.remove(reference.key.id) != nil
                {
                    findings.append(
                        Completeness.Finding(
                            record: record.key, keyPath: reference.keyPath, target: reference.key,
                            missingIn: other.member))
                }
            }
        }
        findings.addOmitted(rest.count)
    }

    /// The number of records with a picture, the pictures that several records share, and the records without a
    /// picture.
    func pictures() throws -> Completeness.Pictures {
        var shared: [Completeness.SharedPicture] = []
        var indices: [SHA256: Int] = [:]
        try reader.forEachSharedPicture(of: kinds) { record, picture in
            if let index = indices[picture] {
                shared[index].records.append(record)
            } else {
                indices[picture] = shared.count
                shared.append(.init(sha256: picture, records: [record]))
            }
        }
        return Completeness.Pictures(captured: pictureCount, shared: shared, missing: recordsWithoutPicture)
    }
}
