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
}

/// Records as an answer holds them, each with what was made of it.
struct ReadRecords: Sendable {
    let body: [UInt8]
    let records: [(place: Range<Int>, facts: Result<RecordFacts, ContentFault>)]

    /// Whether all of them can be read, and are among those that were asked for.
    func answers(_ keys: [RecordKey]) -> Bool {
        records.allSatisfy { record in
            if case .success(let facts) = record.facts { keys.contains(RecordKey(keys[0].kind, facts.id)) } else { false }
        } && areSound
    }

    /// Whether all of them can be read, and each comes once.
    var areSound: Bool {
        var known: Set<Int64> = []
        return records.allSatisfy { if case .success(let facts) = $0.facts { known.insert(facts.id).inserted } else { false } }
    }
}

extension CaptureRun {
    /// Reads the records at these places.
    /// - Throws: where there are more than any answer may hold.
    func read(
        _ places: [Range<Int>], in body: [UInt8], facts: (ArraySlice<UInt8>) throws(ContentFault) -> RecordFacts
    ) throws(ContentFault) -> ReadRecords {
        guard places.count <= settings.maximumRecords else {
            throw ContentFault("", "holds \(places.count) records, more than the \(settings.maximumRecords) that are taken at once")
        }
        return ReadRecords(
            body: body,
            records: places.map { place in
                (place, Result { () throws(ContentFault) in try facts(body[place]) })
            })
    }

    /// Reads a list page's records. Of a number that the page has twice the first counts, and the other is a gap: a list that moved
    /// while it was walked repeats numbers on another page only.
    func readAll(of arrival: PageWalk.Arrival, kind: String) -> [FoundRecord] {
        var known: Set<Int64> = []
        return arrival.records.records.indices.compactMap { index in
            let keyPath = arrival.page.keyPath(of: index)
            guard let record = found(index, of: arrival.records, kind: kind, url: arrival.exchange.path, keyPath: keyPath) else {
                return nil
            }
            guard known.insert(record.facts.id).inserted else {
                findings.add(
                    Gap(url: arrival.exchange.path, keyPath: keyPath, reason: "is \(record.slice.key), which the page has already"))
                return nil
            }
            return record
        }
    }

    /// A record that was read; what cannot be read, or links where a capture may not go, becomes a gap.
    func found(_ index: Int, of answer: ReadRecords, kind: String, url: String, keyPath: String) -> FoundRecord? {
        let (place, result) = answer.records[index]
        let facts: RecordFacts
        do throws(ContentFault) {
            facts = try result.get()
        } catch {
            let fault = keyPath.isEmpty ? error : error.inside(keyPath)
            findings.add(Gap(url: url, keyPath: fault.keyPath, reason: fault.reason))
            return nil
        }
        for refused in facts.refused {
            let fault = keyPath.isEmpty ? refused : refused.inside(keyPath)
            findings.add(Gap(url: url, keyPath: fault.keyPath, reason: fault.reason))
        }
        return FoundRecord(
            slice: RecordSlice(key: RecordKey(kind, facts.id), range: place, in: answer.body, picture: facts.pictures.first), facts: facts)
    }
}

extension Resolver {
    /// Notes all that these records name.
    func mention(in records: [FoundRecord]) {
        for record in records {
            for reference in record.facts.card + record.facts.mentions {
                mention(reference.key, by: record.slice.key, at: reference.keyPath, path: reference.path)
            }
        }
    }
}
