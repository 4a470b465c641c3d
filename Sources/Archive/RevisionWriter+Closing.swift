import Platform
import SQLite

extension RevisionWriter {
    /// Marks the revision complete, or deletes it if it equals the source's newest one.
    /// - Parameters:
    ///   - taken: the records that are taken from earlier revisions. If there are any, not all records were requested,
    ///     so the time of the newest revision is not renewed.
    ///   - listDigests: computes a digest of each list's records, which is compared if only list pages differ.
    package func finish(
        gaps: [Gap], taken: [TakenRecords] = [],
        listDigests: @escaping @Sendable (RevisionReader) throws -> [String: SHA256] = { _ in [:] }
    ) async throws -> Outcome {
        try await update { db in
            try db.setGaps(gaps, of: number)
            for records in taken { try db.take(records, into: number) }
            let digest = try db.computeDigest(of: number)
            let newest = try db.newestRevision(of: sourceKey)
            // If the clock was set back, the new state is still ordered after the newest one.
            let now = max(millisecondsSince1970(), newest?.finished ?? 0)
            let own = Revision(
                number: number, source: source, started: started, finished: now, imported: nil, digest: digest,
                seal: digest, isSealedLate: false, gaps: gaps.count, captureDigest: declaration?.captureDigest)
            func haveEqualLists(_ newest: Revision) throws -> Bool {
                do {
                    let lists = try [own, newest].map { try listDigests(RevisionReader($0, in: folder, on: db)) }
                    return lists[0].allSatisfy { lists[1][$0.key] == $0.value }
                } catch ArchiveError.damaged {
                    // A page that this version of Amber cannot read any more must not prevent captures.
                    return false
                }
            }
            let isSame = newest?.digest == digest
            // The new revision is deleted if it equals the newest one, and if that is intact. With equal digests, the
            // gaps and the pictures of records can still differ, for example if a field has another type. With other
            // digests, the content can still be equal.
            if let newest, isSame || newest.captureDigest == own.captureDigest,
                try db.haveEqualContent(number, newest.number, onlyGapsAndPictures: isSame), try db.isIntact(newest),
                try isSame || haveEqualLists(newest)
            {
                try db.removeRevision(number)
                if taken.isEmpty { try db.setConfirmed(now, of: newest.number) }
                // Proofs about the newest revision follow the declaration with which it was found unchanged.
                if newest.captureDigest ?? declaration?.captureDigest != declaration?.captureDigest {
                    try db.setDeclaration(declaration, of: newest.number)
                }
                try db.removeUnusedAnswers(of: sourceKey)
                return (newest, false)
            }
            let revision = try db.closeRevision(number, finished: now, digest, declaration)
            try db.removeUnusedAnswers(of: sourceKey)
            return (revision, true)
        }
    }
}

extension Connection {
    fileprivate func closeRevision(
        _ number: Int64, finished: Int64, _ digest: SHA256, _ declaration: StoredDeclaration?
    ) throws -> Revision {
        try setDeclaration(declaration, of: number)
        try run(
            "UPDATE revision SET state = 'complete', digest = ?1, finished = ?3, confirmed = ?3 WHERE id = ?2",
            digest, number, finished)
        try seal(number)
        let revision = try first(Revision.query("AND revision.id = ?"), number) { try Revision($0) }
        return try ArchiveError.require(revision, "revision \(number), which was just closed, is missing")
    }

    /// The source's newest complete revision; nil if there is none, or its row is damaged.
    func newestRevision(of source: Int64) throws -> Revision? {
        do {
            return try state(of: source, at: .max)?.revision
        } catch ArchiveError.damaged {
            return nil
        }
    }

    fileprivate func setConfirmed(_ date: Int64, of revision: Int64) throws {
        try run("UPDATE revision SET confirmed = ? WHERE id = ?", date, revision)
    }

    /// Computes and stores the seal of a revision.
    /// - Parameter isLate: whether the revision was closed before, by a version of Amber without seals.
    func seal(_ revision: Int64, isLate: Bool = false) throws {
        try run(
            "UPDATE revision SET seal = ?, sealed_late = max(sealed_late, ?) WHERE id = ?",
            try computeSeal(of: revision), isLate ? 1 : 0, revision)
    }

    /// Whether two revisions have the same records, pictures, gaps, and claims of lists that the first one has. Their
    /// list pages can differ: an API can put another cursor or time into each page.
    /// - Parameter onlyGapsAndPictures: whether only gaps and the addresses of pictures are compared.
    fileprivate func haveEqualContent(_ one: Int64, _ other: Int64, onlyGapsAndPictures: Bool) throws -> Bool {
        let claims = """
            SELECT kind || ' ' || count || ' ' || pages || char(10) FROM list
            WHERE revision = ? AND kind IN (SELECT kind FROM list WHERE revision = \(one)) ORDER BY kind
            """
        let others = onlyGapsAndPictures ? [] : [Self.answerLines("= 'picture'"), claims, Self.recordLines]
        let content = [Self.gapLines, Self.pictureLines] + others
        return try digest(content, of: one) == digest(content, of: other)
    }

    func isIntact(_ revision: Revision) throws -> Bool {
        try computeDigest(of: revision.number) == revision.digest && computeSeal(of: revision.number) == revision.seal
    }

    private static let pictureLines = """
        SELECT kind || ' ' || position || ' ' || picture || char(10) FROM member
        WHERE revision = ? AND picture IS NOT NULL ORDER BY kind, position
        """

    private static let gapLines =
        "SELECT url || ' ' || key_path || char(10) FROM gap WHERE revision = ? ORDER BY url, key_path"

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
    func computeDigest(of revision: Int64) throws -> SHA256 {
        try digest([Self.answerLines("<> 'records'"), Self.recordLines], of: revision)
    }

    private func digest(_ queries: [String], of revision: Int64) throws -> SHA256 {
        var hasher = DigestHasher()
        for sql in queries { try forEach(sql, revision) { hasher.update($0.text(0)) } }
        return hasher.finish()
    }
}

extension ArchiveWriter {
    /// Stores files of an earlier day as a complete revision with that date.
    ///
    /// If captures found the previous revision unchanged after that date, its state was valid again then. So a copy of
    /// it is also stored, dated when it was last found unchanged.
    /// - Parameter date: milliseconds since 1970.
    /// - Returns: the new revision, or the previous one if all records have the same bytes.
    package func importState(
        of source: Source, date: Int64, _ files: [ImportedFile], gaps: [Gap] = [], declaration: StoredDeclaration? = nil
    ) async throws -> RevisionWriter.Outcome {
        try await perform { db in
            let key = try db.key(of: source)
            let insertion = "INSERT INTO revision(source, state, started, imported) VALUES (?, 'open', ?, ?)"
            try db.run(insertion, key, date, millisecondsSince1970())
            let number = db.lastInsertedKey
            for file in files {
                let body = try db.storeBody(file.bytes, SHA256(of: file.bytes))
                try db.run("INSERT INTO file VALUES (?, ?, ?)", number, file.name, body)
                try db.addRecords(file.records, ofBody: body, from: nil, into: number, at: 0)
            }
            let digest = try db.computeDigest(of: number)
            let before = try db.state(of: key, at: date)
            if let before, before.revision.digest == digest {
                try db.removeRevision(number)
                try db.removeUnusedAnswers(of: key, force: true)
                if date > before.confirmed { try db.setConfirmed(date, of: before.revision.number) }
                return (before.revision, false)
            }
            if let before, before.confirmed > date {
                try db.storeCopy(of: before.revision.number, at: before.confirmed)
            }
            try db.setGaps(gaps, of: number)
            return (try db.closeRevision(number, finished: date, digest, declaration), true)
        }
    }
}

extension Connection {
    /// The newest revision of a source at a date, and when it was last found unchanged; nil if no revision is that old.
    fileprivate func state(of source: Int64, at date: Int64) throws -> (revision: Revision, confirmed: Int64)? {
        try first(
            Revision.query("AND source = ? AND finished <= ? ORDER BY finished DESC, revision.id DESC LIMIT 1"),
            source, date
        ) { row in
            let revision = try Revision(row)
            return (revision, try row.date(12, "the last capture that confirmed revision \(revision.number)"))
        }
    }

    /// Stores a copy of a revision, dated when it was last found unchanged, because a state in between is imported.
    fileprivate func storeCopy(of old: Int64, at confirmed: Int64) throws {
        try run(
            """
            INSERT INTO revision
                (source, state, started, finished, confirmed, digest, imported, sealed_late, declaration)
            SELECT source, state, ?2, ?2, ?2, digest, imported, sealed_late, declaration FROM revision WHERE id = ?1
            """, old, confirmed)
        let number = lastInsertedKey
        for (table, columns) in [
            ("answer", "path, exchange, role"), ("member", "kind, position, record, exchange, picture"),
            ("list", "kind, count, pages"), ("gap", "url, key_path, reason"), ("file", "name, body"),
        ] {
            try run(
                "INSERT INTO \(table)(revision, \(columns)) SELECT ?1, \(columns) FROM \(table) WHERE revision = ?2",
                number, old)
        }
        try seal(number)
        try run("UPDATE revision SET confirmed = finished WHERE id = ?", old)
    }
}
