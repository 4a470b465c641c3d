import CSQLite

/// An open database. It is not Sendable, because only one thread at a time may use a connection and its statements.
package final class Connection {
    package enum Access: Sendable {
        /// The file must exist. Nothing is written, and no trigger runs.
        case readOnly
        /// The file is created if it does not exist.
        case readWrite
    }

    /// Disables SQLite's memory statistics, because each allocation in any thread acquires their lock
    /// (https://sqlite.org/malloc.html, section 3.3). This must precede the first use of SQLite. A failure is harmless.
    private static let isConfigured = csqlite_keep_no_statistics() == SQLITE_OK

    let handle: OpaquePointer
    let path: String
    /// Converts the errors of this connection for its user.
    let failure: (SQLiteError) -> any Error
    private var statements: [String: Statement] = [:]
    /// The limits of the work, and the work done so far.
    var work = WorkLimit()
    /// The number of virtual machine steps between two checks of the limit.
    var stride: Int32 = 0
    /// The file size that was passed to `limitWork`; 0 if it was not called.
    package internal(set) var fileSize: Int64 = 0
    /// Whether this connection writes, so that the file can grow.
    var isGrowing = false
    /// The total number of changed rows when the limits were last set, and the number of bytes bound since then.
    var knownChanges: Int32 = 0
    var bytesBound = 0

    /// Opens a database file.
    ///
    /// Statements wait up to five seconds for another writer (https://sqlite.org/c3ref/busy_timeout.html).
    /// - Parameter failure: converts each error of the connection before it is thrown.
    /// - Throws: SQLite's message and the path. The handle is closed then too (https://sqlite.org/c3ref/open.html).
    package init(_ path: String, _ access: Access, failure: @escaping (SQLiteError) -> any Error = { $0 }) throws {
        _ = Self.isConfigured
        let mode = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle else {
            let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
            sqlite3_close_v2(handle)
            throw failure(SQLiteError(code: code, message: message, subject: path))
        }
        self.handle = handle
        self.path = path
        self.failure = failure
        sqlite3_busy_timeout(handle, 5_000)
        // The function searches this number of bytes in total, which takes several minutes. The migration of an archive
        // of 10,000 records searches about the same number.
        guard csqlite_add_place_of(handle, 1 << 36) == SQLITE_OK else { throw error(in: "place_of") }
        if access == .readOnly {
            csqlite_set(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
            csqlite_set(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
            sqlite3_exec(handle, "PRAGMA cell_size_check = ON", nil, nil, nil)
        }
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// Runs one or more SQL statements without parameters, and ignores their rows.
    package func execute(_ sql: String) throws {
        beginWork()
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error(in: sql) }
    }

    /// Runs one statement to its end.
    package func run(_ sql: String, _ values: (any SQLiteParameter)...) throws {
        try first(sql, values: values) { _ in nil as Void? }
    }

    /// Converts the rows of a query until one has a result; nil if none has.
    package func first<Result>(
        _ sql: String, _ values: (any SQLiteParameter)..., read: (Row) throws -> Result?
    ) throws -> Result? {
        try first(sql, values: values, read: read)
    }

    /// Converts every row of a query.
    package func all<Result>(_ sql: String, _ values: (any SQLiteParameter)..., read: (Row) throws -> Result) throws
        -> [Result]
    {
        var results: [Result] = []
        try first(sql, values: values) { row -> Void? in
            results.append(try read(row))
            return nil
        }
        return results
    }

    /// Calls the closure with each row of a query.
    package func forEach(_ sql: String, _ values: (any SQLiteParameter)..., body: (Row) throws -> Void) throws {
        try first(sql, values: values) { row -> Void? in
            try body(row)
            return nil
        }
    }

    /// Converts the rows of a query until one has a result. Each SQL text is compiled once per connection.
    @discardableResult
    package func first<Result>(
        _ sql: String, values: [any SQLiteParameter], read: (Row) throws -> Result?
    ) throws -> Result? {
        let statement = try statements[sql] ?? Statement(sql, on: self)
        statements[sql] = statement
        return try statement.first(values, read)
    }

    /// The number of migrations that this database has (https://sqlite.org/pragma.html#pragma_user_version).
    /// - Throws: if it has more than `limit`, because a newer Amber wrote it.
    package func schemaVersion(limit: Int) throws -> Int {
        let version = try first("PRAGMA user_version") { $0.int(0) } ?? 0
        guard version >= 0 else { throw damage("the schema has the invalid version \(version)", in: "migration") }
        guard version <= limit else {
            let message = """
                the schema has version \(version), but this version of Amber supports versions up to \(limit); use a \
                newer version of Amber
                """
            throw failure(SQLiteError(code: 1, message: message, subject: "migration"))
        }
        return version
    }

    package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// The number of rows that the last statement changed.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    /// The error of the last call.
    func error(in sql: String) -> any Error {
        if let message = work.violation { return damage(message, in: sql) }
        return failure(
            SQLiteError(
                code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)), subject: sql))
    }

    /// The error for a file with invalid content.
    func damage(_ message: String, in subject: String) -> any Error {
        failure(SQLiteError(code: SQLITE_CORRUPT, message: message, subject: subject))
    }
}

/// An error of SQLite: its result code, its message, and the statement or file.
package struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The extended result code (https://sqlite.org/rescode.html).
    package let code: Int32
    package let message: String
    /// The SQL text or the file's path.
    package let subject: String

    /// The cause of an error, which determines the advice to the user: another connection uses the database, the disk
    /// is full, a permission is missing, the disk failed, the file is damaged, the task was cancelled, and all others.
    package enum Cause: Sendable {
        case busy, full, denied, disk, damaged, interrupted, other
    }

    package var cause: Cause {
        switch code & 0xFF {
        case SQLITE_BUSY: .busy
        case SQLITE_FULL: .full
        case SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN: .denied
        case SQLITE_IOERR: .disk
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_INTERRUPT: .interrupted
        default: .other
        }
    }

    package var description: String { "SQLite: \(message) (code \(code)) in: \(subject)" }
}
