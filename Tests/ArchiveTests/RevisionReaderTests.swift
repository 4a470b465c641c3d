import Platform
import Testing

@testable import Archive
@testable import SQLite

struct RevisionReaderTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    @Test func `A reader returns the exact bytes of records by position, in any range`() async throws {
        let state = Captured(pages: [[(7, "Zoë \\u00e4"), (2, "Ben")], [(5, "")]])
        let outcome = try await test.capture(state, backwards: true)
        let reader = try RevisionReader(outcome.revision, in: test.archive)
        let written = [
            #"{"id":7,"name":"Zoë \u00e4"}"#, #"{"id":2,"name":"Ben"}"#, #"{"id":5,"name":""}"#,
        ]
        #expect(try test.records(outcome.revision) == written)
        #expect(
            try reader.records(of: "character", at: 1..<3).map(\.key) == [
                RecordKey("character", 2), RecordKey("character", 5),
            ])
        #expect(
            try reader.records(of: "character", at: 3..<9).isEmpty && reader.records(of: "episode", at: 0..<9).isEmpty)
        #expect(try reader.recordCounts() == ["character": 3])
    }

    @Test func `A reader returns the pictures of records, and nil for a record without a picture`() async throws {
        let reader = try RevisionReader(try await test.capture().revision, in: test.archive)
        let records = try reader.records(of: "character", at: 0..<9)
        let asset = try #require(records.first { $0.key.id == 2 }?.picture)
        let bytes = Array("picture two".utf8)
        #expect(asset == Asset(sha256: SHA256(of: bytes), size: bytes.count, format: .png, width: 3, height: 2))
        #expect(try File.read(test.archive.assetPath(asset.sha256)) == bytes)
        #expect(records.filter { $0.picture != nil }.map(\.key.id) == [1, 2])
    }

    @Test func `The origin of a captured record is its answer, even if an equal record was imported`() async throws {
        let (bytes, slices) = Captured.page([(1, "Ada"), (2, "Ben")])
        let file = ImportedFile(name: "characters.json", bytes: bytes, records: slices)
        var origins: [[String]] = []
        func addOrigins(of revision: Revision) throws {
            let reader = try RevisionReader(revision, in: test.archive)
            origins.append(
                try reader.origins(of: "character", at: 0..<2).map { "\($0.path ?? "imported") \($0.date)" })
        }
        let writer = try ArchiveWriter(test.archive)
        let imported = try await writer.importState(of: TestArchive.source, date: 0, [file]).revision
        try await writer.close()
        try addOrigins(of: try await test.capture().revision)
        try addOrigins(of: imported)
        let answer = "character?page=1 1000"
        #expect(origins == [[answer, answer], ["imported 0", "imported 0"]])
    }

    @Test func `The newest revision is chosen among those with a matching source`() async throws {
        let first = try await test.capture().revision
        let second = try await test.capture(Captured(pages: [[(1, "Eve")]])).revision
        let sample = Source(catalogue: "test", api: "seed 1", origin: .sample)
        let other = try await test.capture(of: sample).revision
        #expect(first.number < second.number)
        #expect(try RevisionReader.newest(in: test.archive) { $0.origin == .live } == second)
        #expect(try RevisionReader.newest(in: test.archive) { _ in true } == other)
        #expect(try RevisionReader.newest(in: test.archive) { $0.catalogue == "none" } == nil)
    }

    @Test func `There is no newest revision without an archive or without tables`() throws {
        #expect(!test.archive.exists)
        #expect(try test.newest() == nil)
        try Folder.make(test.archive.path)
        try File.writeNew([], to: test.archive.database)
        #expect(try test.newest() == nil)
    }

    @Test func `A file that is not a database is refused with an error that contains its path`() throws {
        try Folder.make(test.archive.path)
        try File.writeNew([UInt8](repeating: 7, count: 4096), to: test.archive.database)
        let refusal = SQLiteError(code: 26, message: "file is not a database", subject: "PRAGMA user_version")
        let error = #expect(throws: ArchiveError.database(refusal, archive: test.archive.database)) {
            try test.newest()
        }
        #expect(
            error?.description
                == "the archive \(test.archive.database) cannot be used: file is not a database (SQLite's code 26); restore a backup, or move it away and capture again"
        )
    }

    @Test func `Contradictory rows are reported with the damaged part`() async throws {
        let revision = try await test.capture().revision
        let sha256 = SHA256(of: "picture one".utf8)
        try test.execute("UPDATE body SET bytes = substr(bytes, 1, length(bytes) - 2)")
        #expect(throws: ArchiveError.damaged("character 2 does not match its digest")) {
            try RevisionReader(revision, in: test.archive).records(of: "character", at: 0..<3)
        }
        try test.execute("UPDATE asset SET format = 'bmp'")
        let unknown = ArchiveError.damaged("the picture \(sha256.hex) has the unknown format bmp")
        #expect(throws: unknown) { try RevisionReader(revision, in: test.archive).records(of: "character", at: 0..<9) }
        try test.execute("UPDATE asset SET sha256 = substr(sha256, 1, 31)")
        #expect(throws: ArchiveError.damaged("a picture has a digest of 31 bytes")) {
            try RevisionReader(revision, in: test.archive).records(of: "character", at: 0..<9)
        }
        try test.execute("UPDATE revision SET digest = NULL")
        #expect(throws: ArchiveError.damaged("revision \(revision.number) has no digest")) { try test.newest() }
    }

    @Test func `A writer reports a missing body, and ignores an answer without a digest`() async throws {
        try await test.capture()
        let db = try Connection(test.archive.database, .readWrite)
        let id = try #require(try db.first("SELECT max(id) FROM exchange WHERE path LIKE '%page=1'") { $0.integer(0) })
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        let earlier = try #require(try await revision.earlierAnswer(for: "character?page=1"))
        let picture = try #require(try await revision.earlierAnswer(for: "avatar/1.png"))
        await #expect(throws: ArchiveError.damaged("answer \(picture.id) (avatar/1.png) has no body")) {
            try await revision.document(of: picture)
        }
        #expect(earlier.id == id)
        try db.execute("UPDATE exchange SET sha256 = x'00' WHERE id = \(id)")
        #expect(try await revision.earlierAnswer(for: "character?page=1") == nil, "it is requested again")
        try await writer.close()
    }
}
