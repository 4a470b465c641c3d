import Archive
import Platform
import SQLite
import Testing

struct RevisionWriterTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    @Test func `An equal revision is .unchanged and leaves no rows or files`() async throws {
        let first = try await test.capture()
        let (rows, files) = (try test.rows(), try Folder.files(below: test.archive.path))
        let second = try await test.capture(backwards: true)
        #expect(first.isNew && !second.isNew)
        #expect(second.revision == first.revision)
        #expect(try test.rows() == rows)
        #expect(try Folder.files(below: test.archive.path) == files)
    }

    @Test func `A changed revision is new and shares equal bodies, records and pictures`() async throws {
        let first = try await test.capture()
        let before = try test.rows()
        var state = Captured()
        state.pages[1] = [(3, "Cyd")]
        let second = try await test.capture(state)
        #expect(
            second.isNew && second.revision.number > first.revision.number
                && second.revision.digest != first.revision.digest)

        let after = try test.rows()
        let added = after.merging(before) { $0 - $1 }.filter { $0.key != "sqlite_sequence" && $0.value != 0 }
        // 4 answers to 4 requests, one new page and one new record.
        #expect(added == ["revision": 1, "exchange": 4, "answer": 4, "member": 3, "list": 1, "body": 1, "record": 1])
        #expect(try test.records(first.revision).last == #"{"id":3,"name":"Cid"}"#)
        #expect(try test.records(second.revision).last == #"{"id":3,"name":"Cyd"}"#)
    }

    @Test func `The digest does not depend on the order of answers`() async throws {
        let forwards = try await test.capture()
        let backwards = try await TestArchive().capture(backwards: true)
        #expect(forwards.revision.digest == backwards.revision.digest)
    }

    @Test func `The digest depends on pictures and statuses, but not on answers to requests by number`() async throws {
        func digest(_ change: (RevisionWriter) async throws -> Void) async throws -> SHA256 {
            let test = try TestArchive()
            let writer = try ArchiveWriter(test.archive)
            let revision = try await test.revision(writer)
            try await revision.store(Captured())
            try await change(revision)
            return try await revision.finish(gaps: []).revision.digest
        }
        let plain = try await digest { _ in }
        let picture = try await digest { _ = try await $0.accept(newPicture(at: "avatar/1.png", [9])) }
        let page = Captured.page([(3, "Cid")]).bytes
        let status = try await digest { _ = try await $0.accept(newPage(at: "character?page=2", page, status: 404)) }
        #expect(Set([plain, picture, status]).count == 3)
        let byNumber = try await digest {
            _ = try await $0.accept(
                NewExchange(
                    path: "character/1,2", role: .records, status: 200, headers: [], received: 5,
                    body: [1], asset: nil))
        }
        #expect(byNumber == plain)
    }

    @Test func `Gaps are stored sorted and without duplicates`() async throws {
        let gaps = [
            Gap(url: "b", reason: "2"), Gap(url: "a", keyPath: "z", reason: "1"), Gap(url: "a", reason: "1"),
            Gap(url: "b", reason: "2"),
        ]
        let outcome = try await test.capture(Captured(gaps: gaps))
        #expect(outcome.revision.gaps == 3)
        #expect(try RevisionReader(outcome.revision, in: test.archive).gaps() == [gaps[2], gaps[1], gaps[0]])
        #expect(try test.newest() == outcome.revision)
    }

    @Test func `An abandoned revision leaves complete revisions unchanged`() async throws {
        let first = try await test.capture()
        let rows = try test.rows()
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        try await revision.store(Captured(pages: [[(9, "New")]]))
        try await revision.abandon()
        try await writer.close()
        #expect(try test.newest() == first.revision)
        #expect(try test.records(first.revision).count == 3)

        // The next capture removes the rows of the abandoned revision.
        try await test.capture()
        #expect(try test.rows() == rows)
    }

    @Test func `Sources do not affect each other`() async throws {
        let first = try await test.capture()
        for other in [
            Source(catalogue: "test", api: "http://127.0.0.1/api", origin: .sample),
            Source(catalogue: "test", api: "http://127.0.0.1/other", origin: .live),
            Source(catalogue: "else", api: "http://127.0.0.1/api", origin: .live),
        ] {
            let writer = try ArchiveWriter(test.archive)
            let revision = try await test.revision(writer, of: other)
            #expect(!revision.hasEarlierAnswers)
            #expect(try await revision.earlierAnswer(for: "character?page=1") == nil)
            try await writer.close()
            #expect(try test.newest(of: other) == nil)
            let outcome = try await test.capture(of: other)
            #expect(
                outcome.isNew && outcome.revision.source == other && outcome.revision.digest == first.revision.digest)
        }
        #expect(try test.newest() == first.revision)
        #expect(try test.records(first.revision).count == 3)
    }

    @Test(
        arguments: [nil, "below/avatar"])
    func `Records keep their pictures when another source has equal records`(
        folder: String?
    ) async throws {
        let sources = ["http://127.0.0.1/one", "http://127.0.0.1/two"].map {
            Source(catalogue: "test", api: $0, origin: .live)
        }
        let first = try await test.capture(of: sources[0]).revision
        let other = try await test.capture(Captured(pictures: [:], folder: folder), of: sources[1]).revision
        func pictures(_ revision: Revision) throws -> [SHA256?] {
            try RevisionReader(revision, in: test.archive).records(of: "character", at: 0..<9).map {
                $0.picture?.sha256
            }
        }
        let all = [SHA256(of: "picture one".utf8), SHA256(of: "picture two".utf8), nil]
        #expect(try pictures(first) == all)
        #expect(try pictures(other) == [nil, nil, nil])
    }

    @Test func `A record gets its picture in a later capture`() async throws {
        try await test.capture(Captured(pictures: [:], folder: nil))
        let later = try await test.capture().revision
        #expect(
            try RevisionReader(later, in: test.archive).records(of: "character", at: 0..<9).map { $0.picture != nil }
                == [
                    true, true, false,
                ])
    }

    @Test func `A finished revision accepts no changes and cannot be finished again`() async throws {
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        try await revision.store(Captured())
        let outcome = try await revision.finish(gaps: [])
        let rows = try test.rows()

        let refusal = ArchiveError.ended(revision: revision.number)
        await #expect(throws: refusal) { try await revision.finish(gaps: []) }
        await #expect(throws: refusal) { try await revision.accept(newPage(at: "late", [1])) }
        await #expect(throws: refusal) { try await revision.setClaim(ofList: "character", count: 9, pages: 9) }
        try await revision.abandon()
        try await writer.close()
        #expect(try test.rows() == rows)
        #expect(try test.records(outcome.revision).count == 3)
        #expect(refusal.description == "revision \(revision.number) was closed by another capture; run again")
    }
}
