import Platform
import SQLite

extension ArchiveFolder {
    /// Opens the database for reading, in the shape that this version knows.
    ///
    /// What a killed capture left half-way in a rollback journal is rolled back first, which takes a connection that may write:
    /// SQLITE_READONLY_ROLLBACK (https://sqlite.org/rescode.html#readonly_rollback). What an earlier version wrote is brought up to date.
    /// - Returns: nil where a capture that was killed at once left a file without tables: there is no revision in it.
    func open() throws(ArchiveError) -> Connection? {
        let (db, version) = try attempt { () throws(SQLiteError) in
            let db = try openRolledBack()
            return (db, try db.schemaVersion(of: Schema.migrations))
        }
        guard version > 0 else { return nil }
        guard version < Schema.migrations.count else { return db }
        do {
            try breakSeal()
            try Connection(database, .readWrite).migrate(Schema.migrations)
            try seal()
            return try Connection(database, .readOnly)
        } catch {
            throw ArchiveError(error, database)
        }
    }

    /// An archive that is sealed: of what an earlier version wrote, a copy of the database is brought up to date and read, and the folder
    /// stays as it is.
    /// - Parameter scratch: a folder for the copy.
    public static func sealed(_ path: String, scratch: String) throws(ArchiveError) -> ArchiveFolder {
        let folder = ArchiveFolder(path)
        let version = try folder.attempt { () throws(SQLiteError) in
            try Connection(folder.database, .readOnly).schemaVersion(of: Schema.migrations)
        }
        guard version > 0, version < Schema.migrations.count else { return folder }
        let copy = "\(scratch)/sealed.sqlite"
        do {
            try Folder.make(scratch)
            try File.remove(copy)
            try File.copy(folder.database, to: copy)
            try Connection(copy, .readWrite).migrate(Schema.migrations)
        } catch {
            throw ArchiveError(error, folder.database)
        }
        return ArchiveFolder(path, database: copy)
    }

    private func openRolledBack() throws(SQLiteError) -> Connection {
        do {
            let db = try Connection(database, .readOnly)
            _ = try db.schemaVersion
            return db
        } catch  where error.code == 776 {
            _ = try Connection(database, .readWrite).schemaVersion
            return try Connection(database, .readOnly)
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
