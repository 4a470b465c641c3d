extension Connection {
    /// Runs the migrations that this database does not have yet, each in its own transaction. A migration consists of
    /// SQL statements; it runs once, and cannot be undone.
    ///
    /// `PRAGMA user_version` is the number of completed migrations
    /// (https://sqlite.org/pragma.html#pragma_user_version).
    /// - Parameter complete: computes values that SQL cannot compute, after the statements of a migration and in the
    ///   same transaction. It receives the new version.
    /// - Throws: if the database has more migrations than `steps`, because a newer Amber wrote it.
    package func migrate(_ steps: [String], complete: (Int) throws -> Void = { _ in }) throws {
        for (version, sql) in zip(1..., steps).dropFirst(try schemaVersion(of: steps)) {
            // The write lock is acquired at the beginning, so that two writers cannot block each other
            // (https://sqlite.org/lang_transaction.html).
            try execute("BEGIN IMMEDIATE")
            do {
                // Another process may have run this migration before the lock was acquired.
                if try schemaVersion < version {
                    try execute(sql)
                    try complete(version)
                    try execute("PRAGMA user_version = \(version)")
                }
                try execute("COMMIT")
            } catch {
                // A rollback fails if SQLite has already rolled back, for example because the disk is full. The first
                // error is reported.
                try? execute("ROLLBACK")
                throw error
            }
        }
    }

    /// The number of these migrations that this database has.
    /// - Throws: if the database has more migrations than `steps`.
    package func schemaVersion(of steps: [String]) throws -> Int {
        let version = try schemaVersion
        guard version >= 0 else { throw damage("the schema has the invalid version \(version)", in: "migration") }
        guard version <= steps.count else {
            let message = """
                the schema has version \(version), but this version of Amber supports versions up to \
                \(steps.count); use a newer version of Amber
                """
            throw failure(SQLiteError(code: 1, message: message, subject: "migration"))
        }
        return version
    }

    package var schemaVersion: Int {
        get throws { try first("PRAGMA user_version") { $0.int(0) } ?? 0 }
    }
}
