import Archive
import Catalogue
import HTTP
import Platform

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
        let walk = PageWalk(list: list, width: settings.pagesPerWave) { number, path in
            try await page(number, at: path, of: list)
        }
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

    /// Requests a page.
    /// - Returns: nil if the server does not have it, and this is the end of the list.
    private func page(_ number: Int, at path: String, of list: ListEndpoint) async throws -> PageWalk.Arrival? {
        guard await !resolver.isClosed else { throw CaptureError.cancelled }
        let answer: Fetcher.Answer<(page: ListPage, records: AnswerRecords, rows: [PageWalk.Row], size: Int)>
        do {
            // Without counts, a change of the list between two runs would not be noticed. So its pages are read again.
            answer = try await fetcher.document(
                path, as: .page, isConditional: list.canBeConfirmed, usesKept: list.claims != nil,
                isValid: { answer in
                    answer.records.areValid && answer.rows.allSatisfy { if case .success = $0 { true } else { false } }
                }
            ) { body, headers in
                let page = try catalogue.page(
                    PageAnswer(path: path, headers: headers, body: body, base: settings.api), of: list)
                let records = try read(list.hasDetail ? [] : page.records, of: list.kind, in: body) {
                    try catalogue.facts(of: $0, kind: list.kind, base: settings.api)
                }
                return (page, records, list.hasDetail ? try rows(page.records, of: list, in: body) : [], body.count)
            }
        } catch let error as HTTPError where error.isRefusedAddress && number > 1 && list.paginator.isChain {
            // An interrupted run may have stored the page with this address, and the address is no longer valid.
            throw CaptureError.listChanged("\(error), so the \(list.kind) list is read again from its first page")
        }
        guard case .found((let page, let records, let rows, let size), let exchange) = answer else {
            if number > 1, list.endsWithMissing { return nil }
            // Another page said that this page exists, so both pages must be requested again.
            throw number > 1
                ? CaptureError.listChanged("\(settings.api)/\(path): answered 404, though the list claims this page")
                : .incomplete("\(settings.api)/\(path): answered 404, so the list is missing; check the API's address")
        }
        if number == 1 { try checkClaims(of: page, size, list, exchange) }
        return PageWalk.Arrival(number: number, page: page, records: records, rows: rows, exchange: exchange)
    }

    /// The rows of a page whose records are requested one by one.
    private func rows(_ ranges: [Range<Int>], of list: ListEndpoint, in body: [UInt8]) throws -> [PageWalk.Row] {
        guard ranges.count <= settings.maximumRecordsPerAnswer else {
            throw ContentFault(
                "", "has \(ranges.count) rows, more than the limit of \(settings.maximumRecordsPerAnswer)")
        }
        return ranges.map { range in
            Result { () throws(ContentFault) in
                try catalogue.detail(of: body[range], in: list, base: settings.api)
            }
        }
    }

    /// Requests the records of a page's rows. A row that cannot be read is a gap.
    private func details(of arrival: PageWalk.Arrival) async throws -> [(record: AnswerRecord, exchange: Exchange)] {
        var rows: [Reference] = []
        var known: Set<RecordKey> = []
        for (index, row) in arrival.rows.enumerated() {
            switch row {
            case .success(let reference) where known.insert(reference.key).inserted: rows.append(reference)
            case .success(let reference):
                progress.count { $0.pages += 1 }
                log.add(
                    Gap(
                        url: arrival.exchange.path, keyPath: arrival.page.keyPath(of: index),
                        reason: "is a second \(reference.key) in the same answer"))
            case .failure(let fault):
                progress.count { $0.pages += 1 }
                let fault = fault.inside(arrival.page.keyPath(of: index))
                log.add(Gap(url: arrival.exchange.path, keyPath: fault.keyPath, reason: fault.reason))
            }
        }
        let found = Locked<[Int: (record: AnswerRecord, exchange: Exchange)]>([:])
        try await Window(width: Self.maximumOpen).forEach(Array(rows.enumerated())) { index, row in
            let detail = try await requestDetail(row)
            found.withLock { $0[index] = detail }
        }
        return found.withLock { found in rows.indices.compactMap { found[$0] } }
    }

    /// Refuses a list that claims more records or bytes than can be stored. If the first page is unchanged, the bytes
    /// are not checked, because the list is already stored.
    private func checkClaims(of page: ListPage, _ size: Int, _ list: ListEndpoint, _ exchange: Exchange) throws {
        guard let claim = page.claim else { return }
        guard claim.count <= settings.maximumRecords else {
            throw CaptureError.incomplete(
                "the \(list.kind) list of \(settings.api) claims \(claim.count) records, but maximumRecords is "
                    + "\(settings.maximumRecords); raise maximumRecords and run again")
        }
        if exchange.received >= revision.started {
            try storage.claim(list.kind, pages: try PageWalk.pages(of: page, list), of: size)
        }
    }

    /// Adds the records of a wave's pages to the revision, and reports them to the resolver.
    private func addRecords(of wave: [PageWalk.Arrival], _ tally: inout ListTally) async throws -> [AnswerRecord] {
        var entries: [(slices: [RecordSlice], exchange: Exchange, position: Int)] = []
        var records: [AnswerRecord] = []
        if tally.list.hasDetail, let first = wave.first, first.number == 1 || first.page.claim == nil {
            let count = first.page.claim?.count ?? wave.reduce(0) { $0 + $1.rows.count }
            progress.count { $0.pagesClaimed += count }
        }
        for arrival in wave {
            // A duplicate in one answer is a gap. A duplicate on another page means that the list changed.
            let details = tally.list.hasDetail ? try await details(of: arrival) : []
            let found =
                tally.list.hasDetail
                ? details.map(\.record)
                : acceptRecords(arrival.records, at: arrival.exchange.path, keyPath: arrival.page.keyPath(of:))
            try tally.add(
                found.map(\.facts.id), faulty: arrival.page.records.count - found.count, page: arrival.number)
            let position = tally.ids.count - found.count
            entries.append((details.isEmpty ? found.map(\.slice) : [], arrival.exchange, position))
            for (index, detail) in details.enumerated() {
                entries.append(([detail.record.slice], detail.exchange, position + index))
            }
            records += found
        }
        if let first = wave.first, first.number == 1, let claim = first.page.claim {
            let pages = try PageWalk.pages(of: first.page, tally.list)
            // Pages with cursors or links can have different sizes, so their number is not compared.
            let claimed = tally.list.paginator.isChain ? 0 : pages
            try await revision.setClaim(ofList: tally.list.kind, count: claim.count, pages: claimed)
            progress.count {
                $0.pagesClaimed += max(1, pages)
                if records.contains(where: \.facts.hasCard) { $0.cardsClaimed += claim.count }
            }
        } else if wave.first?.page.claim == nil {
            // The number of further pages is unknown.
            progress.count {
                $0.pagesClaimed += wave.count
                $0.cardsClaimed += records.count(where: \.facts.hasCard)
            }
        }
        // These calls run in parallel, so that they share one commit.
        try await withThrowingTaskGroup { group in
            for entry in entries {
                group.addTask { try await revision.addRecords(entry.slices, of: entry.exchange, at: entry.position) }
            }
            try await group.waitForAll()
        }
        // Records that were requested one by one are known already.
        if !tally.list.hasDetail {
            try await resolver.addReferences(of: records)
            try await resolver.addArrived(records.map(\.slice.key))
        }
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
/// A wave starts when the previous wave has ended, so at most `width` pages are requested at a time. A wave has one page
/// if the number of pages is unknown, or if each page contains the address of the next one.
struct PageWalk: Sendable {
    /// A page of the list with its records.
    struct Arrival: Sendable {
        let number: Int
        let page: ListPage
        let records: AnswerRecords
        var rows: [Row] = []
        let exchange: Exchange
    }

    /// A row of a list, which refers to a record.
    typealias Row = Result<Reference, ContentFault>

    let list: ListEndpoint
    let width: Int
    /// Requests one page. It returns nil if the list ends before this page.
    let fetch: @Sendable (_ number: Int, _ path: String) async throws -> Arrival?

    /// The maximum number of consecutive pages without records. A server could send such pages without an end.
    static let maximumEmptyPages = 100
}

extension PageWalk {
    /// Calls the closure with each wave, its pages in order. The next wave is requested at the same time.
    /// - Returns: the first page.
    /// - Throws: `CaptureError.listChanged` if the claimed counts differ between pages, and all errors of `fetch` and
    ///   `body`.
    func forEachWave(_ body: ([Arrival]) async throws -> Void) async throws -> ListPage {
        guard let first = try await fetch(1, list.firstPath) else {
            throw CaptureError.incomplete("the \(list.kind) list has no first page")
        }
        let pages = first.page.claim == nil ? nil : try Self.pages(of: first.page, list)
        var wave = [first]
        var paths: Set<String> = [list.firstPath]
        var empty = 0
        var before = first
        while let last = wave.last {
            for arrival in wave {
                try check(arrival, against: first, after: before, pages)
                before = arrival
                empty = arrival.page.records.isEmpty ? empty + 1 : 0
            }
            guard empty <= Self.maximumEmptyPages else {
                throw CaptureError.incomplete(
                    "the \(list.kind) list has \(empty) consecutive pages without a record; check the paginator"
                )
            }
            let next = try requests(after: last, pages)
            for (number, path) in next where !paths.insert(path).inserted {
                throw CaptureError.incomplete(
                    "page \(number) of the \(list.kind) list would be \(path) again, so the list has no end")
            }
            async let following = arrivals(next)
            try await body(wave)
            wave = try await following
        }
        return first.page
    }

    /// The numbers and paths of the next wave; empty at the end of the list.
    /// - Parameter pages: the claimed number of pages; nil if it is unknown.
    private func requests(after last: Arrival, _ pages: Int?) throws -> [(number: Int, path: String)] {
        let next = last.number + 1
        if list.paginator == .single { return [] }
        if list.paginator.isChain { return last.page.next.map { [(next, $0)] } ?? [] }
        // This calculation must not overflow, even if the list claims Int.max pages.
        let count = pages.map { min(width, max(0, $0 - last.number)) } ?? (last.page.records.isEmpty ? 0 : 1)
        return (next..<next + count).map { ($0, list.path(page: $0) ?? "") }
    }

    private func arrivals(_ requests: [(number: Int, path: String)]) async throws -> [Arrival] {
        try await withThrowingTaskGroup(of: Arrival?.self) { group in
            for (number, path) in requests { group.addTask { try await fetch(number, path) } }
            return try await group.reduce(into: []) { if let page = $1 { $0.append(page) } }
                .sorted { $0.number < $1.number }
        }
    }

    /// The number of pages that a list claims, or that follows from the number of records and the size of a page.
    static func pages(of first: ListPage, _ list: ListEndpoint) throws(CaptureError) -> Int {
        guard let claim = first.claim else { return 1 }
        if let pages = claim.pages { return pages }
        let size = first.records.count
        if case .offset(_, let parameter, let limit) = list.paginator, size != min(limit, claim.count) {
            throw CaptureError.incomplete(
                "the first page of the \(list.kind) list has \(size) of \(claim.count) records, though "
                    + "\(parameter)=\(limit) was requested; set the paginator's limit to the size of its pages")
        }
        return size == 0 ? 1 : (claim.count + size - 1) / size
    }

    private func check(_ arrival: Arrival, against first: Arrival, after before: Arrival, _ pages: Int?) throws {
        // Without counts, only the last page may be short. If a page follows a short one, the API sends fewer records than
        // the limit, and the offsets would skip records.
        if case .offset(_, let parameter, let limit) = list.paginator, pages == nil, arrival.number > 1,
            !arrival.page.records.isEmpty, before.page.records.count != limit
        {
            throw CaptureError.incomplete(
                "page \(before.number) of the \(list.kind) list has \(before.page.records.count) records, though "
                    + "\(parameter)=\(limit) was requested; set the paginator's limit to the size of its pages")
        }
        if let own = arrival.page.isObject, let other = first.page.isObject, own != other {
            let (one, other) = own ? ("an object", "an array") : ("an array", "an object")
            throw CaptureError.listChanged(
                "page \(arrival.number) of the \(list.kind) list is \(one), but page 1 is \(other)")
        }
        guard let claim = first.page.claim else { return }
        guard let own = arrival.page.claim, own.count == claim.count, own.pages == claim.pages else {
            throw CaptureError.listChanged(
                "page 1 of the \(list.kind) list claims \(Self.text(first.page)), but page \(arrival.number) claims "
                    + Self.text(arrival.page))
        }
        // Without this check, a list that claims many pages and sends empty ones would be walked to the end.
        guard !arrival.page.records.isEmpty || claim.count == 0 || list.paginator.isChain else {
            throw CaptureError.listChanged(
                "page \(arrival.number) of the \(list.kind) list is empty, but the list claims \(claim.count) records")
        }
    }

    private static func text(_ page: ListPage) -> String {
        guard let claim = page.claim else { return "nothing" }
        return "\(claim.count) records" + (claim.pages.map { " on \($0) pages" } ?? "")
    }
}

extension HTTPError {
    /// Whether the server refuses the address itself, such as an old cursor.
    fileprivate var isRefusedAddress: Bool {
        if case .status(let status) = cause { [400, 404, 410, 422].contains(status) } else { false }
    }
}
