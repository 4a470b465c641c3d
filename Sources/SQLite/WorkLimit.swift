import CSQLite

/// What one statement, and all statements of a connection together, may do on a file of a certain size. In a crafted
/// file, pages can refer to one another, so that a query never ends. Or its rows can cause millions of small queries.
struct WorkLimit {
    struct Work {
        fileprivate var rows: Int64 = 0
        fileprivate var steps: Int64 = 0
        fileprivate var bytes: Int64 = 0

        fileprivate func exceeds(_ most: Work) -> Bool { rows > most.rows || steps > most.steps || bytes > most.bytes }
    }

    private var most = Work(rows: .max, steps: .max, bytes: .max)
    private var mostInAll = Work(rows: .max, steps: .max, bytes: .max)
    /// The work of the statement that runs.
    var done = Work()
    private var doneInAll = Work()

    /// No limit but that of steps.
    init(steps: Int64 = .max) { most.steps = steps }

    /// Every row takes a byte of the file at least, and no query here needs hundreds of steps for each.
    init(forFileOf bytes: Int64) {
        let bytes = min(bytes, 1 << 44)
        // Values of a whole file are read once, small ones several times. In a crafted file many values share their
        // pages.
        most = Work(rows: max(10_000, bytes), steps: 100_000_000 + 200 * bytes, bytes: (1 << 26) + 16 * bytes)
        // Measured with real data and with 10,000 records, for each byte of the file and one connection: at most 3
        // bytes read, 0.005 rows and 0.3 steps.
        mostInAll = Work(rows: 1_000_000 + 2 * bytes, steps: 1_000_000_000 + 400 * bytes, bytes: (1 << 29) + 64 * bytes)
    }

    /// Counts work.
    /// - Returns: whether it is within the limits.
    mutating func take(rows: Int64 = 0, steps: Int32 = 0, bytes: Int = 0) -> Bool {
        done.rows += rows
        done.steps += Int64(steps)
        done.bytes += Int64(bytes)
        doneInAll.rows += rows
        doneInAll.steps += Int64(steps)
        doneInAll.bytes += Int64(bytes)
        return excess == nil
    }

    /// What is too much; nil within the limits.
    var excess: String? {
        if doneInAll.exceeds(mostInAll) { return "it takes more work to read than a file of its size can need" }
        return done.exceeds(most) ? "it has more rows than a file of its size can hold" : nil
    }
}

extension Connection {
    /// The most steps for reading the schema: enough for about 3,000 objects.
    private static let mostSchemaSteps: Int64 = 20_000

    /// For a database that may be somebody else's (https://sqlite.org/security.html): ends each statement that reads
    /// more than a file of this size can hold, and all of them once the calling task is cancelled; what is stored in
    /// the schema calls no function that could do more than compute.
    /// - Parameter isGrowing: whether this connection writes; the limits then grow with the file.
    /// - Throws: where the schema cannot be read, or has thousands of objects.
    public func limitWork(forFileOf bytes: Int64, isGrowing: Bool = false) throws(SQLiteError) {
        csqlite_set(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        // Reads the schema, as otherwise the first statement would. The time that takes grows with the square of the
        // number of objects, so a crafted file with many views would take hours.
        work = WorkLimit(steps: Self.mostSchemaSteps)
        countSteps(every: 100)
        let code = sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema LIMIT 1", nil, nil, nil)
        guard work.excess == nil else {
            throw SQLiteError(code: code, message: "it has more tables, indexes and views than are read", subject: path)
        }
        guard code == SQLITE_OK else { throw error(in: "sqlite_schema") }
        work = WorkLimit(forFileOf: bytes)
        // Less than a millisecond.
        countSteps(every: 20_000)
        fileSize = bytes
        self.isGrowing = isGrowing
        // No value is longer than the file (https://sqlite.org/limits.html).
        if !isGrowing { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(1 << 20, bytes))) }
    }

    /// Counts the steps of SQLite's machine, so many at a time.
    private func countSteps(every stride: Int32) {
        self.stride = stride
        // The handler is called while a statement of this connection runs, and so while the connection is there.
        sqlite3_progress_handler(
            handle, stride,
            { context in
                guard let context else { return 0 }
                let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
                return connection.work.take(steps: connection.stride) && !Task.isCancelled ? 0 : 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Begins to count the work of a statement.
    func beginWork() {
        let changes = abs(Int64(sqlite3_total_changes(handle)) - Int64(knownChanges))
        if isGrowing, changes > 1_000 || bytesGiven > 1 << 20 { followGrowth() }
        work.done = WorkLimit.Work()
    }

    /// Sets the limits for the size that the file has now, uncommitted pages among it.
    private func followGrowth() {
        // Before the questions below, since they are statements too.
        knownChanges = sqlite3_total_changes(handle)
        bytesGiven = 0
        // Where it cannot be asked, the limits stay as they are.
        guard let pages = try? first("PRAGMA page_count", read: { $0.integer(0) }),
            let size = try? first("PRAGMA page_size", read: { $0.integer(0) })
        else { return }
        work = WorkLimit(forFileOf: pages.multipliedReportingOverflow(by: size).partialValue)
    }
}
