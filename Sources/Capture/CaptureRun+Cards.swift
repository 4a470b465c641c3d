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
        let answer: Fetcher.Answer<RecordsAnswer>
        do throws(Fetcher.Failure) {
            answer = try await fetcher.document(path, as: .records) { [catalogue] (body) throws(ContentFault) in
                RecordsAnswer(places: try catalogue.records(in: body, askedFor: keys), body: body)
            }
        } catch {
            return await lose(keys, but: [], try await lasting(error))
        }
        var found: [FoundRecord] = []
        var reason: String? = "the server does not have it"
        if case .found(let content, let exchange) = answer {
            found = take(content, of: exchange, askedFor: keys)
            // What came and cannot be taken is named already; among several it is not known whose it is.
            if found.count < content.places.count { reason = keys.count == 1 ? nil : "it did not come, or not so that it can be read" }
        }
        await lose(keys, but: found, reason)
        await resolver.mention(in: found)
        await resolver.arrived(found.map(\.slice.key))
        for record in found where record.facts.hasCard { try await assemble(record) }
    }

    /// The records among those asked for; others are named, and not taken.
    private func take(_ content: RecordsAnswer, of exchange: Exchange, askedFor keys: [RecordKey]) -> [FoundRecord] {
        var found: [FoundRecord] = []
        for (index, place) in content.places.enumerated() {
            let keyPath = keys.count > 1 ? "[\(index)]" : ""
            guard let record = read(place, of: keys[0].kind, in: content.body, url: exchange.path, keyPath: keyPath) else { continue }
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
        guard case .request(let error) = failure, error.cause != .cancelled, error.cause != .disk else {
            await giveUp(because: failure)
            throw failure
        }
        return error.reason
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

/// Records found in one answer.
private struct RecordsAnswer: Sendable {
    let places: [Range<Int>]
    let body: [UInt8]
}
