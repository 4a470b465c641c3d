import Glibc
import Platform
import SQLite
import TestSupport
import Testing

@testable import Archive

/// Small archives whose sites would be very large.
struct RepeatedBodyTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    /// The type of the 200 answers or records that share one mebibyte.
    enum Shared: String, CaseIterable {
        case page, records, picture, record
    }

    private static let counter = "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 200)"

    private func share(_ shared: Shared) throws {
        let db = try Connection(test.archive.database, .readWrite)
        try db.execute("INSERT INTO body VALUES (1000, randomblob(32), zeroblob(1 << 20))")
        try db.execute("INSERT INTO asset VALUES (1000, randomblob(32), 1 << 20, 'png', 1, 1)")
        guard shared != .record else {
            return try db.execute(
                """
                \(Self.counter) INSERT INTO record SELECT 1000 + i, 'more', i, randomblob(32), 1000, 0, 1 << 20 FROM n;
                \(Self.counter) INSERT INTO member(revision, kind, position, record) SELECT 1, 'more', i - 1, 1000 + i FROM n
                """)
        }
        // The claimed sizes are 0.
        let content = shared == .picture ? "NULL, 1000" : "1000, NULL"
        try db.execute(
            """
            \(Self.counter) INSERT INTO exchange SELECT 1000 + i, 1, 'x/' || i, 200, x'', 1000, zeroblob(32), 0, \(content) FROM n;
            \(Self.counter) INSERT INTO answer SELECT 1, 'x/' || i, 1000 + i, '\(shared)' FROM n
            """)
    }

    @Test(arguments: Shared.allCases)
    func `A repeated body is refused, independent of the file's length and the claimed sizes`(_ shared: Shared)
        async throws
    {
        let revision = try await test.capture().revision
        try RevisionReader(revision, in: test.archive).refuseRepeatedBodies()
        try share(shared)
        #expect(throws: ArchiveError.self) { try RevisionReader(revision, in: test.archive).refuseRepeatedBodies() }
        // SQLite does not read bytes after a database's last page.
        try #require(truncate(test.archive.database, 1 << 34) == 0)
        let error = try #require(throws: ArchiveError.self) {
            try RevisionReader(revision, in: test.archive).refuseRepeatedBodies()
        }
        #expect("\(error)".contains("far more than fit in an archive of "), "\(error)")
    }

    @Test(
        arguments: [
            (50, 100, false), (0, 99, false), (1, 99, false), (0, 100, true), (100, 100, true), (99, 1, false),
            (150, 50, true),
        ])
    func `A record that shares bytes with another record of its kind is refused`(
        offset: Int, length: Int, isAccepted: Bool
    ) async throws {
        let revision = try await test.capture().revision
        let db = try Connection(test.archive.database, .readWrite)
        try db.execute(
            """
            INSERT INTO body VALUES (1000, randomblob(32), zeroblob(200));
            INSERT INTO record VALUES (1001, 'more', 1, randomblob(32), 1000, 0, 100), (1002, 'more', 2, randomblob(32), 1000, \(offset), \(length)),
            (1003, 'other', 1, randomblob(32), 1000, 0, 200);
            INSERT INTO member(revision, kind, position, record) VALUES (1, 'more', 0, 1001), (1, 'more', 1, 1002), (1, 'other', 0, 1003)
            """)
        let reader = try RevisionReader(revision, in: test.archive)
        if isAccepted { return try reader.refuseRepeatedBodies() }
        let error = #expect(throws: ArchiveError.self) { try reader.refuseRepeatedBodies() }
        #expect("\(error.map { "\($0)" } ?? "")".contains("overlaps the record before it"))
    }

    @Test func `Many small answers are refused if the API has a very long address`() async throws {
        let revision = try await test.capture().revision
        try test.execute(
            """
            INSERT INTO body VALUES (1000, randomblob(32), x'00');
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
            INSERT INTO exchange SELECT 1000 + i, 1, 'x/' || i, 200, x'', 1000, zeroblob(32), 1, 1000, NULL FROM n;
            INSERT INTO answer SELECT 1, path, id, 'records' FROM exchange WHERE id > 1000
            """)
        try RevisionReader(revision, in: test.archive).refuseRepeatedBodies()
        let address = "http://127.0.0.1/" + String(repeating: "a", count: 1_983)
        try Connection(test.archive.database, .readWrite).run("UPDATE source SET api = ?", address)
        let newest = try #require(try RevisionReader.newest(in: test.archive) { $0.api == address })
        let reader = try RevisionReader(newest, in: test.archive)
        let error = #expect(throws: ArchiveError.self) { try reader.refuseRepeatedBodies() }
        #expect("\(error.map { "\($0)" } ?? "")".contains("bytes with their addresses, far more than"))
    }

    @Test func `Sizes come from the bodies, and an answer with another size is refused`() async throws {
        let revision = try await test.capture().revision
        try test.execute("UPDATE exchange SET size = -1")
        let reader = try RevisionReader(revision, in: test.archive)
        for role in [AnswerRole.page, .asset] {
            try reader.forEachAnswer(as: role) { #expect($0.size > 0) }
        }
        let answer = try #require(try reader.answer(for: "character?page=1"))
        #expect(throws: ArchiveError.damaged("the answer for character?page=1 does not match its digest")) {
            try reader.document(of: answer)
        }
    }
}
