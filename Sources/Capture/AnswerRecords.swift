import Archive
import Catalogue
import Platform

/// A record in an answer, with its references and pictures.
typealias AnswerRecord = (slice: RecordSlice, facts: RecordFacts)

extension RecordFacts {
    /// Whether the record's card shows other records, pictures or files.
    var hasCard: Bool { !card.isEmpty || !pictures.isEmpty || !files.isEmpty }
}

/// The content of an answer, without its bytes.
struct AnswerRecords: Sendable {
    /// The page of a list; nil for other answers.
    var page: ListPage?
    var records: [Result<AnswerRecord, ContentFault>] = []
    /// The rows of a list page whose records are requested one by one.
    var rows: [Result<Reference, ContentFault>] = []
    /// The number of refused links beyond the limit of one answer.
    var unlistedFaults = 0

    /// Whether all records and rows are readable, and no record is a duplicate.
    /// - Parameter keys: the requested records; nil for a list page.
    func isValid(requested keys: [RecordKey]?) -> Bool {
        // `try?`, because a record that cannot be read is missing in the comparison.
        let known = Set(records.compactMap { try? $0.get().facts.key })
        // `try?`, for the same reason.
        let areRowsValid = rows.allSatisfy { (try? $0.get()) != nil }
        return areRowsValid && known.count == records.count && keys.map { known.isSubset(of: $0) } ?? true
    }
}

extension CaptureRun {
    /// Reads the records at these byte ranges.
    /// - Parameter limit: the maximum number of records in this answer; the general limit also applies.
    /// - Throws: `ContentFault` if there are more records.
    func read(
        _ ranges: [Range<Int>], in body: [UInt8], limit: Int = .max, facts: (ArraySlice<UInt8>) throws -> RecordFacts
    ) throws -> AnswerRecords {
        try requireCount(ranges, "records", of: min(limit, settings.maximumRecordsPerAnswer))
        var answer = AnswerRecords()
        var (references, listedFaults) = (0, 0)
        answer.records = try ranges.map { range in
            try Result {
                var facts = try facts(body[range])
                let count = facts.card.count + facts.references.count + facts.files.count
                guard references + count <= settings.maximumReferencesPerAnswer else {
                    throw ContentFault(
                        "", "exceeds the limit of \(settings.maximumReferencesPerAnswer) references in one answer")
                }
                references += count
                let refused = facts.refused.prefix(GapList.maxListedPerAnswer - listedFaults)
                answer.unlistedFaults += facts.refused.count - refused.count
                listedFaults += refused.count
                facts.refused = Array(refused)
                let slice = RecordSlice(key: facts.key, range: range, in: body, picture: facts.pictures.first)
                return (slice, facts)
            }
        }
        return answer
    }

    func readRows(_ ranges: [Range<Int>], of list: ListEndpoint, in body: [UInt8]) throws -> AnswerRecords {
        // A row needs less memory than a record.
        try requireCount(ranges, "rows", of: settings.maximumRecords)
        return AnswerRecords(
            rows: try ranges.map { range in
                try Result { try catalogue.detail(of: body[range], in: list, base: settings.api) }
            })
    }

    private func requireCount(_ ranges: [Range<Int>], _ unit: String, of limit: Int) throws {
        guard ranges.count <= limit else {
            throw ContentFault("", "has \(ranges.count) \(unit), more than the limit of \(limit)")
        }
    }

    /// Adds gaps for unreadable, unrequested or repeated records of an answer, and refused links. Returns the others.
    /// - Parameter keys: the requested records; nil for a list page.
    func acceptRecords(_ answer: AnswerRecords, at url: String, requested keys: [RecordKey]? = nil) -> [AnswerRecord] {
        let areSeveral = max(answer.records.count, keys?.count ?? 0) > 1
        func keyPath(_ index: Int) -> String { answer.page?.keyPath(of: index) ?? (areSeveral ? "[\(index)]" : "") }
        for case (let index, .success(let record)) in answer.records.enumerated() {
            for refused in record.facts.refused { addGap(refused.inside(keyPath(index)), at: url) }
        }
        defer { log.withLock { $0.gaps.count(further: answer.unlistedFaults, of: url) } }
        return accept(answer.records, at: url, keyPath: keyPath, requested: keys, key: \.facts.key)
    }

    /// Adds a gap for each item of an answer that is unreadable, not requested or a duplicate. Returns the other items.
    func accept<Item>(
        _ items: [Result<Item, ContentFault>], at url: String, keyPath: (Int) -> String,
        requested keys: [RecordKey]? = nil, key: (Item) -> RecordKey
    ) -> [Item] {
        var known: Set<RecordKey> = []
        return items.enumerated().compactMap { index, result in
            do throws(ContentFault) {
                let item = try result.get()
                let key = key(item)
                if keys?.contains(key) == false { throw ContentFault("", "is \(key), which was not requested") }
                guard known.insert(key).inserted else {
                    throw ContentFault("", "is a second \(key) in the same answer\(key.advice)")
                }
                return item
            } catch {
                addGap(error.inside(keyPath(index)), at: url)
                return nil
            }
        }
    }

    func addGap(_ fault: ContentFault, at url: String) { log.withLock { $0.gaps.add(fault, at: url) } }
}

extension Result where Failure == ContentFault {
    /// The result of `read`. Other errors are thrown.
    fileprivate init(_ read: () throws -> Success) throws {
        do {
            self = .success(try read())
        } catch let fault as ContentFault {
            self = .failure(fault)
        }
    }
}

extension Resolver {
    /// Reports records that were received, and stores their references.
    func add(_ records: [RecordFacts]) throws {
        for record in records {
            for reference in record.card + record.references {
                try addReference(to: reference.key, from: record.key, at: reference.keyPath, path: reference.path)
            }
        }
        try addArrived(records.map(\.key))
    }
}
