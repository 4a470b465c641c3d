import Archive
import Catalogue
import HTTP
import Platform

extension CaptureRun {
    /// Assembles one record's card: fetches the card's other records, its pictures and its files, in parallel.
    func assemble(_ record: AnswerRecord) async throws {
        do {
            async let assets: Void = fetchAssets(of: record)
            let keys = record.facts.card.map(\.key)
            while case let claimed = try await resolver.wait(for: keys), !claimed.isEmpty { try await request(claimed) }
            try await assets
            progress.count { $0.cards += 1 }
        } catch {
            throw await giveUp(because: error)
        }
    }

    /// Requests records by number, several in a request if the API allows that, and assembles their cards.
    ///
    /// The server determines the number of records, so the numbers of open requests and open cards are limited. Open
    /// cards wait for records. They are assembled after all requests of this call, so they cannot block these requests.
    func request(_ keys: [RecordKey]) async throws {
        let givenPaths = await resolver.paths(of: keys)
        var others = keys.filter { givenPaths[$0] == nil }
        if catalogue.recordsPerRequest == 0 {
            // The completeness report lists the references to these records.
            await resolver.addMissing(others)
            others = []
        }
        let requested = log.withLock { [count = givenPaths.count + others.count] log in
            log.extrasRequested += count
            return log.extrasRequested
        }
        guard requested <= settings.maximumUnlistedRecords else {
            throw CaptureError.incomplete(
                "the records of \(settings.api) refer to more than \(settings.maximumUnlistedRecords) records that "
                    + "are in no list; such an API cannot be captured")
        }
        let requests = Dictionary(grouping: others, by: \.kind).values.flatMap {
            $0.chunks(of: catalogue.recordsPerRequest).map(Array.init)
        }
        let all = givenPaths.map { ([$0], path: $1) } + requests.map { ($0, path: nil) }
        let found = try await Window(width: Self.maximumOpen).run(all) { try await requestOrSplit($0, at: $1) }
        try await assemble(found.flatMap(\.self))
    }

    /// The maximum number of open requests, and of open cards, for each call.
    static let maximumOpen = 64

    private func assemble(_ records: [AnswerRecord]) async throws {
        try await Window(width: Self.maximumOpen).run(records.filter(\.facts.hasCard)) { try await assemble($0) }
    }

    /// Requests records from which the capture starts, and assembles their cards.
    /// - Returns: the references of these records that their cards do not wait for.
    /// - Throws: if one of these records is missing. The records that it refers to would then be missing too.
    func requestStarts(_ keys: [RecordKey]) async throws -> [Reference] {
        try await Window(width: .max).run(await resolver.claim(keys)) { key in
            let found = try await requestOrSplit([key])
            guard log.withLock({ $0.extras[key] != nil }) else {
                let path = catalogue.path(for: [key]) ?? "\(key)"
                let gap = log.withLock { $0.gaps.sorted }.first { $0.url == path }
                let reason = gap.map { "\(ContentFault($0.keyPath, $0.reason))" } ?? "the answer does not contain it"
                throw await giveUp(because: CaptureError.incomplete("\(settings.api)/\(path): \(reason)"))
            }
            try await assemble(found)
            return found.flatMap(\.facts.references)
        }.flatMap(\.self)
    }

    /// - Parameter givenPath: the path of the request; nil if it follows from the keys.
    private func requestOrSplit(_ keys: [RecordKey], at givenPath: String? = nil) async throws -> [AnswerRecord] {
        // The first answer is released before the records are requested one by one.
        let answer = try await requestTogether(keys, at: givenPath)
        var found = answer.found
        for key in answer.remaining { found += try await requestTogether([key], at: nil).found }
        return found
    }

    /// Requests the records of rows. A missing one is a gap.
    func details(of rows: ArraySlice<(PageWalk.Arrival, row: Reference)>) async throws -> [Part] {
        try await Window(width: Self.maximumOpen).run(Array(rows)) { page, row -> Part? in
            let answer = try await requestTogether([row.key], at: row.path, isListed: true)
            progress.count { $0.pages += 1 }
            return answer.exchange.map { (page, $0, answer.found) }
        }.compactMap(\.self)
    }

    /// The error for a list without a row that leads to a record. A wrong declaration would replace a good site with an
    /// empty one. The next run requests the records again.
    func noRecord(of list: ListEndpoint, rows: Int, _ missed: [String]) async throws -> CaptureError {
        try await revision.removeAnswers(for: missed)
        let gaps = log.withLock { $0.gaps.sorted }
        let gap = gaps.first { $0.url == missed.first } ?? gaps.first { $0.url == list.firstPath }
        let example = gap.map { ": \(settings.api)/\($0.url): \(ContentFault($0.keyPath, $0.reason))" } ?? ""
        return .incomplete("none of the \(rows) rows of the \(list) list leads to a record\(example); check \"detail\"")
    }

    /// The maximum number of rows whose records are in memory. A page can have a million rows.
    static let rowsInMemory = 100

    /// Requests records in one request.
    /// - Parameter isListed: whether a list has a row for the record, so that the list adds it.
    /// - Returns: the accepted records with their answer, and the records to request one by one.
    private func requestTogether(
        _ keys: [RecordKey], at givenPath: String?, isListed: Bool = false
    ) async throws -> (found: [AnswerRecord], exchange: Exchange?, remaining: [RecordKey]) {
        let path = givenPath ?? catalogue.path(for: keys)
        let content: AnswerRecords
        let exchange: Exchange
        do {
            guard let path else { throw ContentFault("", "the catalogue has no URL for this record") }
            let answer = try await fetcher.document(path, requested: keys) { body, _ in
                try read(catalogue.records(in: body, requested: keys), in: body, limit: 100 + keys.count) {
                    try catalogue.facts(of: $0, requested: keys, base: settings.api)
                }
            }
            guard let answer else { throw ContentFault("", "the server does not have this record") }
            (content, exchange) = answer
        } catch {
            let reason = try await gapReason(error)
            // Several records are requested again one by one, because a single one may have caused the error.
            if keys.count > 1 { return ([], nil, keys) }
            await addMissing(keys[0], reason, at: path)
            return ([], nil, [])
        }
        if keys.count > 1, !content.isValid(requested: keys) { return ([], nil, keys) }
        let found = acceptRecords(content, at: exchange.path, requested: keys)
        for record in found where !isListed {
            log.withLock { $0.extras[record.slice.key] = (record.slice, exchange, record.facts.children) }
        }
        if keys.count == 1, found.isEmpty {
            // A record that was not accepted has a gap already.
            let reason = content.records.isEmpty ? "the server does not have this record" : nil
            await addMissing(keys[0], reason, at: path)
        }
        try await resolver.add(found.map(\.facts))
        progress.count {
            $0.pages += found.count { roots.contains($0.slice.key) }
            $0.cardsClaimed += found.count(where: \.facts.hasCard)
        }
        // If an answer for several records omits one, that record may still exist.
        let remaining = keys.count > 1 ? Set(keys).subtracting(found.map(\.slice.key)).sorted() : []
        return (found, exchange, remaining)
    }

    /// The gap reason for an error that affects only this request.
    /// - Throws: if the error is local, or if the server fails for other requests too. Then the capture ends.
    func gapReason(_ failure: any Error) async throws -> String {
        if case .otherRole? = failure as? ArchiveError { return "has the address of another answer" }
        if let fault = failure as? ContentFault { return fault.reason }
        // If the server has never answered, a probe would fail too.
        guard let error = failure as? HTTPError, !error.isLocal, !error.isUnreachable || progress.current.answers > 0
        else { throw await giveUp(because: failure) }
        // The record may still exist on a failing server, so its absence is not a gap.
        guard await isServerAnswering() else {
            let reason = "\(error), and the server fails for other requests too; the received answers are kept"
            throw await giveUp(because: CaptureError.incomplete("\(reason), run again later"))
        }
        return error.reason
    }

    /// Whether the server still answers. Only one task asks at a time, and the others use its result.
    private func isServerAnswering() async -> Bool {
        let permit = await probes.enter()
        defer { withExtendedLifetime(permit) {} }
        // The result of a probe is valid for five seconds.
        if let probe = lastProbe.withLock({ $0 }), fetcher.client.clock.now() - probe.time < 5 { return probe.isGood }
        // `try?` ignores the error of this probe, because the error that caused the probe is reported.
        let isGood = (try? await probe()) != nil
        lastProbe.withLock { $0 = (fetcher.client.clock.now(), isGood) }
        return isGood
    }

    /// Requests the first page of the first list, or the first root.
    private func probe() async throws {
        let (list, root) = (catalogue.lists.first { $0.parent == nil }, catalogue.roots.first)
        guard let path = list?.firstPath ?? root.flatMap({ catalogue.path(for: [$0]) }) else { return }
        let request = try fetcher.request(path, conditionOn: nil, limit: settings.maximumDocument, .urgent)
        try await fetcher.client.send(request) { response in
            do {
                guard response.status == 200 else { throw ContentFault("", "answered status \(response.status)") }
                let (body, permit) = try await fetcher.load(response)
                defer { withExtendedLifetime(permit) {} }
                if let list {
                    let answer = PageAnswer(path: path, headers: response.rawHeaders, body: body, base: settings.api)
                    _ = try catalogue.page(answer, of: list)
                } else if let root {
                    _ = try catalogue.records(in: body, requested: [root])
                }
            } catch {
                throw request.error(.content, "\(error)")
            }
        }
    }

    /// Adds a gap for a missing record, with the first reference to it.
    /// - Parameter reason: nil if the record has a gap already.
    private func addMissing(_ key: RecordKey, _ reason: String?, at path: String?) async {
        if let reason {
            let reference = await resolver.firstReference(to: key).map { ", but \($0)" } ?? ""
            addGap(ContentFault("", reason + reference), at: path ?? "\(key)")
        }
        await resolver.addMissing([key])
    }

    private func fetchAssets(of record: AnswerRecord) async throws {
        // Files come first. If an address is that of a file and of a picture, any accepted format is valid.
        let assets = record.facts.files + record.facts.pictures.map { ($0, true) }
        for (path, isPicture) in assets where log.withLock({ $0.claim(asset: path, isPicture: isPicture) }) {
            let name = isPicture ? "picture" : "file"
            let isDerived = record.facts.derived.contains(path)
            let reason: String?
            do {
                if try await fetcher.asset(path, isPicture: isPicture) != nil {
                    if isPicture { log.withLock { $0.addPicture(at: path) } }
                    continue
                }
                reason = isDerived ? nil : "the server does not have this \(name) of \(record.slice.key)"
            } catch let error as HTTPError where isDerived && error.cause == .status(410) {
                reason = nil
            } catch {
                reason = "\(try await gapReason(error)); it is the \(name) of \(record.slice.key)"
            }
            log.withLock { [reason] log in
                if let reason { log.addGap(reason, ofAsset: path, isPicture: isPicture) } else { log.absent += 1 }
            }
        }
    }
}
