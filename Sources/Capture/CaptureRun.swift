package import Archive
package import Catalogue
package import HTTP
import Platform

/// One capture: walks the lists, assembles the cards, requests referenced records that no list contains, and checks
/// that the revision is complete.
public struct CaptureRun: Sendable {
    let catalogue: any Catalogue
    let settings: CaptureSettings
    let fetcher: Fetcher
    let revision: RevisionWriter
    let progress: CaptureProgress
    let client: RetryingClient
    let clock: Clock
    /// Admits one probe of the server at a time.
    let probes = Window(width: 1)
    let lastProbe = Locked<(time: Double, isGood: Bool)?>(nil)
    let resolver: Resolver
    /// Limits the number of open cards.
    let window: Window
    let storage: StorageLimit
    let log = Locked(CaptureLog())
    let roots: Set<RecordKey>

    /// - Parameter freeSpace: returns the free bytes on the archive's disk; nil to use the system's value.
    package init(
        of catalogue: any Catalogue, _ settings: CaptureSettings, into revision: RevisionWriter, through client: Client,
        retry policy: RetryPolicy = RetryPolicy(), clock: Clock = .system,
        progress: CaptureProgress = CaptureProgress(),
        freeSpace: (@Sendable () -> Int?)? = nil
    ) {
        let limiter = settings.rateLimit.map(RateLimiter.init)
        let retrying = RetryingClient(
            client.counting(in: progress), policy: policy, rateLimiter: limiter, clock: clock,
            notice: progress.setWaiting)
        progress.follow(limiter, clock)
        self.catalogue = catalogue
        roots = Set(catalogue.roots)
        self.settings = settings
        self.revision = revision
        self.progress = progress
        self.client = retrying
        self.clock = clock
        storage = StorageLimit(
            maximum: settings.maximumCapture, keptBefore: revision.bytesKept,
            freeSpace: freeSpace ?? { revision.freeSpace() })
        fetcher = Fetcher(
            settings: settings, client: retrying, revision: revision, storage: storage, progress: progress,
            hasRoots: !roots.isEmpty)
        resolver = Resolver(listedKinds: Set(catalogue.lists.map(\.kind)), limit: settings.maximumRecords)
        window = Window(width: settings.openCards)
    }
}

extension CaptureRun {
    /// Runs the capture to its end.
    /// - Throws: `CaptureError` or `ArchiveError` if the revision cannot be completed. If the lists changed during the
    ///   capture, the revision is abandoned; otherwise the next capture usually resumes it.
    package func run() async throws -> CaptureReport { try await withErrorHandling(runStages) }

    /// Captures one card: first the record, then everything that its card shows, in parallel.
    /// - Throws: the errors of `run()`, and `incomplete` if the API does not have the record.
    package func card(_ key: RecordKey) async throws -> CaptureReport {
        try await withErrorHandling {
            // No list is walked, so all records are requested by number.
            for list in catalogue.lists { _ = await resolver.end(list: list.kind) }
            try await requestStarts([key])
            progress.endRequests()
            try await addExtras(after: [])
            return try await proveAndFinish([])
        }
    }

    /// Runs the stages on the client's executor, with a time limit between answers, and converts errors.
    private func withErrorHandling(_ body: @escaping @Sendable () async throws -> CaptureReport) async throws
        -> CaptureReport
    {
        do {
            return try await withTaskCancellationHandler {
                try await withTaskExecutorPreference(client.executor) { try await withPatienceLimit(body) }
            } onCancel: {
                Task { await resolver.close() }
            }
        } catch {
            let failure = Task.isCancelled ? CaptureError.cancelled : classified(log.withLock { $0.failure } ?? error)
            if shouldAbandon(failure) { try await revision.abandon() }
            throw failure
        }
    }

    private func runStages() async throws -> CaptureReport {
        progress.count { $0.pagesClaimed += roots.count }
        async let rootsDone: Void = requestStarts(catalogue.roots)
        let lists = try await walkLists()
        try await rootsDone
        // The new records can refer to further ones.
        while case let keys = await resolver.unresolvedReferences(), !keys.isEmpty { try await request(keys) }
        progress.endRequests()
        try await addExtras(after: lists)
        // An interrupted run may have requested other roots, or pages of another size.
        try await revision.removeAnswers(except: fetcher.pathsUsed, onlyPages: roots.isEmpty)
        return try await proveAndFinish(lists)
    }

    private func walkLists() async throws -> [WalkedList] {
        try await withThrowingTaskGroup(of: WalkedList.self) { group in
            for list in catalogue.lists { group.addTask { try await walk(list) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Ends all work after a failure. Otherwise cards would wait forever for records that are no longer requested.
    func giveUp(because failure: any Error) async {
        log.withLock { $0.setFailure(failure) }
        await resolver.close()
    }

    /// Ends the capture if no answer is accepted for `settings.patience` seconds.
    private func withPatienceLimit(_ body: @escaping @Sendable () async throws -> CaptureReport) async throws
        -> CaptureReport
    {
        try await withThrowingTaskGroup { group in
            group.addTask { try await body() }
            group.addTask {
                while progress.secondsSinceAccepted < settings.patience {
                    try await Task.sleep(for: .seconds(min(1, settings.patience / 10)))
                }
                let failure = CaptureError.incomplete(
                    "\(settings.api) sent no usable answer for \(Int(settings.patience)) seconds; run again later")
                await giveUp(because: failure)
                throw failure
            }
            defer { group.cancelAll() }
            guard let report = try await group.next() else { throw CaptureError.cancelled }
            return report
        }
    }

    /// Whether to abandon the revision, because its answers contradict each other, or because it has no answers.
    private func shouldAbandon(_ failure: any Error) -> Bool {
        switch failure {
        case CaptureError.listChanged, CaptureError.empty: true
        case CaptureError.unreachable: revision.answersKept == 0
        default: false
        }
    }

    private func classified(_ error: any Error) -> any Error {
        switch error {
        case is CaptureError, is ArchiveError: error
        case let error as HTTPError where error.cause == .disk: CaptureError.disk(error)
        case let error as HTTPError where error.isUnreachable && progress.current.answers == 0:
            CaptureError.unreachable(error)
        case is CancellationError: CaptureError.cancelled
        default: CaptureError.incomplete("\(error)")
        }
    }
}

extension CaptureRun {
    /// Adds the records that no list contains, after the records of the lists. Roots are in the catalogue's order,
    /// other records are ordered by number. So the order depends only on the data.
    func addExtras(after lists: [WalkedList]) async throws {
        var positions = Dictionary(lists.map { ($0.list.kind, $0.ids.count) }, uniquingKeysWith: max)
        // An interrupted run may have added other records at these positions.
        for (kind, position) in positions { try await revision.removeRecords(of: kind, from: position) }
        try await revision.removeRecords(ofKindsExcept: Array(positions.keys))
        // Two searches can have the same key, because a key is only a part of a digest.
        let rootPositions = Dictionary(catalogue.roots.enumerated().map { ($1, $0) }) { first, _ in first }
        func order(_ key: RecordKey) -> (String, Int, Int64) { (key.kind, rootPositions[key] ?? .max, key.id) }
        for (key, extra) in log.withLock({ $0.extras }).sorted(by: { order($0.key) < order($1.key) }) {
            try await revision.addRecords([extra.slice], of: extra.exchange, at: positions[key.kind, default: 0])
            positions[key.kind, default: 0] += 1
        }
    }

    /// Compares the number of records of each list with its claim, and closes the revision.
    func proveAndFinish(_ lists: [WalkedList]) async throws -> CaptureReport {
        for result in lists {
            let count = result.ids.count + result.faulty
            guard let claim = result.claim, claim != count else { continue }
            throw CaptureError.listChanged("the \(result.list.kind) list claims \(claim) records, but has \(count)")
        }
        try await refuseSuddenEmptiness(lists)
        var numbers = Dictionary(lists.map { ($0.list.kind, $0.ids) }) { $1 }
        let (extras, gaps, pictures) = log.withLock { ($0.extras.keys, $0.gaps.sorted, $0.picturesStored) }
        for key in extras { numbers[key.kind, default: []].insert(key.id) }
        let (final, isUnchanged) =
            switch try await revision.finish(gaps: gaps) {
            case .new(let revision): (revision, false)
            case .unchanged(let revision): (revision, true)
            }
        return CaptureReport(
            revision: final, isUnchanged: isUnchanged, records: numbers.mapValues(\.count), pictures: pictures,
            gaps: gaps,
            absent: numbers.flatMap { kind, ids in Self.holes(in: ids).map { RecordKey(kind, $0) } }.sorted())
    }

    /// Fails if all lists or root answers have become empty, because the server is then probably faulty.
    private func refuseSuddenEmptiness(_ lists: [WalkedList]) async throws {
        if lists.isEmpty {
            // New roots may be empty.
            guard !roots.isEmpty, Set(log.withLock { $0.extras.keys }) == roots,
                try await revision.newestRevisionContains(anyOf: catalogue.roots)
            else { return }
        } else {
            guard lists.allSatisfy({ $0.ids.count + $0.faulty == 0 }) else { return }
        }
        let before = try await revision.newestRecordCount() - (lists.isEmpty ? roots.count : 0)
        guard before > 0 else { return }
        let subject = lists.isEmpty ? "answers" : "lists"
        throw CaptureError.empty(
            "the \(subject) of \(settings.api) are all empty, but the newest revision has \(before) records; if this is "
                + "correct, move the archive away and capture again")
    }

    /// The unused numbers from 1 to the highest one. Empty if more than half are unused, because then the numbers are
    /// not consecutive.
    private static func holes(in ids: Set<Int64>) -> [Int64] {
        guard let highest = ids.max(), highest > 0, highest <= Int64(ids.count) * 2 else { return [] }
        return (1...highest).filter { !ids.contains($0) }
    }
}

extension Client {
    /// A copy that counts requests, answers and bytes.
    fileprivate func counting(in progress: CaptureProgress) -> Client {
        Client(executor: executor) { [send] (request) async throws(HTTPError) in
            progress.count { $0.requests += 1 }
            let response = try await send(request)
            progress.count {
                $0.answers += 1
                $0.bytes += response.body.size
            }
            return response
        }
    }
}
