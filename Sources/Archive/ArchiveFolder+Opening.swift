import Platform
import SQLite

extension ArchiveFolder {
    /// Opens the database for reading, in the newest format. Nothing in the archive's folder changes: see
    /// `ReadableDatabase`.
    /// - Returns: nil where a capture that was killed at once left a file without tables: there is no revision in it.
    func open() throws(ArchiveError) -> Connection? {
        let (path, size) = try readable.find()
        do {
            let db = try Connection(path, .readOnly)
            try db.limitWork(forFileOf: size)
            let version = try db.schemaVersion(of: Schema.migrations)
            try Schema.check(db, version: version, of: database)
            guard version > 0 else { return nil }
            try readable.checkRows(of: db, at: path)
            return db
        } catch {
            throw ArchiveError(error, database)
        }
    }

    /// Says of SQLite's errors whose they are.
    func attempt<Value>(_ body: () throws(SQLiteError) -> Value) throws(ArchiveError) -> Value {
        do {
            return try body()
        } catch {
            throw .database(error, archive: database)
        }
    }
}
