import Platform
import Testing

@testable import Archive

struct ResumingTests {
    private let test: TestArchive
    private let page = Captured.page([(1, "Ada"), (2, "Ben")])

    init() throws {
        test = try TestArchive()
    }

    /// Stores one page and stops, like a killed process.
    private func interruptCapture() async throws -> Int64 {
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        let kept = try await revision.accept(newPage(at: "character?page=1", page.bytes))
        try await revision.addRecords(page.slices, of: kept, at: 0)
        return revision.number
    }

    @Test func `A capture continues with stored answers that are recent enough`() async throws {
        let number = try await interruptCapture()
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        #expect(revision.number == number && revision.answersKept == 1 && revision.hasEarlierAnswers)

        let kept = try #require(try await revision.answer(for: "character?page=1"))
        #expect(
            kept.status == 200 && kept.received == 1_000 && kept.sha256 == SHA256(of: page.bytes) && kept.asset == nil)
        #expect(kept.headers == Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        #expect(try await revision.document(of: kept) == page.bytes)
        #expect(try await revision.answer(for: "character?page=2") == nil)

        // The capture adds the records again, because their number may have changed.
        #expect(try test.rows()["member"] == 0)
        try await revision.addRecords(page.slices, of: kept, at: 0)
        let outcome = try await revision.finish(gaps: [])
        try await writer.close()
        #expect(outcome.isNew && outcome.revision.number == number)
        #expect(try test.records(outcome.revision) == [#"{"id":1,"name":"Ada"}"#, #"{"id":2,"name":"Ben"}"#])
    }

    @Test func `Older answers are used only for conditional requests, until a capture ends`() async throws {
        _ = try await interruptCapture()
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer, resumeAfter: millisecondsSince1970() + 60_000)
        #expect(revision.answersKept == 0 && revision.hasEarlierAnswers)
        #expect(try await revision.answer(for: "character?page=1") == nil)
        let earlier = try #require(try await revision.earlierAnswer(for: "character?page=1"))
        #expect(try await revision.document(of: earlier) == page.bytes)
        #expect(try test.rows()["revision"] == 1 && test.rows()["answer"] == 0 && test.rows()["exchange"] == 1)

        _ = try await revision.finish(gaps: [])
        try await writer.close()
        #expect(try test.rows()["exchange"] == 0 && test.rows()["body"] == 0 && test.rows()["record"] == 0)
    }

    @Test(arguments: [(Int64.min, 0), (-100, 0), (Int64.max, 1 << 40)])
    func `The bytes of stored answers are a sum of possible sizes`(size: Int64, counted: Int) async throws {
        _ = try await interruptCapture()
        let writer = try ArchiveWriter(test.archive)
        _ = try await test.revision(writer).accept(newPage(at: "character?page=2", page.bytes))
        try await writer.close()
        try test.execute("UPDATE exchange SET received = 1 << 60, size = \(size)")
        let again = try ArchiveWriter(test.archive)
        let headers = "HTTP/1.1 200 OK\r\n\r\n".utf8.count
        #expect(try await test.revision(again).bytesKept == 2 * (counted + headers))
        try await again.close()
    }

    @Test func `An interrupted capture is not readable as a revision`() async throws {
        _ = try await interruptCapture()
        #expect(try test.newest() == nil)
    }

    @Test func `A capture can confirm answers of an earlier revision`() async throws {
        let first = try await test.capture()
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        for path in ["character?page=1", "character?page=2", "avatar/1.png", "avatar/2.png"] {
            let earlier = try #require(try await revision.earlierAnswer(for: path))
            try await revision.confirm(earlier, as: path.hasPrefix("avatar") ? .asset : .page)
        }
        let earlier = try #require(try await revision.earlierAnswer(for: "avatar/1.png"))
        let bytes = Array("picture one".utf8)
        #expect(earlier.asset == Asset(sha256: SHA256(of: bytes), size: bytes.count, format: .png, width: 3, height: 2))
        for (index, records) in Captured().pages.enumerated() {
            let kept = try #require(try await revision.earlierAnswer(for: "character?page=\(index + 1)"))
            try await revision.addRecords(Captured.page(records).slices, of: kept, at: index * 2)
        }
        let outcome = try await revision.finish(gaps: [])
        try await writer.close()
        #expect(!outcome.isNew && outcome.revision == first.revision)
    }
}
