import Platform
import SQLite
import TestSupport
import Testing

@testable import Archive

struct RecordLocationTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    private func file(_ name: String, _ records: [(id: Int64, name: String)]) -> ImportedFile {
        let (bytes, slices) = Captured.page(records)
        return ImportedFile(name: name, bytes: bytes, records: slices)
    }

    private func importFiles(_ files: [ImportedFile], date: Int64) async throws -> Revision {
        let writer = try ArchiveWriter(test.archive)
        let revision = try await writer.importState(of: TestArchive.source, date: date, files).revision
        try await writer.close()
        return revision
    }

    /// Recomputes digests and seals, as a forger would.
    private func forge(_ sql: String) throws {
        let db = try Connection(test.archive.database, .readWrite)
        try db.execute(sql)
        for revision in try db.all("SELECT id FROM revision ORDER BY id", read: { $0.integer(0) }) {
            try db.run(
                "UPDATE revision SET digest = ? WHERE id = ?",
                try db.computeDigest(of: revision),
                revision)
            try db.seal(revision)
        }
    }

    @Test func `A record is found in its own files, even after a later import moved it`() async throws {
        _ = try await importFiles([file("characters.json", [(1, "Ada"), (2, "Ben"), (3, "Cid")])], date: 1)
        _ = try await importFiles([file("characters.json", [(3, "Cid"), (1, "Ada"), (2, "Bob")])], date: 5)
        try await test.capture()
        #expect(test.faults() == [])
    }

    @Test func `The search for records reads a limited number of bytes`() async throws {
        let names = (1...40).map { (Int64($0), "number \($0)") }
        let first = try await importFiles([file("characters.json", names)], date: 1)
        _ = try await importFiles([file("characters.json", [(0, "new")] + names)], date: 5)
        let db = try Connection(test.archive.database, .readWrite)
        let verifier = test.archive
        let size = file("characters.json", names).bytes.count
        #expect(try verifier.checkRecordLocations(of: db, limit: 4 * size).fault == nil)
        try db.execute("UPDATE member SET position = 1000 - position WHERE revision = \(first.number)")
        #expect(try verifier.checkRecordLocations(of: db).fault == nil)
        let fault = try verifier.checkRecordLocations(of: db, limit: 4 * size).fault
        #expect(fault?.hasPrefix("the search took too long at ") == true)
    }

    @Test func `A record that is only in another revision's file is reported`() async throws {
        let first = try await importFiles([file("characters.json", [(1, "Ada"), (2, "Ben")])], date: 1)
        let second = try await importFiles([file("characters.json", [(1, "Ada"), (2, "Bob")])], date: 5)
        try forge(
            """
            UPDATE member SET record = (SELECT record FROM member WHERE revision = \(second.number) AND position = 1)
            WHERE revision = \(first.number) AND position = 1
            """)
        #expect(test.faults() == ["character 2 of revision \(first.number) is in none of its files"])
    }

    @Test func `A record from another revision's answer or from a wrong answer is reported`() async throws {
        let first = try await test.capture().revision
        let second = try await test.capture(Captured(pages: [[(1, "Ada"), (2, "Bob")], [(3, "Cid")]])).revision
        try forge(
            """
            UPDATE member SET record = (SELECT record FROM member WHERE revision = \(second.number) AND position = 1)
            WHERE revision = \(first.number) AND position = 1
            """)
        #expect(test.faults() == ["character 2 of revision \(first.number) is in none of its answers"])
        try forge(
            """
            UPDATE member SET record = (SELECT record FROM member WHERE revision = \(second.number) AND position = 2)
            WHERE revision = \(first.number) AND position = 1
            """)
        #expect(test.faults().contains("character 3 of revision \(first.number) is in none of its answers"))
    }

    @Test func `A record of another kind among a list's records is reported`() async throws {
        let revision = try await test.capture().revision
        try forge("UPDATE record SET kind = 'episode' WHERE number = 3")
        #expect(test.faults().contains("episode 3 of revision \(revision.number) is listed as a character record"))
    }

    @Test func `A record keeps the revision's own answer if the database refers to another one`() async throws {
        try await test.capture()
        let revision = try #require(try test.newest())
        func originTexts() throws -> [String] {
            let reader = try RevisionReader(revision, in: test.archive)
            let origins = try reader.origins(of: "character", at: 0..<3).map { "\($0.path ?? "") \($0.date)" }
            let records = try reader.answers(as: .page).map { "\(try reader.records(from: $0).map(\.key))" }
            return try origins + records + ["\(reader.unlistedRecordCounts())", reader.computedSeal().hex]
        }
        let before = try originTexts()
        // The seal covers the answers and, for each record, the path of its answer.
        try test.execute(
            """
            INSERT INTO exchange(source, path, status, headers, received, sha256, size, body, asset)
            SELECT source, path, status, headers, received - 86400000, sha256, size, body, asset FROM exchange
            WHERE id IN (SELECT exchange FROM member);
            UPDATE member SET exchange = (SELECT max(copy.id) FROM exchange JOIN exchange AS copy
            ON copy.path = exchange.path WHERE exchange.id = member.exchange)
            """)
        #expect(try originTexts() == before)
        let export = test.folder["export.sqlite"]
        try RevisionReader(revision, in: test.archive).export(to: export, views: [])
        let exported = try Connection(export, .readOnly)
        #expect(try exported.all("PRAGMA foreign_key_check") { $0.text(0) } == [])
        let own = try exported.first(
            "SELECT count(*) FROM member JOIN answer USING (revision, exchange)", read: { $0.int(0) })
        #expect(own == 3)
    }
}
