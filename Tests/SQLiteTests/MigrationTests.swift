import Glibc
import Platform
import TestSupport
import Testing

@testable import SQLite

struct MigrationTests {
    private let folder: ScratchFolder
    private let steps = [
        "CREATE TABLE one(n INTEGER) STRICT; INSERT INTO one VALUES (1)",
        "ALTER TABLE one ADD COLUMN text TEXT; CREATE TABLE two(n INTEGER) STRICT",
    ]

    init() throws {
        folder = try ScratchFolder()
    }

    private func open() throws -> Connection { try Connection(folder["test.sqlite"], .readWrite) }

    private func schema(_ db: Connection) throws -> [String] {
        try ["\(db.schemaVersion)"] + db.all("SELECT sql FROM sqlite_schema ORDER BY name") { $0.text(0) }
    }

    private let migratedSchema = [
        "2", "CREATE TABLE one(n INTEGER, text TEXT) STRICT", "CREATE TABLE two(n INTEGER) STRICT",
    ]

    @Test func `A migration runs once`() throws {
        for _ in 0..<3 {
            let db = try open()
            try db.migrate(steps)
            try db.migrate(steps)
            #expect(try schema(db) == migratedSchema)
            #expect(try db.all("SELECT n FROM one") { $0.int(0) } == [1])
        }
    }

    @Test func `An older file is migrated from its own version`() throws {
        let db = try open()
        try db.migrate([steps[0]])
        #expect(try schema(db) == ["1", "CREATE TABLE one(n INTEGER) STRICT"])
        try db.migrate(steps)
        #expect(try schema(db) == migratedSchema)
    }

    @Test func `A newer schema is refused and not changed`() throws {
        let db = try open()
        try db.migrate(steps)
        let words =
            "the schema has version 2, but this version of Amber supports versions up to 1; use a newer version of Amber"
        #expect(throws: SQLiteError(code: 1, message: words, subject: "migration")) { try db.migrate([steps[0]]) }
        #expect(try schema(db) == migratedSchema)
    }

    @Test func `If a migration fails, the migrations before it are kept`() throws {
        let db = try open()
        let bad = "CREATE TABLE two(n INTEGER) STRICT; CREATE TABLE one(x)"
        #expect(throws: SQLiteError(code: 1, message: "table one already exists", subject: bad)) {
            try db.migrate([steps[0], bad])
        }
        #expect(try schema(db) == ["1", "CREATE TABLE one(n INTEGER) STRICT"])
        try db.migrate(steps)
        #expect(try schema(db) == migratedSchema)
    }

    @Test func `A migration waits for another connection that runs the same migration`() throws {
        let first = try open()
        let (path, steps, outcome) = (folder["test.sqlite"], steps, VersionedValue("", number: 0))
        try first.execute("BEGIN IMMEDIATE")
        startThread {
            let result = Result { try Connection(path, .readWrite).migrate(steps) }
            outcome.set("\(result)")
        }
        // During this wait, the other connection reads the version and waits for the lock.
        usleep(200_000)
        for step in steps { try first.execute(step) }
        try first.execute("PRAGMA user_version = 2; COMMIT")
        outcome.wait(after: 0)
        #expect(outcome.current.value == "success()")
        #expect(try schema(first) == migratedSchema)
    }
}
