import Archive
import Catalogue
import HTTP
import Platform

/// The gaps of a capture, its pictures, and the records that no list brought.
final class Findings: Sendable {
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
        var picturesHad = 0
        var failure: (any Error)?
    }

    private let state = Guarded(State())

    var gaps: [Gap] { state.withLock { $0.gaps.sorted } }
    var extras: [RecordKey: Extra] { state.withLock { $0.extras } }
    var pictureCount: Int { state.withLock { $0.picturesHad } }

    /// The error that ended the capture; later ones follow from it.
    var failure: (any Error)? { state.withLock { $0.failure } }

    /// Notes what ended the capture. Work that was cancelled only ended because other work failed.
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

    /// Counts faults of an answer that has named gaps.
    func count(further: Int, of url: String) {
        state.withLock { $0.gaps.count(further: further, of: url) }
    }

    func add(_ key: RecordKey, _ extra: Extra) {
        state.withLock { $0.extras[key] = extra }
    }

    /// - Returns: the number of records requested beside the lists, these included.
    func request(extras count: Int) -> Int {
        state.withLock { state in
            state.extrasRequested += count
            return state.extrasRequested
        }
    }

    func countPicture() {
        state.withLock { $0.picturesHad += 1 }
    }

    /// - Returns: whether the caller has to request this picture: it is claimed for the first time.
    func claim(picture path: String) -> Bool {
        let digest = SHA256(of: path.utf8)
        return state.withLock { $0.pictures.insert(digest).inserted }
    }
}

/// A record in an answer, with what follows from it.
struct FoundRecord: Sendable {
    let slice: RecordSlice
    let facts: RecordFacts
}

extension RecordFacts {
    /// Whether showing the record needs more than itself.
    var hasCard: Bool { !card.isEmpty || !pictures.isEmpty }

    /// The weight of its card in the window of open cards: about one for each ten kilobytes.
    var weight: Int { 1 + card.count / 100 }
}

/// The records of an answer, without the answer's bytes.
struct ReadRecords: Sendable {
    let records: [Result<FoundRecord, ContentFault>]
    /// The number of refused links beyond the limit of one answer.
    let unnamed: Int

    /// Whether all of them can be read, and were requested.
    func answers(_ keys: [RecordKey]) -> Bool {
        records.allSatisfy { record in
            if case .success(let record) = record { keys.contains(record.slice.key) } else { false }
        } && areSound
    }

    /// Whether all of them can be read, and each is there once.
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
    /// - Throws: if there are more.
    func read(
        _ places: [Range<Int>], of kind: String, in body: [UInt8], most: Int = .max,
        facts: (ArraySlice<UInt8>) throws -> RecordFacts
    ) throws -> ReadRecords {
        let most = min(most, settings.maximumRecordsPerAnswer)
        guard places.count <= most else {
            throw ContentFault("", "holds \(places.count) records, more than the \(most) that are taken at once")
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
                        "has references, with which the answer has more than the "
                            + "\(settings.maximumReferencesPerAnswer) that are taken")
                }
                references += count
                let refused = facts.refused.prefix(GapList.mostOfOne - named)
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

    /// The records of an answer. A record that cannot be read, was not requested, or has the number of an earlier one
    /// becomes a gap, and so do links that a capture refuses.
    /// - Parameters:
    ///   - keyPath: the place of a record in the answer.
    ///   - keys: the records that were requested; nil for a list page.
    func taken(
        _ answer: ReadRecords, at url: String, keyPath: (Int) -> String, requested keys: [RecordKey]? = nil
    ) -> [FoundRecord] {
        defer { findings.count(further: answer.unnamed, of: url) }
        var known: Set<RecordKey> = []
        return answer.records.enumerated().compactMap { index, result in
            let keyPath = keyPath(index)
            func add(_ fault: ContentFault) {
                let fault = keyPath.isEmpty ? fault : fault.inside(keyPath)
                findings.add(Gap(url: url, keyPath: fault.keyPath, reason: fault.reason))
            }
            switch result {
            case .success(let record):
                for refused in record.facts.refused { add(refused) }
                let key = record.slice.key
                if keys?.contains(key) == false {
                    findings.add(Gap(url: url, keyPath: keyPath, reason: "is \(key), which was not asked for"))
                } else if !known.insert(key).inserted {
                    findings.add(Gap(url: url, keyPath: keyPath, reason: "is \(key), which the answer has already"))
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
    /// Notes all that these records name.
    func mention(in records: [FoundRecord]) throws {
        for record in records {
            for reference in record.facts.card + record.facts.mentions {
                try mention(reference.key, by: record.slice.key, at: reference.keyPath, path: reference.path)
            }
        }
    }
}
