import Archive
import Catalogue
import HTTP

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

    /// Asks for records by their numbers, several in a request where the API can do that, and assembles the cards of what comes.
    func ask(for keys: [RecordKey]) async throws {
        let requests = Dictionary(grouping: keys, by: \.kind).values.flatMap { keys in
            stride(from: 0, to: keys.count, by: catalogue.recordsPerRequest).map {
                Array(keys[$0..<min($0 + catalogue.recordsPerRequest, keys.count)])
            }
        }
        try await withThrowingDiscardingTaskGroup { group in
            for keys in requests { group.addTask { try await askAtOnce(keys) } }
        }
    }

    private func askAtOnce(_ keys: [RecordKey]) async throws {
        let path = catalogue.path(for: keys)
        let answer: Fetcher.Answer<ReadRecords>
        do throws(Fetcher.Failure) {
            answer = try await fetcher.document(path, as: .records, isSound: { $0.answers(keys) }) { (body) throws(ContentFault) in
                try read(try catalogue.records(in: body, askedFor: keys), of: keys[0].kind, in: body)
            }
        } catch {
            let reason = try await lasting(error)
            // One of them may have spoilt the answer for all.
            guard keys.count == 1 else { return try await askOneByOne(keys) }
            return await lose(keys, but: [], reason)
        }
        guard case .found(let content, let exchange) = answer else {
            guard keys.count == 1 else { return try await askOneByOne(keys) }
            return await lose(keys, but: [], "the server does not have it")
        }
        if keys.count > 1, !content.answers(keys) { return try await askOneByOne(keys) }
        let found = take(content, of: exchange, askedFor: keys)
        if keys.count == 1 {
            // What came and cannot be taken is named already.
            await lose(keys, but: found, content.records.isEmpty ? "the server does not have it" : nil)
        }
        await resolver.mention(in: found)
        await resolver.arrived(found.map(\.slice.key))
        for record in found where record.facts.hasCard { try await assemble(record) }
        // What an answer for several leaves out may be there all the same.
        if keys.count > 1 { try await askOneByOne(Set(keys).subtracting(found.map(\.slice.key)).sorted()) }
    }

    private func askOneByOne(_ keys: [RecordKey]) async throws {
        for key in keys { try await askAtOnce([key]) }
    }

    /// The records among those asked for; others are named, and not taken.
    private func take(_ content: ReadRecords, of exchange: Exchange, askedFor keys: [RecordKey]) -> [FoundRecord] {
        var found: [FoundRecord] = []
        for index in content.records.indices {
            let keyPath = keys.count > 1 ? "[\(index)]" : ""
            guard let record = self.found(index, of: content, kind: keys[0].kind, url: exchange.path, keyPath: keyPath) else { continue }
            guard keys.contains(record.slice.key) else {
                findings.add(Gap(url: exchange.path, keyPath: keyPath, reason: "is \(record.slice.key), which was not asked for"))
                continue
            }
            findings.add(record.slice.key, Findings.Extra(slice: record.slice, exchange: exchange))
            found.append(record)
        }
        return found
    }

    /// The reason of a failure that costs what was asked for and no more; other failures end the capture.
    private func lasting(_ failure: Fetcher.Failure) async throws -> String {
        guard case .request(let error) = failure, !error.isLocal else {
            await giveUp(because: failure)
            throw failure
        }
        guard await probe.isWell({ await isServerWell() }) else {
            // A server that is gone, or ill, has not lost this record: nothing can be said of it.
            let gone = CaptureError.incomplete("\(error), and the server gives nothing else either; what came in is kept, run again")
            await giveUp(because: gone)
            throw gone
        }
        return error.reason
    }

    /// Whether the server still gives what it gave before: the first page of its first list.
    private func isServerWell() async -> Bool {
        guard let list = catalogue.lists.first, let url = WebURL("\(settings.api)/\(list.path(page: 1))") else { return true }
        do throws(HTTPError) {
            return try await client.send(Request(url, maximumSize: settings.maximumDocument)) {
                (response) async throws(HTTPError) -> PatientClient.Verdict<Bool> in
                guard response.status == 200 else { return .retry("answered status \(response.status)") }
                do {
                    _ = try catalogue.listPage(try Fetcher.load(response))
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
    private func lose(_ keys: [RecordKey], but found: [FoundRecord], _ reason: String?) async {
        let lost = Set(keys).subtracting(found.map(\.slice.key)).sorted()
        for key in lost {
            guard let reason else { break }
            let mention = await resolver.place(of: key).map { ", though \($0)" } ?? ""
            findings.add(Gap(url: catalogue.path(for: [key]), reason: reason + mention))
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
                findings.add(Gap(url: path, reason: "\(try await lasting(error)); it is the picture of \(record.slice.key)"))
            }
        }
    }
}
