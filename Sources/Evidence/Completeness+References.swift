import Archive
import Catalogue
import Platform

/// The references between two kinds that must be mutual. A pair has the positions of the records of both sides.
private typealias Mutual = (sides: [ReferenceSide], pairs: [[PositionPair]])

extension Completeness {
    /// Reads the records and checks their references. A mutual reference needs eight bytes of memory for each side.
    mutating func readReferences(_ catalogue: any Catalogue, _ reader: RevisionReader) throws {
        var mutual: [Mutual] = catalogue.mutualReferences.map { ([$0.first, $0.second], [[], []]) }
        pictures = revision.imported == nil ? Pictures() : nil
        for kind in kinds { try read(kind.index, &mutual, catalogue, reader) }
        // The one-sided references are in the order of pairs, sides and positions.
        for index in mutual.indices {
            for side in 0...1 { mutual[index].pairs[side].sort() }
            let (sides, pairs) = mutual[index]
            mutual[index].pairs = []
            let second = pairs[1].subtracting(pairs[0]).map(\.reversed).sorted()
            try addOneSided(pairs[0].subtracting(pairs[1]), from: sides[0], to: sides[1], catalogue, reader)
            try addOneSided(second, from: sides[1], to: sides[0], catalogue, reader)
        }
    }

    /// Reads the records of a kind. One record is in memory at a time.
    private mutating func read(
        _ index: NumberIndex, _ mutual: inout [Mutual], _ catalogue: any Catalogue, _ reader: RevisionReader
    ) throws {
        var missing: [(key: RecordKey, path: String)] = []
        _ = try reader.records(of: index.kind, at: 0..<index.numbers.count) { record in
            let facts = try catalogue.archivedFacts(of: record.bytes, record.key, base: revision.source.api)
            // The facts have an id that is a text.
            let key = facts.key == record.key ? facts.key : record.key
            addReferences(facts.card + facts.references, of: key, &mutual)
            if record.picture != nil {
                pictures?.captured += 1
            } else if let path = facts.pictures.first(where: { !facts.derived.contains($0) }) {
                missing.append((key, path))
            }
        }
        // The answer at the address can be another file, if a field for files has the address too.
        pictures?.missing += try missing.filter { try reader.answer(for: $0.path, withHeaders: false)?.asset == nil }
            .map(\.key)
    }

    private mutating func addReferences(_ references: [Reference], of key: RecordKey, _ mutual: inout [Mutual]) {
        let own = index(of: key.kind)?.position(of: key.id) ?? 0
        var known: [Substring: Set<RecordKey>] = [:]
        for reference in references {
            let member = Self.member(reference)
            let finding = Finding(record: key, keyPath: reference.keyPath, target: reference.key, missingIn: "")
            // Several lists can be in one member. The index of a reference is at the end of its key path.
            let path = reference.keyPath
            let list = path[..<(path.utf8.lastIndex(of: "[") ?? path.endIndex)]
            if !known[list, default: []].insert(reference.key).inserted { repeated.append(finding) }
            guard let position = index(of: reference.key.kind)?.position(of: reference.key.id) else {
                dangling.append(finding)
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
        Substring(reference.keyPath.utf8.prefix { $0 != "[" && $0 != "." })
    }

    /// Reads the records again to find the key paths of the references, until the list is full.
    /// - Parameter pairs: sorted, with the record that contains the reference first.
    private mutating func addOneSided(
        _ pairs: [PositionPair], from side: ReferenceSide, to other: ReferenceSide,
        _ catalogue: any Catalogue, _ reader: RevisionReader
    ) throws {
        guard let own = index(of: side.kind), let others = index(of: other.kind) else { return }
        var rest = pairs[...]
        while let position = rest.first?.first, oneSided.hasRoom {
            let group = rest.prefix { $0.first == position }
            rest = rest.dropFirst(group.count)
            var wanted = Set(group.map { others.numbers[$0.second] })
            // If several records have the same number, each of them may have the reference.
            for position in own.positions(sameAs: position) where !wanted.isEmpty {
                guard let record = try reader.records(of: side.kind, at: position..<position + 1).first else {
                    continue
                }
                let facts = try catalogue.archivedFacts(of: record.bytes, record.key, base: revision.source.api)
                for reference in facts.card + facts.references
                where reference.key.kind == other.kind && Self.member(reference) == side.member
                    && wanted.remove(reference.key.id) != nil
                {
                    // The facts have an id that is a text.
                    let key = facts.key == record.key ? facts.key : record.key
                    oneSided.append(
                        Finding(record: key, keyPath: reference.keyPath, target: reference.key, missingIn: other.member)
                    )
                }
            }
        }
        oneSided.omitted += rest.count
    }

    /// Finds the pictures that several records share.
    mutating func readSharedPictures(_ catalogue: any Catalogue, _ reader: RevisionReader) throws {
        var shared: [SharedPicture] = []
        var indices: [SHA256: Int] = [:]
        try reader.forEachSharedPicture(of: kinds.map(\.kind)) { record, picture in
            let record = try index(of: record.kind)?.key(of: record.id, reader, catalogue) ?? record
            if let index = indices[picture] {
                shared[index].records.append(record)
            } else {
                indices[picture] = shared.count
                shared.append((picture, [record]))
            }
        }
        pictures?.shared = shared
    }
}

extension NumberIndex {
    /// The key of the first record with a number. An id that is a text is read from the record.
    func key(of number: Int64, _ reader: RevisionReader, _ catalogue: any Catalogue) throws -> RecordKey {
        let key = RecordKey(kind, number)
        guard number < 0, let position = position(of: number) else { return key }
        let record = try reader.records(of: kind, at: position..<position + 1).first
        return record.map { catalogue.key(of: $0.bytes, key) } ?? key
    }
}
