import Archive
import Catalogue
import HTTP
import Platform

extension CaptureRun {
    /// Assembles one record's card: the records it shows and its pictures, in parallel.
    func assemble(_ record: FoundRecord) async throws {
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
    }

    /// Asks for records by their numbers, several in a request where the API can do that, and assembles the cards of
    /// what comes.
    ///
    /// The server decides how many there are, so only some requests and cards are open at a time. Cards wait for other
    /// records: none is assembled before all requests of this call have ended, so they do not wait for one another.
    func ask(for keys: [RecordKey]) async throws {
        let told = await resolver.paths(of: keys)
        let others = Dictionary(grouping: keys.filter { told[$0] == nil }, by: \.kind).values
        let requests = others.flatMap { keys in
            stride(from: 0, to: keys.count, by: catalogue.recordsPerRequest).map {
                Array(keys[$0..<min($0 + catalogue.recordsPerRequest, keys.count)])
            }
        }
        let open = Window(width: Self.mostOpen)
        let found = Guarded<[FoundRecord]>([])
        try await withThrowingDiscardingTaskGroup { group in
            for (keys, path) in told.map({ ([$0], $1 as String?) }) + requests.map({ ($0, nil) }) {
                let permit = await open.enter()
                group.addTask {
                    defer { withExtendedLifetime(permit) {} }
                    let records = try await askAtOnce(keys, at: path)
                    found.withLock { $0 += records }
                }
            }
        }
        try await assemble(found.withLock { $0 })
    }

    /// The most requests, and the most cards, that one call for records has open.
    private static let mostOpen = 64

    private func assemble(_ records: [FoundRecord]) async throws {
        let open = Window(width: Self.mostOpen)
        try await withThrowingDiscardingTaskGroup { group in
            for record in records where record.facts.hasCard {
                let permit = await open.enter()
                group.addTask {
                    defer { withExtendedLifetime(permit) {} }
                    try await assemble(record)
                }
            }
        }
    }

    /// Asks for the records that everything else follows from, beside those of lists.
    /// - Throws: where one of them does not come: without it nobody knows what is missing.
    func askForRoots() async throws {
        let roots = await resolver.claim(catalogue.roots)
        progress.count { $0.pagesClaimed += roots.count }
        try await withThrowingDiscardingTaskGroup { group in
            for root in roots {
                group.addTask {
                    let found = try await askAtOnce([root])
                    guard findings.extras[root] != nil else {
                        let failure = CaptureError.incomplete(notHad(root))
                        await giveUp(because: failure)
                        throw failure
                    }
                    try await assemble(found)
                }
            }
        }
    }

    /// Says why a record did not come that was asked for by itself.
    func notHad(_ key: RecordKey) -> String {
        let path = place(of: key)
        let gap = findings.gaps.first { $0.url == path }
        return
            "\(settings.api)/\(path): "
            + "\(gap.map { ContentFault($0.keyPath, $0.reason).description } ?? "it did not come")"
    }

    /// What gaps call a record that did not come: where it is asked for.
    private func place(of key: RecordKey, _ told: String? = nil) -> String {
        told ?? catalogue.path(for: [key]) ?? "\(key)"
    }

    /// - Parameter told: where to ask, where the keys do not tell.
    /// - Returns: the records that came.
    private func askAtOnce(_ keys: [RecordKey], at told: String? = nil) async throws -> [FoundRecord] {
        // The answer is released before the records are asked for one by one.
        var (found, left) = try await askTogether(keys, at: told)
        for key in left { found += try await askTogether([key], at: nil).found }
        return found
    }

    /// Asks for records with one request, and takes what the answer has.
    /// - Returns: the records that came, and which of several are to be asked for one by one.
    private func askTogether(
        _ keys: [RecordKey], at told: String?
    ) async throws -> (found: [FoundRecord], left: [RecordKey]) {
        guard let path = told ?? catalogue.path(for: keys) else {
            await lose(keys, but: [], "nothing tells where it is asked for")
            return ([], [])
        }
        let answer: Fetcher.Answer<ReadRecords>
        do throws(Fetcher.Failure) {
            answer = try await fetcher.document(path, as: .records, isSound: { $0.answers(keys) }) {
                (body) throws(ContentFault) in
                try read(
                    try catalogue.records(in: body, askedFor: keys), of: keys[0].kind, in: body, most: 100 + keys.count
                ) {
                    (record) throws(ContentFault) in
                    try catalogue.facts(of: record, askedFor: keys, base: settings.api)
                }
            }
        } catch {
            let reason = try await lasting(error)
            // One of them may have spoilt the answer for all.
            if keys.count > 1 { return ([], keys) }
            await lose(keys, but: [], reason, told)
            return ([], [])
        }
        guard case .found(let content, let exchange) = answer else {
            if keys.count > 1 { return ([], keys) }
            await lose(keys, but: [], "the server does not have it", told)
            return ([], [])
        }
        if keys.count > 1, !content.answers(keys) { return ([], keys) }
        let found = take(content, of: exchange, askedFor: keys)
        if keys.count == 1 {
            // What came and cannot be taken is named already.
            await lose(keys, but: found, content.records.isEmpty ? "the server does not have it" : nil, told)
        }
        try await resolver.mention(in: found)
        try await resolver.arrived(found.map(\.slice.key))
        let arrived = found.count { roots.contains($0.slice.key) }
        progress.count {
            $0.pages += arrived
            $0.cardsClaimed += found.count(where: \.facts.hasCard)
        }
        // What an answer for several leaves out may be there all the same.
        return (found, keys.count > 1 ? Set(keys).subtracting(found.map(\.slice.key)).sorted() : [])
    }

    /// The records among those asked for; others are named, and not taken.
    private func take(_ content: ReadRecords, of exchange: Exchange, askedFor keys: [RecordKey]) -> [FoundRecord] {
        var found: [FoundRecord] = []
        defer { findings.count(further: content.unnamed, of: exchange.path) }
        for index in content.records.indices {
            let keyPath = keys.count > 1 ? "[\(index)]" : ""
            guard let record = self.found(index, of: content, url: exchange.path, keyPath: keyPath) else { continue }
            guard keys.contains(record.slice.key) else {
                findings.add(
                    Gap(url: exchange.path, keyPath: keyPath, reason: "is \(record.slice.key), which was not asked for")
                )
                continue
            }
            findings.add(record.slice.key, Findings.Extra(slice: record.slice, exchange: exchange.withoutHeaders))
            found.append(record)
        }
        return found
    }

    /// The reason of a failure that costs what was asked for and no more; other failures end the capture.
    private func lasting(_ failure: Fetcher.Failure) async throws -> String {
        // Where nothing was ever reached there is no server to be well: that is told as it is.
        guard case .request(let error) = failure, !error.isLocal, !error.isUnreachable || progress.current.answers > 0
        else {
            await giveUp(because: failure)
            throw failure
        }
        guard await probe.isWell({ await isServerWell() }) else {
            // A server that is gone, or ill, has not lost this record: nothing can be said of it.
            let gone = CaptureError.incomplete(
                "\(error), and the server gives nothing else either; what came in is kept, run again")
            await giveUp(because: gone)
            throw gone
        }
        return error.reason
    }

    /// Whether the server still gives what it gave before: the first page of its first list, or its first root.
    private func isServerWell() async -> Bool {
        let root = catalogue.roots.first
        guard let path = catalogue.lists.first?.path(page: 1) ?? root.flatMap({ catalogue.path(for: [$0]) }),
            let url = WebURL("\(settings.api)/\(path)")
        else { return true }
        do throws(HTTPError) {
            return try await client.send(Request(url, maximumSize: settings.maximumDocument, isCounted: true)) {
                (response) async throws(HTTPError) -> PatientClient.Verdict<Bool> in
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
        } catch {
            // Why does not matter here: what led to the question is what is told.
            return false
        }
    }

    /// Names each record that did not come, and where it is asked for first, unless it is named already.
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
            do throws(Fetcher.Failure) {
                guard case .missing = try await fetcher.picture(path) else {
                    findings.countPicture()
                    continue
                }
                findings.add(Gap(url: path, reason: "the server does not have this picture of \(record.slice.key)"))
            } catch {
                findings.add(
                    Gap(url: path, reason: "\(try await lasting(error)); it is the picture of \(record.slice.key)"))
            }
        }
    }
}
