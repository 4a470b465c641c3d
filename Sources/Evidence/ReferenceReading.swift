import Archive
import Catalogue

/// Reads the records and checks their references. A mutual reference needs eight bytes of memory for each side.
struct ReferenceReading {
    /// The references between two kinds that must be mutual.
    private struct Mutual {
        let sides: [ReferenceSide]
        /// The references of each side: the positions of the first side's record and of the second side's.
        var pairs: [[PositionPair]] = [[], []]
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
        mutual = catalogue.mutualReferences.map { Mutual(sides: [$0.first, $0.second]) }
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
        if havePictures { recordsWithoutPicture += without.map { RecordKey(kind, index.numbers[Int($0)]) } }
    }

    private func facts(of record: StoredRecord) throws -> RecordFacts {
        try catalogue.archivedFacts(of: record.bytes, record.key, base: reader.revision.source.api)
    }

    private mutating func addReferences(_ references: [Reference], of key: RecordKey) {
        let own = indexes[key.kind]?.position(of: key.id) ?? 0
        var known: Set<Target> = []
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
            for index in mutual.indices {
                let sides = mutual[index].sides
                for side in 0...1
                where sides[side].kind == key.kind && sides[side].member == member
                    && sides[1 - side].kind == reference.key.kind
                {
                    let pair = PositionPair(own, position)
                    mutual[index].pairs[side].append(side == 0 ? pair : pair.reversed)
                }
            }
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
            let sides = mutual[index].sides
            let pairs = mutual[index].pairs.map { $0.sorted() }
            mutual[index].pairs = [[], []]
            try addFindings(pairs[0].subtracting(pairs[1]), from: sides[0], to: sides[1], &findings)
            let second = pairs[1].subtracting(pairs[0]).map(\.reversed).sorted()
            try addFindings(second, from: sides[1], to: sides[0], &findings)
        }
        return findings
    }

    /// Reads the records again to find the key paths of the references, until the list is full.
    /// - Parameter pairs: sorted, with the record that contains the reference first.
    private func addFindings(
        _ pairs: [PositionPair], from side: ReferenceSide, to other: ReferenceSide,
        _ findings: inout FindingList<Completeness.Finding>
    ) throws {
        guard let own = indexes[side.kind], let others = indexes[other.kind] else { return }
        var rest = pairs[...]
        while let position = rest.first?.first, findings.hasRoom {
            let group = rest.prefix { $0.first == position }
            rest = rest.dropFirst(group.count)
            var wanted = Set(group.map { others.numbers[$0.second] })
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
