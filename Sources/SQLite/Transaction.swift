extension Connection {
    /// Runs a closure inside one transaction: committed when it returns, rolled back when it throws.
    ///
    /// The lock for writing is taken at once, so that two writers never meet half-way
    /// (https://sqlite.org/lang_transaction.html).
    public func transaction<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // Where SQLite has rolled back by itself (disk full, say) this fails; the first error is the one to report.
            try? execute("ROLLBACK")
            throw error
        }
    }
}
