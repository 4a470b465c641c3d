import Foundation
import SQLite

/// The state of an archive, read without changing it.
struct ArchiveState {
    /// The paths of the answers that an interrupted capture stored.
    var kept: Set<String> = []
    /// The problems that SQLite finds; empty without an archive.
    var faults: [String] = []

    init(_ output: String) throws {
        let file = "\(output)/archive/archive.sqlite"
        guard FileManager.default.fileExists(atPath: file) else { return }
        let db = try Self.open(file)
        faults = try db.all("PRAGMA integrity_check") { $0.text(0) }.filter { $0 != "ok" }
        faults += try db.all("PRAGMA foreign_key_check") { "a row of \($0.text(0)) refers to nothing in \($0.text(2))" }
        // A capture that is killed early leaves a file without tables.
        guard try db.schemaVersion(limit: .max) > 0 else { return }
        kept = Set(
            try db.all("SELECT path FROM answer JOIN revision ON revision.id = answer.revision WHERE state = 'open'") {
                $0.text(0)
            })
    }

    /// Rolling back a journal requires write access (SQLITE_READONLY_ROLLBACK).
    private static func open(_ file: String) throws -> Connection {
        do {
            let db = try Connection(file, .readOnly)
            _ = try db.schemaVersion(limit: .max)
            return db
        } catch let error as SQLiteError where error.code == 776 {
            return try Connection(file, .readWrite)
        }
    }
}
