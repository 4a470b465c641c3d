import SQLite

/// The archive's tables. Steps are only ever added.
enum Schema {
    static let migrations = [
        Migration(
            "revisions, answers, records",
            """
            CREATE TABLE source(
                id INTEGER PRIMARY KEY, catalogue TEXT NOT NULL, api TEXT NOT NULL, origin TEXT NOT NULL,
                UNIQUE(catalogue, api, origin)) STRICT;
            -- A capture under way is an open revision; times are milliseconds since 1970, UTC.
            CREATE TABLE revision(
                id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source,
                state TEXT NOT NULL CHECK(state IN ('open', 'complete')),
                started INTEGER NOT NULL, finished INTEGER, confirmed INTEGER, digest BLOB) STRICT;
            CREATE INDEX revision_by_source ON revision(source, state, id);
            -- Bodies are kept once, whatever asks for them.
            CREATE TABLE body(id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, bytes BLOB NOT NULL) STRICT;
            CREATE TABLE asset(
                id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, format TEXT NOT NULL,
                width INTEGER NOT NULL, height INTEGER NOT NULL) STRICT;
            -- An answer as it came; its body is a document here or a file among the assets.
            CREATE TABLE exchange(
                id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source, path TEXT NOT NULL, \
            status INTEGER NOT NULL,
                headers BLOB NOT NULL, received INTEGER NOT NULL, sha256 BLOB NOT NULL, size INTEGER NOT NULL,
                body INTEGER REFERENCES body, asset INTEGER REFERENCES asset, \
            CHECK((body IS NULL) <> (asset IS NULL))) STRICT;
            CREATE INDEX exchange_by_path ON exchange(source, path, id);
            -- Which answer stands for a path in a revision; one answer may stand in many.
            CREATE TABLE answer(
                revision INTEGER NOT NULL REFERENCES revision, path TEXT NOT NULL, \
            exchange INTEGER NOT NULL REFERENCES exchange,
                role TEXT NOT NULL CHECK(role IN ('page', 'records', 'picture')), PRIMARY KEY(revision, path)) STRICT, \
            WITHOUT ROWID;
            CREATE INDEX answer_by_exchange ON answer(exchange);
            -- A record is a slice of a body; `picture` is the path of its first picture. Equal records of several \
            revisions are one row.
            CREATE TABLE record(
                id INTEGER PRIMARY KEY, kind TEXT NOT NULL, number INTEGER NOT NULL, sha256 BLOB NOT NULL,
                body INTEGER NOT NULL REFERENCES body, offset INTEGER NOT NULL, length INTEGER NOT NULL, picture TEXT,
                UNIQUE(kind, number, sha256)) STRICT;
            -- The records of a revision in the order of the API's lists, those that no list brought last.
            CREATE TABLE member(
                revision INTEGER NOT NULL REFERENCES revision, kind TEXT NOT NULL, position INTEGER NOT NULL,
                record INTEGER NOT NULL REFERENCES record, PRIMARY KEY(revision, kind, position)) STRICT, WITHOUT ROWID;
            -- What a list said of itself.
            CREATE TABLE list(
                revision INTEGER NOT NULL REFERENCES revision, kind TEXT NOT NULL, count INTEGER NOT NULL, \
            pages INTEGER NOT NULL,
                PRIMARY KEY(revision, kind)) STRICT, WITHOUT ROWID;
            CREATE TABLE gap(
                revision INTEGER NOT NULL REFERENCES revision, url TEXT NOT NULL, key_path TEXT NOT NULL, \
            reason TEXT NOT NULL,
                PRIMARY KEY(revision, url, key_path, reason)) STRICT, WITHOUT ROWID;
            """),
        // Deleting a row looks for what refers to it (https://sqlite.org/foreignkeys.html#fk_indexes).
        Migration(
            "indexes for pruning",
            """
            CREATE INDEX member_by_record ON member(record);
            CREATE INDEX record_by_body ON record(body);
            CREATE INDEX exchange_by_body ON exchange(body);
            """),
        // An imported state has no exchanges: `imported` is when it came in, its files are kept whole, and `finished`
        // is its own date.
        Migration(
            "imported states, and which answer brought a record",
            """
            ALTER TABLE revision ADD COLUMN imported INTEGER;
            CREATE TABLE file(
                revision INTEGER NOT NULL REFERENCES revision, name TEXT NOT NULL, \
            body INTEGER NOT NULL REFERENCES body,
                PRIMARY KEY(revision, name)) STRICT, WITHOUT ROWID;
            CREATE INDEX file_by_body ON file(body);
            ALTER TABLE member ADD COLUMN exchange INTEGER REFERENCES exchange;
            CREATE INDEX member_by_exchange ON member(exchange);
            UPDATE member SET exchange = (
                SELECT answer.exchange FROM answer JOIN exchange ON exchange.id = answer.exchange \
            JOIN record ON record.id = member.record
                WHERE answer.revision = member.revision AND exchange.body = record.body ORDER BY answer.path LIMIT 1);
            """),
        // A later capture has moved on the records that it found again: in earlier ones they are looked for by their
        // bytes.
        Migration(
            "which answer brought records that were found again",
            """
            UPDATE member SET exchange = (
                SELECT answer.exchange FROM answer JOIN exchange ON exchange.id = answer.exchange \
            JOIN body AS held ON held.id = exchange.body
                JOIN record ON record.id = member.record JOIN body AS own ON own.id = record.body
                WHERE answer.revision = member.revision AND place_of(held.bytes, own.bytes, record.offset, \
            record.length) > 0
                ORDER BY answer.role, answer.path LIMIT 1)
            WHERE exchange IS NULL AND revision IN (SELECT id FROM revision WHERE imported IS NULL);
            """),
        // The status of a picture's file when its bytes were last compared with their digest, and when that was: see
        // `ArchiveFolder.whole`. Exports leave it empty.
        Migration(
            "what was seen of pictures' files",
            """
            CREATE TABLE IF NOT EXISTS seen(
                asset INTEGER PRIMARY KEY REFERENCES asset, facts TEXT NOT NULL, compared INTEGER NOT NULL) STRICT;
            """),
        // Equal records of several revisions are one row, but may show different pictures: which one belongs to the
        // revision. A seal that was computed here says only that nothing has changed since.
        Migration(
            "seals of revisions, and which picture a record shows in each",
            """
            ALTER TABLE member ADD COLUMN picture TEXT;
            UPDATE member SET picture = (SELECT picture FROM record WHERE record.id = member.record)
            WHERE revision IN (SELECT id FROM revision WHERE imported IS NULL);
            ALTER TABLE record DROP COLUMN picture;
            ALTER TABLE revision ADD COLUMN seal BLOB;
            ALTER TABLE revision ADD COLUMN sealed_late INTEGER NOT NULL DEFAULT 0 CHECK(sealed_late IN (0, 1));
            """
        ) { db in
            for revision in try db.all(
                "SELECT id FROM revision WHERE state = 'complete' ORDER BY id", read: { $0.integer(0) })
            {
                let seal = try RevisionSeal.compute(revision, in: db)
                try db.run(
                    "UPDATE revision SET seal = ?, sealed_late = 1 WHERE id = ?", .blob(seal.bytes), .integer(revision))
            }
        },
    ]
}

extension Schema {
    /// A row of sqlite_schema.
    private struct Object: Hashable {
        let type: String
        let name: String
        let table: String
        /// Bytes, which SQLite compares: for Swift, two encodings of one character are equal.
        let sql: [UInt8]?

        static func all(in db: Connection) throws -> [Object] {
            try db.all("SELECT type, name, tbl_name, sql FROM sqlite_schema") {
                Object(
                    type: $0.text(0), name: $0.text(1), table: $0.text(2),
                    sql: $0.isNull(3) ? nil : Array($0.text(3).utf8))
            }
        }
    }

    /// The objects of the schema after each number of migrations.
    private static let known: Result<[[Object]], any Error> = Result {
        let db = try Connection(":memory:", .readWrite)
        return [[]]
            + (try migrations.map { migration in
                try db.execute(migration.sql)
                return try Object.all(in: db)
            })
    }

    /// Compares the schema of a database that may be somebody else's with that of its format. A trigger is a program,
    /// and so is a view in place of a table. Further views, which exports have, are never read.
    static func check(_ db: Connection, version: Int, of archive: String) throws {
        let known = try Self.known.get()[version]
        let found = try Object.all(in: db)
        guard found != known else { return }
        var missing = Set(known)
        let names = Set(missing.map { $0.name.lowercased() })
        for object in found where missing.remove(object) == nil {
            guard object.type == "view", object.name == object.table, !names.contains(object.name.lowercased()) else {
                throw ArchiveError.refused(
                    "its database has the \(object.type) \"\(object.name)\", which no archive of its format has",
                    archive: archive)
            }
        }
        if let name = missing.map(\.name).min() {
            throw ArchiveError.refused(
                "in its database \"\(name)\" is missing, or other than in any archive of its format", archive: archive)
        }
    }

    /// Removes the views of a database before it is migrated. ALTER TABLE and DROP VIEW resolve every view. A malicious
    /// view can make that take unlimited time and memory.
    static func removeViews(_ db: Connection) throws {
        try db.execute(
            "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'view'; PRAGMA writable_schema = RESET"
        )
    }

    /// The tables that are read once for each revision, or have a row for each.
    private static let readByRevision = ["revision", "answer", "member", "list", "gap", "file"]

    /// Refuses a database with more rows than its bytes can hold. In a crafted one, pages can name one page thousands
    /// of times. `WorkLimit` limits the work of one connection, and an archive with many revisions needs many.
    ///
    /// A row has ten bytes at least: with its indexes, a member has 40. Counting ends at the first row too many. It
    /// takes about 50 nanoseconds a row. The size is asked for in the same statement, since a capture may be writing.
    /// SQLite would count an index that is smaller; the primary key of a table without rowids is the table itself.
    static func checkRows(of db: Connection, archive: String) throws {
        for table in readByRevision {
            let index = table == "revision" ? "NOT INDEXED" : "INDEXED BY sqlite_autoindex_\(table)_1"
            let sql = """
                SELECT 1 FROM \(table) \(index)
                LIMIT 1 OFFSET (SELECT page_count * page_size / 10 FROM pragma_page_count, pragma_page_size)
                """
            guard try db.first(sql, read: { _ in true }) == true else { continue }
            throw ArchiveError.refused(
                "its table \"\(table)\" has more rows than a file of its size can hold", archive: archive)
        }
    }
}
