import Platform
import SQLite
import TestSupport
import Testing

@testable import Archive

/// Limits on the sizes of a malicious database.
extension HostileArchiveTests {
    @Test func `Records that share the bytes of one body are refused before comparing`() async throws {
        try await test.capture()
        try alter(
            """
            INSERT INTO body SELECT 900, x'00', CAST(printf('{"id":1,"v":"%.*c"}', 1 << 20, 'a') AS BLOB);
            WITH RECURSIVE row(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < 50)
            INSERT INTO record SELECT 1000 + n, 'character', 1000 + n, zeroblob(32), 900, 0, 1 << 20 FROM row;
            INSERT INTO member(revision, kind, position, record)
            SELECT (SELECT max(id) FROM revision), 'character', id, id FROM record WHERE id > 1000;
            """)
        let reader = try RevisionReader(try #require(try test.newest()), in: test.archive)
        var count = 0
        let failure = #expect(throws: ArchiveError.self) { try reader.forEachDifference(from: nil) { _ in count += 1 } }
        #expect(
            failure?.description.contains("more bytes than the file can contain") == true,
            "\(failure as Any)")
        #expect(count == 0)
    }

    @Test func `Differences with more bytes than is plausible for the archive's size are refused`() async throws {
        try await test.capture()
        let reader = try RevisionReader(try #require(try test.newest()), in: test.archive)
        try reader.requirePlausible(comparedBytes: 1 << 30)
        #expect(throws: ArchiveError.self) { try reader.requirePlausible(comparedBytes: 2 << 30) }
    }

    @Test func `A schema with thousands of views is refused before it is read`() async throws {
        try await test.capture()
        let views = (0..<4_000).map { "CREATE VIEW v\($0) AS SELECT 1" }.joined(separator: ";")
        try alter("BEGIN; \(views); COMMIT")
        let words = "it has too many tables, indexes and views"
        #expect(refusal(test.archive)?.contains(words) == true, "\(refusal(test.archive) ?? "")")
        try alter("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'view' AND name > 'v1060'")
        let reason = "it has too many views, or views that are too long, for an archive that Amber wrote"
        #expect(refusal(test.archive)?.contains(reason) == true, "\(refusal(test.archive) ?? "")")
    }

    @Test(
        arguments: [
            ("UPDATE source SET api = printf('http://%.3000c', 'a')", "table \"source\" has longer values"),
            ("UPDATE record SET sha256 = zeroblob(33)", "table \"record\" has longer values"),
            ("UPDATE member SET kind = printf('%.129c', 'a')", "table \"member\" has longer values"),
            ("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM", "has pages of 512 bytes, not 4096"),
            (
                """
                WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 100010)
                INSERT INTO revision(id, source, state, started) SELECT i, 1, 'open', 1 FROM n
                """, "more than the 100000 revisions allowed"
            ),
        ])
    func `Long shared values and many revisions are refused when the archive is opened`(
        sql: String, words: String
    ) async throws {
        try await test.capture()
        try alter(sql)
        let error = #expect(throws: ArchiveError.self) { try RevisionReader.all(in: test.archive) { _ in true } }
        #expect(error.map { "\($0)" }?.contains(words) == true, "\(error.debugDescription)")
    }

    @Test func `A query that fetches far more pages than the file has is stopped`() throws {
        let db = try Connection(test.folder["pages.sqlite"], .readWrite)
        try db.execute("CREATE TABLE t(x TEXT); INSERT INTO t VALUES (printf('%.4000000c', 'a'))")
        try db.limitWork(forFileOf: 4_000_000)
        let sql = """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000)
            SELECT count(*) FROM n, t WHERE length(CAST(x AS BLOB)) + i < 0
            """
        let error = #expect(throws: SQLiteError.self) { try db.first(sql) { $0.int(0) } }
        #expect(error?.message == "reading it takes more work than a file of its size can need")
    }

    @Test func `An answer with more headers than a capture accepts is refused`() async throws {
        try await test.capture()
        try alter("UPDATE exchange SET headers = zeroblob(1048577)")
        let reader = try RevisionReader(try #require(try test.newest()), in: test.archive)
        let error = #expect(throws: ArchiveError.self) { try reader.answers(as: .page) }
        #expect(error.map { "\($0)" }?.contains("has 1048577 bytes of headers") == true, "\(error.debugDescription)")
    }

    @Test(
        arguments: [
            // Swift compares texts with many combining marks in quadratic time.
            "'zz/a' || replace(printf('%.*c', 101, 'x'), 'x', char(769, 803))", "path || ' '", "path || char(233)",
            "path || char(127)", "printf('%.*c', (1 << 22) + 1, 'a')",
        ])
    func `A path that no capture can request is refused`(path: String) async throws {
        try await test.capture()
        try alter("UPDATE exchange SET path = \(path) WHERE path = 'character?page=2'")
        func reader() throws -> RevisionReader {
            try RevisionReader(try #require(try test.newest()), in: test.archive)
        }
        let refusal = ArchiveError.damaged(
            "the path of an answer has spaces or characters outside ASCII, or is too long")
        #expect(throws: refusal) { try reader().answers(as: .page) }
        try alter(
            """
            UPDATE exchange SET path = 'character?page=2'
            WHERE id = (SELECT exchange FROM answer WHERE path = 'character?page=2');
            UPDATE answer SET path = \(path) WHERE path = 'character?page=2'
            """)
        #expect(throws: refusal) { try reader().answers(as: .page) }
        try alter("UPDATE member SET picture = \(path.replacing("path", with: "picture"))")
        #expect(throws: refusal) { try reader().owners(ofPictures: ["avatar/1.png"]) }
    }

    @Test(arguments: ["url", "key_path", "reason"])
    func `A gap with a long text or many combining marks is refused`(column: String) async throws {
        try await test.capture(Captured(gaps: [Gap(url: "a", keyPath: "b", reason: "c")]))
        for (text, isRefused) in [
            ("replace(printf('%.*c', 100, 'x'), 'x', char(769, 803))", false),
            ("replace(printf('%.*c', 101, 'x'), 'x', char(769, 803))", true),
            ("printf('%.*c', (1 << 22) + 1, 'a')", true),
        ] {
            try alter("UPDATE gap SET \(column) = \(text)")
            let error = errorText {
                _ = try RevisionReader(try #require(try test.newest()), in: test.archive).gaps()
            }
            #expect((error?.contains("a gap has a text that is too long") == true) == isRefused, "\(error ?? "")")
        }
    }

    @Test func `A revision with more gaps than the limit is refused`() async throws {
        try await test.capture()
        try alter("INSERT INTO gap(revision, url, key_path, reason) VALUES (1, 'a', '', ''), (1, 'b', '', '')")
        let reader = try RevisionReader(try #require(try test.newest()), in: test.archive)
        #expect(try reader.gaps(limit: 2).count == 2)
        #expect(throws: ArchiveError.damaged("revision 1 has more than 1 gaps")) { try reader.gaps(limit: 1) }
    }
}
