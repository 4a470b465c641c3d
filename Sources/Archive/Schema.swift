import SQLite

/// The archive's tables. A released migration never changes; new ones are added at the end.
enum Schema {
    /// The statements that bring each format to the next one.
    static let migrations = [
        // Revisions, answers, records.
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
        -- A record is a slice of a body. Equal records of several revisions are one row.
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
        """,
        // Without an index, deleting a row scans other tables (https://sqlite.org/foreignkeys.html#fk_indexes).
        """
        CREATE INDEX member_by_record ON member(record);
        CREATE INDEX record_by_body ON record(body);
        CREATE INDEX exchange_by_body ON exchange(body);
        """,
        // An imported state has files, not exchanges. `finished` is its date, `imported` that of the import.
        """
        ALTER TABLE revision ADD COLUMN imported INTEGER;
        CREATE TABLE file(
            revision INTEGER NOT NULL REFERENCES revision, name TEXT NOT NULL, body INTEGER NOT NULL REFERENCES body,
            PRIMARY KEY(revision, name)) STRICT, WITHOUT ROWID;
        CREATE INDEX file_by_body ON file(body);
        ALTER TABLE member ADD COLUMN exchange INTEGER REFERENCES exchange;
        CREATE INDEX member_by_exchange ON member(exchange);
        UPDATE member SET exchange = (
            SELECT answer.exchange FROM answer JOIN exchange ON exchange.id = answer.exchange
            JOIN record ON record.id = member.record
            WHERE answer.revision = member.revision AND exchange.body = record.body ORDER BY answer.path LIMIT 1);
        """,
        // A record's row can refer to the body of a later capture, so the answers of earlier revisions are searched.
        """
        UPDATE member SET exchange = (
            SELECT answer.exchange FROM answer JOIN exchange ON exchange.id = answer.exchange
            JOIN body AS held ON held.id = exchange.body
            JOIN record ON record.id = member.record JOIN body AS own ON own.id = record.body
            WHERE answer.revision = member.revision
            AND place_of(held.bytes, own.bytes, record.offset, record.length) > 0
            ORDER BY answer.role, answer.path LIMIT 1)
        WHERE exchange IS NULL AND revision IN (SELECT id FROM revision WHERE imported IS NULL);
        """,
        // The table is no longer used: it had the status of pictures' files, so that they were not read again.
        """
        CREATE TABLE IF NOT EXISTS seen(
            asset INTEGER PRIMARY KEY REFERENCES asset, facts TEXT NOT NULL, compared INTEGER NOT NULL) STRICT;
        """,
        // Equal records of several revisions share one row but can show different pictures, so the picture moves to the
        // member. The revisions of an older archive get their seals here. It shows changes since the migration only.
        """
        ALTER TABLE member ADD COLUMN picture TEXT;
        UPDATE member SET picture = (SELECT picture FROM record WHERE record.id = member.record)
        WHERE revision IN (SELECT id FROM revision WHERE imported IS NULL);
        ALTER TABLE record DROP COLUMN picture;
        ALTER TABLE revision ADD COLUMN seal BLOB;
        ALTER TABLE revision ADD COLUMN sealed_late INTEGER NOT NULL DEFAULT 0 CHECK(sealed_late IN (0, 1));
        """,
        // Declarations of catalogues.
        """
        CREATE TABLE declaration(id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, \
        capture_digest BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
        ALTER TABLE revision ADD COLUMN declaration INTEGER REFERENCES declaration;
        """,
    ]

    private struct Object: Hashable {
        let type: String
        let name: String
        let table: String
        /// Compared as bytes, like in SQLite. Two Swift strings can be equal although their bytes differ.
        let sql: [UInt8]

        static func all(in db: Connection) throws -> [Object] {
            try db.all("SELECT type, name, tbl_name, CAST(ifnull(sql, '') AS BLOB) FROM sqlite_schema") {
                Object(type: $0.text(0), name: $0.text(1), table: $0.text(2), sql: $0.blob(3))
            }
        }
    }

    /// The objects of each version of the schema, by the number of migrations.
    private static let versions: Result<[[Object]], any Error> = Result {
        let db = try Connection(":memory:", .readWrite)
        return try ([""] + migrations).map { migration in
            try db.execute(migration)
            return try Object.all(in: db)
        }
    }

    /// Refuses an untrusted database whose schema differs from the schema of its format, because triggers and views
    /// that replace tables run SQL. Additional views are accepted, because exports have some; Amber never reads them.
    static func check(_ db: Connection, version: Int, of archive: String) throws {
        func refuse(_ reason: String) throws -> Never { throw ArchiveError.refused(reason, archive: archive) }
        let known = try Self.versions.get()[version]
        let found = try Object.all(in: db)
        guard found != known else { return }
        var missing = Set(known)
        let names = Set(missing.map { $0.name.lowercased() })
        var (views, viewBytes) = (0, 0)
        for object in found where missing.remove(object) == nil {
            views += 1
            viewBytes += object.sql.count
            // SQLite reads the schema for each connection, and commands open one connection for each revision.
            guard views <= 32, viewBytes <= 1 << 14 else {
                try refuse("it has too many views, or views that are too long, for an archive that Amber wrote")
            }
            guard object.type == "view", object.name == object.table, !names.contains(object.name.lowercased()) else {
                try refuse("its database has the \(object.type) \"\(object.name)\", which is not part of its format")
            }
        }
        if let name = missing.map(\.name).min() {
            try refuse("\"\(name)\" is missing from its database, or is defined differently than in its format")
        }
    }

    /// Brings a database to the newest format, each migration in its own transaction.
    ///
    /// An older format stores the path of a picture once for each record, a newer one once for each member. A malicious
    /// database could fill the disk with copies, so the number of pages is limited during the migration.
    static func migrate(_ db: Connection, archive: String) throws {
        let limit = try db.first("PRAGMA max_page_count", read: { $0.integer(0) }) ?? .max
        let pages = try db.first("PRAGMA page_count", read: { $0.integer(0) }) ?? 0
        let version = try db.schemaVersion(limit: migrations.count)
        try db.execute("PRAGMA max_page_count = \(min(limit, 4 * pages + 1 << 14))")
        // The views are removed first, because ALTER TABLE and DROP VIEW resolve them, which can take forever.
        if pages > 0 {
            try db.execute(
                """
                PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE type = 'view';
                PRAGMA writable_schema = RESET
                """)
        }
        do {
            for (format, sql) in zip(1..., migrations).dropFirst(version) {
                // Locked first, so that two writers cannot block each other (https://sqlite.org/lang_transaction.html).
                try db.execute("BEGIN IMMEDIATE")
                // This fails after the commit, and if SQLite has already rolled back, such as when the disk is full.
                defer { try? db.execute("ROLLBACK") }
                // Another process may have run this migration before the lock was acquired.
                if try db.schemaVersion(limit: migrations.count) < format {
                    try db.execute(sql)
                    let closed = try db.all("SELECT id FROM revision WHERE state = 'complete'") { $0.integer(0) }
                    // The sixth format has seals.
                    for revision in closed where format == 6 { try db.seal(revision, isLate: true) }
                    try db.execute("PRAGMA user_version = \(format)")
                }
                try db.execute("COMMIT")
            }
        } catch ArchiveError.database(let error, _) where error.cause == .full && version > 0 {
            throw ArchiveError.refused(
                "it cannot be converted to the newest format: the disk is full, or the conversion needs more "
                    + "pages than a file of its size should need", archive: archive)
        }
        try db.execute("PRAGMA max_page_count = \(limit)")
    }

    /// The maximum number of revisions. Commands open a connection for each revision.
    private static let maximumRevisions = 100_000

    /// The maximum numbers of bytes of values in columns that queries read for many rows.
    private static let maximumLengths = [
        "sha256": 32, "digest": 32, "capture_digest": 32, "seal": 32, "kind": 128, "role": 128, "format": 128,
        "state": 128, "catalogue": 128, "origin": 128, "api": 2_000, "declaration.bytes": 1 << 20,
    ]

    /// Refuses a database with more rows or longer values than fit into its bytes. In a malicious file, pages can refer
    /// to one page thousands of times. `WorkLimit` is not enough: it limits one connection, and commands open many.
    /// Also, SQLite copies values to a temporary file to sort them, and that file has no limit.
    ///
    /// Each row needs at least ten bytes; a member with its indexes needs 40. Counting stops at the first row over the
    /// limit and takes about 50 nanoseconds for each row. The same statement reads the file's size, because a capture
    /// may be writing. Without `INDEXED BY`, SQLite would count the rows of the smallest index, which can be crafted
    /// separately. The primary key of a table without rowids is the table itself.
    static func checkSizes(of db: Connection, archive: String) throws {
        func refuse(_ reason: String) throws -> Never { throw ArchiveError.refused(reason, archive: archive) }
        let pageSize = try db.first("PRAGMA page_size") { $0.int(0) } ?? 0
        guard pageSize == 4_096 else { try refuse("its database has pages of \(pageSize) bytes, not 4096") }
        let last = try db.first("SELECT 1 FROM revision LIMIT 1 OFFSET ?", maximumRevisions) { _ in true }
        guard last == nil else { try refuse("it has more than the \(maximumRevisions) revisions allowed") }
        let fileSize = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        for table in ["revision", "answer", "member", "list", "gap", "file"] {
            let index = table == "revision" ? "NOT INDEXED" : "INDEXED BY sqlite_autoindex_\(table)_1"
            let sql = "SELECT 1 FROM \(table) \(index) LIMIT 1 OFFSET (\(fileSize)) / 10"
            guard try db.first(sql, read: { _ in true }) == true else { continue }
            try refuse("its table \"\(table)\" has more rows than a file of its size can hold")
        }
        let columns = try db.all(
            """
            SELECT object.name, column.name, column.type = 'BLOB'
            FROM sqlite_schema AS object, pragma_table_info(object.name) AS column
            WHERE object.type = 'table' AND column.type IN ('BLOB', 'TEXT') ORDER BY object.name, cid
            """
        ) { (table: $0.text(0), name: $0.text(1), isBytes: $0.int(2) == 1) }
        for (table, columns) in Dictionary(grouping: columns, by: \.table).sorted(by: { $0.key < $1.key }) {
            // SQLite knows the length of a blob without reading it. A text has to be read.
            let lengths = columns.map { $0.isBytes ? "length(\($0.name))" : "length(CAST(\($0.name) AS BLOB))" }
            let tooLong = zip(columns, lengths).compactMap { column, length in
                let maximum = maximumLengths[column.name] ?? maximumLengths["\(table).\(column.name)"]
                return maximum.map { "max(\(length)) > \($0)" }
            }
            let sum = lengths.map { "total(\($0))" }.joined(separator: " + ")
            let conditions = (["\(sum) > (\(fileSize))"] + tooLong).joined(separator: " OR ")
            if try db.first("SELECT ifnull(\(conditions), 0) FROM \(table)", read: { $0.int(0) }) == 1 {
                try refuse("its table \"\(table)\" has longer values than any archive that Amber writes")
            }
        }
    }
}
