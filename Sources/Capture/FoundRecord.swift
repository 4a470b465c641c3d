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

extension CaptureRun {
    /// Reads a record; what cannot be read, or links where a capture may not go, becomes a gap.
    func read(_ place: Range<Int>, of kind: String, in body: [UInt8], url: String, keyPath: String) -> FoundRecord? {
        let facts: RecordFacts
        do throws(ContentFault) {
            facts = try catalogue.facts(of: body[place], kind: kind, base: settings.api)
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
            slice: RecordSlice(key: RecordKey(kind, facts.id), range: place, in: body, picture: facts.pictures.first), facts: facts)
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
