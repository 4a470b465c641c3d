import Archive
import Catalogue
import HTTP

extension CaptureRun {
    /// Assembles one record's card: the records it shows and its pictures, in parallel.
    func assemble(_ record: FoundRecord) async throws {
        async let pictures: Void = fetchPictures(of: record)
        let keys = record.facts.card.map(\.key)
        try await ask(for: resolver.claim(keys))
        let isOpen = await resolver.wait(for: keys)
        try await pictures
        guard isOpen else { throw CaptureError.cancelled }
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
        var found: [FoundRecord] = []
        do {
            let answer = try await fetcher.document(path, as: .records) { [catalogue] (body) throws(ContentFault) in
                (try catalogue.records(in: body, askedFor: keys), body)
            }
            if case .found((let places, let body), let exchange) = answer {
                for (index, place) in places.enumerated() {
                    let keyPath = keys.count > 1 ? "[\(index)]" : ""
                    guard let record = read(place, of: keys[0].kind, in: body, url: path, keyPath: keyPath) else { continue }
                    guard keys.contains(record.slice.key) else {
                        findings.add(Gap(url: path, keyPath: keyPath, reason: "is \(record.slice.key), which was not asked for"))
                        continue
                    }
                    findings.add(record.slice.key, Findings.Extra(slice: record.slice, exchange: exchange))
                    found.append(record)
                }
            }
            await lose(keys, but: found, "the server does not have it")
        } catch Fetcher.Failure.request(let error) where error.cause != .cancelled {
            await lose(keys, but: [], error.reason)
        }
        await resolver.mention(in: found)
        await resolver.arrived(found.map(\.slice.key))
        for record in found where record.facts.hasCard { try await assemble(record) }
    }

    /// Names each record that did not come, and where it is asked for first.
    private func lose(_ keys: [RecordKey], but found: [FoundRecord], _ reason: String) async {
        let lost = Set(keys).subtracting(found.map(\.slice.key)).sorted()
        for key in lost {
            let mention = await resolver.place(of: key).map { ", though \($0)" } ?? ""
            findings.add(Gap(url: catalogue.path(for: [key]), reason: reason + mention))
        }
        await resolver.missing(lost)
    }

    private func fetchPictures(of record: FoundRecord) async throws {
        for path in record.facts.pictures where findings.claim(picture: path) {
            do {
                if case .missing = try await fetcher.picture(path) {
                    findings.add(Gap(url: path, reason: "the server does not have this picture of \(record.slice.key)"))
                }
            } catch Fetcher.Failure.request(let error) where error.cause != .cancelled {
                findings.add(Gap(url: path, reason: "\(error.reason); it is the picture of \(record.slice.key)"))
            }
        }
    }
}
