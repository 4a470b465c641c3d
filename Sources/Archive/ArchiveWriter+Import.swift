import Platform
import SQLite

extension ArchiveWriter {
    /// Keeps a state of an earlier day as a complete revision of that date, in one step.
    /// - Parameter date: milliseconds since 1970.
    /// - Returns: the new revision, or, where the state before that date holds the same records byte for byte, that
    ///   one. A state that was found unchanged after that date becomes a revision once more, since it stood again then.
    public func importState(
        of source: Source, date: Int64, _ files: [ImportedFile], gaps: [Gap] = []
    ) async throws(ArchiveError) -> RevisionWriter.Outcome {
        let now = millisecondsSince1970()
        return try await perform { db in
            let key = try RevisionWriter.key(of: source, in: db)
            try db.run(
                "INSERT INTO revision(source, state, started, finished, confirmed, imported) VALUES (?1, 'open', ?2, "
                    + "?2, ?2, ?3)",
                .integer(key), .integer(date), .integer(now))
            let number = db.lastInsertedKey
            for file in files {
                let body = try RevisionWriter.keep(file.bytes, SHA256(of: file.bytes), in: db)
                try db.run(
                    "INSERT INTO file(revision, name, body) VALUES (?, ?, ?)", .integer(number), .text(file.name),
                    .integer(body))
                try RevisionWriter.enter(file.records, ofBody: body, broughtBy: nil, into: number, at: 0, db)
            }
            let digest = try RevisionWriter.digest(of: number, in: db)
            let before = try RevisionWriter.state(of: key, at: date, in: db)
            if let before, before.revision.digest == digest {
                try RevisionWriter.forget(number, in: db)
                try RevisionWriter.prune(key, force: true, in: db)
                try RevisionWriter.confirm(before, at: date, in: db)
                return .unchanged(before.revision)
            }
            if let before { try RevisionWriter.split(before, at: date, in: db) }
            try RevisionWriter.set(gaps, of: number, in: db)
            try db.run(
                "UPDATE revision SET state = 'complete', digest = ? WHERE id = ?", .blob(digest.bytes), .integer(number)
            )
            let seal = try RevisionWriter.seal(number, in: db)
            return .new(
                Revision(
                    number: number, source: source, started: date, finished: date, imported: now, digest: digest,
                    seal: seal,
                    isSealedLate: false, gaps: Set(gaps).count))
        }
    }
}
