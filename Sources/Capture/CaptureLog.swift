import Archive
import Catalogue
import HTTP
import Platform

/// Collects the gaps of a capture, its pictures, and the records that no list contains.
final class CaptureLog: Sendable {
    /// A record requested by number.
    struct Extra: Sendable {
        let slice: RecordSlice
        let exchange: Exchange
    }

    private struct State {
        var gaps = GapList()
        var extras: [RecordKey: Extra] = [:]
        var extrasRequested = 0
        var pictures: Set<SHA256> = []
        var picturesStored = 0
        var failure: (any Error)?
    }

    private let state = Locked(State())

    var gaps: [Gap] { state.withLock { $0.gaps.sorted } }
    var extras: [RecordKey: Extra] { state.withLock { $0.extras } }
    var pictureCount: Int { state.withLock { $0.picturesStored } }

    /// The error that ended the capture. Later errors are consequences and are not stored.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Stores the error that ended the capture. A cancellation is ignored, because another error caused it.
    func note(failure: any Error) {
        switch failure {
        case is CancellationError, CaptureError.cancelled: return
        case let error as HTTPError where error.cause == .cancelled: return
        default: break
        }
        state.withLock { if $0.failure == nil { $0.failure = failure } }
    }

    func add(_ gap: Gap) {
        state.withLock { $0.gaps.add(gap) }
    }

    /// Counts further faults of an answer whose first faults are stored as gaps.
    func count(further: Int, of url: String) {
        state.withLock { $0.gaps.count(further: further, of: url) }
    }

    func add(_ key: RecordKey, _ extra: Extra) {
        state.withLock { $0.extras[key] = extra }
    }

    /// - Returns: the number of records requested by number so far, including these.
    func request(extras count: Int) -> Int {
        state.withLock { state in
            state.extrasRequested += count
            return state.extrasRequested
        }
    }

    func countPicture() {
        state.withLock { $0.picturesStored += 1 }
    }

    /// - Returns: true at the first call for a picture. That caller must request it.
    func claim(picture path: String) -> Bool {
        let digest = SHA256(of: path.utf8)
        return state.withLock { $0.pictures.insert(digest).inserted }
    }
}

/// A record in an answer, with its references and pictures.
struct FoundRecord: Sendable {
    let slice: RecordSlice
    let facts: RecordFacts
}

extension RecordFacts {
    /// Whether the record's card needs other records or pictures.
    var hasCard: Bool { !card.isEmpty || !pictures.isEmpty }

    /// The weight of its card in the window of open cards: about one for each 10 KB.
    var weight: Int { 1 + card.count / 100 }
}

/// The records of an answer, without the answer's bytes.
struct ReadRecords: Sendable {
    let records: [Result<FoundRecord, ContentFault>]
    /// The number of refused links beyond the limit of one answer.
    let unnamed: Int

    /// Whether all of them are readable and requested, without duplicates.
    func answers(_ keys: [RecordKey]) -> Bool {
        records.allSatisfy { record in
            if case .success(let record) = record { keys.contains(record.slice.key) } else { false }
        } && areSound
    }

    /// Whether all of them are readable, without duplicates.
    var areSound: Bool {
        var known: Set<Int64> = []
        return records.allSatisfy {
            if case .success(let record) = $0 { known.insert(record.facts.id).inserted } else { false }
        }
    }
}

extension CaptureRun {
    /// Reads the records of a kind at these byte ranges.
    /// - Parameter most: the most records for this answer; the general limit also applies.
    /// - Throws: `ContentFault` if there are more.
    func read(
        _ places: [Range<Int>], of kind: String, in body: [UInt8], most: Int = .max,
        facts: (ArraySlice<UInt8>) throws -> RecordFacts
    ) throws -> ReadRecords {
        let most = min(most, settings.maximumRecordsPerAnswer)
        guard places.count <= most else {
            throw ContentFault("", "has \(places.count) records, more than the limit of \(most)")
        }
        var references = 0
        var unnamed = 0
        var named = 0
        let records = try places.map { place -> Result<FoundRecord, ContentFault> in
            do {
                var facts = try facts(body[place])
                let count = facts.card.count + facts.mentions.count
                guard references + count <= settings.maximumReferencesPerAnswer else {
                    throw ContentFault(
                        "",
                        "exceeds the limit of \(settings.maximumReferencesPerAnswer) references in one answer")
                }
                references += count
                let refused = facts.refused.prefix(GapList.maxListedPerAnswer - named)
                unnamed += facts.refused.count - refused.count
                named += refused.count
                facts = RecordFacts(
                    id: facts.id, card: facts.card, mentions: facts.mentions, pictures: facts.pictures,
                    refused: Array(refused))
                let slice = RecordSlice(
                    key: RecordKey(kind, facts.id), range: place, in: body, picture: facts.pictures.first)
                return .success(FoundRecord(slice: slice, facts: facts))
            } catch let fault as ContentFault {
                return .failure(fault)
            }
        }
        return ReadRecords(records: records, unnamed: unnamed)
    }

    /// The usable records of an answer. Adds a gap for each record that is unreadable, not requested or a duplicate,
    /// and for each refused link.
    /// - Parameters:
    ///   - keyPath: the position of a record in the answer.
    ///   - keys: the requested records; nil for a list page.
    func accepted(
        _ answer: ReadRecords, at url: String, keyPath: (Int) -> String, requested keys: [RecordKey]? = nil
    ) -> [FoundRecord] {
        defer { log.count(further: answer.unnamed, of: url) }
        var known: Set<RecordKey> = []
        return answer.records.enumerated().compactMap { index, result in
            let keyPath = keyPath(index)
            func add(_ fault: ContentFault) {
                let fault = keyPath.isEmpty ? fault : fault.inside(keyPath)
                log.add(Gap(url: url, keyPath: fault.keyPath, reason: fault.reason))
            }
            switch result {
            case .success(let record):
                for refused in record.facts.refused { add(refused) }
                let key = record.slice.key
                if keys?.contains(key) == false {
                    log.add(Gap(url: url, keyPath: keyPath, reason: "is \(key), which was not requested"))
                } else if !known.insert(key).inserted {
                    log.add(Gap(url: url, keyPath: keyPath, reason: "is a second \(key) in the same answer"))
                } else {
                    return record
                }
            case .failure(let fault): add(fault)
            }
            return nil
        }
    }
}

extension Resolver {
    /// Stores all references of these records.
    func mention(in records: [FoundRecord]) throws {
        for record in records {
            for reference in record.facts.card + record.facts.mentions {
                try mention(reference.key, by: record.slice.key, at: reference.keyPath, path: reference.path)
            }
        }
    }
}
