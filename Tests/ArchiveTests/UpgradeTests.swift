import Platform
import SQLite
import Testing

@testable import Archive

struct UpgradeTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    @Test(
        arguments: 1...6)
    func `A migrated archive assigns each revision's records to its own answers`(
        version: Int
    ) async throws {
        let first = try await test.capture().revision
        var state = Captured()
        state.pages[0] = [(1, "Ada"), (2, "Bob")]
        let second = try await test.capture(state).revision
        try test.rewrite(inFormat: version)
        #expect(try test.newest()?.digest == second.digest)

        for revision in [first, second] {
            let reader = try RevisionReader(revision, in: test.archive)
            var records: [String] = []
            for page in try reader.answers(as: .page) {
                records += try reader.records(from: page).map { "\(page.path) \($0.key)" }
            }
            #expect(
                records == [
                    "character?page=1 character 1", "character?page=1 character 2", "character?page=2 character 3",
                ])
            #expect(try reader.origins(of: "character", at: 0..<3).count == 3)
            #expect(
                try reader.records(of: "character", at: 0..<3).filter { $0.picture != nil }.map(\.key.id) == [1, 2])
        }
        #expect(test.archive.proofs().filter { $0.fault != nil } == [])
    }

    @Test(arguments: 1...5)
    func `A migrated archive has the seals of its revisions, marked as late`(version: Int) async throws {
        let captured = try await test.capture().revision
        try test.rewrite(inFormat: version)
        let old = try #require(try test.newest())
        #expect(old.seal == captured.seal && old.isSealedLate && !captured.isSealedLate)
        #expect(try RevisionReader(old, in: test.archive).computedSeal() == old.seal)
    }

    @Test func `Migrating a malicious archive does not fill the disk`() async throws {
        try await test.capture()
        try test.rewrite(inFormat: 5)
        // Each member gets a copy of the path: 200 MB.
        try test.execute(
            """
            UPDATE record SET picture = (SELECT group_concat('picture') FROM record AS a, record AS b, record AS c,
                record AS d, record AS e, record AS f, record AS g, record AS h, record AS i);
            WITH RECURSIVE n(x) AS (SELECT 1000 UNION ALL SELECT x + 1 FROM n WHERE x < 2500)
            INSERT INTO member(revision, kind, position, record) SELECT 1, 'character', x, 1 FROM n
            """)
        let error = #expect(throws: ArchiveError.self) { try test.newest() }
        #expect(error.map { "\($0)" }?.contains("cannot be converted to the newest format") == true, "\(error!)")
        #expect(throws: ArchiveError.self) { try ArchiveWriter(test.archive) }
    }

    @Test(arguments: 1...6)
    func `An old archive is read without resolving its views`(version: Int) async throws {
        let revision = try await test.capture().revision
        try test.rewrite(inFormat: version)
        // Each table expression refers to the previous one twice, so resolving the last one takes hours.
        let doublings = (1...40).map { "a\($0) AS (SELECT a.x FROM a\($0 - 1) a, a\($0 - 1) b)" }.joined(
            separator: ", ")
        try test.execute(
            "CREATE VIEW v AS WITH a0 AS (SELECT 1 AS x), \(doublings) SELECT x FROM a40")
        #expect(try test.newest()?.digest == revision.digest)
        let writer = try ArchiveWriter(test.archive)
        try await writer.close()
        #expect(try test.newest()?.digest == revision.digest)
    }

    @Test func `The schema of format 7 never changes`() throws {
        let db = try Connection(":memory:", .readWrite)
        try db.apply(Schema.migrations)
        let sql = try db.all("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name") { $0.text(0) }
        #expect(Schema.migrations.count == 7)
        #expect(
            SHA256(of: sql.joined(separator: "\n").utf8).hex
                == "fa40cc9c8180fea4eb4c075a2b1c74264c8378ead515c2962840e11e173c3fbf")
    }
}
