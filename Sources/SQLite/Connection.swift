import CSQLite

/// One open database. Not Sendable: a connection and its statements belong to one thread at a time.
public final class Connection {
    /// How a database is opened.
    public enum Access: Sendable {
        /// The file must exist; nothing is written, and no trigger runs.
        case readOnly
        /// The file is created when it is not there.
        case readWrite
    }

    /// SQLite counts its memory under one lock, for which all threads wait at each allocation
    /// (https://sqlite.org/malloc.html, section 3.3). It can be told not to only before it is used first; where it was,
    /// all works as before.
    private static let isConfigured = csqlite_keep_no_statistics() == SQLITE_OK

    /// The most bytes that `place_of(bytes, others, offset, length)`, a function for SQL, searches in all: several
    /// minutes' work. Migrating an archive of 10,000 records takes about as much.
    private static let mostSearched: Int64 = 1 << 36

    let handle: OpaquePointer
    let path: String
    private var statements: [String: Statement] = [:]
    /// What the statement that runs may still do.
    var work = WorkLimit()
    /// Steps of SQLite's machine between two looks at them.
    var stride: Int32 = 0
    /// The size that `limitWork` was called with; 0 without such a call.
    public internal(set) var fileSize: Int64 = 0
    /// Whether this connection writes, so that the file grows.
    var isGrowing = false
    /// The rows changed when the limits were last set, and the bytes written since then.
    var knownChanges: Int32 = 0
    var bytesGiven = 0

    /// Opens a database file.
    ///
    /// A busy database is waited for up to five seconds: writers are one at a time
    /// (https://sqlite.org/c3ref/busy_timeout.html).
    /// - Throws: SQLite's message with the path; a handle that failed to open is still closed, as
    ///   https://sqlite.org/c3ref/open.html asks.
    public init(_ path: String, _ access: Access) throws(SQLiteError) {
        _ = Self.isConfigured
        let mode = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let handle else {
            let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
            sqlite3_close_v2(handle)
            throw SQLiteError(code: code, message: message, subject: path)
        }
        self.handle = handle
        self.path = path
        sqlite3_busy_timeout(handle, 5_000)
        guard csqlite_add_place_of(handle, Self.mostSearched) == SQLITE_OK else { throw error(in: "place_of") }
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
}

extension Connection {
    /// Runs SQL text of one or more statements that take no parameters and whose rows are not wanted.
    public func execute(_ sql: String) throws(SQLiteError) {
        beginWork()
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw error(in: sql) }
    }

    /// The statement for a text, compiled once a connection.
    public func statement(_ sql: String) throws(SQLiteError) -> Statement {
        if let known = statements[sql] { return known }
        let new = try Statement(sql, on: self)
        statements[sql] = new
        return new
    }

    /// Runs one statement to its end.
    public func run(_ sql: String, _ values: Value...) throws {
        try statement(sql).run(values)
    }

    /// The first row of a query, read by a closure; nil where there is no row.
    public func first<Result>(_ sql: String, _ values: Value..., read: (Row) throws -> Result) throws -> Result? {
        var result: Result?
        try statement(sql).forEach(values) { row in
            result = try read(row)
            return false
        }
        return result
    }

    /// Every row of a query, read by a closure.
    public func all<Result>(_ sql: String, _ values: Value..., read: (Row) throws -> Result) throws -> [Result] {
        var results: [Result] = []
        try statement(sql).forEach(values) { row in
            results.append(try read(row))
            return true
        }
        return results
    }

    /// Hands each row of a query to a closure, until that answers false.
    public func forEach(_ sql: String, _ values: Value..., body: (Row) throws -> Bool) throws {
        try statement(sql).forEach(values, body)
    }

    /// The key that the last insert made.
    public var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

    /// How many rows the last statement changed.
    public var changes: Int { Int(sqlite3_changes(handle)) }

    /// Why the last call failed.
    func error(in sql: String) -> SQLiteError {
        if let message = work.excess { return SQLiteError(code: SQLITE_CORRUPT, message: message, subject: sql) }
        return SQLiteError(
            code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)), subject: sql)
    }
}

/// What SQLite refused: its result code, its own message, and the statement or file concerned.
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The extended result code, as https://sqlite.org/rescode.html lists them.
    public let code: Int32
    package let message: String
    package let subject: String

    /// An error made from its three parts; the subject is the SQL text or the file's path.
    public init(code: Int32, message: String, subject: String) {
        self.code = code
        self.message = message
        self.subject = subject
    }

    /// The reasons that decide what helps: another connection, no room, no right to read or write, a disk that refused,
    /// a file that is no whole database, a cancelled task, anything else.
    public enum Cause: Sendable {
        case busy, full, denied, disk, damaged, interrupted, other
    }

    /// The reason; extended codes count as their primary ones.
    public var cause: Cause {
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

    /// Whether another connection was in the way.
    public var isBusy: Bool { cause == .busy }

    /// One sentence for a person.
    public var description: String { "SQLite: \(message) (code \(code)) in: \(subject)" }
}
