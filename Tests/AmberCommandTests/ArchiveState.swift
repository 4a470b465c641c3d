import Foundation
import SQLite

/// What an archive holds when nobody is at work on it, read without changing it.
struct ArchiveState {
    /// The paths that an interrupted capture has answers for.
    var kept: Set<String> = []
    /// How many revisions are complete.
    var complete = 0
    /// What SQLite finds wrong; empty where all is well, and where there is no archive yet.
    var faults: [String] = []

    init(_ output: String) throws {
        let file = "\(output)/archive/archive.sqlite"
        guard FileManager.default.fileExists(atPath: file) else { return }
        let db = try Self.open(file)
        faults = try db.all("PRAGMA integrity_check") { $0.text(0) }.filter { $0 != "ok" }
        faults += try db.all("PRAGMA foreign_key_check") { "a row of \($0.text(0)) refers to nothing in \($0.text(2))" }
        // A capture that was killed at once leaves a file without tables.
        guard try db.schemaVersion > 0 else { return }
        kept = Set(
            try db.all("SELECT path FROM answer JOIN revision ON revision.id = answer.revision WHERE state = 'open'") {
                $0.text(0)
            })
        complete = try db.first("SELECT count(*) FROM revision WHERE state = 'complete'") { $0.int(0) } ?? 0
    }

    /// A journal that waits to be rolled back needs the right to write (SQLITE_READONLY_ROLLBACK).
    private static func open(_ file: String) throws -> Connection {
        do {
            let db = try Connection(file, .readOnly)
            _ = try db.schemaVersion
            return db
        } catch let error as SQLiteError where error.code == 776 {
            return try Connection(file, .readWrite)
        }
    }
}
