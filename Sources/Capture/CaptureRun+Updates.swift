import Archive
import Catalogue
import Evidence
import Platform

/// Captures that request only the changed records of a list.
extension CaptureRun {
    /// A list in the newest revision: its pages' paths and records, and the time since which changes are requested.
    private typealias Earlier = (
        revision: Revision, pages: [String], records: [(id: Int64, sha256: SHA256, changed: String)], since: String
    )

    /// Why a list is read completely, although only its changes were to be requested.
    private struct Refusal: Error { let reason: String }

    /// Requests only the changed records of a list. The others are taken from the newest revision at the end.
    /// - Parameter paths: receives the paths of the requested pages.
    /// - Returns: the changed records; nil if all pages of the list have to be read.
    func addChanges(of list: ListEndpoint, _ number: Int, _ paths: Locked<[String]>) async throws -> [AnswerRecord]? {
        guard let rule = list.updated, let earlier = try await earlier(list, rule) else { return nil }
        let pages: [PageWalk.Arrival]
        do {
            pages = try await changes(of: list.changed(since: earlier.since, rule), since: earlier, paths)
        } catch let refusal as Refusal {
            try await revision.removeAnswers(for: paths.withLock { $0 })
            log.withLock { $0.notes.append("the \(list) list is read completely: \(refusal.reason)") }
            return nil
        }
        added.withLock { added in
            for record in earlier.records {
                added[list.kind, default: AddedRecords()].take(record.id, record.sha256, of: number)
            }
        }
        let positions = Dictionary(earlier.records.enumerated().map { ($1.id, $0) }) { first, _ in first }
        var changed: [AnswerRecord] = []
        for page in pages {
            let records = acceptRecords(page.content, at: page.exchange.path)
            let placed = records.compactMap { record in
                // `changes` refuses a list with a record twice, so each new record has a next position.
                let next = added.withLock { $0[list.kind, default: AddedRecords()].add(record.slice) }
                return (next ?? positions[record.facts.id]).map { (record.slice, $0) }
            }
            try await Window(width: .max).run(placed) { try await revision.addRecords([$0], of: page.exchange, at: $1) }
            changed += records
        }
        try await take(
            earlier, of: list, except: Dictionary(changed.map { ($0.facts.id, $0.facts) }) { first, _ in first })
        log.withLock { log in
            log.rows += earlier.records.count
            log.add(children: changed.lazy.filter { positions[$0.facts.id] == nil }.flatMap(\.facts.children))
            log.notes.append("the \(list) list: only changes since \(earlier.since) were read, \(changed.count) in all")
        }
        try await resolver.add(changed.map(\.facts))
        return changed
    }

    /// The records of a list in the newest revision, if the capture may take records from it.
    private func earlier(_ list: ListEndpoint, _ rule: ChangeRule) async throws -> Earlier? {
        guard !settings.readsAll, !settings.changedLists.contains(list.firstPath), let base = try await revision.base()
        else { return nil }
        do {
            let path = list.changed(since: "", rule).path
            guard let full = try await revision.lastFullCapture(withoutPathsAt: path),
                (0..<Int64(rule.fullEvery) * 86_400_000).contains(millisecondsSince1970() - full)
            else { return nil }
            return try earlier(list, rule, base)
        } catch  where error is ArchiveError || error is SystemError || error is ContentFault {
            // A complete capture repairs an archive that cannot be read.
            return nil
        }
    }

    private func earlier(_ list: ListEndpoint, _ rule: ChangeRule, _ base: Revision) throws -> Earlier? {
        let reader = try RevisionReader(base, in: revision.folder)
        let pages = try APIMirror(of: reader, catalogue).pages.filter { $0.kind == list.kind }.map(\.requestPath)
        var assets: Set<String> = []
        try reader.forEachAnswer(as: .asset) { if $0.asset != nil { assets.insert($0.path) } }
        // The records that no list contains come last.
        let count = try (reader.recordCounts()[list.kind] ?? 0) - (reader.unlistedRecordCounts()[list.kind] ?? 0)
        let records = try reader.records(of: list.kind, at: 0..<count) { record in
            let facts = try catalogue.archivedFacts(of: record.bytes, record.key, base: settings.api)
            let isWhole = (facts.pictures + facts.files.map(\.path)).allSatisfy {
                assets.contains($0) || facts.derived.contains($0)
            }
            return (id: facts.id, sha256: record.sha256, changed: isWhole ? facts.changed : "")
        }
        guard !pages.isEmpty, Set(records.map(\.id)).count == count,
            // The pages of an earlier request are kept, so each request has another time.
            let since = ChangeRule.start(
                records.map(\.changed),
                where: { time in !pages.contains { $0.hasPrefix(list.changed(since: time, rule).path) } })
        else { return nil }
        return (base, pages, records, since)
    }

    /// Requests the pages with the changed records.
    /// - Throws: `Refusal` if the server does not select the records by their time, or does not send one again.
    private func changes(
        of list: ListEndpoint, since earlier: Earlier, _ paths: Locked<[String]>
    ) async throws -> [PageWalk.Arrival] {
        var (pages, found, rows) = ([PageWalk.Arrival](), Set<Int64>(), 0)
        let known = Set(earlier.pages)
        let walk = PageWalk(list: list, width: settings.pagesPerWave) { number, path in
            guard !known.contains(path) else { throw Refusal(reason: "its changes continue with an earlier page") }
            paths.withLock { $0.append(path) }
            // The number of rows is limited below.
            return try await page(number, at: path, of: list, isKept: false, claimsSpace: false)
        }
        let first = try await walk.forEachWave { wave in
            for page in wave {
                rows += page.page.records.count
                if let unread = page.page.unread { throw Refusal(reason: "\(unread)") }
                for case .success(let record) in page.content.records {
                    let (id, changed) = (record.facts.id, record.facts.changed)
                    guard !changed.isEmpty, !ChangeRule.isEarlier(changed, earlier.since) else {
                        throw Refusal(reason: "\(record.facts.key) is older than the requested time")
                    }
                    guard found.insert(id).inserted else { throw Refusal(reason: "\(record.facts.key) is there twice") }
                }
                pages.append(page)
            }
            guard rows <= 1_000 + earlier.records.count / 2 else {
                throw Refusal(reason: "more than half of its records changed")
            }
            progress.count {
                $0.pages += wave.count
                $0.pagesClaimed += wave.count
            }
        }
        if let claim = first?.claim?.count, claim != rows {
            throw Refusal(reason: "it claims \(claim) changed records, but has \(rows)")
        }
        let missing = earlier.records.first {
            ChangeRule.isEarlier(earlier.since, $0.changed) && !found.contains($0.id)
        }
        if let missing { throw Refusal(reason: "\(list.kind) \(missing.id) is no longer among the last changes") }
        return pages
    }

    /// Takes the other records of a list and their files from an earlier revision, whose order lists of children keep.
    private func take(_ earlier: Earlier, of list: ListEndpoint, except changed: [Int64: RecordFacts]) async throws {
        let reader = try RevisionReader(earlier.revision, in: revision.folder)
        var assets: [String] = []
        for range in (0..<earlier.records.count).chunks(of: 1_000) {
            let all = try reader.records(of: list.kind, at: range) { record in
                try catalogue.archivedFacts(of: record.bytes, record.key, base: settings.api)
            }
            log.withLock { log in log.add(children: all.flatMap { (changed[$0.id] ?? $0).children }) }
            let facts = all.filter { changed[$0.id] == nil }
            for (path, isPicture) in facts.flatMap({ $0.files + $0.pictures.map { ($0, true) } })
            where log.withLock({ $0.claim(asset: path, isPicture: isPicture) }) {
                guard try reader.answer(for: path, withHeaders: false)?.asset != nil else { continue }
                if isPicture { log.withLock { $0.addPicture(at: path) } }
                assets.append(path)
            }
            try await resolver.add(facts)
            progress.recordAcceptedAnswer()
        }
        log.withLock { [assets] in
            $0.taken.append(
                (earlier.revision.number, list.kind, earlier.records.count, answers: earlier.pages + assets))
        }
    }
}
