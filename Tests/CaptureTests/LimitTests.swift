import Archive
import Catalogue
import HTTP
import Platform
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(2)))
struct LimitTests {
    private static let page = "character?page=1"

    private func claim(count: Int, pages: Int) -> String {
        let record = FakeAPI.filled(1).json(RecordKey("character", 1))
        return #"{"info":{"count":\#(count),"pages":\#(pages)},"results":[\#(record)]}"#
    }

    @Test func `A capture stops at maximumCapture, and the next one continues`() async throws {
        var captures = try Captures(FakeAPI.filled(60))
        captures.settings.maximumCapture = 25_000
        let failure = try #require(try await captures.failure())
        #expect(failure.contains("exceed the 25000 bytes that maximumCapture allows"), "\(failure)")
        let first = captures.api.requestedPaths

        captures.api.forgetRequests()
        #expect(try #require(try await captures.failure()).contains("maximumCapture"), "stored answers count")
        #expect(captures.api.requestedPaths.count < first.count)

        captures.settings.maximumCapture = 1_000_000
        captures.api.forgetRequests()
        let report = try await captures.run()
        #expect(report.gaps.isEmpty && report.records["character"] == 60)
        #expect(captures.api.requestedPaths.count < 65, "stored answers are not requested again")
    }

    @Test func `If an answer has too many records, each record is requested alone`() async throws {
        let captures = try Captures(FakeAPI.filled(3))
        captures.api.add(location: 2, residents: [8, 9])
        for id: Int64 in [8, 9] { captures.api.add(character: id) }
        captures.api.change {
            $0.hidden = [RecordKey("character", 8), RecordKey("character", 9)]
            let flood = Array(repeating: "0", count: 24_990).joined(separator: ",")
            $0.answers["character/8,9"] = .body(200, "[\(flood)]")
        }
        #expect(try await captures.run().records["character"] == 5)
        #expect(captures.api.requestedPaths.contains("character/8,9"))
        let revision = try #require(try RevisionReader.newest(in: captures.folder, where: { _ in true }))
        let answers = try RevisionReader(revision, in: captures.folder).answers(as: .records)
        #expect(answers.map(\.path) == ["character/8", "character/9"])
    }

    @Test func `Few pictures of unlisted records are requested at the same time`() async throws {
        let captures = try Captures(FakeAPI.filled(1))
        let extras = Array(Int64(100)..<500)
        captures.api.add(location: 2, residents: extras)
        for id in extras { captures.api.add(character: id) }
        let (open, maximum) = (Locked(0), Locked(0))
        captures.api.change {
            $0.hidden = Set(extras.map { RecordKey("character", $0) })
            $0.before = { path in
                guard path.contains("avatar") else { return }
                let count = open.withLock { open in
                    open += 1
                    return open
                }
                maximum.withLock { $0 = max($0, count) }
                try await Task.sleep(for: .milliseconds(5))
                open.withLock { $0 -= 1 }
            }
        }
        #expect(try await captures.run().records["character"] == 401)
        #expect((2...70).contains(maximum.withLock { $0 }), "\(maximum.withLock { $0 })")
    }

    @Test func `Unlisted records of all kinds have one limit`() async throws {
        var captures = try Captures(FakeAPI.filled(1))
        captures.settings.maximumUnlistedRecords = 50
        let extras = Array(Int64(100)..<160)
        captures.api.add(character: 1, in: extras)
        for id in extras { captures.api.add(episode: id) }
        captures.api.change { $0.hidden = Set(extras.map { RecordKey("episode", $0) }) }
        let failure = try #require(try await captures.failure())
        #expect(failure.contains("refer to more than 50 records that are in no list"), "\(failure)")
    }

    @Test func `Header blocks count towards maximumCapture`() async throws {
        var captures = try Captures(FakeAPI.filled(3))
        let client = captures.client
        captures.client = Client { (request) async throws(HTTPError) in
            let response = try await client.send(request)
            return Response(
                status: response.status,
                rawHeaders: response.rawHeaders.dropLast(2)
                    + Array("X: \(String(repeating: "x", count: 50_000))\r\n\r\n".utf8),
                body: response.body, url: response.url, received: response.received)
        }
        captures.settings.maximumCapture = 200_000
        #expect(try #require(try await captures.failure()).contains("maximumCapture"))
    }

    @Test(
        arguments: [
            (Int.max, Int.max, Int.max, 1_000_000_000, "count: is 1000000000, more than"),
            (1_500_000, 1_000_000_000_000, 1_000_000_000_000, 1_000_000_000, "but maximumRecords is 1500000"),
            (Int.max, 1_000_000, 1_000_000_000_000, 1_000_000, "the 1000000 bytes that maximumCapture allows"),
            (Int.max, Int.max, 1_000_000_000, 1_000_000_000, "bytes available on the archive's disk"),
            (Int.max, Int.max, 0, 2, "the archive's disk has only 0 free bytes"),
        ])
    func `A list that claims more than the limits is not requested`(
        records: Int, bytes: Int, free: Int, pages: Int, reason: String
    ) async throws {
        var captures = try Captures(FakeAPI.filled(1))
        captures.settings.maximumRecords = records
        captures.settings.maximumCapture = bytes
        captures.freeSpace = { free }
        let count = reason.hasPrefix("count") ? pages + 1 : pages
        captures.api.change { [claim] in $0.answers[Self.page] = .body(200, claim(count, min(pages, count))) }
        let failure = try #require(try await captures.failure())
        #expect(failure.contains(reason.replacing("is 1000000000,", with: "is 1000000001,")), "\(failure)")
        #expect(!captures.api.requestedPaths.contains("character?page=4"))
    }

    @Test func `Lists that exceed the limit together are refused`() throws {
        let limit = StorageLimit(maximum: 1_000, keptBefore: 0, disk: DiskReserve { nil })
        try limit.claim("a", pages: 6, of: 100)
        #expect(throws: CaptureError.self) { try limit.claim("b", pages: 5, of: 100) }
        #expect(throws: CaptureError.self) { try limit.claim("c", pages: Int.max, of: Int.max) }
    }

    @Test func `Stored answers need no more space, and a tenth of the free space is not used`() throws {
        let limit = StorageLimit(maximum: .max, keptBefore: 600, disk: DiskReserve { 1_000 })
        try limit.claim("a", pages: 15, of: 100)
        #expect(throws: CaptureError.self) { try limit.claim("b", pages: 2, of: 100) }
    }

    @Test func `A capture stops before the disk is full`() throws {
        let free = Locked(1_000_000_000)
        let limit = StorageLimit(maximum: .max, keptBefore: 0, disk: DiskReserve { free.withLock { $0 } })
        try limit.add(100_000_000)
        free.withLock { $0 = 99_000_000 }
        let error = try #require(throws: CaptureError.self) { try limit.add(100_000_000) }
        // The program ends with another code than for an API that lacks something.
        let text = "the capture cannot continue: the archive's disk has only 99000000 free bytes"
        #expect("\(error)".hasPrefix(text))
    }

    @Test func `A walk accepts a claim of Int.max pages`() async throws {
        let list = ListEndpoint(kind: "thing", path: "thing", paginator: .pageNumber(parameter: "page", first: 1))
        let walk = PageWalk(list: list, width: 3) { number, path in
            guard number < 10 else { throw CaptureError.incomplete("enough") }
            var page = ListPage([0..<1], at: "results")
            page.claim = (.max, .max)
            return (number, page, AnswerRecords(), try await Self.exchange())
        }
        await #expect(throws: CaptureError.self) { _ = try await walk.forEachWave { _ in } }
    }

    @Test func `A walk that waits for its turn has requested only its first page`() async throws {
        let list = ListEndpoint(kind: "thing", path: "thing", paginator: .pageNumber(parameter: "page", first: 1))
        let requested = Locked<[Int]>([])
        let exchange = try await Self.exchange()
        let walk = PageWalk(list: list, width: 3) { number, _ in
            requested.withLock { $0.append(number) }
            var page = ListPage([0..<1], at: "results")
            page.claim = (3, 3)
            return (number, page, AnswerRecords(), exchange)
        }
        var before: [Int]?
        _ = try await walk.forEachWave(after: {
            try? await Task.sleep(for: .milliseconds(50))
            before = before ?? requested.withLock { $0 }
        }) { _ in }
        #expect(before == [1] && requested.withLock { $0.sorted() } == [1, 2, 3])
    }

    private static func exchange() async throws -> Exchange {
        let captures = try Captures()
        let writer = try ArchiveWriter(captures.folder)
        let revision = try await RevisionWriter(
            of: Source(catalogue: "c", api: "a", origin: .live), in: captures.folder, through: writer, resumeAfter: 0)
        let exchange = try await revision.accept(
            NewExchange(path: "p", role: .page, status: 200, headers: [], received: 1, body: [], asset: nil))
        try await writer.close()
        return exchange
    }

    @Test func `A record with too many values is a gap, and the others are captured`() async throws {
        let captures = try Captures(FakeAPI.filled(3))
        captures.api.add(location: 2)
        let texts = Array(repeating: #""""#, count: JSONSlices.maximumValues).joined(separator: ",")
        let json = #"{"id":1,"name":"x","type":"","dimension":"","residents":[\#(texts)]}"#
        captures.api.change { $0.records["location", default: [:]][1] = json }
        let report = try await captures.run()
        #expect(report.records["location"] == 1 && report.records["character"] == 3)
        let reason = "residents: has more than the 250000 values allowed"
        #expect(report.gapTexts == ["location/1 \(reason)", "location?page=1 results[0].\(reason)"])
    }

    @Test func `A record with too many references is a gap`() async throws {
        var captures = try Captures(FakeAPI.filled(3))
        captures.settings.maximumReferencesPerAnswer = 9
        captures.api.add(location: 2, residents: Array(1...10))
        let report = try await captures.run()
        #expect(
            report.gapTexts.count == 1 && report.gapTexts[0].contains("exceeds the limit of 9 references"),
            "\(report.gapTexts)")
    }

    @Test func `An answer with too many records is refused`() async throws {
        var captures = try Captures(FakeAPI.filled(30))
        captures.settings.maximumRecordsPerAnswer = 19
        let failure = try #require(try await captures.failure())
        #expect(failure.contains("has 20 records, more than the limit of 19"), "\(failure)")
    }

    @Test func `References to too many records end the capture`() async throws {
        var captures = try Captures(FakeAPI.filled(5))
        captures.settings.maximumRecords = 50
        captures.api.add(episode: 2, characters: Array(1_000...1_100))
        let failure = try #require(try await captures.failure())
        #expect(failure.contains("there are more than the 50 records that maximumRecords allows"), "\(failure)")
    }

    @Test func `The first thousand refused links of an answer are listed`() async throws {
        let captures = try Captures(FakeAPI.filled(1))
        let links = Array(repeating: #""x""#, count: 900).joined(separator: ",")
        for id in Int64(1)...10 {
            let json = #"{"id":\#(id),"name":"x","type":"","dimension":"","residents":[\#(links)]}"#
            captures.api.change { $0.records["location", default: [:]][id] = json }
        }
        let report = try await captures.run()
        #expect(report.records["location"] == 10)
        #expect(report.gaps.count == 1_001)
        #expect(report.gapTexts.contains("location?page=1 : 8000 further faults in this answer are not listed"))
    }

    @Test func `Gaps are listed up to a total size and counted beyond it`() {
        var list = GapList()
        let reason = String(repeating: "x", count: 1 << 20)
        for number in 0..<100 { list.add(ContentFault("", reason), at: "page/\(number)") }
        let gaps = list.sorted
        #expect(gaps.count == 32 && gaps.contains { $0.reason == "69 faults of other answers are not listed" })
    }

    @Test func `A window admits no more than its width without waiting`() {
        let window = Window(width: 10)
        let first = window.enterIfFree(weight: 10)
        #expect(first != nil && window.enterIfFree(weight: 1) == nil && window.enterIfFree(weight: 11) == nil)
        withExtendedLifetime(first) {}
    }
}

extension FakeAPI {
    func json(_ key: RecordKey) -> String {
        let text = Locked("")
        change { state in text.withLock { $0 = state.records[key.kind]?[key.id] ?? "" } }
        return text.withLock { $0 }
    }
}
