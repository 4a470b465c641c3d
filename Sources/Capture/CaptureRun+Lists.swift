import Archive
import Catalogue

/// The result of walking one list.
struct ListResult: Sendable {
    let list: ListEndpoint
    /// The first page, with the counts that the list claims.
    let claimed: ListPage
    /// The numbers of its records, in order.
    let ids: [Int64]
    /// The number of unreadable records. Each has a gap.
    let faulty: Int
}

extension CaptureRun {
    /// Walks a list, adds its records in order, and assembles their cards at the same time.
    func walk(_ list: ListEndpoint) async throws -> ListResult {
        let walk = PageWalk(list: list, width: settings.pagesPerWave) { number in try await page(number, of: list) }
        var tally = ListTally(list: list)
        return try await withThrowingDiscardingTaskGroup { cards in
            do {
                let claimed = try await walk.forEachWave { wave in
                    for record in try await addRecords(of: wave, &tally) where record.facts.hasCard {
                        let permit = await window.enter(weight: record.facts.weight)
                        cards.addTask {
                            defer { withExtendedLifetime(permit) {} }
                            try await assemble(record)
                        }
                    }
                }
                try await request(resolver.end(list: list.kind))
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
        let answer = try await fetcher.document(path, as: .page, isValid: { $0.records.areValid }) { body in
            let page = try catalogue.listPage(body)
            let records = try read(page.records, of: list.kind, in: body) {
                try catalogue.facts(of: $0, kind: list.kind, base: settings.api)
            }
            return (page: page, records: records, size: body.count)
        }
        guard case .found((let page, let records, let size), let exchange) = answer else {
            // Page 1 claims that this page exists, so both pages must be requested again.
            throw number > 1
                ? CaptureError.listChanged("\(settings.api)/\(path): answered 404, though the list claims this page")
                : .incomplete("\(settings.api)/\(path): answered 404, so the list is missing; check the API's address")
        }
        if number == 1 { try checkClaims(of: page, size, list, exchange) }
        return PageWalk.Arrival(number: number, page: page, records: records, exchange: exchange)
    }

    /// Refuses a list that claims more records or bytes than can be stored. If the first page is unchanged, the bytes
    /// are not checked, because the list is already stored.
    private func checkClaims(of page: ListPage, _ size: Int, _ list: ListEndpoint, _ exchange: Exchange) throws {
        guard page.count <= settings.maximumRecords else {
            throw CaptureError.incomplete(
                "the \(list.kind) list of \(settings.api) claims \(page.count) records, but maximumRecords is "
                    + "\(settings.maximumRecords); raise maximumRecords and run again")
        }
        if exchange.received >= revision.started { try storage.claim(list.kind, pages: page.pages, of: size) }
    }

    /// Adds the records of a wave's pages to the revision, and reports them to the resolver.
    private func addRecords(of wave: [PageWalk.Arrival], _ tally: inout ListTally) async throws -> [AnswerRecord] {
        var entries: [(slices: [RecordSlice], exchange: Exchange, position: Int)] = []
        var records: [AnswerRecord] = []
        for arrival in wave {
            // A duplicate in one answer is a gap. A duplicate on another page means that the list changed.
            let found = acceptRecords(arrival.records, at: arrival.exchange.path, keyPath: arrival.page.keyPath(of:))
            try tally.add(
                found.map(\.facts.id), faulty: arrival.page.records.count - found.count, page: arrival.number)
            entries.append((found.map(\.slice), arrival.exchange, tally.ids.count - found.count))
            records += found
        }
        if let first = wave.first, first.number == 1 {
            try await revision.setClaim(ofList: tally.list.kind, count: first.page.count, pages: first.page.pages)
            progress.count {
                $0.pagesClaimed += max(1, first.page.pages)
                if records.contains(where: \.facts.hasCard) { $0.cardsClaimed += first.page.count }
            }
        }
        // These calls run in parallel, so that they share one commit.
        try await withThrowingTaskGroup { group in
            for entry in entries {
                group.addTask { try await revision.addRecords(entry.slices, of: entry.exchange, at: entry.position) }
            }
            try await group.waitForAll()
        }
        try await resolver.addReferences(of: records)
        try await resolver.addArrived(records.map(\.slice.key))
        progress.count { $0.pages += wave.count }
        return records
    }
}

/// Counts the records of a list, and finds duplicates.
private struct ListTally {
    let list: ListEndpoint
    var ids: [Int64] = []
    var faulty = 0
    var seen: Set<Int64> = []

    mutating func add(_ new: [Int64], faulty: Int, page: Int) throws {
        for id in new where !seen.insert(id).inserted {
            throw CaptureError.listChanged("the list has \(list.kind) \(id) twice, the second time on page \(page)")
        }
        ids += new
        self.faulty += faulty
    }
}

/// Walks a paged list: page 1 alone, then waves of pages, such as pages 2 to 4 in parallel, then 5 to 7.
///
/// A wave starts when the previous wave has ended, so at most `width` pages are requested at a time.
struct PageWalk: Sendable {
    /// A page of the list with its records.
    struct Arrival: Sendable {
        let number: Int
        let page: ListPage
        let records: AnswerRecords
        let exchange: Exchange
    }

    let list: ListEndpoint
    let width: Int
    /// Requests one page.
    let fetch: @Sendable (Int) async throws -> Arrival
}

extension PageWalk {
    /// Calls the closure with each wave, its pages in order. The next wave is requested at the same time.
    /// - Returns: the first page.
    /// - Throws: `CaptureError.moved` if the claimed counts differ between pages, and all errors of `fetch` and `body`.
    func forEachWave(_ body: ([Arrival]) async throws -> Void) async throws -> ListPage {
        let first = try await fetch(1)
        var wave = [first]
        var next = 2
        while !wave.isEmpty {
            for arrival in wave { try check(arrival, against: first) }
            // This calculation must not overflow, even if the list claims Int.max pages.
            let remaining = max(0, first.page.pages - (next - 1))
            let numbers = next..<next + min(width, remaining)
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
            throw CaptureError.listChanged(
                "page 1 of the \(list.kind) list claims \(first.page.count) records on \(first.page.pages) pages, but "
                    + "page \(arrival.number) claims \(arrival.page.count) on \(arrival.page.pages)")
        }
        // Without this check, a list that claims many pages and sends empty ones would be walked to the end.
        guard !arrival.page.records.isEmpty || first.page.count == 0 else {
            throw CaptureError.listChanged(
                "page \(arrival.number) of the \(list.kind) list is empty, but the list claims \(first.page.count) "
                    + "records")
        }
    }
}
