import Glibc
import Platform
import SQLite
import TestSupport
import Testing

@testable import Archive

/// Malicious databases.
@Suite(.timeLimit(.minutes(2)))
struct HostileArchiveTests {
    let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    /// Changes the database; `schema` allows writing the schema as rows.
    func alter(_ sql: String, schema: Bool = false) throws {
        let db = try Connection(test.archive.database, .readWrite)
        if schema { try db.execute("PRAGMA writable_schema = ON") }
        try db.execute(sql)
    }

    func refusal(_ archive: ArchiveFolder) -> String? {
        func sentence(_ read: () throws -> Void) -> String? {
            do { try read() } catch { return "\(error)" }
            return nil
        }
        let reading = sentence { _ = try RevisionReader.all(in: archive) { _ in true } }
        // A writer refuses it as well, before it writes.
        #expect(sentence { _ = try ArchiveWriter(archive) } == reading)
        return reading
    }

    @Test(
        arguments: [
            ("CREATE TRIGGER t AFTER INSERT ON revision BEGIN DELETE FROM body; END", "has the trigger \"t\""),
            ("CREATE TABLE more(x)", "has the table \"more\""),
            ("CREATE INDEX i ON gap(reason)", "has the index \"i\""),
            ("CREATE VIRTUAL TABLE v USING fts5(x)", "has the table \"v"),
            ("DROP INDEX record_by_body", "\"record_by_body\" is missing"),
            ("ALTER TABLE gap ADD COLUMN more TEXT", "has the table \"gap\""),
            (
                "DROP TABLE gap; CREATE VIEW gap AS SELECT 1 AS revision, '' AS url, '' AS key_path, '' AS reason",
                "has the view \"gap\""
            ),
            ("PRAGMA user_version = -3", "the schema has the invalid version -3"),
            ("PRAGMA user_version = 3", "which is not part of its format"),
            ("PRAGMA user_version = 0", "which is not part of its format"),
            ("PRAGMA user_version = 99", "supports versions up to 7"),
        ])
    func `A schema that differs from its format is refused`(_ sql: String, _ words: String) async throws {
        try await test.capture()
        try alter(sql)
        #expect(refusal(test.archive)?.contains(words) == true, "\(refusal(test.archive) ?? "")")
    }

    @Test(arguments: ["assets", "assets/\(Self.digit)"])
    func `No picture is written through a link to another folder`(link: String) async throws {
        let outside = test.folder["outside"]
        try Folder.make(outside)
        try File.writeNew(Array("precious".utf8), to: "\(outside)/\(Self.picture.hex)", mode: 0o600)
        let linkPath = "\(test.archive.path)/\(link)"
        try Folder.make(String(linkPath[..<(linkPath.lastIndex(of: "/") ?? linkPath.endIndex)]))
        #expect(symlink(outside, linkPath) == 0)
        await #expect(throws: SystemError.self) { try await test.capture() }
        #expect(try Folder.files(below: outside) == [Self.picture.hex])
        #expect(try File.read("\(outside)/\(Self.picture.hex)") == Array("precious".utf8))
    }

    private static let picture = SHA256(of: "picture one".utf8)
    private static let digit = picture.hex.prefix(1)

    @Test func `A picture is not accepted as the answer for a list page`() async throws {
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        _ = try await revision.accept(newPage(at: "character?page=1", Array("[]".utf8)))
        await #expect(throws: ArchiveError.self) {
            _ = try await revision.accept(newPicture(at: "character?page=1", Array("picture".utf8)))
        }
        try await writer.close()
    }

    @Test func `The digest check fails when a journal is next to the database`() async throws {
        try await test.capture()
        #expect(test.archive.proofs().first?.fault == nil)
        try File.writeNew([0], to: "\(test.archive.database)-journal")
        #expect(test.archive.proofs().first?.fault?.contains("journal next to archive.sqlite") == true)
    }

    @Test(
        arguments: [(UInt32(1) << 28, UInt32(4_096)), (.max, .max)])
    func `A short journal that would extend the database to terabytes is refused`(pages: UInt32, pageSize: UInt32)
        async throws
    {
        try await test.capture()
        let size = FileStatus(test.archive.database)?.size
        var journal: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        // The number of records, a nonce, the number of pages, the sector size and the page size.
        for number: UInt32 in [0, 1, pages, 512, pageSize] {
            journal += (0..<4).reversed().map { UInt8(number >> (8 * $0) & 0xFF) }
        }
        try File.writeNew(
            journal + [UInt8](repeating: 0, count: 512 - journal.count), to: "\(test.archive.database)-journal")
        let reason = "its rollback journal claims a database that is much longer than the database and the journal"
        #expect(refusal(test.archive)?.contains(reason) == true)
        #expect(FileStatus(test.archive.database)?.size == size)
    }

    @Test func `An answer that belongs to another request is refused`() async throws {
        let revision = try await test.capture().revision
        try alter(
            "UPDATE answer SET exchange = (SELECT min(exchange) FROM answer WHERE role = 'page') WHERE role = 'page'")
        let reader = try RevisionReader(revision, in: test.archive)
        #expect { try reader.answers(as: .page) } throws: { "\($0)".contains("belongs to another request") }
    }

    @Test func `A view with the name of a table is refused before it is read`() async throws {
        try await test.capture()
        try alter(
            """
            ALTER TABLE asset RENAME TO gone; PRAGMA writable_schema = ON;
            CREATE VIEW endless AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n)
            SELECT id, zeroblob(32) AS sha256, 1 AS size, 'png' AS format, 1 AS width, 1 AS height FROM n;
            UPDATE sqlite_schema SET name = 'asset', tbl_name = 'asset', sql = replace(sql, 'endless', 'asset') WHERE name = 'endless';
            """)
        #expect(
            refusal(test.archive)?.contains("which is not part of its format") == true,
            "\(refusal(test.archive) ?? "")")
        #expect(test.archive.proofs().allSatisfy { $0.fault != nil })
    }

    @Test func `Additional views are allowed, because exports have them`() async throws {
        let revision = try await test.capture().revision
        try alter("CREATE VIEW document AS SELECT kind FROM member")
        #expect(try test.newest() == revision)
    }

    @Test(
        arguments: ["body", "exchange"])
    func `Pages that refer to each other cause an error and not an endless query`(table: String) async throws {
        try await test.capture()
        let db = try Connection(test.archive.database, .readOnly)
        let root = try #require(
            try db.first("SELECT rootpage FROM sqlite_schema WHERE name = ?", table) { $0.int(0) })
        let pages = try #require(try db.first("PRAGMA page_count") { $0.int(0) })
        let size = 4_096
        var file = try File.read(test.archive.database)
        let leaf = Array(file[(root - 1) * size..<root * size])
        func word(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        /// An interior page (https://sqlite.org/fileformat.html#b_tree_pages) that refers to one child 300 times.
        func interior(_ child: Int) -> [UInt8] {
            let cells = 300
            let start = size - 5 * cells
            var page: [UInt8] = [5, 0, 0]
            page += word(cells, 2)
            page += word(start, 2)
            page += [0]
            page += word(child, 4)
            for cell in 0..<cells { page += word(start + 5 * cell, 2) }
            page += [UInt8](repeating: 0, count: start - page.count)
            for _ in 0..<cells { page += word(child, 4) + [1] }
            return page
        }
        file.replaceSubrange((root - 1) * size..<root * size, with: interior(pages + 1))
        for level in 1...4 { file += interior(pages + 1 + level) }
        file += leaf
        file.replaceSubrange(28..<32, with: word(pages + 5, 4))
        try File.overwrite(test.archive.database, with: file)
        let faults = test.archive.proofs().compactMap(\.fault)
        #expect(faults.contains { $0.contains("than a file of its size can") }, "\(faults)")
        // A writer reads the table as well.
        let writer = try ArchiveWriter(test.archive)
        await #expect(throws: ArchiveError.self) {
            try await writer.perform { db in try db.execute("SELECT sum(length(sha256)) FROM \(table) NOT INDEXED") }
        }
        try await writer.close()
    }

    @Test func `A database that is too large or not a regular file is refused before it is opened`() throws {
        try Folder.make(test.archive.path)
        let database = test.archive.database
        func expectRefusal(_ words: String, _ make: () throws -> Void) throws {
            try make()
            #expect(refusal(test.archive)?.contains(words) == true, "\(refusal(test.archive) ?? "")")
            #expect(test.archive.proofs().prefix(2).allSatisfy { $0.fault != nil })
            try Folder.remove(database)
        }
        let words = "it is not a regular file"
        try expectRefusal(words) { #expect(mkfifo(database, 0o644) == 0) }
        try expectRefusal(words) { #expect(symlink("/dev/zero", database) == 0) }
        try expectRefusal(words) { #expect(symlink(test.folder["nowhere"], database) == 0) }
        try expectRefusal(words) { try Folder.make(database) }
        try expectRefusal("a file of an archive has at most") {
            try File.writeNew(Array("SQLite format 3\0".utf8), to: database)
            #expect(truncate(database, 1 << 39) == 0)
        }
        // SQLite also opens the files next to the database.
        try File.writeNew([], to: database)
        #expect(mkfifo("\(database)-wal", 0o644) == 0)
        #expect(refusal(test.archive)?.contains(words) == true)
    }

    @Test func `Assets that are links, pipes or folders fail to verify, and none is followed`() async throws {
        try await test.capture()
        let hex = SHA256(of: "picture one".utf8).hex
        let path = test.archive.assetPath(SHA256(of: "picture one".utf8))
        func fault() -> String? { test.archive.proofs().last?.fault }
        let elsewhere = try test.folder.write("picture one", to: "elsewhere")
        for make in [{ symlink(elsewhere, path) }, { mkfifo(path, 0o644) }] as [() -> Int32] {
            try File.remove(path)
            try #require(make() == 0)
            #expect(fault() == "assets/\(hex.prefix(1))/\(hex) is not a regular file")
        }
        try File.remove(path)
        try Folder.make(path)
        #expect(fault() == "assets/\(hex.prefix(1))/\(hex) is missing")
        try Folder.remove(path)
        for folder in [String(path.dropLast(65)), "\(test.archive.path)/assets"] {
            try File.rename(folder, to: test.folder["moved"])
            try #require(symlink(test.folder["moved"], folder) == 0)
            #expect(fault()?.contains("assets") == true && fault()?.contains("not a") == true, "\(fault() ?? "")")
            try File.remove(folder)
            try File.rename(test.folder["moved"], to: folder)
        }
    }

    /// Reads revisions with all functions of `RevisionReader`.
    private func readAll() throws {
        for revision in try RevisionReader.all(in: test.archive, where: { _ in true }) {
            let reader = try RevisionReader(revision, in: test.archive)
            let counts = try reader.recordCounts()
            _ = (
                try reader.claims(), try reader.unlistedRecordCounts(), try reader.gaps(), try reader.assetCounts()
            )
            for (kind, count) in counts {
                _ = (try reader.records(of: kind, at: 0..<count), try reader.origins(of: kind, at: 0..<count))
                try reader.forEachMember(of: kind) { _, _ in }
            }
            for role in [AnswerRole.page, .asset, .records] {
                for answer in try reader.answers(as: role) where answer.asset == nil {
                    _ = (try reader.document(of: answer), try reader.records(from: answer))
                }
                try reader.forEachAnswer(as: role) { _ in }
            }
            _ = try reader.files()
            try reader.forEachDifference(from: nil) { _ in }
            _ = (
                try reader.picturesOfHistory(), try reader.computedSeal(),
                try reader.owners(ofPictures: ["avatar/1.png"])
            )
        }
    }

    @Test(
        arguments: [
            ("UPDATE member SET kind = '../../x'", "does not consist of lower-case letters"),
            ("UPDATE member SET kind = ''", "does not consist of lower-case letters"),
            ("UPDATE member SET kind = printf('%.100c', 'a')", "does not consist of lower-case letters"),
            // For Swift, "K" and the Kelvin sign are equal.
            (
                "UPDATE member SET kind = 'K' WHERE position = 0; UPDATE member SET kind = char(8490) WHERE position = 1",
                "does not consist of lower-case letters"
            ),
            ("UPDATE member SET kind = 'a' || char(0)", "does not consist of lower-case letters"),
            ("UPDATE list SET kind = 'Ké'", "does not consist of lower-case letters"),
            ("UPDATE list SET count = -1", "the count of the character list is -1"),
            (
                "UPDATE list SET pages = 9223372036854775807",
                "the page count of the character list is 9223372036854775807"
            ),
            ("UPDATE member SET position = -1 WHERE position = 0", "do not have the positions 0 to"),
            (
                "UPDATE member SET position = 9223372036854775807 WHERE position = 2",
                "do not have the positions 0 to"
            ),
            (
                "UPDATE record SET number = 9223372036854775807 WHERE number = 1",
                "has the invalid number 9223372036854775807"
            ),
            (
                "UPDATE record SET number = -9223372036854775808 WHERE number = 1",
                "has the invalid number -9223372036854775808"
            ),
            ("UPDATE record SET number = 0 WHERE number = 1", "has the invalid number 0"),
            ("UPDATE record SET offset = 9223372036854775807", "does not match its digest"),
            ("UPDATE record SET length = 9223372036854775807", "does not match its digest"),
            ("UPDATE record SET offset = -1, length = -9223372036854775808", "does not match its digest"),
            ("UPDATE record SET body = 999", "does not match its digest"),
            ("UPDATE asset SET width = -1", "the width of the picture"),
            ("UPDATE asset SET height = 9223372036854775807", "the height of the picture"),
            ("UPDATE asset SET size = -9223372036854775808", "the size of the picture"),
            ("UPDATE asset SET size = 1073741825", "the size of the picture"),
            ("UPDATE exchange SET status = 9223372036854775807", "has the invalid status 9223372036854775807"),
            ("UPDATE exchange SET received = -9223372036854775808", "has the invalid date -9223372036854775808"),
            ("UPDATE exchange SET path = path || char(10)", "no answer or imported state contains character 1"),
            ("UPDATE answer SET path = path || char(13)", "no answer or imported state contains character 1"),
            ("UPDATE answer SET path = CAST(x'FFFE' AS TEXT) WHERE path LIKE 'a%1%'", "is text that is not UTF-8"),
            ("UPDATE revision SET finished = 9223372036854775807", "has the invalid date 9223372036854775807"),
            ("UPDATE revision SET started = -9223372036854775808", "has the invalid date -9223372036854775808"),
            ("UPDATE revision SET finished = NULL", "is null, not an integer"),
            ("UPDATE revision SET seal = NULL", "has no seal"),
            ("UPDATE revision SET digest = x'00'", "has no digest"),
            ("UPDATE source SET api = 'http://x' || char(10)", "has control characters"),
            ("UPDATE source SET origin = 'moon'", "has the unknown origin moon"),
        ])
    func `A row that no capture writes is refused with an error and never crashes`(
        _ sql: String, _ words: String
    ) async throws {
        try await test.capture()
        try alter(sql)
        var sentence = "nothing was refused"
        do { try readAll() } catch { sentence = "\(error)" }
        #expect(sentence.contains(words), "\(sentence)")
        #expect(test.archive.proofs().contains { $0.fault != nil })
    }

    @Test(
        arguments: [
            ("revision", "finished", "'soon'"), ("member", "kind", "x'41'"), ("exchange", "headers", "'text'"),
            ("body", "bytes", "7"),
            ("record", "sha256", "'text'"), ("asset", "width", "1.5"), ("list", "count", "NULL"),
        ])
    func `A value whose type differs from its column's type is refused`(table: String, column: String, value: String)
        async throws
    {
        try await test.capture(Captured(gaps: [Gap(url: "one", reason: "is missing")]))
        // Without STRICT a table accepts any type.
        let db = try Connection(test.archive.database, .readWrite)
        let sql = try #require(
            try db.first("SELECT sql FROM sqlite_schema WHERE name = ?", table) { $0.text(0) })
        try db.execute("PRAGMA writable_schema = ON")
        let loose = sql.replacing("STRICT", with: "").replacing(", WITHOUT", with: "WITHOUT").replacing(
            " NOT NULL", with: "")
        try db.run("UPDATE sqlite_schema SET sql = ? WHERE name = ?", loose, table)
        try alter("UPDATE \(table) SET \(column) = \(value)")
        try alter(
            "UPDATE sqlite_schema SET sql = '\(sql.replacing("'", with: "''"))' WHERE name = '\(table)'", schema: true)
        let error = #expect(throws: (any Error).self) { try readAll() }
        let sentence = error.map { "\($0)" } ?? ""
        #expect(
            sentence.contains("column ") || sentence.contains("has no digest")
                || sentence.contains("does not match its digest"),
            "\(sentence)")
    }
}
