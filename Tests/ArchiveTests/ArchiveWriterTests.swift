import Glibc
import Platform
import TestSupport
import Testing

@testable import Archive
@testable import SQLite

@Suite(.timeLimit(.minutes(1)))
struct ArchiveWriterTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    @Test func `A closed writer leaves one intact database file`() async throws {
        try await test.capture()
        #expect(
            try Folder.names(in: test.archive.path) == [
                "archive.sqlite", "archive.sqlite.sha256", "assets", "incoming",
            ])
        #expect(try Folder.names(in: test.archive.incoming) == [])
        let db = try Connection(test.archive.database, .readOnly)
        #expect(try db.first("PRAGMA journal_mode") { $0.text(0) } == "delete")
        #expect(try db.all("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
        #expect(try db.all("PRAGMA foreign_key_check") { $0.text(0) } == [])
    }

    @Test func `A writer that was never closed does not block the next capture`() async throws {
        for _ in 0..<3 {
            let writer = try ArchiveWriter(test.archive)
            _ = try await test.revision(writer).accept(newPage(at: "character?page=1", [1]))
        }
        try await test.capture()
        try await eventually { try openFiles() == [] }
        #expect(
            try Folder.names(in: test.archive.path) == [
                "archive.sqlite", "archive.sqlite.sha256", "assets", "incoming",
            ])
    }

    @Test func `A writer can close while a reader uses the archive`() async throws {
        try await test.capture()
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        try await revision.store(Captured(pages: [[(1, "Eve")]]))
        let outcome = try await revision.finish(gaps: [])
        let reader = try RevisionReader(outcome.revision, in: test.archive)
        #expect(try reader.recordCounts() == ["character": 1])
        try await writer.close()
        #expect(try reader.recordCounts() == ["character": 1])
    }

    @Test func `Every call gets a result, even during or after the close`() async throws {
        let writer = try ArchiveWriter(test.archive)
        let gate = Gate()
        let busy = Task { try await writer.perform { _ in gate.wait() } }
        gate.waitUntilEntered()
        // The writer's thread is blocked, so all of these calls arrive as one group.
        let close = Task { try await writer.close() }
        usleep(50_000)
        let late = Task { try await writer.perform { _ in } }
        let again = Task { try await writer.close() }
        usleep(50_000)
        gate.open()

        try await busy.value
        try await close.value
        let refusal = ArchiveError.closed
        await #expect(throws: refusal) { try await late.value }
        await #expect(throws: refusal) { try await again.value }
        await #expect(throws: refusal) { try await writer.perform { _ in } }
    }

    @Test func `Two writers can write two sources at the same time`() async throws {
        let sources = ["one", "two"].map { Source(catalogue: "test", api: $0, origin: .live) }
        let writers = try sources.map { _ in try ArchiveWriter(test.archive) }
        let outcomes = try await withThrowingTaskGroup(of: Revision.self) { group in
            for (source, writer) in zip(sources, writers) {
                group.addTask {
                    let revision = try await test.revision(writer, of: source)
                    try await revision.store(Captured(pictures: ["avatar.png": Array("picture of \(source.api)".utf8)]))
                    return try await revision.finish(gaps: []).revision
                }
            }
            return try await group.reduce(into: [Revision]()) { $0.append($1) }
        }
        for writer in writers { try await writer.close() }
        for revision in outcomes {
            #expect(try test.records(revision).count == 3)
            #expect(try test.newest(of: revision.source) == revision)
        }
        #expect(try Connection(test.archive.database, .readOnly).all("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    }

    @Test func `A picture is stored read-only under its digest, and only once`() async throws {
        let bytes = Array("picture".utf8)
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        _ = try await revision.accept(newPicture(at: "one", bytes))
        let path = test.archive.assetPath(SHA256(of: bytes))
        let hex = SHA256(of: bytes).hex
        #expect(path == "\(test.archive.path)/assets/\(hex.prefix(1))/\(hex)")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o444)

        let before = FileStatus(path)
        _ = try await revision.accept(newPicture(at: "two", bytes))
        try await writer.close()
        #expect(try File.read(path) == bytes && FileStatus(path) == before)
        #expect(try test.rows()["asset"] == 1 && test.rows()["exchange"] == 2)
    }

    @Test func `A truncated picture file is repaired`() async throws {
        let bytes = Array("picture".utf8)
        let path = test.archive.assetPath(SHA256(of: bytes))
        try Folder.make(String(path.dropLast(65)))
        try File.writeNew([1], to: path)
        let writer = try ArchiveWriter(test.archive)
        _ = try await test.revision(writer).accept(newPicture(at: "one", bytes))
        try await writer.close()
        #expect(try File.read(path) == bytes)
    }

    @Test func `A group whose work fails is rolled back, and the writer continues`() async throws {
        let writer = try ArchiveWriter(test.archive)
        let error = await #expect(throws: ArchiveError.self) {
            try await writer.perform { db in
                try db.run("INSERT INTO source(catalogue, api, origin) VALUES ('a', 'b', 'live')")
                try db.run("INSERT INTO absent VALUES (1)")
            }
        }
        let refusal = SQLiteError(code: 1, message: "no such table: absent", subject: "INSERT INTO absent VALUES (1)")
        #expect(error == .database(refusal, archive: test.archive.database))
        #expect(try await writer.perform { try $0.first("SELECT count(*) FROM source") { $0.int(0) } } == 0)
        try await writer.close()
    }

    @Test func `Queued work shares a commit, and reading does not wait for it`() async throws {
        let writer = try ArchiveWriter(test.archive)
        let (gate, second, committed) = (Gate(), Gate(), Locked<[String]>([]))
        let count: @Sendable (Connection) throws -> Int = {
            try $0.first("SELECT count(*) FROM source") { $0.int(0) } ?? 0
        }
        let insert: @Sendable (String, Connection) throws -> Void = { name, db in
            try db.run("INSERT INTO source(catalogue, api, origin) VALUES (?, 'b', 'live')", name)
        }
        let busy = Task { try await writer.read { _ in gate.wait() } }
        gate.waitUntilEntered()
        let patient = Task {
            try await writer.perform { try insert("patient", $0) }
            committed.withLock { $0.append("patient") }
        }
        usleep(20_000)
        let reading = Task {
            let seen = try await writer.read(count)
            committed.withLock { $0.append("reading") }
            return seen
        }
        let failing = Task { try await writer.read { try $0.run("SELECT * FROM absent") } }
        // The commit comes after this work.
        let last = Task { try await writer.read { _ in second.wait() } }
        usleep(20_000)
        gate.open()
        try await busy.value
        #expect(try await reading.value == 1)
        await #expect(throws: ArchiveError.self) { try await failing.value }
        second.open()
        try await last.value
        try await patient.value
        #expect(committed.withLock { $0 } == ["reading", "patient"])
        // Another connection sees only committed rows.
        let other = try Connection(test.archive.database, .readOnly)
        #expect(try count(other) == 1)

        // A failed job also rolls back the other job of its group, whose call fails too.
        let again = Gate()
        let standing = Task { try await writer.read { _ in again.wait() } }
        again.waitUntilEntered()
        let lost = Task { try await writer.perform { try insert("lost", $0) } }
        usleep(20_000)
        let fault = Task { try await writer.perform { try $0.run("INSERT INTO absent VALUES (1)") } }
        usleep(20_000)
        again.open()
        try await standing.value
        await #expect(throws: ArchiveError.self) { try await fault.value }
        await #expect(throws: ArchiveError.self) { try await lost.value }
        #expect(try count(other) == 1)
        try await writer.close()
    }

    @Test(.disabled(if: getuid() == 0, "root may write everywhere"))
    func `A folder that is not writable is reported with its path`() throws {
        chmod(test.folder.path, 0o555)
        defer { chmod(test.folder.path, 0o755) }
        let error = #expect(throws: SystemError.self) { try ArchiveWriter(test.archive) }
        #expect(
            error?.description
                == "cannot make the folder \(test.archive.path): Permission denied; give the user who runs amber permission, or choose another folder"
        )
    }

    @Test func `A file with the path of the archive's folder is reported`() throws {
        try File.writeNew([1], to: test.archive.path)
        let error = #expect(throws: SystemError.self) { try ArchiveWriter(test.archive) }
        #expect(error?.description == "cannot open the folder \(test.archive.path): Not a directory")
    }

    @Test func `Rows that refer to a deleted row are found by an index`() async throws {
        try await test.capture()
        let db = try Connection(test.archive.database, .readOnly)
        for (table, column) in [("answer", "exchange"), ("member", "record"), ("record", "body"), ("exchange", "body")]
        {
            let plan = try db.all("EXPLAIN QUERY PLAN SELECT 1 FROM \(table) WHERE \(column) = 1") { $0.text(3) }
            #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH \(table) USING"), "\(table).\(column): \(plan)")
        }
    }

    private func openFiles() throws -> [String] {
        try Folder.names(in: "/proc/self/fd").compactMap { Folder.realPath("/proc/self/fd/\($0)") }
            .filter { $0.hasPrefix(test.archive.path) }
    }

    /// The suite's time limit ends the wait.
    private func eventually(_ condition: () throws -> Bool) async throws {
        while try !condition() { try await Task.sleep(for: .milliseconds(5)) }
    }
}

/// Blocks one thread until it is opened.
private final class Gate: Sendable {
    private let entered = VersionedValue((), number: 0)
    private let opened = VersionedValue((), number: 0)

    func wait() {
        entered.set(())
        opened.wait(after: 0)
    }

    func waitUntilEntered() { entered.wait(after: 0) }

    func open() { opened.set(()) }
}
