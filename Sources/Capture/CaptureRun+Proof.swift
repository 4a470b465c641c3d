import Archive
import Catalogue

extension CaptureRun {
    /// Asks for what is named somewhere and came with no list, until nothing new is named.
    func askForMentions() async throws {
        while true {
            let keys = await resolver.unresolvedMentions()
            guard !keys.isEmpty else { return }
            guard findings.extras.count + keys.count <= settings.maximumExtras else {
                throw CaptureError.incomplete(
                    "records of \(settings.api) name others without end: more than \(settings.maximumExtras) that no "
                        + "list brings"
                )
            }
            try await ask(for: keys)
        }
    }

    /// Enters the records that no list brought behind those of their lists, roots in the catalogue's order and the
    /// others by number, so that the order depends on the data alone.
    func enterExtras(behind lists: [ListResult]) async throws {
        var positions = Dictionary(lists.map { ($0.list.kind, $0.ids.count) }, uniquingKeysWith: max)
        // What an interrupted run entered here may have been other records.
        for (kind, position) in positions { try await revision.forget(kind, from: position) }
        try await revision.forgetKinds(but: Array(positions.keys))
        // Two searches can have one key: it is a part of a digest.
        let places = Dictionary(catalogue.roots.enumerated().map { ($1, $0) }) { first, _ in first }
        func order(_ key: RecordKey) -> (String, Int, Int64) { (key.kind, places[key] ?? .max, key.id) }
        for (key, extra) in findings.extras.sorted(by: { order($0.key) < order($1.key) }) {
            try await revision.enter([extra.slice], of: extra.exchange, at: positions[key.kind, default: 0])
            positions[key.kind, default: 0] += 1
        }
    }

    /// Compares what the lists claim with what came, and closes the revision.
    func proveAndFinish(_ lists: [ListResult]) async throws -> CaptureReport {
        for result in lists {
            let brought = result.ids.count + result.faulty
            guard brought == result.claimed.count else {
                throw CaptureError.moved(
                    "the \(result.list.kind) list claims \(result.claimed.count) records and brought \(brought)")
            }
        }
        try await refuseSuddenEmptiness(lists)
        let numbers = numbersByKind(lists)
        let gaps = findings.gaps
        let outcome = try await revision.finish(gaps: gaps)
        let (final, isUnchanged) =
            switch outcome {
            case .new(let revision): (revision, false)
            case .unchanged(let revision): (revision, true)
            }
        return CaptureReport(
            revision: final, isUnchanged: isUnchanged, records: numbers.mapValues(\.count),
            pictures: findings.pictureCount, gaps: gaps,
            absent: numbers.flatMap { kind, ids in Self.holes(in: ids).map { RecordKey(kind, $0) } }.sorted())
    }

    /// Lists that have all become empty are more likely a server that is ill than the end of everything; so are answers
    /// of roots from which nothing follows any more.
    private func refuseSuddenEmptiness(_ lists: [ListResult]) async throws {
        let what: String
        let before: Int
        if lists.isEmpty {
            // New roots may well have nothing.
            guard !roots.isEmpty, findings.extras.keys.allSatisfy(roots.contains), findings.extras.count == roots.count,
                try await revision.newestHas(anyOf: catalogue.roots)
            else { return }
            what = "answers"
            before = try await revision.newestRecordCount() - roots.count
        } else {
            guard lists.allSatisfy({ $0.claimed.count == 0 }) else { return }
            what = "lists"
            before = try await revision.newestRecordCount()
        }
        guard before > 0 else { return }
        throw CaptureError.empty(
            """
            the \(what) of \(settings.api) are all empty, though the newest revision has \(before) records; if that is \
            so, move the \
            archive away and capture anew
            """)
    }

    private func numbersByKind(_ lists: [ListResult]) -> [String: Set<Int64>] {
        var numbers: [String: Set<Int64>] = [:]
        for result in lists { numbers[result.list.kind] = Set(result.ids) }
        for key in findings.extras.keys { numbers[key.kind, default: []].insert(key.id) }
        return numbers
    }

    /// The numbers from 1 to the highest that are not there. A list of a few records with huge numbers is not taken for
    /// holes.
    private static func holes(in ids: Set<Int64>) -> [Int64] {
        guard let highest = ids.max(), highest > 0, highest <= Int64(ids.count) * 2 else { return [] }
        return (1...highest).filter { !ids.contains($0) }
    }
}
