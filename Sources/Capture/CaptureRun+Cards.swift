import Archive
import Catalogue
import HTTP
import Platform

extension CaptureRun {
    /// Assembles one record's card: the records it shows and its pictures, in parallel.
    func assemble(_ record: FoundRecord) async throws {
        do {
            async let pictures: Void = fetchPictures(of: record)
            let keys = record.facts.card.map(\.key)
            var wait = await resolver.wait(for: keys)
            while case .claimed(let claimed) = wait {
                try await ask(for: claimed)
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
    /// The server decides how many there are, so only some requests and cards are open at a time. Cards wait for other
    /// records: none is assembled before all requests of this call have ended, so they do not wait for one another.
    func ask(for keys: [RecordKey]) async throws {
        guard findings.request(extras: keys.count) <= settings.maximumExtras else {
            throw CaptureError.incomplete(
                "records of \(settings.api) name others without end: more than \(settings.maximumExtras) that no "
                    + "list brings")
        }
        let told = await resolver.paths(of: keys)
        let others = Dictionary(grouping: keys.filter { told[$0] == nil }, by: \.kind).values
        let requests = others.flatMap { keys in
            stride(from: 0, to: keys.count, by: catalogue.recordsPerRequest).map {
                Array(keys[$0..<min($0 + catalogue.recordsPerRequest, keys.count)])
            }
        }
        let found = Guarded<[FoundRecord]>([])
        let window = Window(width: Self.mostOpen)
        try await window.forEach(told.map { ([$0], $1) } + requests.map { ($0, nil) }) { keys, path in
            let records = try await askAtOnce(keys, at: path)
            found.withLock { $0 += records }
        }
        try await assemble(found.withLock { $0 })
    }

    /// The most requests, and the most cards, that one call for records has open.
    private static let mostOpen = 64

    private func assemble(_ records: [FoundRecord]) async throws {
        try await Window(width: Self.mostOpen).forEach(records.filter(\.facts.hasCard)) { try await assemble($0) }
    }

    /// Requests the catalogue's roots.
    /// - Throws: if one of them is missing: then it is unknown what else is.
    func askForRoots() async throws {
        let roots = await resolver.claim(catalogue.roots)
        progress.count { $0.pagesClaimed += roots.count }
        try await Window(width: .max).forEach(roots) { root in
            let found = try await askAtOnce([root])
            guard findings.extras[root] != nil else {
                let failure = CaptureError.incomplete(notHad(root))
                await giveUp(because: failure)
                throw failure
            }
            try await assemble(found)
        }
    }

    /// Why a record that was requested by itself is missing.
    func notHad(_ key: RecordKey) -> String {
        let path = place(of: key)
        let gap = findings.gaps.first { $0.url == path }
        return
            "\(settings.api)/\(path): "
            + "\(gap.map { ContentFault($0.keyPath, $0.reason).description } ?? "it did not come")"
    }

    /// The URL of a missing record in gaps.
    private func place(of key: RecordKey, _ told: String? = nil) -> String {
        told ?? catalogue.path(for: [key]) ?? "\(key)"
    }

    /// - Parameter told: the path of the request; nil if it follows from the keys.
    private func askAtOnce(_ keys: [RecordKey], at told: String? = nil) async throws -> [FoundRecord] {
        // The answer is released before the records are requested one by one.
        var (found, left) = try await askTogether(keys, at: told)
        for key in left { found += try await askTogether([key], at: nil).found }
        return found
    }

    /// Requests records with one request, and takes what the answer has.
    /// - Returns: the records, and which of several are to be requested one by one.
    private func askTogether(
        _ keys: [RecordKey], at told: String?
    ) async throws -> (found: [FoundRecord], left: [RecordKey]) {
        /// Several records are requested one by one: one of them may have caused the error for all.
        func without(_ reason: String) async -> (found: [FoundRecord], left: [RecordKey]) {
            if keys.count > 1 { return ([], keys) }
            await lose(keys, but: [], reason, told)
            return ([], [])
        }
        guard let path = told ?? catalogue.path(for: keys) else {
            return await without("nothing tells where it is asked for")
        }
        let answer: Fetcher.Answer<ReadRecords>
        do {
            answer = try await fetcher.document(path, as: .records, isSound: { $0.answers(keys) }) { body in
                try read(
                    try catalogue.records(in: body, askedFor: keys), of: keys[0].kind, in: body, most: 100 + keys.count
                ) { try catalogue.facts(of: $0, askedFor: keys, base: settings.api) }
            }
        } catch {
            return await without(try await lasting(error))
        }
        guard case .found(let content, let exchange) = answer else {
            return await without("the server does not have it")
        }
        if keys.count > 1, !content.answers(keys) { return ([], keys) }
        let found = taken(
            content, at: path, keyPath: { keys.count > 1 || content.records.count > 1 ? "[\($0)]" : "" },
            requested: keys)
        for record in found {
            findings.add(record.slice.key, Findings.Extra(slice: record.slice, exchange: exchange.withoutHeaders))
        }
        if keys.count == 1 {
            // A record that cannot be taken is a gap already.
            await lose(keys, but: found, content.records.isEmpty ? "the server does not have it" : nil, told)
        }
        try await resolver.mention(in: found)
        try await resolver.arrived(found.map(\.slice.key))
        let arrived = found.count { roots.contains($0.slice.key) }
        progress.count {
            $0.pages += arrived
            $0.cardsClaimed += found.count(where: \.facts.hasCard)
        }
        // Records that an answer for several leaves out may exist all the same.
        return (found, keys.count > 1 ? Set(keys).subtracting(found.map(\.slice.key)).sorted() : [])
    }

    /// The reason of an error that costs what was requested and no more; other errors end the capture.
    private func lasting(_ failure: any Error) async throws -> String {
        // If no answer ever came, the server does not have to be probed.
        guard let error = failure as? HTTPError, !error.isLocal,
            !error.isUnreachable || progress.current.answers > 0
        else {
            await giveUp(because: failure)
            throw failure
        }
        guard await probe.isWell({ await isServerWell() }) else {
            // A server that is gone, or ill, has not lost this record: nothing is known about it.
            let gone = CaptureError.incomplete(
                "\(error), and the server gives nothing else either; what came in is kept, run again")
            await giveUp(because: gone)
            throw gone
        }
        return error.reason
    }

    /// Whether the server still answers as before: with the first page of its first list, or its first root.
    private func isServerWell() async -> Bool {
        let root = catalogue.roots.first
        guard let path = catalogue.lists.first?.path(page: 1) ?? root.flatMap({ catalogue.path(for: [$0]) }),
            let url = WebURL("\(settings.api)/\(path)")
        else { return true }
        let request = Request(url, maximumSize: settings.maximumDocument, isCounted: true)
        // The reason does not matter: the error that led here is reported. So a failure is nil.
        let isWell = try? await client.send(request) { response -> PatientClient.Verdict<Bool> in
            guard response.status == 200 else { return .retry("answered status \(response.status)") }
            do {
                let (body, permit) = try await fetcher.load(response)
                defer { withExtendedLifetime(permit) {} }
                if catalogue.lists.isEmpty, let root {
                    _ = try catalogue.records(in: body, askedFor: [root])
                } else {
                    _ = try catalogue.listPage(body)
                }
            } catch {
                return .retry("\(error)")
            }
            return .accept(true)
        }
        return isWell ?? false
    }

    /// Makes a gap of each missing record, with the first reference to it, unless it is one already.
    private func lose(_ keys: [RecordKey], but found: [FoundRecord], _ reason: String?, _ told: String? = nil) async {
        let lost = Set(keys).subtracting(found.map(\.slice.key)).sorted()
        for key in lost {
            guard let reason else { break }
            let mention = await resolver.place(of: key).map { ", though \($0)" } ?? ""
            findings.add(Gap(url: place(of: key, told), reason: reason + mention))
        }
        await resolver.missing(lost)
    }

    private func fetchPictures(of record: FoundRecord) async throws {
        for path in record.facts.pictures where findings.claim(picture: path) {
            do {
                if try await fetcher.picture(path) {
                    findings.countPicture()
                } else {
                    findings.add(Gap(url: path, reason: "the server does not have this picture of \(record.slice.key)"))
                }
            } catch {
                findings.add(
                    Gap(url: path, reason: "\(try await lasting(error)); it is the picture of \(record.slice.key)"))
            }
        }
    }
}

/// Checks whether a server is well, once for all concurrent callers, and remembers a good result for a while.
actor ServerProbe {
    /// Seconds for which a good result is valid.
    private static let lifetime = 5.0

    private let clock: Clock
    private var underWay: Task<Bool, Never>?
    private var lastGood: Double?

    init(clock: Clock) {
        self.clock = clock
    }

    func isWell(_ ask: @escaping @Sendable () async -> Bool) async -> Bool {
        if let lastGood, clock.now() - lastGood < Self.lifetime { return true }
        let task = underWay ?? Task { await ask() }
        underWay = task
        let isWell = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        // A later caller may have begun another one.
        if underWay == task { underWay = nil }
        if isWell { lastGood = clock.now() }
        return isWell
    }
}
