import CSQLite

/// A compiled statement. It frees itself, and is reset after every use.
public final class Statement {
    private let handle: OpaquePointer
    // The connection closes last: sqlite3_close_v2 waits for its statements, and error texts are read from it.
    private unowned let connection: Connection
    private let sql: String
    /// What is wrong with the types of the row that is read.
    private var fault: String?

    init(_ sql: String, on connection: Connection) throws(SQLiteError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw connection.error(in: sql) }
        self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }
}

extension Statement {
    /// Runs the statement to its end with these parameters, bound by index.
    public func run(_ values: [Value]) throws {
        try forEach(values) { _ in true }
    }

    /// Hands each row to a closure, until that answers false.
    /// - Throws: what the closure throws; also where the rows exceed what `limitWork` allows, or a value has another
    ///   type than it was read as.
    public func forEach(_ values: [Value], _ body: (Row) throws -> Bool) throws {
        let outer = connection.work.done
        connection.beginWork()
        defer {
            connection.work.done = outer
            // The code that reset answers repeats the error of the last step, which has been thrown already.
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        try bind(values)
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW:
                guard connection.work.takeRow() else { throw connection.error(in: sql) }
                fault = nil
                let goesOn = Result { try body(Row(statement: handle, owner: self)) }
                if let fault { throw SQLiteError(code: SQLITE_CORRUPT, message: fault, subject: sql) }
                guard try goesOn.get() else { return }
            case SQLITE_DONE: return
            default: throw connection.error(in: sql)
            }
        }
    }

    /// Counts the bytes of a value that is read.
    func count(_ bytes: Int) {
        if !connection.work.take(bytes: bytes) { note("its values have more bytes than a file of its size can hold") }
    }

    /// Notes that the row has a value of another type than it is read as.
    func note(_ fault: String) {
        if self.fault == nil { self.fault = fault }
    }

    private func bind(_ values: [Value]) throws(SQLiteError) {
        precondition(Int(sqlite3_bind_parameter_count(handle)) == values.count, "\(values.count) values for: \(sql)")
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            if case .blob(let bytes) = value { connection.bytesGiven += bytes.count }
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
                case .real(let real): sqlite3_bind_double(handle, index, real)
                case .text(let text):
                    sqlite3_bind_text64(
                        handle, index, text, UInt64(text.utf8.count), csqlite_transient(), UInt8(SQLITE_UTF8))
                case .blob(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, index, 0)
                case .blob(let bytes):
                    sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), csqlite_transient())
                }
            guard code == SQLITE_OK else { throw connection.error(in: sql) }
        }
    }
}
