import Platform
import SQLite

extension RevisionReader {
    /// Exports the revision and its history as a separate database file, with views that people can read.
    ///
    /// The file depends on these revisions only, and not on later revisions or unfinished captures. Rows keep their
    /// keys. The file contains no pictures; the table `asset` has their digests.
    /// - Parameters:
    ///   - path: the new file.
    ///   - views: `CREATE VIEW` statements. They may use the view `document` (kind, id, position, json of all records).
    ///   - willWrite: receives a number of bytes before the bodies and after other tables. Its errors end the export.
    package func export(to path: String, views: [String], _ willWrite: (Int) throws -> Void = { _ in }) throws {
        let archive = try folder.location()
        let db = try Connection(path, .readWrite, ofArchive: path)
        // An incomplete file is deleted, so it needs no journal. In a malicious archive, many values can share pages.
        let maximumPages = (FileStatus(folder.database)?.size ?? 0) / 4_096 * 8 + (1 << 14)
        try db.execute(
            """
            PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8192;
            PRAGMA max_page_count = \(min(maximumPages, 4_294_967_294))
            """)
        for migration in Schema.migrations { try db.execute(migration) }
        try db.execute("PRAGMA user_version = \(Schema.migrations.count)")
        try db.run("ATTACH ? AS archive", archive.path)
        try db.limitWork(forFileOf: archive.size)
        try db.execute(
            """
            BEGIN;
            CREATE TEMP TABLE chosen(id INTEGER PRIMARY KEY, place INTEGER NOT NULL);
            CREATE TEMP TABLE moved(record INTEGER PRIMARY KEY, body INTEGER NOT NULL, offset INTEGER NOT NULL);
            """)
        for (index, revision) in try history().enumerated() {
            try db.run("INSERT INTO chosen VALUES (?, ?)", revision.number, index)
        }
        try moveRecords(db)
        let pageCount = { try db.first("PRAGMA main.page_count") { $0.int(0) } ?? 0 }
        for sql in Self.copies {
            let before = try pageCount()
            let isBodies = sql.hasSuffix(Self.bodies)
            if isBodies {
                let size = try db.first("SELECT coalesce(sum(length(bytes)), 0) FROM (\(Self.bodies))") { $0.int(0) }
                try willWrite(size ?? 0)
            }
            try db.execute(sql)
            if !isBodies { try willWrite((try pageCount() - before) * 4_096) }
        }
        // The views come from a catalogue. Each is compiled as a single statement, so it cannot contain a second one.
        for view in [Self.documentView] + views { try db.run(view) }
        try db.execute("COMMIT; DETACH archive")
    }

    private static let documentView = """
        CREATE VIEW document AS SELECT member.kind, record.number AS id, member.position,
        CAST(substr(body.bytes, record.offset + 1, record.length) AS TEXT) AS json
        FROM member JOIN record ON record.id = member.record JOIN body ON body.id = record.body
        WHERE member.revision = (SELECT id FROM revision ORDER BY finished DESC, id DESC LIMIT 1)
        """

    /// Statements that copy the rows of each table in the order of their keys, so that equal rows give equal files.
    private static let copies = [
        copy("source", "id IN (SELECT source FROM archive.revision JOIN chosen USING (id))", by: "id"),
        copy("declaration", "id IN (SELECT declaration FROM archive.revision JOIN chosen USING (id))", by: "id"),
        """
        INSERT INTO revision
        SELECT id, source, state, started, finished, finished, digest, imported, seal, sealed_late, declaration
        FROM archive.revision JOIN chosen USING (id) ORDER BY id
        """,
        copy("answer", isChosen, by: "revision, path"),
        copy("exchange", "id IN (SELECT exchange FROM answer)", by: "id"),
        copy("asset", "id IN (SELECT asset FROM exchange)", by: "id"),
        copy("file", isChosen, by: "revision, name"),
        // If a request was answered twice, only the second answer is valid and exported.
        """
        INSERT INTO member SELECT revision, kind, position, record, CASE
            WHEN EXISTS (SELECT 1 FROM answer
                WHERE answer.exchange = member.exchange AND answer.revision = member.revision)
            THEN exchange
            ELSE (SELECT answer.exchange FROM archive.exchange JOIN answer ON answer.path = exchange.path
                WHERE exchange.id = member.exchange AND answer.revision = member.revision) END, picture
        FROM archive.member WHERE \(isChosen) ORDER BY revision, kind, position
        """,
        """
        INSERT INTO record
        SELECT id, kind, number, sha256, coalesce(moved.body, record.body), coalesce(moved.offset, record.offset),
        length FROM archive.record LEFT JOIN moved ON moved.record = record.id
        WHERE id IN (SELECT record FROM member) ORDER BY id
        """,
        "INSERT INTO body \(bodies)",
        copy("list", isChosen, by: "revision, kind"),
        copy("gap", isChosen, by: "revision, url, key_path, reason"),
    ]

    private static let isChosen = "revision IN (SELECT id FROM chosen)"

    private static func copy(_ table: String, _ condition: String, by order: String) -> String {
        "INSERT INTO \(table) SELECT * FROM archive.\(table) WHERE \(condition) ORDER BY \(order)"
    }

    /// The unary `+` makes SQLite read bodies in the order of their keys. Sorting them would need much memory.
    private static let bodies = """
        SELECT * FROM archive.body WHERE +id IN (SELECT body FROM exchange) OR +id IN (SELECT body FROM file)
        ORDER BY id
        """

    /// Finds a new body for each record whose row refers to the body of a later revision or an abandoned capture,
    /// because such a body is not exported. The new body is from the last exported revision that contains the record.
    private func moveRecords(_ db: Connection) throws {
        let records = try db.all(
            """
            SELECT id, (
                SELECT coalesce(exchange.body, CASE WHEN record.body IN (
                    SELECT body FROM archive.file WHERE file.revision = member.revision) THEN record.body END,
                    -member.revision)
                FROM archive.member JOIN chosen ON chosen.id = member.revision
                LEFT JOIN archive.exchange AS source ON source.id = member.exchange
                LEFT JOIN archive.answer ON answer.revision = member.revision AND answer.path = source.path
                LEFT JOIN archive.exchange ON exchange.id = answer.exchange
                WHERE member.record = record.id ORDER BY chosen.place DESC LIMIT 1) AS rightful
            FROM archive.record WHERE rightful <> body
            """
        ) { (id: $0.integer(0), rightful: $0.integer(1)) }
        for record in records {
            // A negative number is the number of a revision. The record is in one of the revision's imported files.
            try db.run(
                """
                INSERT INTO moved SELECT ?1, held.id, place_of(held.bytes, wanted.bytes, wanted.offset,
                wanted.length) - 1
                FROM archive.body AS held, (
                    SELECT body.bytes, record.offset, record.length
                    FROM archive.record JOIN archive.body ON body.id = record.body WHERE record.id = ?1) AS wanted
                WHERE (held.id = ?2 OR held.id IN (SELECT body FROM archive.file WHERE revision = -?2))
                AND place_of(held.bytes, wanted.bytes, wanted.offset, wanted.length) > 0
                ORDER BY held.id LIMIT 1
                """, record.id, record.rightful)
        }
    }
}
