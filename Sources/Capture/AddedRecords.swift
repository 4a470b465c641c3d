import Archive

/// The records of a kind that were added to the revision.
struct AddedRecords: Sendable {
    /// By id: a prefix of a record's digest, and the number of the last list that contained it; 0 for none.
    private var sources: [Int64: (digest: UInt64, list: Int)] = [:]

    var count: Int { sources.count }

    /// Adds a record that is in no list.
    /// - Returns: its position; nil if it was added before.
    mutating func add(_ record: RecordSlice) -> Int? {
        guard sources[record.key.id] == nil else { return nil }
        sources[record.key.id] = (record.sha256.words.0, 0)
        return count - 1
    }

    mutating func take(_ id: Int64, _ sha256: SHA256, of list: Int) { sources[id] = (sha256.words.0, list) }

    /// Adds the records of a list page. A list can repeat records of an earlier list.
    /// - Returns: the new records, the position of the first one, and the records that differ from an earlier list.
    mutating func add(_ records: [RecordSlice], of list: Int, page: Int) throws -> (
        new: Set<Int64>, position: Int, contradictions: [RecordKey]
    ) {
        var added = (new: Set<Int64>(), position: count, contradictions: [RecordKey]())
        for record in records {
            let known = sources[record.key.id]
            guard known?.list != list else {
                // A duplicate in one answer is a gap. A duplicate on another page means that the list changed.
                throw CaptureError.listChanged(
                    "the list has \(record.key) twice, the second time on page \(page)\(record.key.advice)")
            }
            if let known, known.digest != record.sha256.words.0 { added.contradictions.append(record.key) }
            if known == nil { added.new.insert(record.key.id) }
            sources[record.key.id] = (known?.digest ?? record.sha256.words.0, list)
        }
        return added
    }
}

extension RecordKey {
    /// The end of a message about two records with this id.
    var advice: String {
        text == nil ? "" : "; an id that is an address is cut to its last segment, so name another member with \"id\""
    }
}

/// The order of lists that are read in parallel. A list adds its records after the lists before it have ended.
actor ListOrder {
    private var current = 0
    private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]

    func wait(for number: Int) async { if number > current { await withCheckedContinuation { waiting[number] = $0 } } }

    func end(_ number: Int) async {
        await wait(for: number)
        current += 1
        waiting.removeValue(forKey: current)?.resume()
    }
}
