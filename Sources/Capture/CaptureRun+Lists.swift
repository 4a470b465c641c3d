import Archive
import Catalogue
import Platform

extension CaptureRun {
    /// Walks the lists that have no parents.
    func walkLists() async throws {
        let childKinds = catalogue.lists.filter { $0.parent != nil }.flatMap(\.kinds)
        for kind in catalogue.listedKinds { added.withLock { $0[kind] = AddedRecords() } }
        // The first error cancels the other lists, even a list that waits for its server.
        try await Window(width: .max).run(catalogue.lists.map(\.kind).unique()) { kind in
            let lists = catalogue.lists.filter { $0.kind == kind && $0.parent == nil }
            try await walk(lists, ending: Set(lists.flatMap(\.kinds)).subtracting(childKinds))
        }
    }

    /// Walks the lists of the children of all records that were added since the last call, level by level.
    func walkChildren() async throws {
        while !log.withLock({ $0.children.isEmpty }) {
            for (index, list) in catalogue.lists.enumerated() {
                guard let paths = log.withLock({ $0.children.removeValue(forKey: index) }) else { continue }
                progress.count { $0.pagesClaimed += paths.count }
                try await walk(paths.lazy.map(list.at), ending: [])
            }
        }
        for list in catalogue.lists where list.parent != nil {
            for kind in list.kinds { try await request(resolver.end(list: kind)) }
        }
    }

    /// Walks lists of the same kinds at the same time.
    /// - Parameter ended: the kinds that no other list has.
    private func walk(_ lists: some Collection<ListEndpoint> & Sendable, ending ended: Set<String>) async throws {
        let order = ListOrder()
        let open = Window(width: Self.maximumOpen)
        try await withThrowingDiscardingTaskGroup { group in
            for (number, list) in lists.enumerated() {
                let permit = list.parent == nil ? nil : await open.enter()
                group.addTask {
                    defer { withExtendedLifetime(permit) {} }
                    try await walk(list, number, in: order)
                }
            }
            await order.wait(for: lists.count)
            do {
                for kind in ended.sorted() where await !resolver.isClosed {
                    try await request(resolver.end(list: kind))
                }
            } catch {
                throw await giveUp(because: error)
            }
        }
    }

    /// Walks a list, adds its records in order, and assembles their cards at the same time.
    /// - Parameter place: the list's place in the order of lists.
    private func walk(_ list: ListEndpoint, _ place: Int, in order: ListOrder) async throws {
        let isKept = await isKept(list)
        let paths = Locked<[String]>([])
        let walk = PageWalk(list: list, width: settings.pagesPerWave) { number, path in
            paths.withLock { $0.append(path) }
            if let page = try await page(number, at: path, of: list, isKept: isKept) { return page }
            // If the server has the page after it, the list does not end here.
            guard number > 1, let next = list.path(page: number + 1) else { return nil }
            paths.withLock { $0.append(next) }
            guard let following = try await page(number + 1, at: next, of: list, isKept: isKept) else { return nil }
            // The mirror needs an answer for each page, but the archive stores missing pages only with the status 404.
            let gap = ContentFault("", "is missing, but the list has a page after it")
            guard list.endStatuses == [404] else { throw CaptureError.listChanged("\(settings.api)/\(path): \(gap)") }
            addGap(gap, at: path)
            return following
        }
        let listNumber = log.withLock { log in
            log.lists += 1
            return log.lists
        }
        var (rows, found) = (0, 0)
        // The paths that were requested before the first record was found.
        var missed: [String] = []
        try await withThrowingDiscardingTaskGroup { cards in
            func assembleAll(_ records: [AnswerRecord]) async {
                for record in records where record.facts.hasCard {
                    // A card weighs about one for each 10 KB.
                    let permit = await window.enter(weight: 1 + record.facts.card.count / 100)
                    cards.addTask {
                        defer { withExtendedLifetime(permit) {} }
                        try await assemble(record)
                    }
                }
            }
            do {
                if let changed = try await addChanges(of: list, listNumber, paths) {
                    await assembleAll(changed)
                    return await order.end(place)
                }
                let first = try await walk.forEachWave(after: { await order.wait(for: place) }) { wave in
                    rows += wave.reduce(0) { $0 + $1.page.records.count }
                    found += try await addRecords(of: wave, list, listNumber, then: assembleAll)
                    // `try?`, because a row that cannot be read is a gap already.
                    let requested = wave.flatMap { $0.content.rows.compactMap { try? $0.get().path } }
                    missed = found > 0 ? [] : missed + requested
                    // Records that cannot be read, and empty pages, count too, so that no list is endless.
                    let pages = (wave.last?.number ?? 0) - PageWalk.maximumEmptyPages
                    guard max(rows, pages) <= settings.maximumRecords else {
                        throw CaptureError.incomplete(
                            "the \(list) list has more records or pages than the \(settings.maximumRecords) that "
                                + "maximumRecords allows; raise maximumRecords and run again")
                    }
                }
                if let first, rows > 0 {
                    log.withLock { $0.lacksNext[list.name] = $0.lacksNext[list.name] ?? true && first.lacksNext }
                }
                if list.hasDetail, list.parent == nil, rows > 0, found == 0 {
                    throw try await noRecord(of: list, rows: rows, missed)
                }
                if let claim = first?.claim?.count, claim != rows {
                    let reason = "the \(list) list claims \(claim) records, but has \(rows)"
                    guard first?.next == nil, claim > rows, let place = list.paginator.nextPlace else {
                        throw CaptureError.listChanged(reason)
                    }
                    try await revision.removeAnswers(for: paths.withLock { $0 })
                    let unread = first?.unread.map { "; \($0)" } ?? "; check the paginator"
                    throw CaptureError.incomplete("\(reason), and nothing leads to more at \(place.text)\(unread)")
                }
                await order.end(place)
            } catch {
                let change: String? = if case CaptureError.listChanged(let reason, _) = error { reason } else { nil }
                let failure = await giveUp(
                    because: change.map { CaptureError.listChanged($0, list: list.firstPath) } ?? error)
                await order.end(place)
                if change != nil { try await revision.removeAnswers(for: paths.withLock { $0 }) }
                throw failure
            }
        }
    }

    /// Whether an interrupted run stored all pages of a list of children without counts. If it did not, all pages of
    /// the list are read again, because a change between two runs would not be noticed.
    private func isKept(_ list: ListEndpoint) async -> Bool {
        guard list.parent != nil, !list.hasCount, revision.answersKept > 0 else { return false }
        let walk = PageWalk(list: list, width: 1) { number, path in
            guard let kept = try await revision.answer(for: path) else { throw CaptureError.cancelled }
            if kept.status == 404 { return nil }
            let body = try await revision.document(of: kept)
            let answer = PageAnswer(path: path, headers: kept.headers, body: body, base: settings.api)
            return (number, try catalogue.page(answer, of: list), AnswerRecords(), kept)
        }
        // `try?`, because every error means that the list is requested.
        return (try? await walk.forEachWave { _ in }) != nil
    }

    /// An answer with records of a list: a page, or the answer for one of its rows.
    typealias Part = (page: PageWalk.Arrival, exchange: Exchange, records: [AnswerRecord])

    /// Adds the records of a wave's pages to the revision. A row that cannot be read is a gap.
    /// - Parameter use: receives the new records.
    /// - Returns: the number of records, including those that an earlier list has.
    private func addRecords(
        of wave: [PageWalk.Arrival], _ list: ListEndpoint, _ listNumber: Int, then use: ([AnswerRecord]) async -> Void
    ) async throws -> Int {
        try await addClaims(of: wave, list)
        for page in wave {
            if let unread = page.page.unread { addGap(unread, at: page.exchange.path) }
        }
        log.withLock { $0.rows += wave.reduce(0) { $0 + $1.page.records.count } }
        var count = 0
        func addAll(_ parts: [Part]) async throws {
            count += parts.reduce(0) { $0 + $1.records.count }
            await use(try await add(parts, list, listNumber))
        }
        if list.hasDetail {
            let rows = wave.flatMap { page in
                let rows = accept(
                    page.content.rows, at: page.exchange.path, keyPath: page.page.keyPath(of:), key: \.key)
                progress.count { $0.pages += page.content.rows.count - rows.count }
                return rows.map { (page, row: $0) }
            }
            // The rows of small pages are requested together, so that no connection waits for the end of a page.
            for part in rows.chunks(of: Self.rowsInMemory) { try await addAll(details(of: part)) }
        } else {
            try await addAll(wave.map { ($0, $0.exchange, acceptRecords($0.content, at: $0.exchange.path)) })
        }
        progress.count { $0.pages += wave.count }
        return count
    }

    /// Adds records to the revision, and reports them to the resolver.
    /// - Returns: the new records.
    private func add(_ parts: [Part], _ list: ListEndpoint, _ listNumber: Int) async throws -> [AnswerRecord] {
        var entries: [(slices: [RecordSlice], exchange: Exchange, position: Int)] = []
        var records: [AnswerRecord] = []
        for (part, kind) in parts.flatMap({ part in list.kinds.map { (part, $0) } }) {
            let found = part.records.filter { $0.slice.key.kind == kind }
            let result = try added.withLock {
                try $0[kind, default: AddedRecords()].add(found.map(\.slice), of: listNumber, page: part.page.number)
            }
            for key in result.contradictions {
                let reason = "has \(key) with other content than an earlier list; the earlier content is kept"
                addGap(ContentFault("", reason), at: part.page.exchange.path)
            }
            let new = found.filter { result.new.contains($0.facts.id) }
            entries.append((new.map(\.slice), part.exchange, result.position))
            records += new
        }
        log.withLock { log in for record in records { log.add(children: record.facts.children) } }
        progress.count {
            if !list.hasDetail, let first = parts.first?.page, let count = first.page.claim?.count {
                if first.number == 1, records.contains(where: \.facts.hasCard) { $0.cardsClaimed += count }
            } else {
                $0.cardsClaimed += records.count(where: \.facts.hasCard)
            }
        }
        // These calls run in parallel, so that they share one commit.
        try await Window(width: .max).run(entries.filter { !$0.slices.isEmpty }) { entry in
            try await revision.addRecords(entry.slices, of: entry.exchange, at: entry.position)
        }
        // Records that were requested one by one are known already.
        if !list.hasDetail { try await resolver.add(records.map(\.facts)) }
        return records
    }

    /// Stores the claim of the list's first page, and adds the requests that follow from it to the progress.
    private func addClaims(of wave: [PageWalk.Arrival], _ list: ListEndpoint) async throws {
        guard let first = wave.first, first.number == 1 || first.page.claim == nil else { return }
        let known = list.parent != nil && first.number == 1 ? 1 : 0
        let rows = list.hasDetail ? first.page.claim?.count ?? wave.reduce(0) { $0 + $1.content.rows.count } : 0
        var pages = wave.count
        if first.page.claim != nil {
            pages = try PageWalk.pages(of: first.page, list)
            // Pages with cursors or links can have different sizes, so their number is not compared.
            // If lists share a kind, the completeness report reads their claims from their pages.
            if list.name == list.kind, let count = first.page.claim?.count {
                try await revision.setClaim(ofList: list.name, count: count, pages: list.paginator.isChain ? 0 : pages)
            }
            pages = max(1, pages)
        }
        progress.count { $0.pagesClaimed += rows + pages - known }
    }
}
