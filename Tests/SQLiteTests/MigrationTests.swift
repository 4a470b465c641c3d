import Glibc
import Platform
import SQLite
import TestSupport
import Testing

@Suite("A migration")
struct MigrationTests {
    private let folder: ScratchFolder
    private let steps = [
        Migration("tables", "CREATE TABLE one(n INTEGER) STRICT; INSERT INTO one VALUES (1)"),
        Migration("more", "ALTER TABLE one ADD COLUMN text TEXT; CREATE TABLE two(n INTEGER) STRICT"),
    ]

    init() throws {
        folder = try ScratchFolder()
    }

    private func open() throws -> Connection { try Connection(folder["test.sqlite"], .readWrite) }

    /// The version and every statement of the schema.
    private func schema(_ db: Connection) throws -> [String] {
        try ["\(db.schemaVersion)"] + db.all("SELECT sql FROM sqlite_schema ORDER BY name") { $0.text(0) }
    }

    private let whole = ["2", "CREATE TABLE one(n INTEGER, text TEXT) STRICT", "CREATE TABLE two(n INTEGER) STRICT"]

    @Test("runs once, however often it is asked for and the file opened")
    func once() throws {
        for _ in 0..<3 {
            let db = try open()
            try db.migrate(steps)
            try db.migrate(steps)
            #expect(try schema(db) == whole)
            #expect(try db.all("SELECT n FROM one") { $0.int(0) } == [1])
        }
    }

    @Test("takes an older file on from where it stands")
    func goesOn() throws {
        let db = try open()
        try db.migrate([steps[0]])
        #expect(try schema(db) == ["1", "CREATE TABLE one(n INTEGER) STRICT"])
        try db.migrate(steps)
        #expect(try schema(db) == whole)
    }

    @Test("refuses a schema newer than it knows, and leaves it alone")
    func newer() throws {
        let db = try open()
        try db.migrate(steps)
        let words = "the schema is version 2, newer than the 1 known here; use a newer Amber"
        #expect(throws: SQLiteError(code: 1, message: words, subject: "migration")) { try db.migrate([steps[0]]) }
        #expect(try schema(db) == whole)
    }

    @Test("that fails half-way leaves the schema as the step before it left it")
    func fails() throws {
        let db = try open()
        let bad = Migration("bad", "CREATE TABLE two(n INTEGER) STRICT; CREATE TABLE one(x)")
        #expect(throws: SQLiteError(code: 1, message: "table one already exists", subject: bad.sql)) {
            try db.migrate([steps[0], bad])
        }
        #expect(try schema(db) == ["1", "CREATE TABLE one(n INTEGER) STRICT"])
        try db.migrate(steps)
        #expect(try schema(db) == whole)
    }

    @Test("that another process runs meanwhile is waited for, and found done")
    func meanwhile() throws {
        let first = try open()
        let (path, steps, outcome) = (folder["test.sqlite"], steps, BlockingQueue<String>())
        try first.execute("BEGIN IMMEDIATE")
        startThread {
            let result = Result { try Connection(path, .readWrite).migrate(steps) }
            outcome.push("\(result)")
        }
        // Long enough for the other to read the version and wait for the lock; shorter only makes the test easier to
        // pass.
        usleep(200_000)
        for step in steps { try first.execute(step.sql) }
        try first.execute("PRAGMA user_version = 2; COMMIT")
        #expect(outcome.popAll() == ["success()"])
        #expect(try schema(first) == whole)
    }
}
