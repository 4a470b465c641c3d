import CSQLite

/// Reads parts of the values of one column of the main database, without loading complete values
/// (https://sqlite.org/c3ref/blob_open.html). The last value remains open, so reading several parts of it is fast.
package final class BlobReader {
    private let connection: Connection
    private let table: String
    private let column: String
    private var handle: OpaquePointer?
    /// The row whose value is open.
    private var row: Int64?

    package init(_ connection: Connection, table: String, column: String) {
        self.connection = connection
        self.table = table
        self.column = column
    }

    deinit { sqlite3_blob_close(handle) }

    private var subject: String { "\(table).\(column)" }

    /// Reads a range of bytes of a row's value; nil if the row does not exist, or if its value is shorter.
    package func bytes(ofRow wanted: Int64, from offset: Int, count: Int) throws -> [UInt8]? {
        guard try open(wanted), offset >= 0, count >= 0, offset <= Int(sqlite3_blob_bytes(handle)) - count else {
            return nil
        }
        guard connection.work.add(bytes: count) else {
            throw connection.damage("its values have more bytes than a file of its size can hold", in: subject)
        }
        var code = SQLITE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            code = sqlite3_blob_read(handle, buffer.baseAddress, Int32(count), Int32(offset))
            filled = code == SQLITE_OK ? count : 0
        }
        guard code == SQLITE_OK else { throw connection.error(in: subject) }
        return bytes
    }

    /// - Returns: false if the row does not exist, or if its value is neither text nor a blob.
    private func open(_ wanted: Int64) throws -> Bool {
        guard row != wanted else { return true }
        let code =
            handle == nil
            ? sqlite3_blob_open(connection.handle, "main", table, column, wanted, 0, &handle)
            : sqlite3_blob_reopen(handle, wanted)
        row = code == SQLITE_OK ? wanted : nil
        guard code != SQLITE_OK else { return true }
        let error = connection.error(in: subject)
        // A handle is unusable after a failed reopen.
        sqlite3_blob_close(handle)
        handle = nil
        guard code == SQLITE_ERROR else { throw error }
        return false
    }
}
