import Archive
import Catalogue

/// A record found in an answer, with what follows from it.
struct FoundRecord: Sendable {
    let slice: RecordSlice
    let facts: RecordFacts
}

extension RecordFacts {
    /// Whether something has to be asked for, so that the record can be shown.
    var hasCard: Bool { !card.isEmpty || !pictures.isEmpty }

    /// What its open card weighs in the window over open cards: about one for each ten kilobytes.
    var weight: Int { 1 + card.count / 100 }

    /// The same, with the first of its refused links only.
    func refusing(first count: Int) -> RecordFacts {
        RecordFacts(id: id, card: card, mentions: mentions, pictures: pictures, refused: Array(refused.prefix(count)))
    }
}

/// Records as an answer holds them, each with what was made of it; the answer's bytes are not needed any more.
struct ReadRecords: Sendable {
    let records: [Result<FoundRecord, ContentFault>]
    /// How many refused links are not among the records' own: the first of an answer say enough.
    let unnamed: Int

    /// Whether all of them can be read, and are among those that were asked for.
    func answers(_ keys: [RecordKey]) -> Bool {
        records.allSatisfy { record in
            if case .success(let record) = record { keys.contains(record.slice.key) } else { false }
        } && areSound
    }

    /// Whether all of them can be read, and each comes once.
    var areSound: Bool {
        var known: Set<Int64> = []
        return records.allSatisfy {
            if case .success(let record) = $0 { known.insert(record.facts.id).inserted } else { false }
        }
    }
}

extension CaptureRun {
    /// Reads the records of a kind at these places.
    /// - Parameter most: the most records of this answer, if that is below the general limit.
    /// - Throws: where there are more.
    func read(
        _ places: [Range<Int>], of kind: String, in body: [UInt8], most: Int = .max,
        facts: (ArraySlice<UInt8>) throws(ContentFault) -> RecordFacts
    ) throws(ContentFault) -> ReadRecords {
        let most = min(most, settings.maximumRecordsPerAnswer)
        guard places.count <= most else {
            throw ContentFault("", "holds \(places.count) records, more than the \(most) that are taken at once")
        }
        var references = 0
        var unnamed = 0
        var named = 0
        let records = places.map { place in
            Result { () throws(ContentFault) in
                var facts = try facts(body[place])
                guard references + facts.card.count + facts.mentions.count <= settings.maximumReferencesPerAnswer else {
                    throw ContentFault(
                        "",
                        "has references, with which the answer has more than the "
                            + "\(settings.maximumReferencesPerAnswer) that are taken"
                    )
                }
                references += facts.card.count + facts.mentions.count
                let count = min(facts.refused.count, Findings.mostOfOne - named)
                unnamed += facts.refused.count - count
                named += count
                if count < facts.refused.count { facts = facts.refusing(first: count) }
                return FoundRecord(
                    slice: RecordSlice(
                        key: RecordKey(kind, facts.id), range: place, in: body, picture: facts.pictures.first),
                    facts: facts)
            }
        }
        return ReadRecords(records: records, unnamed: unnamed)
    }

    /// Reads a list page's records. Of a number that the page has twice the first counts, and the other is a gap: a
    /// list that moved while it was walked repeats numbers on another page only.
    func readAll(of arrival: PageWalk.Arrival) -> [FoundRecord] {
        var known: Set<Int64> = []
        defer { findings.count(further: arrival.records.unnamed, of: arrival.exchange.path) }
        return arrival.records.records.indices.compactMap { index in
            let keyPath = arrival.page.keyPath(of: index)
            guard let record = found(index, of: arrival.records, url: arrival.exchange.path, keyPath: keyPath) else {
                return nil
            }
            guard known.insert(record.facts.id).inserted else {
                findings.add(
                    Gap(
                        url: arrival.exchange.path, keyPath: keyPath,
                        reason: "is \(record.slice.key), which the page has already"))
                return nil
            }
            return record
        }
    }

    /// A record that was read; what cannot be read, or links where a capture may not go, becomes a gap.
    func found(_ index: Int, of answer: ReadRecords, url: String, keyPath: String) -> FoundRecord? {
        let record: FoundRecord
        do throws(ContentFault) {
            record = try answer.records[index].get()
        } catch {
            let fault = keyPath.isEmpty ? error : error.inside(keyPath)
            findings.add(Gap(url: url, keyPath: fault.keyPath, reason: fault.reason))
            return nil
        }
        for refused in record.facts.refused {
            let fault = keyPath.isEmpty ? refused : refused.inside(keyPath)
            findings.add(Gap(url: url, keyPath: fault.keyPath, reason: fault.reason))
        }
        return record
    }
}

extension Resolver {
    /// Notes all that these records name.
    func mention(in records: [FoundRecord]) throws(CaptureError) {
        for record in records {
            for reference in record.facts.card + record.facts.mentions {
                try mention(reference.key, by: record.slice.key, at: reference.keyPath, path: reference.path)
            }
        }
    }
}
