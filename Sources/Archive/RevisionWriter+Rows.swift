import SQLite

extension RevisionWriter {
    /// The source's key. Inserts the source if it is new.
    static func key(of source: Source, in db: Connection) throws -> Int64 {
        let parts: [SQLiteValue] = [.text(source.catalogue), .text(source.api), .text(source.origin.rawValue)]
        try db.statement("INSERT OR IGNORE INTO source(catalogue, api, origin) VALUES (?, ?, ?)").run(parts)
        return try key("source", "catalogue = ? AND api = ? AND origin = ?", parts, in: db)
    }

    private static func key(_ table: String, _ condition: String, _ values: [SQLiteValue], in db: Connection) throws
        -> Int64
    {
        var key: Int64?
        try db.statement("SELECT id FROM \(table) WHERE \(condition)").forEach(values) { row in
            key = row.integer(0)
            return false
        }
        guard let key else { throw ArchiveError.damaged("a row of \(table) that was just written is missing") }
        return key
    }

    /// Stores a body, unless it is stored already. If a stored body with this digest has other bytes, it is damaged and
    /// is replaced.
    static func storeBody(_ bytes: [UInt8], _ sha256: SHA256, in db: Connection) throws -> Int64 {
        try db.run(
            """
            INSERT INTO body(sha256, bytes) VALUES (?, ?)
            ON CONFLICT(sha256) DO UPDATE SET bytes = excluded.bytes WHERE bytes <> excluded.bytes
            """, .blob(sha256.bytes), .blob(bytes))
        return try key("body", "sha256 = ?", [.blob(sha256.bytes)], in: db)
    }

    static func store(
        _ content: NewExchange.Content, in db: Connection, _ folder: ArchiveFolder
    ) throws -> (sha256: SHA256, size: Int, body: Int64?, asset: (key: Int64, asset: Asset)?) {
        switch content {
        case .document(let bytes):
            let sha256 = SHA256(of: bytes)
            return (sha256, bytes.count, try storeBody(bytes, sha256, in: db), nil)
        case .picture(let bytes, let format, let width, let height):
            let asset = Asset(
                sha256: SHA256(of: bytes), size: bytes.count, format: format, width: width, height: height)
            let file = try folder.store(bytes, asset.sha256, in: db)
            try db.run(
                """
                INSERT INTO asset(sha256, size, format, width, height) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT(sha256) DO UPDATE SET size = excluded.size, format = excluded.format,
                width = excluded.width, height = excluded.height
                WHERE size <> excluded.size OR format <> excluded.format OR width <> excluded.width OR height <>
                excluded.height
                """, .blob(asset.sha256.bytes), .int(asset.size), .text(format.rawValue), .int(width), .int(height))
            try folder.storeStatus(file, ofAsset: asset.sha256, in: db)
            let key = try key("asset", "sha256 = ?", [.blob(asset.sha256.bytes)], in: db)
            return (asset.sha256, bytes.count, nil, (key, asset))
        }
    }

    static func addRecords(
        _ records: [RecordSlice], ofBody body: Int64, from exchange: Int64?, into revision: Int64,
        at position: Int, _ db: Connection
    ) throws {
        for (offset, slice) in records.enumerated() {
            let key: [SQLiteValue] = [.text(slice.key.kind), .integer(slice.key.id), .blob(slice.sha256.bytes)]
            try db.statement(
                """
                INSERT INTO record(kind, number, sha256, body, offset, length) VALUES (?1, ?2, ?3, ?6, ?4, ?5)
                ON CONFLICT(kind, number, sha256) DO UPDATE
                SET body = excluded.body, offset = excluded.offset, length = excluded.length
                WHERE body <> excluded.body OR offset <> excluded.offset OR length <> excluded.length
                """
            ).run(key + [.int(slice.range.lowerBound), .int(slice.range.count), .integer(body)])
            try db.statement(
                """
                INSERT OR REPLACE INTO member(revision, kind, position, record, exchange, picture)
                SELECT ?4, ?1, ?5, id, ?6, ?7 FROM record WHERE kind = ?1 AND number = ?2 AND sha256 = ?3
                """
            ).run(
                key + [
                    .integer(revision), .int(position + offset), .optional(exchange),
                    .optional(exchange == nil ? nil : slice.picture),
                ])
        }
    }

    static func setAnswer(
        _ exchange: Int64, for path: String, _ role: AnswerRole, in revision: Int64, _ db: Connection
    ) throws {
        try db.run(
            """
            INSERT INTO answer(revision, path, exchange, role) VALUES (?, ?, ?, ?)
            ON CONFLICT(revision, path) DO UPDATE SET exchange = excluded.exchange WHERE role = excluded.role
            """, .integer(revision), .text(path), .integer(exchange), .text(role.rawValue))
        guard db.changes > 0 else {
            throw ArchiveError.otherRole(path: path)
        }
    }

    static func set(_ gaps: [Gap], of revision: Int64, in db: Connection) throws {
        try db.run("DELETE FROM gap WHERE revision = ?", .integer(revision))
        for gap in Set(gaps).sorted() {
            try db.run(
                "INSERT INTO gap VALUES (?, ?, ?, ?)", .integer(revision), .text(gap.url), .text(gap.keyPath),
                .text(gap.reason))
        }
    }

    /// Stores the declaration that a revision was captured with. Equal declarations are stored once.
    static func set(_ declaration: StoredDeclaration?, of revision: Int64, in db: Connection) throws {
        guard let declaration else { return }
        let sha256 = SQLiteValue.blob(SHA256(of: declaration.bytes).bytes)
        try db.run(
            """
            INSERT INTO declaration(sha256, capture_digest, bytes) VALUES (?, ?, ?)
            ON CONFLICT(sha256) DO UPDATE SET capture_digest = excluded.capture_digest, bytes = excluded.bytes
            """, sha256, .blob(declaration.captureDigest.bytes), .blob(declaration.bytes))
        let key = try key("declaration", "sha256 = ?", [sha256], in: db)
        try db.run("UPDATE revision SET declaration = ? WHERE id = ?", .integer(key), .integer(revision))
        try db.execute("DELETE FROM declaration WHERE id NOT IN (SELECT ifnull(declaration, 0) FROM revision)")
    }

    static func isOpen(_ revision: Int64, in db: Connection) throws -> Bool {
        try db.first("SELECT state = 'open' FROM revision WHERE id = ?", .integer(revision)) { $0.int(0) == 1 } ?? false
    }

    static func remove(_ revision: Int64, in db: Connection) throws {
        for table in ["answer", "member", "list", "gap", "file"] {
            try db.run("DELETE FROM \(table) WHERE revision = ?", .integer(revision))
        }
        try db.run("DELETE FROM revision WHERE id = ? AND state = 'open'", .integer(revision))
    }

    /// Removes answers that no revision uses, and then unused records and bodies. Such answers are from abandoned or
    /// unchanged captures.
    /// - Parameter force: whether to remove unused records and bodies even if no answer is removed.
    static func removeUnusedAnswers(_ source: Int64, force: Bool = false, in db: Connection) throws {
        let orphans = try db.all(
            """
            SELECT id FROM exchange WHERE source = ? AND NOT EXISTS (SELECT 1 FROM answer
            WHERE answer.exchange = exchange.id)
            AND NOT EXISTS (SELECT 1 FROM member WHERE member.exchange = exchange.id)
            """, .integer(source)
        ) { $0.integer(0) }
        for orphan in orphans { try db.run("DELETE FROM exchange WHERE id = ?", .integer(orphan)) }
        guard !orphans.isEmpty || force else { return }
        try db.execute(
            """
            DELETE FROM record WHERE id NOT IN (SELECT record FROM member);
            DELETE FROM body WHERE id NOT IN (SELECT body FROM exchange WHERE body IS NOT NULL)
            AND id NOT IN (SELECT body FROM record)
            AND id NOT IN (SELECT body FROM file);
            """)
    }
}
