import Archive

/// Which records show which pictures: sixteen bytes for each that has one.
struct PictureTable {
    private struct Entry {
        /// The digest's first eight bytes; what else there is of it is read again where they are not the only ones.
        let prefix: UInt64
        let kind: Int32
        let position: Int32
    }

    private var entries: [Entry] = []

    /// The most records that are read again at once.
    private static let mostAtOnce: Int32 = 256
    /// Fewer records than this that nobody asks for are read along.
    private static let leap: Int32 = 8
}

extension PictureTable {
    /// How many records have a picture.
    var count: Int { entries.count }

    /// Adds a record's picture; records come in the order of kinds and positions.
    mutating func append(_ picture: SHA256, ofRecordAt position: Int, kind: Int) {
        entries.append(Entry(prefix: picture.prefix, kind: Int32(kind), position: Int32(position)))
    }

    /// The pictures that several records show, in the order of the first of their records. The table is empty after
    /// that.
    /// - Parameter read: the keys and pictures of the records of a kind at some positions.
    mutating func shared(
        _ read: (_ kind: Int, _ positions: Range<Int>) throws -> [(key: RecordKey, picture: SHA256?)]
    ) throws -> [Completeness.SharedPicture] {
        var shared: [(sha256: SHA256, records: RecordList)] = []
        var places: [SHA256: Int] = [:]
        var rest = candidates()[...]
        while let first = rest.first {
            var last = first
            var wanted: Set<Int32> = []
            while let next = rest.first, next.kind == first.kind, next.position - first.position < Self.mostAtOnce,
                next.position - last.position <= Self.leap
            {
                wanted.insert(next.position)
                last = next
                rest.removeFirst()
            }
            let records = try read(Int(first.kind), Int(first.position)..<Int(last.position) + 1)
            for (position, record) in zip(first.position..., records) where wanted.contains(position) {
                guard let picture = record.picture else {
                    throw ArchiveError.damaged("the picture of \(record.key) is not there any more")
                }
                if let place = places[picture] {
                    shared[place].records.append(record.key)
                } else {
                    places[picture] = shared.count
                    shared.append((picture, [record.key]))
                }
            }
        }
        return shared.filter { $0.records.count > 1 }.map {
            Completeness.SharedPicture(sha256: $0.sha256, records: $0.records)
        }
    }

    /// Takes out the entries whose pictures begin as another one does, in the order of kinds and positions.
    private mutating func candidates() -> [Entry] {
        var candidates: [Entry] = []
        swap(&candidates, &entries)
        candidates.sort { $0.prefix < $1.prefix }
        // Those that are the only ones of their prefix make room for the others.
        var count = 0
        var last: UInt64?
        for place in candidates.indices {
            let prefix = candidates[place].prefix
            let isShared = prefix == last || place + 1 < candidates.count && candidates[place + 1].prefix == prefix
            last = prefix
            guard isShared else { continue }
            candidates[count] = candidates[place]
            count += 1
        }
        candidates.removeLast(candidates.count - count)
        candidates.sort { ($0.kind, $0.position) < ($1.kind, $1.position) }
        return candidates
    }
}
