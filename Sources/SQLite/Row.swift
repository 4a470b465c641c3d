import CSQLite

/// The row a statement stands on; valid only inside the closure that it is handed to. Columns count from 0.
public struct Row {
    let statement: OpaquePointer

    /// The column as an integer; 0 for null.
    public func integer(_ column: Int) -> Int64 { sqlite3_column_int64(statement, Int32(column)) }

    /// The column as an integer of Swift's own width; 0 for null.
    public func int(_ column: Int) -> Int { Int(integer(column)) }

    /// Whether the column holds no value.
    public func isNull(_ column: Int) -> Bool { sqlite3_column_type(statement, Int32(column)) == SQLITE_NULL }

    /// The column as an integer, nil for null.
    public func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }

    /// The column as text; empty for null.
    public func text(_ column: Int) -> String {
        guard let bytes = sqlite3_column_text(statement, Int32(column)) else { return "" }
        return String(
            decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, Int32(column)))), as: UTF8.self)
    }

    /// The column's bytes where they lie, as long as the row is stood on and no other accessor has read the column; empty for null.
    public func rawBlob(_ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, Int32(column)), count: Int(sqlite3_column_bytes(statement, Int32(column))))
    }

    /// A copy of the column's bytes; empty for null.
    public func blob(_ column: Int) -> [UInt8] {
        [UInt8](rawBlob(column))
    }
}
