import SQLite

extension Connection {
    /// The source's key. Inserts the source if it is new.
    func key(of source: Source) throws -> Int64 {
        try writtenKey(
            """
            INSERT INTO source(catalogue, api, origin) VALUES (?, ?, ?)
            ON CONFLICT(catalogue, api, origin) DO UPDATE SET origin = excluded.origin RETURNING id
            """, source.catalogue, source.api, source.origin.rawValue)
    }

    private func writtenKey(_ sql: String, _ values: (any SQLiteParameter)...) throws -> Int64 {
        let key = try first(sql, values: values) { $0.integer(0) }
        return try ArchiveError.require(key, "a row that was just written is missing")
    }

    /// Stores a body once. If a stored body with this digest has other bytes, it is damaged, and is replaced.
    func storeBody(_ bytes: [UInt8], _ sha256: SHA256) throws -> Int64 {
        try run(
            """
            INSERT INTO body(sha256, bytes) VALUES (?, ?)
            ON CONFLICT(sha256) DO UPDATE SET bytes = excluded.bytes WHERE bytes <> excluded.bytes
            """, sha256, bytes)
        return try writtenKey("SELECT id FROM body WHERE sha256 = ?", sha256)
    }

    func storeAsset(_ asset: Asset) throws -> Int64 {
        try writtenKey(
            """
            INSERT INTO asset(sha256, size, format, width, height) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT(sha256) DO UPDATE SET size = excluded.size, format = excluded.format,
            width = excluded.width, height = excluded.height RETURNING id
            """, asset.sha256, asset.size, asset.format.rawValue, asset.width, asset.height)
    }

    func addRecords(
        _ records: [RecordSlice], ofBody body: Int64, from exchange: Int64?, into revision: Int64, at position: Int
    ) throws {
        for (offset, slice) in records.enumerated() {
            let (kind, number, sha256) = (slice.key.kind, slice.key.id, slice.sha256)
            try run(
                """
                INSERT INTO record(kind, number, sha256, body, offset, length) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT(kind, number, sha256) DO UPDATE
                SET body = excluded.body, offset = excluded.offset, length = excluded.length
                WHERE body <> excluded.body OR offset <> excluded.offset OR length <> excluded.length
                """, kind, number, sha256, body, slice.range.lowerBound, slice.range.count)
            try run(
                """
                INSERT OR REPLACE INTO member(revision, kind, position, record, exchange, picture)
                SELECT ?4, ?1, ?5, id, ?6, ?7 FROM record WHERE kind = ?1 AND number = ?2 AND sha256 = ?3
                """, kind, number, sha256, revision, position + offset, exchange,
                exchange.flatMap { _ in slice.picture })
        }
    }

    func setAnswer(_ exchange: Int64, for path: String, _ role: AnswerRole, in revision: Int64) throws {
        try run(
            """
            INSERT INTO answer(revision, path, exchange, role) VALUES (?, ?, ?, ?)
            ON CONFLICT(revision, path) DO UPDATE SET exchange = excluded.exchange WHERE role = excluded.role
            """, revision, path, exchange, role.rawValue)
        guard changes > 0 else { throw ArchiveError.otherRole(path: path) }
    }

    /// Adds records of an earlier revision, except for those that the revision has already, and their answers. Such an
    /// answer replaces one that an interrupted capture stored, for example for a missing picture.
    func take(_ taken: TakenRecords, into revision: Int64) throws {
        try run(
            """
            INSERT OR IGNORE INTO member(revision, kind, position, record, exchange, picture)
            SELECT ?1, kind, position, record, exchange, picture FROM member
            WHERE revision = ?2 AND kind = ?3 AND position < ?4
            """, revision, taken.revision, taken.kind, taken.count)
        for path in taken.answers {
            try run(
                """
                INSERT OR REPLACE INTO answer(revision, path, exchange, role)
                SELECT ?1, path, exchange, role FROM answer WHERE revision = ?2 AND path = ?3
                """, revision, taken.revision, path)
        }
    }

    func setGaps(_ gaps: [Gap], of revision: Int64) throws {
        try run("DELETE FROM gap WHERE revision = ?", revision)
        for gap in Set(gaps).sorted() {
            try run("INSERT INTO gap VALUES (?, ?, ?, ?)", revision, gap.url, gap.keyPath, gap.reason)
        }
    }

    /// Stores the declaration that a revision was captured with. Equal declarations are stored once.
    func setDeclaration(_ declaration: StoredDeclaration?, of revision: Int64) throws {
        guard let declaration else { return }
        let key = try writtenKey(
            """
            INSERT INTO declaration(sha256, capture_digest, bytes) VALUES (?, ?, ?)
            ON CONFLICT(sha256) DO UPDATE SET capture_digest = excluded.capture_digest, bytes = excluded.bytes
            RETURNING id
            """, SHA256(of: declaration.bytes), declaration.captureDigest, declaration.bytes)
        try run("UPDATE revision SET declaration = ? WHERE id = ?", key, revision)
        try execute("DELETE FROM declaration WHERE id NOT IN (SELECT ifnull(declaration, 0) FROM revision)")
    }

    func removeAnswers(for paths: [String], in revision: Int64) throws {
        for path in paths { try run("DELETE FROM answer WHERE revision = ? AND path = ?", revision, path) }
    }

    func isRevisionOpen(_ revision: Int64) throws -> Bool {
        try first("SELECT 1 FROM revision WHERE id = ? AND state = 'open'", revision) { _ in true } ?? false
    }

    func removeRevision(_ revision: Int64) throws {
        guard try isRevisionOpen(revision) else { return }
        for table in ["answer", "member", "list", "gap", "file"] {
            try run("DELETE FROM \(table) WHERE revision = ?", revision)
        }
        try run("DELETE FROM revision WHERE id = ?", revision)
    }

    /// Removes unused answers, which are from abandoned or unchanged captures, and then unused records and bodies.
    /// - Parameter force: whether to remove unused records and bodies even if no answer is removed.
    func removeUnusedAnswers(of source: Int64, force: Bool = false) throws {
        try run(
            """
            DELETE FROM exchange WHERE source = ?
            AND NOT EXISTS (SELECT 1 FROM answer WHERE answer.exchange = exchange.id)
            AND NOT EXISTS (SELECT 1 FROM member WHERE member.exchange = exchange.id)
            """, source)
        guard changes > 0 || force else { return }
        try execute(
            """
            DELETE FROM record WHERE id NOT IN (SELECT record FROM member);
            DELETE FROM body WHERE id NOT IN (SELECT body FROM exchange WHERE body IS NOT NULL)
            AND id NOT IN (SELECT body FROM record)
            AND id NOT IN (SELECT body FROM file);
            """)
    }
}
