import Platform
import SQLite
import Testing

@testable import Archive

@Suite("An archive of an earlier format")
struct UpgradeTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    @Test(
        "has each revision's records from the answers of that revision, those too that a later capture found again",
        arguments: 1...5)
    func broughtBy(version: Int) async throws {
        let first = try await test.capture().revision
        var state = Captured()
        state.pages[0] = [(1, "Ada"), (2, "Bob")]
        let second = try await test.capture(state).revision
        try test.makeOld(version)
        #expect(try test.newest()?.digest == second.digest)

        for revision in [first, second] {
            let reader = try RevisionReader(revision, in: test.archive)
            var brought: [String] = []
            for page in try reader.answers(as: .page) {
                brought += try reader.records(broughtBy: page).map { "\(page.path) \($0.key)" }
            }
            #expect(
                brought == [
                    "character?page=1 character 1", "character?page=1 character 2", "character?page=2 character 3",
                ])
            #expect(try reader.origins(of: "character", at: 0..<3).count == 3)
            #expect(
                try reader.records(of: "character", at: 0..<3).filter { $0.picture != nil }.map(\.key.id) == [1, 2])
        }
        #expect(ArchiveVerifier(test.archive).proofs().filter { $0.fault != nil } == [])
    }

    @Test("has the seals that its revisions would have had, said to be computed late", arguments: 1...5)
    func seals(version: Int) async throws {
        let captured = try await test.capture().revision
        try test.makeOld(version)
        let old = try #require(try test.newest())
        #expect(old.seal == captured.seal && old.isSealedLate && !captured.isSealedLate)
        #expect(try RevisionReader(old, in: test.archive).computedSeal() == old.seal)
    }

    @Test("is read at once whatever views it has: they are not resolved", arguments: 1...5)
    func views(version: Int) async throws {
        let revision = try await test.capture().revision
        try test.makeOld(version)
        // Each names the one before twice: to resolve the last one takes hours.
        let doublings = (1...40).map { "a\($0) AS (SELECT a.x FROM a\($0 - 1) a, a\($0 - 1) b)" }.joined(
            separator: ", ")
        try Connection(test.archive.database, .readWrite).execute(
            "CREATE VIEW v AS WITH a0 AS (SELECT 1 AS x), \(doublings) SELECT x FROM a40")
        #expect(try test.newest()?.digest == revision.digest)
        let writer = try ArchiveWriter(test.archive)
        try await writer.close()
        #expect(try test.newest()?.digest == revision.digest)
    }

    @Test("has the schema that archives of format 6 have had from the first, byte for byte: others are refused")
    func schema() throws {
        let db = try Connection(":memory:", .readWrite)
        try db.migrate(Schema.migrations)
        let sql = try db.all("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name") { $0.text(0) }
        #expect(Schema.migrations.count == 6)
        #expect(
            SHA256(of: sql.joined(separator: "\n").utf8).hex
                == "5f40a58805b384dc44ca32702240eb342bf2a390c70a4ea9f6c60e8d89b97ffe")
    }
}
