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
                let claimed = try await walk.forEachPage { arrival in
                    for record in try await enter(arrival, &tally) where record.facts.hasCard {
                        await window.enter()
                        cards.addTask {
                            try await window.leaving { try await assemble(record) }
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
        let answer = try await fetcher.document(path, as: .page, isSound: { $0.records.areSound }) { (body) throws(ContentFault) in
            let page = try catalogue.listPage(body)
            return (page: page, records: try read(page.records, of: list.kind, in: body))
        }
        guard case .found((let page, let records), let exchange) = answer else {
            let reason = "\(settings.api)/\(path): answered 404, though the list claims this page"
            // Page 1 claimed it, so page 1 has to be asked anew as well.
            throw number > 1 ? CaptureError.moved(reason) : .incomplete("\(settings.api)/\(path): answered 404, so there is no list")
        }
        return PageWalk.Arrival(number: number, page: page, records: records, exchange: exchange)
    }

    /// Enters a page's records into the revision.
    private func enter(_ arrival: PageWalk.Arrival, _ tally: inout ListTally) async throws -> [FoundRecord] {
        let kind = tally.list.kind
        if arrival.number == 1 {
            try await revision.note(list: kind, count: arrival.page.count, pages: arrival.page.pages)
            progress.count { $0.pagesClaimed += max(1, arrival.page.pages) }
        }
        let records = readAll(of: arrival, kind: kind)
        try tally.take(records.map(\.facts.id), faulty: arrival.page.records.count - records.count, page: arrival.number)
        try await revision.enter(records.map(\.slice), of: arrival.exchange, at: tally.ids.count - records.count)
        await resolver.mention(in: records)
        await resolver.arrived(records.map(\.slice.key))
        progress.count {
            $0.pages += 1
            if arrival.number == 1, records.contains(where: \.facts.hasCard) { $0.cardsClaimed += arrival.page.count }
        }
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
