import SQLite
import TestSupport
import Testing

@Suite("A value")
struct ValueTests {
    private let folder: ScratchFolder
    private let db: Connection

    init() throws {
        folder = try ScratchFolder()
        db = try Connection(folder["test.sqlite"], .readWrite)
        try db.execute("CREATE TABLE kept(value ANY) STRICT")
    }

    /// What comes back: SQLite's name for the class, and the value as every accessor reads it.
    private struct Seen: Equatable {
        let type: String
        let integer: Int64
        let text: String
        let blob: [UInt8]
        let isNull: Bool
    }

    private func seen(_ value: Value) throws -> Seen? {
        try db.run("INSERT INTO kept VALUES (?)", value)
        return try db.first("SELECT typeof(value), value, value, value FROM kept WHERE rowid = ?", .integer(db.lastInsertedKey)) {
            Seen(type: $0.text(0), integer: $0.integer(1), text: $0.text(2), blob: $0.blob(3), isNull: $0.isNull(1))
        }
    }

    @Test("that is an integer comes back at the ends of its range", arguments: [0, 1, -1, Int64.max, Int64.min])
    func integers(number: Int64) throws {
        let seen = try #require(try seen(.integer(number)))
        #expect(seen.type == "integer" && seen.integer == number && !seen.isNull)
    }

    @Test(
        "that is text comes back to the byte, empty, with a NUL inside, and outside ASCII",
        arguments: ["", "a", "a\0b", "Ü 日本 👽", "'; --"])
    func texts(text: String) throws {
        let seen = try #require(try seen(.text(text)))
        #expect(seen.type == "text" && seen.text == text && seen.blob == Array(text.utf8) && !seen.isNull)
    }

    @Test("that is a blob comes back to the byte, empty and of a mebibyte too", arguments: [0, 1, 1 << 20])
    func blobs(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let type = try #require(try seen(.blob(bytes)))
        #expect(type.type == "blob" && !type.isNull)
        #expect(try db.first("SELECT value FROM kept") { $0.blob(0) } == bytes)
    }

    @Test("that is real is stored as such")
    func reals() throws {
        let seen = try #require(try seen(.real(-0.5)))
        #expect(seen.type == "real" && seen.text == "-0.5")
    }

    @Test("that is null comes back as null, as 0, as empty text and as no bytes")
    func null() throws {
        #expect(try seen(.null) == Seen(type: "null", integer: 0, text: "", blob: [], isNull: true))
        #expect(try db.first("SELECT NULL, 5") { [$0.optionalInteger(0), $0.optionalInteger(1)] } == [nil, 5])
    }

    @Test("that may be missing is null where it is")
    func optional() {
        #expect(Value.optional(nil as String?) == .null && Value.optional("x") == .text("x"))
        #expect(Value.optional(nil as Int64?) == .null && Value.optional(7 as Int64?) == .integer(7))
        #expect(Value.int(-3) == .integer(-3))
    }
}
