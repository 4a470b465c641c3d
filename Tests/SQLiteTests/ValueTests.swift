import SQLite
import TestSupport
import Testing

struct ValueTests {
    private let folder: ScratchFolder
    private let db: Connection

    init() throws {
        folder = try ScratchFolder()
        db = try Connection(folder["test.sqlite"], .readWrite)
        try db.execute("CREATE TABLE kept(value ANY) STRICT")
    }

    private func store(_ value: any SQLiteParameter) throws { try db.run("INSERT INTO kept VALUES (?)", value) }

    private func stored<Read>(_ read: (Row) -> Read) throws -> Read? {
        try db.first("SELECT value FROM kept", read: read)
    }

    @Test(arguments: [0, 1, -1, Int64.max, Int64.min])
    func `Integers keep their value, even at the limits of their range`(number: Int64) throws {
        try store(number)
        #expect(try stored { $0.integer(0) } == number)
        #expect(try stored { $0.value(0) } == .integer(number))
    }

    @Test(
        arguments: ["", "a", "a\0b", "Ü 日本 👽", "'; --"])
    func `Text keeps its bytes, even if it is empty, contains a NUL, or is not ASCII`(text: String) throws {
        try store(text)
        #expect(try stored { Array($0.text(0).utf8) } == Array(text.utf8))
        #expect(try stored { $0.value(0) } == .text(text))
    }

    @Test(arguments: [0, 1, 1 << 20])
    func `Blobs keep their bytes, even if they are empty or one mebibyte long`(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        try store(bytes)
        #expect(try stored { $0.blob(0) } == bytes)
        #expect(try stored { $0.value(0) } == .blob(bytes))
    }

    @Test func `Reals and nulls keep their value`() throws {
        try db.execute("INSERT INTO kept VALUES (-0.5)")
        #expect(try stored { $0.value(0) } == .real(-0.5))
        #expect(try db.first("SELECT NULL") { $0.isNull(0) && $0.value(0) == .null } == true)
        #expect(try db.first("SELECT NULL, 5") { [$0.optionalInteger(0), $0.optionalInteger(1)] } == [nil, 5])
    }

    @Test func `Reading a value as another type is an error, not a zero`() throws {
        func fault(_ value: String, _ read: @escaping (Row) -> Any) -> String? {
            let sql = "SELECT \(value)"
            let error = #expect(throws: SQLiteError.self) { try db.first(sql, read: read) }
            #expect(error?.code == 11 && error?.subject == sql)
            return error?.message
        }
        #expect(fault("'1'") { $0.integer(0) } == "column 0 is text, not an integer")
        #expect(fault("NULL") { $0.integer(0) } == "column 0 is null, not an integer")
        #expect(fault("1.5") { $0.text(0) } == "column 0 is a real number, not text")
        #expect(fault("x'41'") { $0.text(0) } == "column 0 is a blob, not text")
        #expect(fault("'A'") { $0.blob(0) } == "column 0 is text, not a blob")
        #expect(fault("CAST(x'FF' AS TEXT)") { $0.text(0) } == "column 0 is text that is not UTF-8")
    }

    @Test func `A missing optional value is stored as null`() {
        #expect((nil as String?).sqliteValue == .null && Optional("x").sqliteValue == .text("x"))
        #expect((nil as Int64?).sqliteValue == .null && Optional(7 as Int64).sqliteValue == .integer(7))
        #expect((-3).sqliteValue == .integer(-3))
    }
}
