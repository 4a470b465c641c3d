import Platform
import SQLite

extension RevisionWriter {
    /// Marks the revision complete, or, where it equals the source's newest one, drops it and says so.
    public func finish(gaps: [Gap]) async throws(ArchiveError) -> Outcome {
        try await writer.perform { [self] db in
            try Self.requireOpen(number, in: db)
            let digest = try Self.digest(of: number, in: db)
            let newest = try Self.newest(of: sourceKey, in: db)
            // Where the clock was set back, the newest state is still the last one.
            let now = max(millisecondsSince1970(), newest?.finished ?? 0)
            // The earlier revision stays the newest only if it is as it was closed: else it is damaged, and this one
            // takes its place.
            if let newest, newest.digest == digest, try Self.digest(of: newest.number, in: db) == digest,
                try RevisionSeal.compute(newest.number, in: db) == newest.seal
            {
                try Self.forget(number, in: db)
                try db.run("UPDATE revision SET confirmed = ? WHERE id = ?", .integer(now), .integer(newest.number))
                try Self.prune(sourceKey, in: db)
                return .unchanged(newest)
            }
            try Self.set(gaps, of: number, in: db)
            try db.run(
                "UPDATE revision SET state = 'complete', finished = ?1, confirmed = ?1, digest = ?2 WHERE id = ?3",
                .integer(now),
                .blob(digest.bytes), .integer(number))
            let seal = try Self.seal(number, in: db)
            try Self.prune(sourceKey, in: db)
            return .new(
                Revision(
                    number: number, source: source, started: started, finished: now, imported: nil, digest: digest,
                    seal: seal,
                    isSealedLate: false, gaps: Set(gaps).count))
        }
    }

    /// The source's newest complete revision; nil where there is none, or its row is damaged.
    private static func newest(of source: Int64, in db: Connection) throws -> Revision? {
        do {
            return try state(of: source, at: .max, in: db)?.revision
        } catch ArchiveError.damaged {
            return nil
        }
    }

    /// Computes the seal of a revision that is being closed, and keeps it.
    @discardableResult
    static func seal(_ revision: Int64, in db: Connection) throws(SQLiteError) -> SHA256 {
        let seal = try RevisionSeal.compute(revision, in: db)
        try db.run("UPDATE revision SET seal = ? WHERE id = ?", .blob(seal.bytes), .integer(revision))
        return seal
    }

    /// How many records the source's newest complete revision has; 0 where there is none.
    public func newestRecordCount() async throws(ArchiveError) -> Int {
        try await writer.perform { [sourceKey] db in
            try db.first(
                """
                SELECT count(*) FROM member
                WHERE revision = (
                    SELECT id FROM revision WHERE source = ? AND state = 'complete' ORDER BY finished DESC,
                    id DESC LIMIT 1)
                """, .integer(sourceKey)
            ) { $0.int(0) } ?? 0
        }
    }

    /// Whether the source's newest complete revision has any of these records.
    public func newestHas(anyOf keys: [RecordKey]) async throws(ArchiveError) -> Bool {
        try await writer.perform { [sourceKey] db in
            for key in keys {
                let isThere = try db.first(
                    """
                    SELECT 1 FROM member JOIN record ON record.id = member.record
                    WHERE member.revision = (
                        SELECT id FROM revision WHERE source = ? AND state = 'complete' ORDER BY finished DESC,
                        id DESC LIMIT 1)
                    AND record.kind = ? AND record.number = ?
                    """, .integer(sourceKey), .text(key.kind), .integer(key.id)
                ) { _ in true }
                if isThere == true { return true }
            }
            return false
        }
    }

    /// The digest over lines of what the revision holds: "status sha256 path" of its list pages and pictures in the
    /// order of their paths' bytes, then "sha256 kind/number" of its records in the order of kind and position.
    static func digest(of revision: Int64, in db: Connection) throws(SQLiteError) -> SHA256 {
        let answers = """
            SELECT exchange.status || ' ' || lower(hex(exchange.sha256)) || ' ' || answer.path || char(10)
            FROM answer JOIN exchange ON exchange.id = answer.exchange
            WHERE answer.revision = ? AND answer.role <> 'records' ORDER BY answer.path
            """
        let records = """
            SELECT lower(hex(record.sha256)) || ' ' || record.kind || '/' || record.number || char(10)
            FROM member JOIN record ON record.id = member.record WHERE member.revision = ? ORDER BY member.kind,
            member.position
            """
        var hasher = SHA256Hasher()
        for sql in [answers, records] {
            try db.forEach(sql, .integer(revision)) { row in
                hasher.update(row.text(0))
                return true
            }
        }
        return hasher.finish()
    }

    static func set(_ gaps: [Gap], of revision: Int64, in db: Connection) throws(SQLiteError) {
        try db.run("DELETE FROM gap WHERE revision = ?", .integer(revision))
        for gap in Set(gaps).sorted() {
            try db.run(
                "INSERT INTO gap VALUES (?, ?, ?, ?)", .integer(revision), .text(gap.url), .text(gap.keyPath),
                .text(gap.reason))
        }
    }

    static func isOpen(_ revision: Int64, in db: Connection) throws(SQLiteError) -> Bool {
        try db.first("SELECT state = 'open' FROM revision WHERE id = ?", .integer(revision)) { $0.int(0) == 1 } ?? false
    }

    /// A complete revision never changes, whoever still holds its writer.
    static func requireOpen(_ revision: Int64, in db: Connection) throws {
        guard try isOpen(revision, in: db) else { throw ArchiveError.ended(revision: revision) }
    }

    static func forget(_ revision: Int64, in db: Connection) throws(SQLiteError) {
        for table in ["answer", "member", "list", "gap", "file"] {
            try db.run("DELETE FROM \(table) WHERE revision = ?", .integer(revision))
        }
        try db.run("DELETE FROM revision WHERE id = ? AND state = 'open'", .integer(revision))
    }

    /// Removes the answers that no revision has: those of given-up captures, and repeated ones of a capture that found
    /// nothing new.
    static func prune(_ source: Int64, force: Bool = false, in db: Connection) throws(SQLiteError) {
        let orphans = try db.all(
            """
            SELECT id, body FROM exchange WHERE source = ? AND NOT EXISTS (SELECT 1 FROM answer
            WHERE answer.exchange = exchange.id)
            AND NOT EXISTS (SELECT 1 FROM member WHERE member.exchange = exchange.id)
            """, .integer(source)
        ) { (id: $0.integer(0), body: $0.optionalInteger(1)) }
        for orphan in orphans { try db.run("DELETE FROM exchange WHERE id = ?", .integer(orphan.id)) }
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
