import Archive
import Catalogue

/// Reads every record once, and gathers what its references and pictures are: eight bytes for a reference that is
/// mutual, sixteen for a picture.
struct ReferenceReading {
    private let kinds: [String]
    private let indexes: [NumberIndex]
    private let mutual: [MutualReference]
    private let catalogue: any Catalogue
    private let reader: RevisionReader

    /// References to records that are not there, in the order of kinds and positions.
    private(set) var dangling = FindingList<Completeness.Finding>()
    /// References that stand in their member before.
    private(set) var repeated = FindingList<Completeness.Finding>()
    /// What the capture lacks; then the links of an imported state that lead nowhere.
    private(set) var gaps: FindingList<Gap>
    /// Of each mutual reference the pairs that are named from one side only.
    private var pairs: [MutualPairs]
    /// Of each mutual reference, whether the pairs are held that its first side names: the side whose records are read
    /// first is.
    private let holdsFirst: [Bool]
    private var pictured = PictureTable()
    private var unpictured: [RecordKey] = []

    init(
        _ kinds: [String], _ indexes: [NumberIndex], _ catalogue: any Catalogue, _ reader: RevisionReader, gaps: [Gap]
    ) {
        self.kinds = kinds
        self.indexes = indexes
        self.catalogue = catalogue
        self.reader = reader
        self.gaps = FindingList(gaps)
        mutual = catalogue.mutualReferences
        pairs = mutual.map { _ in MutualPairs() }
        holdsFirst = mutual.map { mutual in
            kinds.firstIndex(of: mutual.first.kind) ?? kinds.count <= kinds.firstIndex(of: mutual.second.kind)
                ?? kinds.count
        }
    }
}

extension ReferenceReading {
    /// One record is in memory at a time.
    mutating func run() throws {
        let places = Dictionary(zip(kinds, indexes), uniquingKeysWith: { first, _ in first })
        for (place, (kind, index)) in zip(kinds, indexes).enumerated() {
            var without: [Int32] = []
            var havePictures = false
            var position = 0
            _ = try reader.records(of: kind, at: 0..<index.numbers.count) { record in
                let facts = try catalogue.archivedFacts(of: record.bytes, record.key, base: reader.revision.source.api)
                if reader.revision.imported != nil {
                    for fault in facts.refused {
                        let url = catalogue.path(for: [record.key]) ?? "\(record.key)"
                        gaps.append(Gap(url: url, keyPath: fault.keyPath, reason: fault.reason))
                    }
                }
                take(facts.card + facts.mentions, of: record.key, places)
                havePictures = havePictures || !facts.pictures.isEmpty
                if let picture = record.picture?.sha256 {
                    pictured.append(picture, ofRecordAt: position, kind: place)
                } else {
                    without.append(Int32(position))
                }
                position += 1
            }
            for (index, mutual) in mutual.enumerated()
            where (holdsFirst[index] ? mutual.first : mutual.second).kind == kind {
                pairs[index].close()
            }
            if havePictures { unpictured += without.map { RecordKey(kind, index.numbers[Int($0)]) } }
        }
    }

    /// Notes what one record names.
    private mutating func take(_ references: [Reference], of key: RecordKey, _ places: [String: NumberIndex]) {
        let own = places[key.kind]?.position(of: key.id) ?? 0
        var known: Set<Named> = []
        var named: [(mutual: Int, isHeld: Bool, pair: MutualPairs.Pair)] = []
        for reference in references {
            let member = Self.member(reference)
            func finding() -> Completeness.Finding {
                Completeness.Finding(record: key, keyPath: reference.keyPath, named: reference.key, answer: "")
            }
            if !known.insert(Named(member: member, key: reference.key)).inserted { repeated.append(finding()) }
            guard let other = places[reference.key.kind]?.position(of: reference.key.id) else {
                dangling.append(finding())
                continue
            }
            for (index, sides) in mutual.enumerated() {
                for (side, answer, isFirst) in [(sides.first, sides.second, true), (sides.second, sides.first, false)]
                where side.kind == key.kind && member == side.member && answer.kind == reference.key.kind {
                    let isHeld = isFirst == holdsFirst[index]
                    named.append((index, isHeld, isHeld ? .init(own, other) : .init(other, own)))
                }
            }
        }
        // Sorted record by record they are so as a whole.
        named.sort { $0.pair < $1.pair }
        for (mutual, isHeld, pair) in named {
            if isHeld { pairs[mutual].hold(pair) } else { pairs[mutual].strike(pair) }
        }
    }

    /// The member of its record that a reference stands in.
    private static func member(_ reference: Reference) -> Substring {
        reference.keyPath.prefix { $0 != "[" && $0 != "." }
    }

    /// What a member of a record names.
    private struct Named: Hashable {
        let member: Substring
        let key: RecordKey
    }
}

extension ReferenceReading {
    /// The references that one side of a mutual pair has and the other has not, in the order of pairs, sides and
    /// positions.
    mutating func oneSided() throws -> FindingList<Completeness.Finding> {
        var findings = FindingList<Completeness.Finding>()
        for (index, mutual) in mutual.enumerated() {
            let (held, other) = pairs[index].oneSided
            pairs[index] = MutualPairs()
            let (first, second) =
                holdsFirst[index]
                ? (held.map(\.fromHeld), other.map(\.toHeld)) : (other.map(\.toHeld), held.map(\.fromHeld))
            try find(first, from: mutual.first, to: mutual.second, &findings)
            try find(second, from: mutual.second, to: mutual.first, &findings)
        }
        return findings
    }

    /// Reads the records again for where in them the references stand, as long as the list has room.
    private func find(
        _ pairs: [(from: Int, to: Int)], from side: MutualReference.Side, to other: MutualReference.Side,
        _ findings: inout FindingList<Completeness.Finding>
    ) throws {
        guard let own = kinds.firstIndex(of: side.kind), let others = kinds.firstIndex(of: other.kind) else { return }
        var rest = pairs.sorted { $0 < $1 }[...]
        while let position = rest.first?.from, findings.hasRoom {
            let named = rest.prefix { $0.from == position }
            rest = rest.dropFirst(named.count)
            var wanted = Set(named.map { indexes[others].numbers[$0.to] })
            // Where a number came twice, each of its records may be the one that names.
            for position in indexes[own].positions(sameAs: position) where !wanted.isEmpty {
                guard let record = try reader.records(of: side.kind, at: position..<position + 1).first else {
                    continue
                }
                let facts = try catalogue.archivedFacts(of: record.bytes, record.key, base: reader.revision.source.api)
                for reference in facts.card + facts.mentions
                where reference.key.kind == other.kind && Self.member(reference) == side.member
                    && wanted.remove(reference.key.id) != nil
                {
                    findings.append(
                        Completeness.Finding(
                            record: record.key, keyPath: reference.keyPath, named: reference.key, answer: other.member))
                }
            }
        }
        findings.leaveOut(rest.count)
    }

    /// How many pictures there are, which are the same, and who has none.
    mutating func pictures() throws -> Completeness.Pictures {
        var table = PictureTable()
        swap(&table, &pictured)
        let had = table.count
        let shared = try table.shared { kind, positions in
            try reader.records(of: kinds[kind], at: positions).map { ($0.key, $0.picture?.sha256) }
        }
        return Completeness.Pictures(had: had, shared: shared, missing: unpictured)
    }
}
