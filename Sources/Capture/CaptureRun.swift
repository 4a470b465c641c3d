package import Archive
package import Catalogue
package import HTTP
import Platform

/// One capture: walks the lists, assembles the cards, requests what is named and missing, and checks that it is complete.
public struct CaptureRun: Sendable {
    let catalogue: any Catalogue
    let settings: CaptureSettings
    let fetcher: Fetcher
    let revision: RevisionWriter
    let progress: CaptureProgress
    let client: PatientClient
    let probe: ServerProbe
    let resolver: Resolver
    /// Open cards.
    let window: Window
    let storage: StorageLimit
    let findings = Findings()
    /// The catalogue's roots.
    let roots: Set<RecordKey>

    /// - Parameter freeSpace: the free bytes on the archive's disk; nil to ask the system.
    package init(
        of catalogue: any Catalogue, _ settings: CaptureSettings, into revision: RevisionWriter, through client: Client,
        retry policy: RetryPolicy = RetryPolicy(), clock: Clock = .system,
        progress: CaptureProgress = CaptureProgress(),
        freeSpace: (@Sendable () -> Int?)? = nil
    ) {
        let turns = settings.budget.map(Turns.init)
        let patient = PatientClient(
            client.counting(in: progress), policy: policy, turns: turns, clock: clock, notice: progress.note)
        progress.follow(turns, clock)
        self.catalogue = catalogue
        roots = Set(catalogue.roots)
        self.settings = settings
        self.revision = revision
        self.progress = progress
        self.client = patient
        probe = ServerProbe(clock: clock)
        storage = StorageLimit(
            maximum: settings.maximumCapture, keptBefore: revision.bytesKept,
            freeSpace: freeSpace ?? { revision.freeSpace() })
        fetcher = Fetcher(
            settings: settings, client: patient, revision: revision, storage: storage, progress: progress,
            notesPaths: !roots.isEmpty)
        resolver = Resolver(listedKinds: Set(catalogue.lists.map(\.kind)), limit: settings.maximumRecords)
        window = Window(width: settings.openCards)
    }
}

extension CaptureRun {
    /// Runs the capture to its end.
    /// - Throws: why there is no complete revision. If the lists changed meanwhile, the revision is given up; otherwise
    ///   the next capture continues it.
    package func run() async throws(CaptureError) -> CaptureReport {
        try await guarded { try await stages() }
    }

    /// Runs stages on the client's executor, with patience, and converts errors.
    private func guarded(_ body: @escaping @Sendable () async throws -> CaptureReport) async throws(CaptureError)
        -> CaptureReport
    {
        do {
            return try await withTaskCancellationHandler {
                try await withTaskExecutorPreference(client.executor) {
                    try await watched(body)
                }
            } onCancel: {
                Task { await resolver.close() }
            }
        } catch {
            let failure = Task.isCancelled ? .cancelled : classified(findings.failure ?? error)
            do {
                if leavesNothing(failure) { try await revision.abandon() }
            } catch {
                throw classified(error)
            }
            throw failure
        }
    }

    private func stages() async throws -> CaptureReport {
        async let asked: Void = askForRoots()
        let lists = try await walkLists()
        try await asked
        try await askForMentions()
        progress.askedForAll()
        try await enterExtras(behind: lists)
        // An interrupted run may have asked for other roots.
        if !roots.isEmpty { try await revision.forgetAnswers(but: fetcher.used) }
        return try await proveAndFinish(lists)
    }

    /// Captures one card: the record first, then what it shows, in parallel.
    /// - Throws: as `run()` does; `incomplete` if the API has no such record.
    package func card(_ key: RecordKey) async throws(CaptureError) -> CaptureReport {
        try await guarded {
            // No list is walked, so everything is requested by number.
            for list in catalogue.lists { _ = await resolver.end(list: list.kind) }
            try await ask(for: resolver.claim([key]))
            guard findings.extras[key] != nil else { throw CaptureError.incomplete(notHad(key)) }
            progress.askedForAll()
            try await enterExtras(behind: [])
            return try await proveAndFinish([])
        }
    }

    private func walkLists() async throws -> [ListResult] {
        try await withThrowingTaskGroup(of: ListResult.self) { group in
            for list in catalogue.lists { group.addTask { try await walk(list) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Ends all work, because there will be no complete revision: cards would wait for records that no longer come.
    func giveUp(because failure: any Error) async {
        findings.note(failure: failure)
        await resolver.close()
    }

    /// Ends the capture when no answer has been accepted for `settings.patience` seconds.
    private func watched(_ body: @escaping @Sendable () async throws -> CaptureReport) async throws -> CaptureReport {
        try await withThrowingTaskGroup { group in
            group.addTask { try await body() }
            group.addTask {
                while progress.secondsSinceAccepted < settings.patience {
                    try await Task.sleep(for: .seconds(min(1, settings.patience / 10)))
                }
                let failure = CaptureError.incomplete(
                    "nothing that counts came from \(settings.api) for \(Int(settings.patience)) seconds")
                await giveUp(because: failure)
                throw failure
            }
            defer { group.cancelAll() }
            guard let report = try await group.next() else { throw CaptureError.cancelled }
            return report
        }
    }

    /// Whether the revision is given up: its answers contradict one another, or there are none.
    private func leavesNothing(_ failure: CaptureError) -> Bool {
        switch failure {
        case .moved, .empty: true
        case .unreachable: revision.answersKept == 0
        default: false
        }
    }

    private func classified(_ error: any Error) -> CaptureError {
        switch error {
        case let error as CaptureError: error
        case let error as ArchiveError: .archive(error)
        case let error as HTTPError where error.cause == .disk: .disk(error)
        case let error as HTTPError where error.isUnreachable && progress.current.answers == 0: .unreachable(error)
        case is CancellationError: .cancelled
        default: .incomplete("\(error)")
        }
    }
}

extension CaptureRun {
    /// Requests what is named and no list brought, until nothing new is named.
    func askForMentions() async throws {
        while true {
            let keys = await resolver.unresolvedMentions()
            guard !keys.isEmpty else { return }
            try await ask(for: keys)
        }
    }

    /// Enters the records that no list brought after those of their lists: roots in the catalogue's order and the others
    /// by number, so that the order depends on the data alone.
    func enterExtras(behind lists: [ListResult]) async throws {
        var positions = Dictionary(lists.map { ($0.list.kind, $0.ids.count) }, uniquingKeysWith: max)
        // An interrupted run may have entered other records here.
        for (kind, position) in positions { try await revision.forget(kind, from: position) }
        try await revision.forgetKinds(but: Array(positions.keys))
        // Two searches can have one key: it is a part of a digest.
        let places = Dictionary(catalogue.roots.enumerated().map { ($1, $0) }) { first, _ in first }
        func order(_ key: RecordKey) -> (String, Int, Int64) { (key.kind, places[key] ?? .max, key.id) }
        for (key, extra) in findings.extras.sorted(by: { order($0.key) < order($1.key) }) {
            try await revision.enter([extra.slice], of: extra.exchange, at: positions[key.kind, default: 0])
            positions[key.kind, default: 0] += 1
        }
    }

    /// Compares the counts that the lists state with what they brought, and closes the revision.
    func proveAndFinish(_ lists: [ListResult]) async throws -> CaptureReport {
        for result in lists {
            let brought = result.ids.count + result.faulty
            guard brought == result.claimed.count else {
                throw CaptureError.moved(
                    "the \(result.list.kind) list claims \(result.claimed.count) records and brought \(brought)")
            }
        }
        try await refuseSuddenEmptiness(lists)
        var numbers: [String: Set<Int64>] = [:]
        for result in lists { numbers[result.list.kind] = Set(result.ids) }
        for key in findings.extras.keys { numbers[key.kind, default: []].insert(key.id) }
        let gaps = findings.gaps
        let outcome = try await revision.finish(gaps: gaps)
        let (final, isUnchanged) =
            switch outcome {
            case .new(let revision): (revision, false)
            case .unchanged(let revision): (revision, true)
            }
        return CaptureReport(
            revision: final, isUnchanged: isUnchanged, records: numbers.mapValues(\.count),
            pictures: findings.pictureCount, gaps: gaps,
            absent: numbers.flatMap { kind, ids in Self.holes(in: ids).map { RecordKey(kind, $0) } }.sorted())
    }

    /// If all lists have become empty, or nothing follows from the roots any more, the server is probably ill.
    private func refuseSuddenEmptiness(_ lists: [ListResult]) async throws {
        let what: String
        let before: Int
        if lists.isEmpty {
            // New roots may well have nothing.
            guard !roots.isEmpty, findings.extras.keys.allSatisfy(roots.contains), findings.extras.count == roots.count,
                try await revision.newestHas(anyOf: catalogue.roots)
            else { return }
            what = "answers"
            before = try await revision.newestRecordCount() - roots.count
        } else {
            guard lists.allSatisfy({ $0.claimed.count == 0 }) else { return }
            what = "lists"
            before = try await revision.newestRecordCount()
        }
        guard before > 0 else { return }
        throw CaptureError.empty(
            "the \(what) of \(settings.api) are all empty, though the newest revision has \(before) records; if that is "
                + "so, move the archive away and capture anew")
    }

    /// The numbers from 1 to the highest that are not there. A list of a few records with huge numbers is not taken for
    /// holes.
    private static func holes(in ids: Set<Int64>) -> [Int64] {
        guard let highest = ids.max(), highest > 0, highest <= Int64(ids.count) * 2 else { return [] }
        return (1...highest).filter { !ids.contains($0) }
    }
}

extension Client {
    /// The same client, with requests, answers and bytes counted.
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
