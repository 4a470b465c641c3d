/// A named migration of a database schema. It runs once, and cannot be undone.
public struct Migration: Sendable {
    let name: String
    /// The statements that change the schema.
    public let sql: String
    /// Computes values that SQL cannot compute; nil if there are none.
    fileprivate let compute: (@Sendable (Connection) throws -> Void)?

    /// Creates a migration from its statements.
    /// - Parameter compute: runs after the statements, in the same transaction.
    public init(_ name: String, _ sql: String, compute: (@Sendable (Connection) throws -> Void)? = nil) {
        self.name = name
        self.sql = sql
        self.compute = compute
    }
}

extension Connection {
    /// Runs the migrations that this database does not have yet, each in its own transaction.
    ///
    /// `PRAGMA user_version` is the number of completed migrations
    /// (https://sqlite.org/pragma.html#pragma_user_version).
    /// - Throws: if the database has more migrations than `steps`, because a newer Amber wrote it.
    public func migrate(_ steps: [Migration]) throws {
        let version = try schemaVersion(of: steps)
        for (index, step) in steps.enumerated().dropFirst(version) {
            // The write lock is acquired at the beginning, so that two writers cannot block each other
            // (https://sqlite.org/lang_transaction.html).
            try execute("BEGIN IMMEDIATE")
            do {
                // Another process may have run this migration before the lock was acquired.
                if try schemaVersion <= index {
                    try execute(step.sql)
                    try step.compute?(self)
                    try execute("PRAGMA user_version = \(index + 1)")
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
    public func schemaVersion(of steps: [Migration]) throws -> Int {
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

    /// The number of migrations that this database has.
    public var schemaVersion: Int {
        get throws { try first("PRAGMA user_version") { $0.int(0) } ?? 0 }
    }
}
