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

    /// Stores the error that ended the capture, unless there is one already. A cancellation is ignored, because another
    /// error caused it.
    func setFailure(_ failure: any Error) {
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

    /// Counts the faults of an answer beyond those that are stored as gaps.
    func countFaults(_ count: Int, of url: String) {
        state.withLock { $0.gaps.count(further: count, of: url) }
    }

    func add(_ key: RecordKey, _ extra: Extra) {
        state.withLock { $0.extras[key] = extra }
    }

    /// Counts records that will be requested by number.
    /// - Returns: the number of such records so far, including these.
    func countRequested(extras count: Int) -> Int {
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
struct AnswerRecord: Sendable {
    let slice: RecordSlice
    let facts: RecordFacts
}

extension RecordFacts {
    /// Whether the record's card shows other records or pictures.
    var hasCard: Bool { !card.isEmpty || !pictures.isEmpty }

    /// The weight of its card in the window of open cards: about one for each 10 KB.
    var weight: Int { 1 + card.count / 100 }
}

/// The records of an answer, without the answer's bytes.
struct AnswerRecords: Sendable {
    let records: [Result<AnswerRecord, ContentFault>]
    /// The number of refused links beyond the limit of one answer.
    let unlistedFaults: Int

    /// Whether all records are readable and were requested, without duplicates.
    func match(_ keys: [RecordKey]) -> Bool {
        records.allSatisfy { record in
            if case .success(let record) = record { keys.contains(record.slice.key) } else { false }
        } && areValid
    }

    /// Whether all records are readable, without duplicates.
    var areValid: Bool {
        var known: Set<Int64> = []
        return records.allSatisfy {
            if case .success(let record) = $0 { known.insert(record.facts.id).inserted } else { false }
        }
    }
}

extension CaptureRun {
    /// Reads the records of a kind at these byte ranges.
    /// - Parameter limit: the maximum number of records in this answer; the general limit also applies.
    /// - Throws: `ContentFault` if there are more records.
    func read(
        _ ranges: [Range<Int>], of kind: String, in body: [UInt8], limit: Int = .max,
        facts: (ArraySlice<UInt8>) throws -> RecordFacts
    ) throws -> AnswerRecords {
        let limit = min(limit, settings.maximumRecordsPerAnswer)
        guard ranges.count <= limit else {
            throw ContentFault("", "has \(ranges.count) records, more than the limit of \(limit)")
        }
        var references = 0
        var unlistedFaults = 0
        var listedFaults = 0
        let records = try ranges.map { range -> Result<AnswerRecord, ContentFault> in
            do {
                var facts = try facts(body[range])
                let count = facts.card.count + facts.references.count
                guard references + count <= settings.maximumReferencesPerAnswer else {
                    throw ContentFault(
                        "",
                        "exceeds the limit of \(settings.maximumReferencesPerAnswer) references in one answer")
                }
                references += count
                let refused = facts.refused.prefix(GapList.maxListedPerAnswer - listedFaults)
                unlistedFaults += facts.refused.count - refused.count
                listedFaults += refused.count
                facts = RecordFacts(
                    facts.key, card: facts.card, references: facts.references, pictures: facts.pictures,
                    refused: Array(refused))
                let slice = RecordSlice(
                    key: facts.key, range: range, in: body, picture: facts.pictures.first)
                return .success(AnswerRecord(slice: slice, facts: facts))
            } catch let fault as ContentFault {
                return .failure(fault)
            }
        }
        return AnswerRecords(records: records, unlistedFaults: unlistedFaults)
    }

    /// Adds a gap for each record of an answer that is unreadable, not requested or a duplicate, and for each refused
    /// link. Returns the other records.
    /// - Parameters:
    ///   - keyPath: the position of a record in the answer.
    ///   - keys: the requested records; nil for a list page.
    func acceptRecords(
        _ answer: AnswerRecords, at url: String, keyPath: (Int) -> String, requested keys: [RecordKey]? = nil
    ) -> [AnswerRecord] {
        defer { log.countFaults(answer.unlistedFaults, of: url) }
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
    /// Stores the references in these records.
    func addReferences(of records: [AnswerRecord]) throws {
        for record in records {
            for reference in record.facts.card + record.facts.references {
                try addReference(to: reference.key, from: record.slice.key, at: reference.keyPath, path: reference.path)
            }
        }
    }
}
