/// One step of a database's schema: named, run once, forward only.
public struct Migration: Sendable {
    let name: String
    /// The statements that take the schema one step on.
    public let sql: String
    /// Fills in what SQL cannot compute; nil where there is nothing of the kind.
    fileprivate let compute: (@Sendable (Connection) throws -> Void)?

    /// A step with its statements.
    /// - Parameter compute: runs after the statements, in their transaction.
    public init(_ name: String, _ sql: String, compute: (@Sendable (Connection) throws -> Void)? = nil) {
        self.name = name
        self.sql = sql
        self.compute = compute
    }
}

extension Connection {
    /// Brings the schema up to date: runs the steps that this database has not seen, each in its own transaction with
    /// its record.
    ///
    /// `PRAGMA user_version` counts the steps done (https://sqlite.org/pragma.html#pragma_user_version).
    /// - Throws: where the database has seen more steps than there are here: a newer Amber wrote it.
    public func migrate(_ steps: [Migration]) throws {
        let done = try schemaVersion(of: steps)
        for (index, step) in steps.enumerated().dropFirst(done) {
            // The lock for writing is taken at once, so that two writers never meet half-way
            // (https://sqlite.org/lang_transaction.html).
            try execute("BEGIN IMMEDIATE")
            do {
                // Another process may have run it between the reading and the lock.
                if try schemaVersion <= index {
                    try execute(step.sql)
                    try step.compute?(self)
                    try execute("PRAGMA user_version = \(index + 1)")
                }
                try execute("COMMIT")
            } catch {
                // Where SQLite has rolled back by itself (disk full, say) this fails; the first error is the one to
                // report.
                try? execute("ROLLBACK")
                throw error
            }
        }
    }

    /// How many of these migrations this database has seen.
    /// - Throws: where it has seen more than there are here.
    public func schemaVersion(of steps: [Migration]) throws -> Int {
        let done = try schemaVersion
        guard done >= 0 else {
            throw SQLiteError(code: 11, message: "the schema has the version \(done)", subject: "migration")
        }
        guard done <= steps.count else {
            throw SQLiteError(
                code: 1,
                message: "the schema is version \(done), newer than the \(steps.count) known here; use a newer Amber",
                subject: "migration")
        }
        return done
    }

    /// How many migrations this database has seen.
    public var schemaVersion: Int {
        get throws { try first("PRAGMA user_version") { $0.int(0) } ?? 0 }
    }
}
