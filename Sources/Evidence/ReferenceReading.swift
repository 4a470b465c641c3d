import Archive
import Catalogue

/// Reads every record once, and gathers what its references and pictures are: eight bytes for a reference that is mutual.
struct ReferenceReading {
    private let kinds: [String]
    private let indexes: [NumberIndex]
    private let mutual: [MutualReference]
    private let catalogue: any Catalogue
    private let reader: RevisionReader

    /// References to records that are not there, in the order of kinds and positions.
    private(set) var dangling: [Completeness.Finding] = []
    /// References that stand in their member before.
    private(set) var repeated: [Completeness.Finding] = []
    /// Links that lead nowhere.
    private(set) var refused: [Gap] = []
    /// Of each mutual pair, what its first side names, and what its second does: both as positions of a first and a second record.
    private var pairs: [(first: [UInt64], second: [UInt64])]
    private var pictured: [(digest: SHA256, key: RecordKey)] = []
    private var unpictured: [RecordKey] = []

    init(_ kinds: [String], _ indexes: [NumberIndex], _ catalogue: any Catalogue, _ reader: RevisionReader) {
        self.kinds = kinds
        self.indexes = indexes
        self.catalogue = catalogue
        self.reader = reader
        mutual = catalogue.mutualReferences
        pairs = mutual.map { _ in ([], []) }
    }

    /// What one record has.
    private struct Part: Sendable {
        let key: RecordKey
        var dangling: [Completeness.Finding] = []
        var repeated: [Completeness.Finding] = []
        var refused: [ContentFault] = []
        var pairs: [(mutual: Int, isFirst: Bool, pair: UInt64)] = []
        var picture: SHA256?
        var namesPicture = false
    }
}

extension ReferenceReading {
    mutating func run(workers: Int) throws {
        for (kind, index) in zip(kinds, indexes) {
            let part = partReader(of: kind)
            var without: [RecordKey] = []
            var havePictures = false
            try RecordSweep(kind, count: index.numbers.count, workers: workers).run(reader, make: part) { part in
                dangling += part.dangling
                repeated += part.repeated
                refused += part.refused.map { Gap(url: catalogue.path(for: [part.key]), keyPath: $0.keyPath, reason: $0.reason) }
                for (mutual, isFirst, pair) in part.pairs {
                    if isFirst { pairs[mutual].first.append(pair) } else { pairs[mutual].second.append(pair) }
                }
                havePictures = havePictures || part.namesPicture
                if let picture = part.picture { pictured.append((picture, part.key)) } else { without.append(part.key) }
            }
            if havePictures { unpictured += without }
        }
    }

    /// Makes what one record has out of its bytes; called on several threads.
    private func partReader(of kind: String) -> @Sendable (StoredRecord) throws -> Part {
        let places = Dictionary(zip(kinds, indexes), uniquingKeysWith: { first, _ in first })
        let (catalogue, mutual, base) = (catalogue, mutual, reader.revision.source.api)
        return { record in
            let facts = try catalogue.archivedFacts(of: record.bytes, kind: kind, base: base)
            var part = Part(key: record.key)
            part.refused = facts.refused
            part.picture = record.picture?.sha256
            part.namesPicture = !facts.pictures.isEmpty
            let own = places[kind]?.position(of: record.key.id) ?? 0
            var known: Set<Named> = []
            for reference in facts.card + facts.mentions {
                let member = Self.member(reference)
                func finding() -> Completeness.Finding {
                    Completeness.Finding(record: record.key, keyPath: reference.keyPath, named: reference.key, answer: "")
                }
                if !known.insert(Named(member: member, key: reference.key)).inserted { part.repeated.append(finding()) }
                guard let other = places[reference.key.kind]?.position(of: reference.key.id) else {
                    part.dangling.append(finding())
                    continue
                }
                for (index, pair) in mutual.enumerated() {
                    if pair.first.kind == kind, member == pair.first.member, pair.second.kind == reference.key.kind {
                        part.pairs.append((index, true, Self.pair(own, other)))
                    }
                    if pair.second.kind == kind, member == pair.second.member, pair.first.kind == reference.key.kind {
                        part.pairs.append((index, false, Self.pair(other, own)))
                    }
                }
            }
            return part
        }
    }

    /// The member of its record that a reference stands in.
    private static func member(_ reference: Reference) -> Substring { reference.keyPath.prefix { $0 != "[" && $0 != "." } }

    /// What a member of a record names.
    private struct Named: Hashable {
        let member: Substring
        let key: RecordKey
    }

    private static func pair(_ first: Int, _ second: Int) -> UInt64 { UInt64(UInt32(first)) << 32 | UInt64(UInt32(second)) }
}

extension ReferenceReading {
    /// The references that one side of a mutual pair has and the other has not, in the order of pairs, sides and positions.
    mutating func oneSided() throws -> [Completeness.Finding] {
        var findings: [Completeness.Finding] = []
        for (index, mutual) in mutual.enumerated() {
            let first = Set(pairs[index].first)
            let second = Set(pairs[index].second)
            let onlyFirst = first.subtracting(second).map { (Int($0 >> 32), Int($0 & 0xFFFF_FFFF)) }
            let onlySecond = second.subtracting(first).map { (Int($0 & 0xFFFF_FFFF), Int($0 >> 32)) }
            pairs[index] = ([], [])
            findings += try self.findings(onlyFirst, from: mutual.first, to: mutual.second)
            findings += try self.findings(onlySecond, from: mutual.second, to: mutual.first)
        }
        return findings
    }

    /// Reads the records again for where in them the references stand.
    private func findings(
        _ pairs: [(from: Int, to: Int)], from side: MutualReference.Side, to other: MutualReference.Side
    ) throws -> [Completeness.Finding] {
        guard let own = kinds.firstIndex(of: side.kind), let others = kinds.firstIndex(of: other.kind) else { return [] }
        var findings: [Completeness.Finding] = []
        for (position, named) in Dictionary(grouping: pairs, by: \.from).sorted(by: { $0.key < $1.key }) {
            var wanted = Set(named.map { indexes[others].numbers[$0.to] })
            // Where a number came twice, each of its records may be the one that names.
            for position in indexes[own].positions(sameAs: position) {
                guard let record = try reader.records(of: side.kind, at: position..<position + 1).first else { continue }
                let facts = try catalogue.archivedFacts(of: record.bytes, kind: side.kind, base: reader.revision.source.api)
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
        return findings
    }

    /// How many pictures there are, which are the same, and who has none.
    func pictures() -> Completeness.Pictures {
        let groups = Dictionary(grouping: pictured, by: \.digest).filter { $0.value.count > 1 }
        let shared = groups.map { Completeness.SharedPicture(sha256: $0, records: $1.map(\.key)) }
        let first = Dictionary(pictured.enumerated().map { ($1.digest, $0) }, uniquingKeysWith: { first, _ in first })
        return Completeness.Pictures(
            had: pictured.count,
            shared: shared.sorted { (first[$0.sha256] ?? 0) < (first[$1.sha256] ?? 0) }, missing: unpictured)
    }
}
