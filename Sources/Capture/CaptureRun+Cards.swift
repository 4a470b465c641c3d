import Archive
import Catalogue
import HTTP
import Platform

extension CaptureRun {
    /// Assembles one record's card: fetches the records that it shows, and its pictures, in parallel.
    func assemble(_ record: FoundRecord) async throws {
        do {
            async let pictures: Void = fetchPictures(of: record)
            let keys = record.facts.card.map(\.key)
            var wait = await resolver.wait(for: keys)
            while case .claimed(let claimed) = wait {
                try await request(claimed)
                wait = await resolver.wait(for: keys)
            }
            try await pictures
            guard case .settled = wait else { throw CaptureError.cancelled }
            progress.count { $0.cards += 1 }
        } catch {
            await giveUp(because: error)
            throw error
        }
    }

    /// Requests records by number, several in a request if the API allows that, and assembles their cards.
    ///
    /// The server decides how many records there are, so the number of open requests and cards is limited. A card waits
    /// for other records. Assembly starts when all requests of this call have ended, so that the cards cannot block the
    /// requests for which they wait.
    func request(_ keys: [RecordKey]) async throws {
        guard log.request(extras: keys.count) <= settings.maximumUnlistedRecords else {
            throw CaptureError.incomplete(
                "the records of \(settings.api) refer to more than \(settings.maximumUnlistedRecords) records that are in no "
                    + "list; such an API cannot be captured")
        }
        let givenPaths = await resolver.paths(of: keys)
        let others = Dictionary(grouping: keys.filter { givenPaths[$0] == nil }, by: \.kind).values
        let requests = others.flatMap { keys in
            stride(from: 0, to: keys.count, by: catalogue.recordsPerRequest).map {
                Array(keys[$0..<min($0 + catalogue.recordsPerRequest, keys.count)])
            }
        }
        let found = Locked<[FoundRecord]>([])
        let window = Window(width: Self.mostOpen)
        try await window.forEach(givenPaths.map { ([$0], $1) } + requests.map { ($0, nil) }) { keys, path in
            let records = try await requestOrSplit(keys, at: path)
            found.withLock { $0 += records }
        }
        try await assemble(found.withLock { $0 })
    }

    /// The most requests and the most cards that one call has open.
    private static let mostOpen = 64

    private func assemble(_ records: [FoundRecord]) async throws {
        try await Window(width: Self.mostOpen).forEach(records.filter(\.facts.hasCard)) { try await assemble($0) }
    }

    /// Requests the catalogue's roots.
    /// - Throws: if a root is missing, because everything below it would be missing too.
    func requestRoots() async throws {
        let roots = await resolver.claim(catalogue.roots)
        progress.count { $0.pagesClaimed += roots.count }
        try await Window(width: .max).forEach(roots) { root in
            let found = try await requestOrSplit([root])
            guard log.extras[root] != nil else {
                let failure = CaptureError.incomplete(reasonMissing(root))
                await giveUp(because: failure)
                throw failure
            }
            try await assemble(found)
        }
    }

    /// The reason why a single requested record is missing.
    func reasonMissing(_ key: RecordKey) -> String {
        let path = place(of: key)
        let gap = log.gaps.first { $0.url == path }
        return
            "\(settings.api)/\(path): "
            + "\(gap.map { ContentFault($0.keyPath, $0.reason).description } ?? "the answer does not contain it")"
    }

    /// The URL of a missing record, for its gap.
    private func place(of key: RecordKey, _ givenPath: String? = nil) -> String {
        givenPath ?? catalogue.path(for: [key]) ?? "\(key)"
    }

    /// - Parameter givenPath: the path of the request; nil if it follows from the keys.
    private func requestOrSplit(_ keys: [RecordKey], at givenPath: String? = nil) async throws -> [FoundRecord] {
        // The first answer is released before the records are requested one by one.
        var (found, left) = try await requestTogether(keys, at: givenPath)
        for key in left { found += try await requestTogether([key], at: nil).found }
        return found
    }

    /// Requests records in one request.
    /// - Returns: the accepted records, and the records to request one by one.
    private func requestTogether(
        _ keys: [RecordKey], at givenPath: String?
    ) async throws -> (found: [FoundRecord], left: [RecordKey]) {
        /// Several records are requested again one by one, because a single one may have caused the error.
        func failed(_ reason: String) async -> (found: [FoundRecord], left: [RecordKey]) {
            if keys.count > 1 { return ([], keys) }
            await addGaps(keys, but: [], reason, givenPath)
            return ([], [])
        }
        guard let path = givenPath ?? catalogue.path(for: keys) else {
            return await failed("the catalogue has no URL for this record")
        }
        let answer: Fetcher.Answer<ReadRecords>
        do {
            answer = try await fetcher.document(path, as: .records, isSound: { $0.answers(keys) }) { body in
                try read(
                    try catalogue.records(in: body, requested: keys), of: keys[0].kind, in: body, most: 100 + keys.count
                ) { try catalogue.facts(of: $0, requested: keys, base: settings.api) }
            }
        } catch {
            return await failed(try await gapReason(error))
        }
        guard case .found(let content, let exchange) = answer else {
            return await failed("the server does not have it")
        }
        if keys.count > 1, !content.answers(keys) { return ([], keys) }
        let found = accepted(
            content, at: path, keyPath: { keys.count > 1 || content.records.count > 1 ? "[\($0)]" : "" },
            requested: keys)
        for record in found {
            log.add(record.slice.key, CaptureLog.Extra(slice: record.slice, exchange: exchange.withoutHeaders))
        }
        if keys.count == 1 {
            // A record that was not accepted has a gap already.
            await addGaps(keys, but: found, content.records.isEmpty ? "the server does not have it" : nil, givenPath)
        }
        try await resolver.mention(in: found)
        try await resolver.arrived(found.map(\.slice.key))
        let arrived = found.count { roots.contains($0.slice.key) }
        progress.count {
            $0.pages += arrived
            $0.cardsClaimed += found.count(where: \.facts.hasCard)
        }
        // If an answer for several records omits one, that record may still exist.
        return (found, keys.count > 1 ? Set(keys).subtracting(found.map(\.slice.key)).sorted() : [])
    }

    /// The gap reason for an error that affects only this request.
    /// - Throws: if the error is local, or the server as a whole fails. That ends the capture.
    private func gapReason(_ failure: any Error) async throws -> String {
        // If the server has never answered, a probe is unnecessary.
        guard let error = failure as? HTTPError, !error.isLocal,
            !error.isUnreachable || progress.current.answers > 0
        else {
            await giveUp(because: failure)
            throw failure
        }
        guard await probe.isAnswering({ await isServerAnswering() }) else {
            // If the server fails, the record may still exist there. So this is not a gap.
            let gone = CaptureError.incomplete(
                "\(error), and the server fails for other requests too; the received answers are kept, run again later")
            await giveUp(because: gone)
            throw gone
        }
        return error.reason
    }

    /// Whether the server still answers: requests the first page of the first list, or the first root.
    private func isServerAnswering() async -> Bool {
        let root = catalogue.roots.first
        guard let path = catalogue.lists.first?.path(page: 1) ?? root.flatMap({ catalogue.path(for: [$0]) }),
            let url = WebURL("\(settings.api)/\(path)")
        else { return true }
        let request = Request(url, maximumSize: settings.maximumDocument, isCounted: true)
        // The error of this probe does not matter, because the error before it is reported. So `try?` ignores it.
        let isAnswering = try? await client.send(request) { response -> RetryingClient.Verdict<Bool> in
            guard response.status == 200 else { return .retry("answered status \(response.status)") }
            do {
                let (body, permit) = try await fetcher.load(response)
                defer { withExtendedLifetime(permit) {} }
                if catalogue.lists.isEmpty, let root {
                    _ = try catalogue.records(in: body, requested: [root])
                } else {
                    _ = try catalogue.listPage(body)
                }
            } catch {
                return .retry("\(error)")
            }
            return .accept(true)
        }
        return isAnswering ?? false
    }

    /// Adds a gap for each missing record, with the first reference to it.
    /// - Parameter reason: nil if the records have gaps already.
    private func addGaps(_ keys: [RecordKey], but found: [FoundRecord], _ reason: String?, _ givenPath: String? = nil)
        async
    {
        let lost = Set(keys).subtracting(found.map(\.slice.key)).sorted()
        for key in lost {
            guard let reason else { break }
            let mention = await resolver.place(of: key).map { ", though \($0)" } ?? ""
            log.add(Gap(url: place(of: key, givenPath), reason: reason + mention))
        }
        await resolver.missing(lost)
    }

    private func fetchPictures(of record: FoundRecord) async throws {
        for path in record.facts.pictures where log.claim(picture: path) {
            do {
                if try await fetcher.picture(path) {
                    log.countPicture()
                } else {
                    log.add(Gap(url: path, reason: "the server does not have this picture of \(record.slice.key)"))
                }
            } catch {
                log.add(
                    Gap(url: path, reason: "\(try await gapReason(error)); it is the picture of \(record.slice.key)"))
            }
        }
    }
}

/// Checks whether a server is well, once for all concurrent callers, and remembers a good result for a while.
actor ServerProbe {
    /// The seconds for which a good result is valid.
    private static let lifetime = 5.0

    private let clock: Clock
    private var running: Task<Bool, Never>?
    private var lastGood: Double?

    init(clock: Clock) {
        self.clock = clock
    }

    func isAnswering(_ ask: @escaping @Sendable () async -> Bool) async -> Bool {
        if let lastGood, clock.now() - lastGood < Self.lifetime { return true }
        let task = running ?? Task { await ask() }
        running = task
        let isAnswering = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        // A later caller may have started another check.
        if running == task { running = nil }
        if isAnswering { lastGood = clock.now() }
        return isAnswering
    }
}
