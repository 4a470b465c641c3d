public import Archive
public import Catalogue
public import HTTP
import Platform

/// One capture: walks the lists, assembles the cards, looks for what is named and not there, and proves the whole.
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

    /// A capture of a catalogue's API into a revision.
    /// - Parameter freeSpace: the free bytes where the archive is; nil to ask the system.
    public init(
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
    /// - Throws: why there is no complete revision; an API that moved has its revision given up, everything else is
    ///   gone on with.
    public func run() async throws(CaptureError) -> CaptureReport {
        try await guarded { try await stages() }
    }

    /// Runs stages on the client's thread, with patience, and says what failed in the capture's own terms.
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
            if leavesNothing(failure) {
                do throws(ArchiveError) {
                    try await revision.abandon()
                } catch {
                    throw .archive(error)
                }
            }
            throw failure
        }
    }

    /// The capture's stages in order.
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
    /// - Throws: as `run()` does; that the API has no such record is `incomplete`.
    public func card(_ key: RecordKey) async throws(CaptureError) -> CaptureReport {
        try await guarded {
            // No list is walked, so everything is asked for by its number.
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

    /// Ends what is under way, since there will be no complete revision: cards would wait for records that no longer
    /// come.
    func giveUp(because failure: any Error) async {
        findings.note(failure: failure)
        await resolver.close()
    }

    /// Ends the capture when nothing has been accepted for as long as patience lasts.
    private func watched<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
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
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CaptureError.cancelled
        }
    }

    /// Whether the revision is given up: what came in contradicts itself, or nothing ever came in.
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
        case Fetcher.Failure.archive(let error): .archive(error)
        case Fetcher.Failure.limit(let error): error
        case Fetcher.Failure.request(let error) where error.cause == .disk: .disk(error)
        case Fetcher.Failure.request(let error):
            error.isUnreachable && progress.current.answers == 0 ? .unreachable(error) : .incomplete("\(error)")
        case is CancellationError: .cancelled
        default: .incomplete("\(error)")
        }
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
