import Archive
import Catalogue
import HTTP
import Platform

/// The records of one list.
struct WalkedList: Sendable {
    let list: ListEndpoint
    /// The number of records that the list claims; nil if it claims none.
    var claim: Int?
    /// The numbers of its records.
    private(set) var ids: Set<Int64> = []
    /// The number of unreadable records. Each has a gap.
    private(set) var faulty = 0

    init(_ list: ListEndpoint) {
        self.list = list
    }

    mutating func add(_ new: [Int64], faulty: Int, page: Int) throws {
        for id in new where !ids.insert(id).inserted {
            throw CaptureError.listChanged("the list has \(list.kind) \(id) twice, the second time on page \(page)")
        }
        self.faulty += faulty
    }
}

extension CaptureRun {
    /// Walks a list, adds its records in order, and assembles their cards at the same time.
    func walk(_ list: ListEndpoint) async throws -> WalkedList {
        let walk = PageWalk(list: list, width: settings.pagesPerWave) { number, path in
            try await page(number, at: path, of: list)
        }
        var walked = WalkedList(list)
        return try await withThrowingDiscardingTaskGroup { cards in
            do {
                walked.claim = try await walk.forEachWave { wave in
                    for record in try await addRecords(of: wave, &walked) where record.facts.hasCard {
                        let permit = await window.enter(weight: record.facts.weight)
                        cards.addTask {
                            defer { withExtendedLifetime(permit) {} }
                            try await assemble(record)
                        }
                    }
                }.claim?.count
                try await request(resolver.end(list: list.kind))
                return walked
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
        let answer: Fetcher.Answer
        do {
            answer = try await fetcher.document(path, of: list, isValid: \.areValid) { body, headers in
                let answer = PageAnswer(path: path, headers: headers, body: body, base: settings.api)
                let page = try catalogue.page(answer, of: list)
                var content =
                    list.hasDetail
                    ? try readRows(page.records, of: list, in: body)
                    : try read(page.records, in: body) {
                        try catalogue.facts(of: $0, kind: list.kind, base: settings.api)
                    }
                content.page = page
                return content
            }
        } catch let error as HTTPError where error.isRefusedAddress && number > 1 && list.paginator.isChain {
            // An interrupted run may have stored the page with this address, and the address is no longer valid.
            throw CaptureError.listChanged("\(error), so the \(list.kind) list is read again from its first page")
        }
        guard let (content, exchange) = answer, let page = content.page else {
            if number > 1, list.endsWithMissing { return nil }
            // Another page said that this page exists, so both pages must be requested again.
            throw number > 1
                ? CaptureError.listChanged("\(settings.api)/\(path): answered 404, though the list claims this page")
                : .incomplete("\(settings.api)/\(path): answered 404, so the list is missing; check the API's address")
        }
        if number == 1 { try checkClaims(of: page, list, exchange) }
        return PageWalk.Arrival(number: number, page: page, content: content, exchange: exchange)
    }

    /// Requests the records of a page's rows. A row that cannot be read is a gap.
    private func details(of arrival: PageWalk.Arrival) async throws -> [(record: AnswerRecord, exchange: Exchange)] {
        let rows = accept(
            arrival.content.rows, at: arrival.exchange.path, keyPath: arrival.page.keyPath(of:), key: \.key)
        progress.count { $0.pages += arrival.content.rows.count - rows.count }
        let found = Locked<[Int: (record: AnswerRecord, exchange: Exchange)]>([:])
        try await Window(width: Self.maximumOpen).forEach(Array(rows.enumerated())) { index, row in
            let detail = try await requestDetail(row)
            found.withLock { $0[index] = detail }
        }
        return found.withLock { found in rows.indices.compactMap { found[$0] } }
    }

    /// Refuses a list that claims more records or bytes than can be stored. If the first page is unchanged, the bytes
    /// are not checked, because the list is already stored.
    private func checkClaims(of page: ListPage, _ list: ListEndpoint, _ exchange: Exchange) throws {
        guard let claim = page.claim else { return }
        guard claim.count <= settings.maximumRecords else {
            throw CaptureError.incomplete(
                "the \(list.kind) list of \(settings.api) claims \(claim.count) records, but maximumRecords is "
                    + "\(settings.maximumRecords); raise maximumRecords and run again")
        }
        if exchange.received >= revision.started {
            try storage.claim(list.kind, pages: try PageWalk.pages(of: page, list), of: exchange.size)
        }
    }

    /// Adds the records of a wave's pages to the revision, and reports them to the resolver.
    private func addRecords(of wave: [PageWalk.Arrival], _ walked: inout WalkedList) async throws -> [AnswerRecord] {
        let list = walked.list
        try await addClaims(of: wave, list)
        var entries: [(slices: [RecordSlice], exchange: Exchange, position: Int)] = []
        var records: [AnswerRecord] = []
        for arrival in wave {
            // A duplicate in one answer is a gap. A duplicate on another page means that the list changed.
            let start = walked.ids.count
            let details = list.hasDetail ? try await details(of: arrival) : []
            let found =
                list.hasDetail
                ? details.map(\.record)
                : acceptRecords(arrival.content, at: arrival.exchange.path, keyPath: arrival.page.keyPath(of:))
            try walked.add(
                found.map(\.facts.id), faulty: arrival.page.records.count - found.count, page: arrival.number)
            entries.append((list.hasDetail ? [] : found.map(\.slice), arrival.exchange, start))
            for (index, detail) in details.enumerated() {
                entries.append(([detail.record.slice], detail.exchange, start + index))
            }
            records += found
        }
        progress.count {
            if let claim = wave.first?.page.claim {
                if wave[0].number == 1, records.contains(where: \.facts.hasCard) { $0.cardsClaimed += claim.count }
            } else {
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
        if !list.hasDetail { try await resolver.add(records) }
        progress.count { $0.pages += wave.count }
        return records
    }

    /// Stores the claim of the list's first page, and adds the requests that follow from it to the progress.
    private func addClaims(of wave: [PageWalk.Arrival], _ list: ListEndpoint) async throws {
        guard let first = wave.first, first.number == 1 || first.page.claim == nil else { return }
        let rows = list.hasDetail ? first.page.claim?.count ?? wave.reduce(0) { $0 + $1.content.rows.count } : 0
        var pages = wave.count
        if let claim = first.page.claim {
            pages = try PageWalk.pages(of: first.page, list)
            // Pages with cursors or links can have different sizes, so their number is not compared.
            try await revision.setClaim(
                ofList: list.kind, count: claim.count, pages: list.paginator.isChain ? 0 : pages)
            pages = max(1, pages)
        }
        progress.count { $0.pagesClaimed += rows + pages }
    }
}

extension HTTPError {
    /// Whether the server refuses the address itself, such as an old cursor.
    fileprivate var isRefusedAddress: Bool {
        if case .status(let status) = cause { [400, 404, 410, 422].contains(status) } else { false }
    }
}
