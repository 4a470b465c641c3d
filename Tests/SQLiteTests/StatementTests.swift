import TestSupport
import Testing

@testable import SQLite

struct StatementTests {
    private let folder: ScratchFolder
    private let db: Connection

    init() throws {
        folder = try ScratchFolder()
        db = try Connection(folder["test.sqlite"], .readWrite)
        try db.execute(
            "CREATE TABLE number(n INTEGER PRIMARY KEY CHECK(n < 100)) STRICT; INSERT INTO number VALUES (1), (2), (3)")
    }

    private func numbers() throws -> [Int] { try db.all("SELECT n FROM number ORDER BY n") { $0.int(0) } }

    @Test func `A query returns all rows in order, and the first row or nil`() throws {
        #expect(try numbers() == [1, 2, 3])
        #expect(try db.first("SELECT n FROM number ORDER BY n DESC") { $0.int(0) } == 3)
        #expect(try db.first("SELECT n FROM number WHERE n > ?", 3) { $0.int(0) } == nil)
    }

    @Test func `A query stops when its closure returns a value, and the next run starts at the first row`() throws {
        for _ in 0..<2 {
            var seen: [Int] = []
            let found = try db.first("SELECT n FROM number ORDER BY n") { row in
                seen.append(row.int(0))
                return seen.count < 2 ? nil : "second"
            }
            #expect(seen == [1, 2] && found == "second")
        }
        // An unfinished statement would keep its read transaction open, and this statement would fail.
        try db.execute("DROP TABLE number")
    }

    @Test func `Parameters are not kept between uses`() throws {
        let sql = "SELECT ?1 IS NULL"
        #expect(try db.first(sql, 1) { $0.int(0) } == 0)
        #expect(try db.first(sql, Int?.none) { $0.int(0) } == 1)
    }

    @Test func `A statement is usable after an error`() throws {
        let sql = "INSERT INTO number VALUES (?)"
        let double = SQLiteError(code: 1555, message: "UNIQUE constraint failed: number.n", subject: sql)
        #expect(throws: double) { try db.run(sql, 2) }
        let tooLarge = SQLiteError(code: 275, message: "CHECK constraint failed: n < 100", subject: sql)
        #expect(throws: tooLarge) { try db.run(sql, 100) }
        try db.run(sql, 4)
        #expect(try numbers() == [1, 2, 3, 4])
        #expect(db.lastInsertedKey == 4 && db.changes == 1)
    }

    @Test func `Invalid SQL fails with SQLite's message and the statement, each time`() throws {
        let failure = SQLiteError(code: 1, message: "near \"SELEC\": syntax error", subject: "SELEC 1")
        for _ in 0..<2 { #expect(throws: failure) { try db.run("SELEC 1") } }
        #expect(failure.description == "SQLite: near \"SELEC\": syntax error (code 1) in: SELEC 1")
        #expect(throws: SQLiteError(code: 1, message: "no such table: x", subject: "DELETE FROM x")) {
            try db.execute("DELETE FROM x")
        }
    }
}
