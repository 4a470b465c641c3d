import Glibc
import Platform
import SQLite
import TestSupport
import Testing

@testable import Archive

struct DamageTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    private func damagePage() throws {
        try test.execute("UPDATE body SET bytes = CAST(replace(CAST(bytes AS TEXT), 'Ada', 'Adb') AS BLOB)")
    }

    @Test func `A record with changed bytes is refused`() async throws {
        let revision = try await test.capture().revision
        try damagePage()
        let reader = try RevisionReader(revision, in: test.archive)
        #expect(throws: ArchiveError.damaged("character 1 does not match its digest")) {
            try reader.records(of: "character", at: 0..<3)
        }
        #expect(try reader.records(of: "character", at: 1..<3).map(\.key.id) == [2, 3])
    }

    @Test func `A hot rollback journal is rolled back in a copy before reading`() async throws {
        let revision = try await test.capture().revision
        let other = try TestArchive()
        try Folder.make(other.archive.path)
        let db = try Connection(test.archive.database, .readWrite)
        // With a small cache, uncommitted pages are written to the file, so the journal is hot.
        try db.execute(
            "PRAGMA cache_size = 1; BEGIN IMMEDIATE; CREATE TABLE more(bytes BLOB); UPDATE record SET offset = 7")
        for _ in 0..<50 { try db.execute("INSERT INTO more VALUES (zeroblob(9000))") }
        for rest in ["", "-journal"] {
            try File.writeNew(try File.read(test.archive.database + rest), to: other.archive.database + rest)
        }
        try db.execute("ROLLBACK")
        #expect(throws: SQLiteError.self) {
            try Connection(other.archive.database, .readOnly).schemaVersion(limit: .max)
        }
        let before = try fingerprint(of: other.archive.path)
        #expect(try other.newest() == revision)
        #expect(try other.records(revision).count == 3)
        #expect(try fingerprint(of: other.archive.path) == before)
    }

    @Test func `A damaged answer is ignored, and requesting it again repairs its records`() async throws {
        let revision = try await test.capture().revision
        try damagePage()
        let writer = try ArchiveWriter(test.archive)
        let next = try await test.revision(writer)
        #expect(try await next.earlierAnswer(for: "character?page=1") == nil)
        #expect(try await next.earlierAnswer(for: "character?page=2") != nil)
        try await next.store(Captured())
        #expect(try await !next.finish(gaps: []).isNew)
        try await writer.close()
        #expect(try test.records(revision).first == #"{"id":1,"name":"Ada"}"#)
    }

    @Test func `A record of a damaged answer is found in a later answer that contains it`() async throws {
        try await test.capture()
        try damagePage()
        // One record of the page differs, so the page has another body.
        let state = Captured(pages: [[(1, "Ada"), (2, "Bob")], [(3, "Cid")]])
        let revision = try await test.capture(state).revision
        #expect(try test.records(revision).first == #"{"id":1,"name":"Ada"}"#)
    }

    @Test func `A damaged revision does not count as equal to a new capture`() async throws {
        let first = try await test.capture().revision
        try test.execute("UPDATE record SET sha256 = zeroblob(32) WHERE number = 2")
        #expect(throws: ArchiveError.damaged("character 2 does not match its digest")) { try test.records(first) }
        let second = try await test.capture()
        #expect(second.isNew)
        #expect(try test.records(second.revision).count == 3)
        #expect(try await !test.capture().isNew)
    }

    @Test func `A picture file is repaired in place, so its hard links are repaired too`() async throws {
        try await test.capture()
        let bytes = Array("picture one".utf8)
        let path = test.archive.assetPath(SHA256(of: bytes))
        let before = try #require(FileStatus(path))
        for damaged in [Array("picture 0ne".utf8), [], Array("picture one and more".utf8)] {
            try File.repair(path, with: damaged)
            let writer = try ArchiveWriter(test.archive)
            let revision = try await test.revision(writer)
            #expect(try await revision.earlierAnswer(for: "avatar/1.png") == nil)
            _ = try await revision.accept(newPicture(at: "avatar/1.png", bytes))
            #expect(try await revision.earlierAnswer(for: "avatar/1.png") != nil)
            try await writer.close()
            #expect(try File.read(path) == bytes && FileStatus(path)?.isSameFile(as: before) == true)
        }
        // A link with the path of the file is replaced.
        try File.remove(path)
        try Folder.make(test.folder["elsewhere"])
        try #require(symlink(test.folder["elsewhere"], path) == 0)
        try await test.capture(Captured(pages: [[(9, "Zed")]]))
        #expect(try File.read(path) == bytes)
    }

    @Test func `An interrupted capture that began in the future is not continued`() async throws {
        for (ahead, isKept) in [(Int64(0), true), (3_600_000, true), (3 * 86_400_000, false)] {
            let writer = try ArchiveWriter(test.archive)
            let now = millisecondsSince1970()
            let revision = try await test.revision(writer)
            _ = try await revision.accept(newPage(at: "character?page=1", [1]))
            try await writer.close()
            try test.execute("UPDATE revision SET started = \(now + ahead) WHERE state = 'open'")
            let again = try ArchiveWriter(test.archive)
            let next = try await test.revision(again, resumeAfter: now - 86_400_000)
            #expect((next.answersKept > 0) == isKept, "\(ahead)")
            try await again.close()
        }
    }
}
