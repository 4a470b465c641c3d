import SQLite
import TestSupport
import Testing

struct BlobReaderTests {
    private let folder: ScratchFolder
    private let reader: BlobReader
    /// The value needs many pages of the file.
    private let long = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    private let short = Array("short".utf8)

    init() throws {
        folder = try ScratchFolder()
        let db = try Connection(folder["test.sqlite"], .readWrite)
        try db.execute("CREATE TABLE body(id INTEGER PRIMARY KEY, bytes BLOB)")
        try db.run("INSERT INTO body VALUES (1, ?), (5, ?), (6, NULL)", long, short)
        reader = BlobReader(db, table: "body", column: "bytes")
    }

    @Test func `A reader reads several values in any order`() throws {
        #expect(try reader.bytes(ofRow: 1, from: 90_000, count: 500) == Array(long[90_000..<90_500]))
        #expect(try reader.bytes(ofRow: 1, from: 4_000, count: 300) == Array(long[4_000..<4_300]))
        #expect(try reader.bytes(ofRow: 5, from: 1, count: 4) == Array(short[1...]))
        #expect(try reader.bytes(ofRow: 1, from: 0, count: 100_000) == long)
        #expect(try reader.bytes(ofRow: 5, from: 5, count: 0) == [])
    }

    @Test func `A reader returns nil for missing bytes and continues`() throws {
        for (row, offset, count) in [
            (2, 0, 1), (5, 0, 6), (5, 6, 0), (5, .max, .max), (5, -1, 2), (6, 0, 0), (9, 0, 0),
        ] {
            #expect(
                try reader.bytes(ofRow: Int64(row), from: offset, count: count) == nil,
                "\(count) bytes of row \(row) from \(offset)")
        }
        #expect(try reader.bytes(ofRow: 5, from: 0, count: 5) == short)
    }
}
