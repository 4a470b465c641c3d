import Archive
import Catalogue

/// What a list claimed and what it brought.
struct ListResult: Sendable {
    let list: ListEndpoint
    let claimed: ListPage
    /// The numbers of its records, in order.
    let ids: [Int64]
    /// Records that could not be decoded, each of them a gap.
    let faulty: Int
}

extension CaptureRun {
    /// Walks a list, enters its records in order, and assembles their cards beside the walk.
    func walk(_ list: ListEndpoint) async throws -> ListResult {
        let walk = PageWalk(list: list, width: settings.waveWidth) { number in try await page(number, of: list) }
        var tally = ListTally(list: list)
        return try await withThrowingDiscardingTaskGroup { cards in
            do {
                let claimed = try await walk.forEachWave { wave in
                    for record in try await enter(wave, &tally) where record.facts.hasCard {
                        let permit = await window.enter(weight: record.facts.weight)
                        cards.addTask {
                            defer { withExtendedLifetime(permit) {} }
                            try await assemble(record)
                        }
                    }
                }
                try await ask(for: resolver.end(list: list.kind))
                return ListResult(list: list, claimed: claimed, ids: tally.ids, faulty: tally.faulty)
            } catch {
                await giveUp(because: error)
                throw error
            }
        }
    }

    private func page(_ number: Int, of list: ListEndpoint) async throws -> PageWalk.Arrival {
        guard await !resolver.isClosed else { throw CaptureError.cancelled }
        let path = list.path(page: number)
        let answer = try await fetcher.document(path, as: .page, isSound: { $0.records.areSound }) {
            (body) throws(ContentFault) in
            let page = try catalogue.listPage(body)
            let records = try read(page.records, of: list.kind, in: body) { (record) throws(ContentFault) in
                try catalogue.facts(of: record, kind: list.kind, base: settings.api)
            }
            return (page: page, records: records, size: body.count)
        }
        guard case .found((let page, let records, let size), let exchange) = answer else {
            // Page 1 claimed it, so page 1 has to be asked anew as well.
            throw number > 1
                ? CaptureError.moved("\(settings.api)/\(path): answered 404, though the list claims this page")
                : .incomplete("\(settings.api)/\(path): answered 404, so there is no list")
        }
        if number == 1 { try checkClaims(of: page, size, list, exchange) }
        return PageWalk.Arrival(number: number, page: page, records: records, exchange: exchange)
    }

    /// Refuses a list that cannot be kept as it claims to be. One whose first page has not changed is on the disk
    /// already.
    private func checkClaims(of page: ListPage, _ size: Int, _ list: ListEndpoint, _ exchange: Exchange)
        throws(CaptureError)
    {
        guard page.count <= settings.maximumRecords else {
            throw .incomplete(
                """
                the \(list.kind) list of \(settings.api) claims \(page.count) records, more than the \
                \(settings.maximumRecords) that \
                maximumRecords allows; raise it and run again
                """)
        }
        if exchange.received >= revision.started { try storage.claim(list.kind, pages: page.pages, of: size) }
    }

    /// Enters the records of a wave's pages into the revision.
    private func enter(_ wave: [PageWalk.Arrival], _ tally: inout ListTally) async throws -> [FoundRecord] {
        var entries: [(slices: [RecordSlice], exchange: Exchange, position: Int)] = []
        var records: [FoundRecord] = []
        for arrival in wave {
            let found = readAll(of: arrival)
            try tally.take(
                found.map(\.facts.id), faulty: arrival.page.records.count - found.count, page: arrival.number)
            entries.append((found.map(\.slice), arrival.exchange, tally.ids.count - found.count))
            records += found
        }
        if let first = wave.first, first.number == 1 {
            try await revision.note(list: tally.list.kind, count: first.page.count, pages: first.page.pages)
            progress.count {
                $0.pagesClaimed += max(1, first.page.pages)
                if records.contains(where: \.facts.hasCard) { $0.cardsClaimed += first.page.count }
            }
        }
        // All at once, so that one commit does for all.
        try await withThrowingTaskGroup { group in
            for entry in entries {
                group.addTask { try await revision.enter(entry.slices, of: entry.exchange, at: entry.position) }
            }
            try await group.waitForAll()
        }
        try await resolver.mention(in: records)
        try await resolver.arrived(records.map(\.slice.key))
        progress.count { $0.pages += wave.count }
        return records
    }
}

/// Counts what a list brings.
private struct ListTally {
    let list: ListEndpoint
    private(set) var ids: [Int64] = []
    private(set) var faulty = 0
    private var seen: Set<Int64> = []

    init(list: ListEndpoint) {
        self.list = list
    }

    mutating func take(_ new: [Int64], faulty: Int, page: Int) throws(CaptureError) {
        for id in new where !seen.insert(id).inserted {
            throw .moved("\(list.kind) \(id) came twice, the second time on page \(page)")
        }
        ids += new
        self.faulty += faulty
    }
}
