import Glibc
import Platform
import TestSupport
import Testing

@testable import Archive
@testable import SQLite

struct MigrationTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private func open() throws -> Connection { try Connection(folder["test.sqlite"], .readWrite) }

    private func schema(_ db: Connection) throws -> [String] {
        try ["\(db.schemaVersion(limit: .max))"]
            + db.all("SELECT CAST(coalesce(sql, '') AS TEXT) FROM sqlite_schema ORDER BY name") { $0.text(0) }
    }

    /// The schema after the first migrations.
    private func expectedSchema(_ version: Int = Schema.migrations.count) throws -> [String] {
        let db = try Connection(":memory:", .readWrite)
        try db.apply(Schema.migrations.prefix(version))
        return try schema(db)
    }

    @Test func `A migration runs once`() throws {
        for _ in 0..<3 {
            let db = try open()
            try Schema.migrate(db, archive: "test")
            try Schema.migrate(db, archive: "test")
            #expect(try schema(db) == expectedSchema())
        }
    }

    @Test(arguments: 1..<Schema.migrations.count)
    func `An older file is migrated from its own version`(version: Int) throws {
        let db = try open()
        try db.apply(Schema.migrations.prefix(version))
        #expect(try schema(db) == expectedSchema(version))
        try Schema.migrate(db, archive: "test")
        #expect(try schema(db) == expectedSchema())
    }

    @Test func `A newer schema is refused and not changed`() throws {
        let db = try open()
        try db.execute("PRAGMA user_version = 8")
        let words =
            "the schema has version 8, but this version of Amber supports versions up to 7; use a newer version of Amber"
        #expect(throws: SQLiteError(code: 1, message: words, subject: "migration")) {
            try Schema.migrate(db, archive: "test")
        }
        #expect(try schema(db) == ["8"])
    }

    @Test func `If a migration fails, the migrations before it are kept`() throws {
        let db = try open()
        try db.execute("CREATE TABLE declaration(n INTEGER) STRICT")
        let failure = SQLiteError(
            code: 1, message: "table declaration already exists", subject: Schema.migrations[6])
        #expect(throws: failure) { try Schema.migrate(db, archive: "test") }
        #expect(try db.schemaVersion(limit: .max) == 6)
        try db.execute("DROP TABLE declaration")
        #expect(try schema(db) == expectedSchema(6))
        try Schema.migrate(db, archive: "test")
        #expect(try schema(db) == expectedSchema())
    }

    @Test func `A migration waits for another connection that runs the same migration`() throws {
        let first = try open()
        let (path, outcome) = (folder["test.sqlite"], VersionedValue("", number: 0))
        try first.execute("BEGIN IMMEDIATE")
        startThread {
            let result = Result { try Schema.migrate(Connection(path, .readWrite), archive: "test") }
            outcome.set("\(result)")
        }
        // During this wait, the other connection reads the version and waits for the lock.
        usleep(200_000)
        try first.apply(Schema.migrations)
        try first.execute("COMMIT")
        outcome.wait(after: 0)
        #expect(outcome.current.value == "success()")
        #expect(try schema(first) == expectedSchema())
    }
}

extension Connection {
    /// Runs the first migrations on an empty database.
    func apply(_ migrations: some Collection<String>) throws {
        for sql in migrations { try execute(sql) }
        try execute("PRAGMA user_version = \(migrations.count)")
    }
}
