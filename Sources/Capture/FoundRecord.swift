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

    /// Whether all of them can be read.
    var areSound: Bool {
        records.allSatisfy { if case .success = $0.facts { true } else { false } }
    }
}

extension CaptureRun {
    /// Reads the records at these places.
    func read(_ places: [Range<Int>], of kind: String, in body: [UInt8]) -> ReadRecords {
        ReadRecords(
            body: body,
            records: places.map { place in
                (place, Result { () throws(ContentFault) in try catalogue.facts(of: body[place], kind: kind, base: settings.api) })
            })
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
                mention(reference.key, by: record.slice.key, at: reference.keyPath)
            }
        }
    }
}
