package import Archive
package import Catalogue
import Evidence
package import HTTP
import Platform

/// One capture: walks the lists, assembles the cards, requests records that no list contains, and checks for gaps.
public struct CaptureRun: Sendable {
    let catalogue: any Catalogue
    let fetcher: Fetcher
    var settings: CaptureSettings { fetcher.settings }
    package var revision: RevisionWriter { fetcher.revision }
    package var progress: CaptureProgress { fetcher.progress }
    let probes = Window(width: 1)
    let lastProbe = Locked<(time: Double, isGood: Bool)?>(nil)
    let resolver: Resolver
    /// Limits the number of open cards.
    let window: Window
    let log = Locked(CaptureLog())
    /// The records that were added to the revision, by kind.
    let added = Locked<[String: AddedRecords]>([:])
    let roots: Set<RecordKey>

    /// - Parameter freeSpace: returns the free bytes on the archive's disk; nil to use the system's value.
    package init(
        of catalogue: any Catalogue, _ settings: CaptureSettings, into revision: RevisionWriter, through client: Client,
        retry policy: RetryPolicy = RetryPolicy(), clock: Clock = .system,
        progress: CaptureProgress = CaptureProgress(), freeSpace: (@Sendable () -> Int?)? = nil
    ) {
        self.catalogue = catalogue
        roots = Set(catalogue.roots)
        fetcher = Fetcher(
            settings: settings,
            client: RetryingClient(
                client.counting(in: progress), policy: policy, rateLimiter: settings.rateLimit.map(RateLimiter.init),
                clock: clock, notice: progress.setWaiting),
            revision: revision,
            storage: StorageLimit(
                maximum: settings.maximumCapture, keptBefore: revision.bytesKept,
                disk: DiskReserve(freeSpace ?? { Folder.freeSpace(revision.folder.path) })),
            progress: progress, hasRoots: !roots.isEmpty)
        resolver = Resolver(listedKinds: Set(catalogue.listedKinds), limit: settings.maximumRecords)
        window = Window(width: settings.openCards)
    }

    /// The estimated seconds until the rate limiter admits the last known request. Pages that are known but not
    /// requested yet are included. 0 if no request waits.
    package var secondsToLastRequest: Double {
        let (counts, client) = (progress.current, fetcher.client)
        let more = max(0, counts.pagesClaimed - counts.pages)
        return client.rateLimiter?.secondsLeft(now: client.clock.now(), more: more) ?? 0
    }

    /// Runs the capture to its end.
    /// - Throws: `CaptureError`, `ArchiveError` or `SystemError` if it is incomplete. The next one usually resumes it.
    package func run() async throws -> CaptureReport { try await withErrorHandling(runStages) }

    /// Captures one card: first the record, then everything that its card shows, in parallel.
    /// - Throws: the errors of `run()`, and `incomplete` if the API does not have the record.
    package func card(_ key: RecordKey) async throws -> CaptureReport {
        try await withErrorHandling {
            // No list is walked, so all records are requested by number.
            for kind in catalogue.listedKinds { _ = await resolver.end(list: kind) }
            let others = try await requestStarts([key])
            try await request(resolver.claim(others.map(\.key)))
            try await addExtras()
            return try await finish()
        }
    }

    private typealias Stages = @Sendable () async throws -> CaptureReport

    /// Runs the stages with a time limit between answers, and converts errors.
    private func withErrorHandling(_ body: @escaping Stages) async throws -> CaptureReport {
        do {
            return try await withTaskCancellationHandler {
                try await withPatienceLimit(body)
            } onCancel: {
                Task { await resolver.close() }
            }
        } catch {
            let failure = Task.isCancelled ? CaptureError.cancelled : classified(log.withLock { $0.failure } ?? error)
            switch failure {
            // The answers of this capture are probably wrong.
            case CaptureError.empty: try await revision.abandon()
            // It has no answers.
            case CaptureError.unreachable where revision.answersKept == 0: try await revision.abandon()
            default: break
            }
            throw failure
        }
    }

    private func runStages() async throws -> CaptureReport {
        progress.count { $0.pagesClaimed += roots.count }
        async let otherReferences = requestStarts(catalogue.roots)
        try await walkLists()
        _ = try await otherReferences
        repeat {
            try await walkChildren()
            // The new records can refer to further ones.
            while case let keys = await resolver.unresolvedReferences(), !keys.isEmpty { try await request(keys) }
            try await addExtras()
        } while log.withLock { !$0.children.isEmpty }
        // An interrupted run may have requested other roots, or pages of another size.
        try await revision.removeAnswers(except: fetcher.usedPaths.withLock { $0 }, onlyPages: roots.isEmpty)
        return try await finish()
    }

    /// Ends all work after a failure. Otherwise cards would wait forever for records that are no longer requested.
    /// - Returns: the failure.
    func giveUp(because failure: any Error) async -> any Error {
        switch failure {
        // Another error caused a cancellation.
        case is CancellationError, CaptureError.cancelled: break
        case let error as HTTPError where error.cause == .cancelled: break
        default: log.withLock { $0.failure = $0.failure ?? failure }
        }
        await resolver.close()
        return failure
    }

    /// Ends the capture if no answer is accepted for `settings.patience` seconds.
    private func withPatienceLimit(_ body: @escaping Stages) async throws -> CaptureReport {
        try await withThrowingTaskGroup { group in
            group.addTask { try await body() }
            group.addTask {
                while progress.secondsSinceAccepted < settings.patience {
                    try await Task.sleep(for: .seconds(min(1, settings.patience / 10)))
                }
                let reason = "\(settings.api) sent no usable answer for \(Int(settings.patience)) seconds"
                throw await giveUp(because: CaptureError.incomplete("\(reason); run again later"))
            }
            defer { group.cancelAll() }
            guard let report = try await group.next() else { throw CaptureError.cancelled }
            return report
        }
    }

    private func classified(_ error: any Error) -> any Error {
        switch error {
        case is CaptureError, is ArchiveError, is SystemError: error
        case let error as HTTPError where error.cause == .disk: CaptureError.disk("\(error)")
        case let error as HTTPError where error.isUnreachable && progress.current.answers == 0:
            CaptureError.unreachable(error)
        case is CancellationError: CaptureError.cancelled
        default: CaptureError.incomplete("\(error)")
        }
    }

    /// Adds the records that no list contains, after the records of the lists. Roots are in the catalogue's order,
    /// other records are ordered by number. So the order depends only on the data.
    private func addExtras() async throws {
        // Two searches can have the same key, because a key is only a part of a digest.
        let rootPositions = Dictionary(catalogue.roots.enumerated().map { ($1, $0) }) { first, _ in first }
        func order(_ key: RecordKey) -> (String, Int, Int64) { (key.kind, rootPositions[key] ?? .max, key.id) }
        for (key, extra) in log.withLock({ $0.extras }).sorted(by: { order($0.key) < order($1.key) }) {
            guard let position = added.withLock({ $0[key.kind, default: AddedRecords()].add(extra.slice) }) else {
                continue
            }
            try await revision.addRecords([extra.slice], of: extra.exchange, at: position)
            log.withLock { $0.add(children: extra.children) }
            // Adding many records must not exceed the time limit between answers.
            progress.recordAcceptedAnswer()
        }
    }

    private func finish() async throws -> CaptureReport {
        progress.recordAcceptedAnswer(isLast: true)
        let (added, log) = (added.withLock { $0 }, log.withLock { $0 })
        try await refuseSuddenEmptiness(added, log)
        let gaps = log.allGaps()
        let suspects = catalogue.lists.filter { log.lacksNext[$0.name] == true }.map { list in
            "no page of the \(list) list has a value at \(list.paginator.nextPlace?.text ?? ""), "
                + "the place of the next page; if the list has more pages, correct its paginator"
        }
        let absence =
            "\(log.absent) pictures or files do not exist at their declared \"address\"; they are not counted as gaps"
        let (final, isNew) = try await revision.finish(gaps: gaps, taken: log.taken) { [catalogue] reader in
            try APIMirror.listDigests(of: reader, catalogue)
        }
        return CaptureReport(
            revision: final, isUnchanged: !isNew, records: added.mapValues(\.count), gaps: gaps,
            notes: log.notes + suspects + (log.absent > 0 ? [absence] : []))
    }

    /// Fails if all lists or root answers have become empty, because the server is then probably faulty. The same is
    /// true if one list has become empty, although other records refer to its records.
    private func refuseSuddenEmptiness(_ added: [String: AddedRecords], _ log: CaptureLog) async throws {
        let hasLists = log.lists > 0
        if hasLists {
            for kind in await resolver.missingKinds.sorted() where added[kind]?.count == 0 {
                let before = try await revision.newestRecords([], of: kind).count
                guard before > 0 else { continue }
                throw CaptureError.empty(
                    "the list of the kind \(kind) of \(settings.api) is empty, but other records refer to its records, "
                        + "and the newest revision has \(before); if this is correct, move the archive away and "
                        + "capture again")
            }
            guard log.rows == 0 else { return }
        } else {
            guard !roots.isEmpty, Set(log.extras.keys) == roots else { return }
        }
        let newest = try await revision.newestRecords(catalogue.roots)
        // New roots may be empty.
        guard hasLists || newest.hasAny else { return }
        let before = newest.count - (hasLists ? 0 : roots.count)
        guard before > 0 else { return }
        let subject = hasLists ? "lists" : "answers"
        throw CaptureError.empty(
            "the \(subject) of \(settings.api) are all empty, but the newest revision has \(before) records; if this "
                + "is correct, move the archive away and capture again")
    }
}

extension Client {
    fileprivate func counting(in progress: CaptureProgress) -> Client {
        Client { [send] (request) async throws(HTTPError) in
            progress.count { $0.requests += 1 }
            let response = try await send(request)
            progress.count { $0.answers += 1 }
            return response
        }
    }
}
