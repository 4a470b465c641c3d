import CSQLite

/// The row a statement stands on; valid only inside the closure that it is handed to. Columns count from 0.
///
/// A value of another type than the accessor's makes the statement fail once the closure returns: in a STRICT table it
/// is damage, or somebody's design (https://sqlite.org/stricttables.html). The accessor answers 0 or nothing meanwhile.
public struct Row {
    let statement: OpaquePointer
    unowned let owner: Statement

    /// The column as an integer.
    public func integer(_ column: Int) -> Int64 {
        guard has(SQLITE_INTEGER, column) else { return 0 }
        return sqlite3_column_int64(statement, Int32(column))
    }

    /// The column as an integer of Swift's own width.
    public func int(_ column: Int) -> Int { Int(integer(column)) }

    /// Whether the column holds no value.
    public func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    /// The column as an integer, nil for null.
    public func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The column as text, which has to be UTF-8.
    public func text(_ column: Int) -> String {
        guard has(SQLITE_TEXT, column) else { return "" }
        let bytes = UnsafeBufferPointer(
            start: sqlite3_column_text(statement, Int32(column)),
            count: Int(sqlite3_column_bytes(statement, Int32(column))))
        owner.count(bytes.count)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            owner.note("column \(column) is text that is not UTF-8")
            return ""
        }
        return text
    }

    /// The column's bytes where they lie, as long as the row is stood on and no other accessor has read the column.
    public func rawBlob(_ column: Int) -> UnsafeRawBufferPointer {
        guard has(SQLITE_BLOB, column) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        let bytes = UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, Int32(column)),
            count: Int(sqlite3_column_bytes(statement, Int32(column))))
        owner.count(bytes.count)
        return bytes
    }

    /// A copy of the column's bytes.
    public func blob(_ column: Int) -> [UInt8] {
        [UInt8](rawBlob(column))
    }

    /// The column's value, of whatever type it is.
    public func value(_ column: Int) -> Value {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, Int32(column)))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    /// How many columns the row has.
    public var columnCount: Int { Int(sqlite3_column_count(statement)) }

    private func has(_ type: Int32, _ column: Int) -> Bool {
        let found = sqlite3_column_type(statement, Int32(column))
        if found != type { owner.note("column \(column) is \(Self.name(of: found)), not \(Self.name(of: type))") }
        return found == type
    }

    private static func name(of type: Int32) -> String {
        switch type {
        case SQLITE_INTEGER: "an integer"
        case SQLITE_FLOAT: "a real number"
        case SQLITE_TEXT: "text"
        case SQLITE_BLOB: "a blob"
        default: "null"
        }
    }
}
