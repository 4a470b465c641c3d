import Platform
import SQLite

extension RevisionWriter {
    /// Marks the revision complete, or deletes it if it equals the source's newest one.
    package func finish(gaps: [Gap]) async throws -> Outcome {
        try await update { db in
            try Self.set(gaps, of: number, in: db)
            let digest = try Self.digest(of: number, in: db)
            let newest = try Self.newest(of: sourceKey, in: db)
            // If the clock was set back, the new state is still ordered after the newest one.
            let now = max(millisecondsSince1970(), newest?.finished ?? 0)
            // The earlier revision is kept as the newest only if it is intact. Otherwise the new one is added.
            let isSameDeclaration = newest?.captureDigest == declaration?.captureDigest
            if let newest,
                try newest.digest == digest
                    || isSameDeclaration && Self.haveEqualContent(number, newest.number, in: db),
                try Self.digest(of: newest.number, in: db) == newest.digest,
                try RevisionSeal.compute(newest.number, in: db) == newest.seal
            {
                try Self.remove(number, in: db)
                try db.run("UPDATE revision SET confirmed = ? WHERE id = ?", .integer(now), .integer(newest.number))
                // Proofs about the newest revision follow the declaration with which it was found unchanged.
                if newest.captureDigest ?? declaration?.captureDigest != declaration?.captureDigest {
                    try Self.set(declaration, of: newest.number, in: db)
                }
                try Self.removeUnusedAnswers(sourceKey, in: db)
                return .unchanged(newest)
            }
            let revision = try Self.close(
                number, of: source, started: started, finished: now, imported: nil, digest, gaps, declaration,
                in: db)
            try Self.removeUnusedAnswers(sourceKey, in: db)
            return .new(revision)
        }
    }

    private static func close(
        _ number: Int64, of source: Source, started: Int64, finished: Int64, imported: Int64?, _ digest: SHA256,
        _ gaps: [Gap], _ declaration: StoredDeclaration?, in db: Connection
    ) throws -> Revision {
        try set(gaps, of: number, in: db)
        try set(declaration, of: number, in: db)
        try db.run(
            "UPDATE revision SET state = 'complete', digest = ?1, finished = ?3, confirmed = ?3 WHERE id = ?2",
            .blob(digest.bytes), .integer(number), .integer(finished))
        return Revision(
            number: number, source: source, started: started, finished: finished, imported: imported, digest: digest,
            seal: try seal(number, in: db), isSealedLate: false, gaps: Set(gaps).count,
            captureDigest: declaration?.captureDigest)
    }

    /// The source's newest complete revision; nil if there is none, or its row is damaged.
    private static func newest(of source: Int64, in db: Connection) throws -> Revision? {
        do {
            return try state(of: source, at: .max, in: db)?.revision
        } catch ArchiveError.damaged {
            return nil
        }
    }

    /// Computes and stores the seal of a revision that is being closed.
    @discardableResult
    static func seal(_ revision: Int64, in db: Connection) throws -> SHA256 {
        let seal = try RevisionSeal.compute(revision, in: db)
        try db.run("UPDATE revision SET seal = ? WHERE id = ?", .blob(seal.bytes), .integer(revision))
        return seal
    }

    /// Whether two revisions have the same records, pictures, claims of lists, and gaps. Their list pages can differ: an
    /// API can put another cursor or time into each page.
    private static func haveEqualContent(_ one: Int64, _ other: Int64, in db: Connection) throws -> Bool {
        let claims = """
            SELECT kind || ' ' || count || ' ' || pages || char(10) FROM list WHERE revision = ? ORDER BY kind
            """
        let gaps = "SELECT url || ' ' || key_path || char(10) FROM gap WHERE revision = ? ORDER BY url, key_path"
        let content = [answerLines("= 'picture'"), claims, gaps, recordLines]
        return try digest(content, of: one, in: db) == digest(content, of: other, in: db)
    }

    /// "status sha256 path" for each answer whose role meets a condition, ordered by the bytes of the path.
    private static func answerLines(_ role: String) -> String {
        """
        SELECT exchange.status || ' ' || lower(hex(exchange.sha256)) || ' ' || answer.path || char(10)
        FROM answer JOIN exchange ON exchange.id = answer.exchange
        WHERE answer.revision = ? AND answer.role \(role) ORDER BY answer.path
        """
    }

    /// "sha256 kind/number" for each record, ordered by kind and position.
    private static let recordLines = """
        SELECT lower(hex(record.sha256)) || ' ' || record.kind || '/' || record.number || char(10)
        FROM member JOIN record ON record.id = member.record WHERE member.revision = ? ORDER BY member.kind,
        member.position
        """

    /// The SHA-256 of the lines of list pages and pictures, then of records.
    static func digest(of revision: Int64, in db: Connection) throws -> SHA256 {
        try digest([answerLines("<> 'records'"), recordLines], of: revision, in: db)
    }

    /// The SHA-256 of the lines that queries select for a revision.
    private static func digest(_ queries: [String], of revision: Int64, in db: Connection) throws -> SHA256 {
        var hasher = SHA256Hasher()
        for sql in queries {
            try db.forEach(sql, .integer(revision)) { row in
                hasher.update(row.text(0))
                return true
            }
        }
        return hasher.finish()
    }
}

extension RevisionWriter {
    /// Stores a state of an earlier day as a complete revision with that date.
    ///
    /// If captures found the previous revision unchanged after that date, its state was valid again then. So a copy of
    /// it is also stored, dated when it was last found unchanged.
    /// - Parameter date: milliseconds since 1970.
    /// - Returns: the new revision, or the previous one if all records have the same bytes.
    static func storeImported(
        _ files: [ImportedFile], of source: Source, date: Int64, gaps: [Gap],
        _ declaration: StoredDeclaration?, in db: Connection
    ) throws -> Outcome {
        let now = millisecondsSince1970()
        let key = try key(of: source, in: db)
        try db.run(
            "INSERT INTO revision(source, state, started, finished, confirmed, imported) VALUES (?1, 'open', ?2, "
                + "?2, ?2, ?3)",
            .integer(key), .integer(date), .integer(now))
        let number = db.lastInsertedKey
        for file in files {
            let body = try storeBody(file.bytes, SHA256(of: file.bytes), in: db)
            try db.run(
                "INSERT INTO file(revision, name, body) VALUES (?, ?, ?)", .integer(number), .text(file.name),
                .integer(body))
            try addRecords(file.records, ofBody: body, from: nil, into: number, at: 0, db)
        }
        let digest = try digest(of: number, in: db)
        let before = try state(of: key, at: date, in: db)
        if let before, before.revision.digest == digest {
            try remove(number, in: db)
            try removeUnusedAnswers(key, force: true, in: db)
            if date > before.confirmed {
                try db.run(
                    "UPDATE revision SET confirmed = ? WHERE id = ?", .integer(date), .integer(before.revision.number))
            }
            return .unchanged(before.revision)
        }
        if let before, before.confirmed > date { try storeCopy(of: before.revision, at: before.confirmed, in: db) }
        return .new(
            try close(
                number, of: source, started: date, finished: date, imported: now, digest, gaps, declaration,
                in: db))
    }

    /// The newest revision of a source at a date, and when it was last found unchanged; nil if no revision is that old.
    private static func state(
        of key: Int64, at date: Int64, in db: Connection
    ) throws -> (revision: Revision, confirmed: Int64)? {
        var newest: (Revision, Int64)?
        try Revision.forEach(
            in: db, "AND source = ? AND finished <= ? ORDER BY finished DESC, revision.id DESC LIMIT 1",
            [.integer(key), .integer(date)]
        ) { revision, confirmed in
            newest = (revision, confirmed)
            return false
        }
        return newest
    }

    /// Stores a copy of a revision, dated when the revision was last found unchanged, because a state with a date
    /// between the two is being imported.
    private static func storeCopy(of old: Revision, at confirmed: Int64, in db: Connection) throws {
        try db.run(
            """
            INSERT INTO revision(source, state, started, finished, confirmed, digest, imported, sealed_late, declaration)
            SELECT source, state, ?2, ?2, ?2, digest, imported, sealed_late, declaration FROM revision WHERE id = ?1
            """, .integer(old.number), .integer(confirmed))
        let number = db.lastInsertedKey
        for (table, columns) in [
            ("answer", "path, exchange, role"), ("member", "kind, position, record, exchange, picture"),
            ("list", "kind, count, pages"), ("gap", "url, key_path, reason"), ("file", "name, body"),
        ] {
            try db.run(
                "INSERT INTO \(table)(revision, \(columns)) SELECT ?1, \(columns) FROM \(table) WHERE revision = ?2",
                .integer(number), .integer(old.number))
        }
        try seal(number, in: db)
        try db.run("UPDATE revision SET confirmed = finished WHERE id = ?", .integer(old.number))
    }
}
