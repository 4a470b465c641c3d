import Platform
import SQLite

extension ArchiveWriter {
    /// Keeps a state of an earlier day as a complete revision of that date, in one step.
    /// - Parameter date: milliseconds since 1970.
    /// - Returns: the new revision, or, where the state before that date holds the same records byte for byte, that one.
    public func importState(
        of source: Source, date: Int64, _ files: [ImportedFile], gaps: [Gap] = []
    ) async throws(ArchiveError) -> RevisionWriter.Outcome {
        let now = millisecondsSince1970()
        return try await perform { db in
            let key = try RevisionWriter.key(of: source, in: db)
            try db.run(
                "INSERT INTO revision(source, state, started, finished, confirmed, imported) VALUES (?1, 'open', ?2, ?2, ?2, ?3)",
                .integer(key), .integer(date), .integer(now))
            let number = db.lastInsertedKey
            for file in files {
                let body = try RevisionWriter.keep(file.bytes, SHA256(of: file.bytes), in: db)
                try db.run("INSERT INTO file(revision, name, body) VALUES (?, ?, ?)", .integer(number), .text(file.name), .integer(body))
                try RevisionWriter.enter(file.records, ofBody: body, broughtBy: nil, into: number, at: 0, db)
            }
            let digest = try RevisionWriter.digest(of: number, in: db)
            let before = try db.first(
                """
                SELECT id, finished, digest, imported, started, (SELECT count(*) FROM gap WHERE gap.revision = revision.id)
                FROM revision WHERE source = ? AND state = 'complete' AND finished <= ?
                ORDER BY finished DESC, id DESC LIMIT 1
                """, .integer(key), .integer(date)
            ) {
                (
                    number: $0.integer(0), finished: $0.integer(1), digest: $0.blob(2), imported: $0.optionalInteger(3),
                    started: $0.integer(4), gaps: $0.int(5)
                )
            }
            if let before, before.digest == digest.bytes {
                try RevisionWriter.forget(number, in: db)
                try RevisionWriter.prune(key, force: true, in: db)
                return .unchanged(
                    Revision(
                        number: before.number, source: source, started: before.started, finished: before.finished,
                        imported: before.imported, digest: digest, gaps: 0
                    ))
            }
            try RevisionWriter.set(gaps, of: number, in: db)
            try db.run("UPDATE revision SET state = 'complete', digest = ? WHERE id = ?", .blob(digest.bytes), .integer(number))
            return .new(
                Revision(
                    number: number, source: source, started: date, finished: date, imported: now, digest: digest, gaps: Set(gaps).count))
        }
    }
}
