import CSQLite

/// A value of one of the five storage classes (https://sqlite.org/datatype3.html).
package enum SQLiteValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A type whose values can be parameters of a statement.
package protocol SQLiteParameter {
    var sqliteValue: SQLiteValue { get }
}

extension Int: SQLiteParameter {
    package var sqliteValue: SQLiteValue { .integer(Int64(self)) }
}

extension Int64: SQLiteParameter {
    package var sqliteValue: SQLiteValue { .integer(self) }
}

extension String: SQLiteParameter {
    package var sqliteValue: SQLiteValue { .text(self) }
}

extension [UInt8]: SQLiteParameter {
    package var sqliteValue: SQLiteValue { .blob(self) }
}

extension Optional: SQLiteParameter where Wrapped: SQLiteParameter {
    package var sqliteValue: SQLiteValue { self?.sqliteValue ?? .null }
}

/// A compiled statement. It is reset after every use, and finalized in `deinit`.
package final class Statement {
    private let handle: OpaquePointer
    // `unowned` is safe, because the connection owns its statements and therefore exists as long as they do.
    private unowned let connection: Connection
    private let sql: String
    /// The first fault in the values of the current row.
    private var fault: String?

    init(_ sql: String, on connection: Connection) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw connection.error(in: sql) }
        self.handle = handle
        self.connection = connection
        self.sql = sql
    }

    deinit { sqlite3_finalize(handle) }

    /// Binds these parameters by index, and converts the rows until one has a result.
    /// - Throws: errors of the closure, and an error if limits of `limitWork` are exceeded or a value has another type.
    func first<Value>(_ values: [any SQLiteParameter], _ read: (Row) throws -> Value?) throws -> Value? {
        let outerWork = connection.work.done
        connection.beginWork()
        defer {
            connection.work.done = outerWork
            // The result of sqlite3_reset repeats the error of the last step, which has already been thrown.
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        try bind(values)
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW:
                guard connection.work.add(rows: 1) else { throw connection.error(in: sql) }
                fault = nil
                let value = Result { try read(self) }
                if let fault { throw connection.damage(fault, in: sql) }
                if let value = try value.get() { return value }
            case SQLITE_DONE: return nil
            default: throw connection.error(in: sql)
            }
        }
    }

    private func bind(_ values: [any SQLiteParameter]) throws {
        precondition(Int(sqlite3_bind_parameter_count(handle)) == values.count, "\(values.count) values for: \(sql)")
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            let code: Int32
            switch value.sqliteValue {
            case .null: code = sqlite3_bind_null(handle, index)
            case .integer(let integer): code = sqlite3_bind_int64(handle, index, integer)
            case .real(let real): code = sqlite3_bind_double(handle, index, real)
            case .text(let text):
                let count = UInt64(text.utf8.count)
                code = sqlite3_bind_text64(handle, index, text, count, csqlite_transient(), UInt8(SQLITE_UTF8))
            case .blob(let bytes) where bytes.isEmpty: code = sqlite3_bind_zeroblob(handle, index, 0)
            case .blob(let bytes):
                connection.bytesBound += bytes.count
                code = sqlite3_bind_blob64(handle, index, bytes, UInt64(bytes.count), csqlite_transient())
            }
            guard code == SQLITE_OK else { throw connection.error(in: sql) }
        }
    }
}

/// The current row of a statement. It is valid only inside the closure that receives it. Columns are counted from 0.
///
/// If a value has another type than the accessor, the accessor returns 0 or an empty value, and the statement fails
/// after the closure. In a STRICT table this means damage or a manipulated file (https://sqlite.org/stricttables.html).
package typealias Row = Statement

extension Row {
    package func integer(_ column: Int) -> Int64 {
        guard hasType(SQLITE_INTEGER, column) else { return 0 }
        return sqlite3_column_int64(handle, Int32(column))
    }

    package func int(_ column: Int) -> Int { Int(integer(column)) }

    package func isNull(_ column: Int) -> Bool { sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL }

    package func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The column as text, which must be valid UTF-8.
    package func text(_ column: Int) -> String {
        let bytes = bytes(SQLITE_TEXT, column, UnsafeRawPointer(sqlite3_column_text(handle, Int32(column))))
        guard let text = String(validating: bytes, as: UTF8.self) else {
            fault = fault ?? "column \(column) is text that is not UTF-8"
            return ""
        }
        return text
    }

    /// The column's bytes without a copy. They are valid until another accessor reads the column, or the row changes.
    package func rawBlob(_ column: Int) -> UnsafeRawBufferPointer {
        bytes(SQLITE_BLOB, column, sqlite3_column_blob(handle, Int32(column)))
    }

    package func blob(_ column: Int) -> [UInt8] { [UInt8](rawBlob(column)) }

    package func value(_ column: Int) -> SQLiteValue {
        switch sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, Int32(column)))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    package var columnCount: Int { Int(sqlite3_column_count(handle)) }

    private func bytes(
        _ type: Int32, _ column: Int, _ start: @autoclosure () -> UnsafeRawPointer?
    ) -> UnsafeRawBufferPointer {
        guard hasType(type, column) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        // The length must be read after the value (https://sqlite.org/c3ref/column_blob.html).
        let start = start()
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
        if !connection.work.add(bytes: bytes.count) {
            fault = fault ?? "its values have more bytes than a file of its size can hold"
        }
        return bytes
    }

    private func hasType(_ type: Int32, _ column: Int) -> Bool {
        let actual = sqlite3_column_type(handle, Int32(column))
        if actual != type {
            fault = fault ?? "column \(column) is \(Self.name(of: actual)), not \(Self.name(of: type))"
        }
        return actual == type
    }

    /// The code of a type is a number from 1 to 5 (https://sqlite.org/c3ref/c_blob.html).
    private static func name(of type: Int32) -> String {
        ["an integer", "a real number", "text", "a blob", "null"][Int(type) - 1]
    }
}
