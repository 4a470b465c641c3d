import Archive
import Catalogue

/// What a list stated and what it brought.
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
        let answer = try await fetcher.document(path, as: .page, isSound: { $0.records.areSound }) { body in
            let page = try catalogue.listPage(body)
            let records = try read(page.records, of: list.kind, in: body) {
                try catalogue.facts(of: $0, kind: list.kind, base: settings.api)
            }
            return (page: page, records: records, size: body.count)
        }
        guard case .found((let page, let records, let size), let exchange) = answer else {
            // Page 1 stated it, so page 1 has to be requested again too.
            throw number > 1
                ? CaptureError.moved("\(settings.api)/\(path): answered 404, though the list claims this page")
                : .incomplete("\(settings.api)/\(path): answered 404, so there is no list")
        }
        if number == 1 { try checkClaims(of: page, size, list, exchange) }
        return PageWalk.Arrival(number: number, page: page, records: records, exchange: exchange)
    }

    /// Refuses a list that states more than can be kept. One whose first page has not changed is on the disk already.
    private func checkClaims(of page: ListPage, _ size: Int, _ list: ListEndpoint, _ exchange: Exchange) throws {
        guard page.count <= settings.maximumRecords else {
            throw CaptureError.incomplete(
                "the \(list.kind) list of \(settings.api) claims \(page.count) records, more than the "
                    + "\(settings.maximumRecords) that maximumRecords allows; raise it and run again")
        }
        if exchange.received >= revision.started { try storage.claim(list.kind, pages: page.pages, of: size) }
    }

    /// Enters the records of a wave's pages into the revision.
    private func enter(_ wave: [PageWalk.Arrival], _ tally: inout ListTally) async throws -> [FoundRecord] {
        var entries: [(slices: [RecordSlice], exchange: Exchange, position: Int)] = []
        var records: [FoundRecord] = []
        for arrival in wave {
            // A list that changed while it was walked repeats numbers on another page only.
            let found = taken(arrival.records, at: arrival.exchange.path, keyPath: arrival.page.keyPath(of:))
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
        // All at once, for one commit.
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
    var ids: [Int64] = []
    var faulty = 0
    var seen: Set<Int64> = []

    mutating func take(_ new: [Int64], faulty: Int, page: Int) throws {
        for id in new where !seen.insert(id).inserted {
            throw CaptureError.moved("\(list.kind) \(id) came twice, the second time on page \(page)")
        }
        ids += new
        self.faulty += faulty
    }
}

/// Walks a paged list: page 1 alone, then waves of pages in parallel ("pages 2-3-4 in parallel, then 5-6-7").
///
/// A wave starts when the one before it has ended, so that no more than `width` pages are in flight.
struct PageWalk: Sendable {
    /// A page of the list with its records.
    struct Arrival: Sendable {
        let number: Int
        let page: ListPage
        let records: ReadRecords
        let exchange: Exchange
    }

    let list: ListEndpoint
    let width: Int
    /// Brings one page.
    let fetch: @Sendable (Int) async throws -> Arrival
}

extension PageWalk {
    /// Passes on every wave, its pages in order. Meanwhile the next one is requested.
    /// - Returns: the first page.
    /// - Throws: what `fetch` and `body` throw; `CaptureError.moved` if count or pages differ between pages.
    func forEachWave(_ body: ([Arrival]) async throws -> Void) async throws -> ListPage {
        let first = try await fetch(1)
        var wave = [first]
        var next = 2
        while !wave.isEmpty {
            for arrival in wave { try check(arrival, against: first) }
            // Any claim, also of Int.max pages.
            let left = max(0, first.page.pages - (next - 1))
            let numbers = next..<next + min(width, left)
            async let following = pages(numbers)
            try await body(wave)
            wave = try await following
            next = numbers.upperBound
        }
        return first.page
    }

    private func pages(_ numbers: Range<Int>) async throws -> [Arrival] {
        try await withThrowingTaskGroup(of: Arrival.self) { group in
            for number in numbers { group.addTask { try await fetch(number) } }
            return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.number < $1.number }
        }
    }

    private func check(_ arrival: Arrival, against first: Arrival) throws {
        guard arrival.page.count == first.page.count, arrival.page.pages == first.page.pages else {
            throw CaptureError.moved(
                "the \(list.kind) list had \(first.page.count) records on \(first.page.pages) pages at page 1, and "
                    + "\(arrival.page.count) on \(arrival.page.pages) at page \(arrival.number)")
        }
        // A list of empty pages would be walked for as long as it states.
        guard !arrival.page.records.isEmpty || first.page.count == 0 else {
            throw CaptureError.moved(
                "page \(arrival.number) of the \(list.kind) list, which claims \(first.page.count) records, has none")
        }
    }
}
