import SQLite
import TestSupport
import Testing

@Suite("A transaction")
struct TransactionTests {
    private let folder: ScratchFolder
    private let db: Connection

    private struct Stop: Error {}

    init() throws {
        folder = try ScratchFolder()
        db = try Connection(folder["test.sqlite"], .readWrite)
        try db.execute("CREATE TABLE number(n INTEGER PRIMARY KEY) STRICT; INSERT INTO number VALUES (1)")
    }

    /// What somebody else sees.
    private func committed() throws -> [Int] {
        try Connection(folder["test.sqlite"], .readOnly).all("SELECT n FROM number ORDER BY n") { $0.int(0) }
    }

    @Test("commits when its closure returns, and hands on what that made")
    func commits() throws {
        let made = try db.transaction {
            try db.run("INSERT INTO number VALUES (2)")
            return "made"
        }
        #expect(made == "made")
        #expect(try committed() == [1, 2])
    }

    @Test("rolls back when its closure throws, passes the error on, and leaves no transaction open")
    func rollsBack() throws {
        #expect(throws: Stop.self) {
            try db.transaction {
                try db.run("INSERT INTO number VALUES (2)")
                throw Stop()
            }
        }
        #expect(try committed() == [1])
        try db.transaction { try db.run("INSERT INTO number VALUES (3)") }
        #expect(try committed() == [1, 3])
    }

    @Test("rolls back when a statement in it fails, all that came before it too")
    func failingStatement() throws {
        #expect(throws: SQLiteError.self) {
            try db.transaction {
                try db.run("INSERT INTO number VALUES (2)")
                try db.run("INSERT INTO number VALUES (1)")
            }
        }
        #expect(try committed() == [1])
    }

    @Test("that cannot commit is rolled back, and the next one works")
    func failingCommit() throws {
        try db.execute(
            """
            PRAGMA foreign_keys = ON;
            CREATE TABLE child(n INTEGER REFERENCES number DEFERRABLE INITIALLY DEFERRED) STRICT
            """)
        #expect(throws: SQLiteError(code: 787, message: "FOREIGN KEY constraint failed", subject: "COMMIT")) {
            try db.transaction { try db.run("INSERT INTO child VALUES (99)") }
        }
        try db.transaction { try db.run("INSERT INTO number VALUES (2)") }
        #expect(try committed() == [1, 2])
    }

    @Test("inside another one is refused, and the outer one rolled back with it")
    func nested() throws {
        let refusal = SQLiteError(
            code: 1, message: "cannot start a transaction within a transaction", subject: "BEGIN IMMEDIATE")
        #expect(throws: refusal) {
            try db.transaction {
                try db.run("INSERT INTO number VALUES (2)")
                try db.transaction {}
            }
        }
        #expect(try committed() == [1])
    }
}
