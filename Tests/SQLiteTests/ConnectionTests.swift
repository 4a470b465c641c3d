import Platform
import TestSupport
import Testing

@testable import SQLite

struct ConnectionTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test(
        arguments: [("missing.sqlite", 14), ("no/folder.sqlite", 14)])
    func `If a file cannot be opened, the error has its path and SQLite's message`(name: String, code: Int32) {
        let failure = SQLiteError(code: code, message: "unable to open database file", subject: folder[name])
        #expect(throws: failure) { try Connection(folder[name], .readOnly) }
    }

    @Test func `A read-only connection does not create a file`() throws {
        #expect(throws: SQLiteError.self) { try Connection(folder["test.sqlite"], .readOnly) }
        #expect(try Folder.names(in: folder.path) == [])
    }

    @Test func `A read-only connection refuses to write`() throws {
        try Connection(folder["test.sqlite"], .readWrite).execute("CREATE TABLE t(x)")
        let reader = try Connection(folder["test.sqlite"], .readOnly)
        let sql = "INSERT INTO t VALUES (1)"
        #expect(throws: SQLiteError(code: 8, message: "attempt to write a readonly database", subject: sql)) {
            try reader.run(sql)
        }
    }

    @Test func `A file that is not a database fails at the first statement`() throws {
        try File.writeNew([UInt8](repeating: 7, count: 4096), to: folder["garbage"])
        let db = try Connection(folder["garbage"], .readOnly)
        #expect(throws: SQLiteError(code: 26, message: "file is not a database", subject: "PRAGMA user_version")) {
            try db.schemaVersion(limit: .max)
        }
    }

    @Test func `A connection closes its file, even after a failure`() throws {
        for _ in 0..<10 {
            let db = try Connection(folder["test.sqlite"], .readWrite)
            try db.execute("CREATE TABLE IF NOT EXISTS t(x UNIQUE)")
            try db.run("INSERT OR IGNORE INTO t VALUES (1)")
            #expect(throws: SQLiteError.self) { try db.run("INSERT INTO t VALUES (1)") }
            #expect(throws: SQLiteError.self) { try Connection(folder.path, .readWrite) }
        }
        let open = try Folder.names(in: "/proc/self/fd").compactMap { Folder.realPath("/proc/self/fd/\($0)") }
        #expect(open.filter { $0.hasPrefix(folder.path) } == [])
    }
}
