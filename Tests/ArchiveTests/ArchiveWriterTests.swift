import Glibc
import Platform
import SQLite
import Testing

@testable import Archive

@Suite("An archive being written", .timeLimit(.minutes(1)))
struct ArchiveWriterTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    @Test("is left as one plain, sound database file")
    func close() async throws {
        try await test.capture()
        #expect(try Folder.names(in: test.archive.path) == ["archive.sqlite", "assets", "incoming"])
        #expect(try Folder.names(in: test.archive.incoming) == [])
        let db = try Connection(test.archive.database, .readOnly)
        #expect(try db.first("PRAGMA journal_mode") { $0.text(0) } == "delete")
        #expect(try db.all("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
        #expect(try db.all("PRAGMA foreign_key_check") { $0.text(0) } == [])
    }

    @Test("keeps a picture read-only under its digest, and does not write an equal one again")
    func pictures() async throws {
        let bytes = Array("picture".utf8)
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        _ = try await revision.accept(.picture(at: "one", bytes))
        let path = test.archive.assetPath(SHA256(of: bytes))
        let hex = SHA256(of: bytes).hex
        #expect(path == "\(test.archive.path)/assets/\(hex.prefix(2))/\(hex)")
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o444)

        let before = FileStatus(path)
        _ = try await revision.accept(.picture(at: "two", bytes))
        try await writer.close()
        #expect(try File.read(path) == bytes && FileStatus(path) == before)
        #expect(try test.rows()["asset"] == 1 && test.rows()["exchange"] == 2)
    }

    @Test("makes good a picture that lost its end")
    func brokenPicture() async throws {
        let bytes = Array("picture".utf8)
        let path = test.archive.assetPath(SHA256(of: bytes))
        try Folder.make(String(path.dropLast(65)))
        try File.writeNew([1], to: path)
        let writer = try ArchiveWriter(test.archive)
        _ = try await test.revision(writer).accept(.picture(at: "one", bytes))
        try await writer.close()
        #expect(try File.read(path) == bytes)
    }

    @Test("rolls a group back whose work fails, and goes on")
    func failure() async throws {
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

    @Test("says clearly that a folder cannot be written", .disabled(if: getuid() == 0, "root may write everywhere"))
    func readOnlyFolder() throws {
        chmod(test.folder.path, 0o555)
        defer { chmod(test.folder.path, 0o755) }
        let error = #expect(throws: ArchiveError.self) { try ArchiveWriter(test.archive) }
        #expect(error?.description == "the archive cannot be used: cannot make the folder \(test.archive.path): Permission denied")
    }

    @Test("whose folder is a file says so")
    func folderIsFile() throws {
        try File.writeNew([1], to: test.archive.path)
        let error = #expect(throws: ArchiveError.self) { try ArchiveWriter(test.archive) }
        #expect(error?.description == "the archive cannot be used: cannot make the folder \(test.archive.path): Not a directory")
    }

    private func openFiles() throws -> [String] {
        try Folder.names(in: "/proc/self/fd").compactMap { Folder.realPath("/proc/self/fd/\($0)") }
            .filter { $0.hasPrefix(test.archive.path) }
    }

    /// Waits until it is so; the suite's time limit ends what never comes.
    private func eventually(_ isSo: () throws -> Bool) async throws {
        while try !isSo() { try await Task.sleep(for: .milliseconds(5)) }
    }
}

/// Holds one thread up until opened.
private final class Gate: Sendable {
    private let entered = BlockingQueue<Void>()
    private let opened = BlockingQueue<Void>()

    func wait() {
        entered.push(())
        _ = opened.popAll()
    }

    func waitUntilEntered() { _ = entered.popAll() }

    func open() { opened.push(()) }
}
