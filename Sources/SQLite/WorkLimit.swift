import CSQLite

/// What one statement, and all statements of a connection together, may do on a file of a certain size. In a crafted
/// file, pages can refer to one another, so that a query never ends. Or its rows can cause millions of small queries.
struct WorkLimit {
    private var most = Done(rows: .max, steps: .max, bytes: .max)
    private var mostOfAll = Done(rows: .max, steps: .max, bytes: .max)
    /// What the statement that runs has done.
    var done = Done()
    /// What all statements of the connection have done.
    private var doneInAll = Done()

    struct Done {
        fileprivate var rows: Int64 = 0
        fileprivate var steps: Int64 = 0
        fileprivate var bytes: Int64 = 0

        fileprivate func exceeds(_ most: Done) -> Bool { rows > most.rows || steps > most.steps || bytes > most.bytes }
    }

    /// Steps of SQLite's machine between two looks at them: less than a millisecond.
    static let stride: Int32 = 20_000

    /// No limit.
    init() {}

    /// Every row takes a byte of the file at least, and no query here needs hundreds of steps for each.
    init(forFileOf bytes: Int64) {
        let bytes = min(bytes, 1 << 44)
        // Values of a whole file are read once, small ones several times. In a crafted file many values share their
        // pages.
        most = Done(rows: max(10_000, bytes), steps: 100_000_000 + 200 * bytes, bytes: (1 << 26) + 16 * bytes)
        // Measured with real data and with 10,000 records, for each byte of the file and one connection: at most 3
        // bytes read, 0.005 rows and 0.3 steps.
        mostOfAll = Done(rows: 1_000_000 + 2 * bytes, steps: 1_000_000_000 + 400 * bytes, bytes: (1 << 29) + 64 * bytes)
    }

    mutating func takeRow() -> Bool {
        done.rows += 1
        doneInAll.rows += 1
        return !isExhausted
    }

    mutating func take(bytes count: Int) -> Bool {
        done.bytes += Int64(count)
        doneInAll.bytes += Int64(count)
        return !isExhausted
    }

    mutating func takeSteps() -> Bool {
        done.steps += Int64(Self.stride)
        doneInAll.steps += Int64(Self.stride)
        return !isExhausted
    }

    var isExhausted: Bool { done.exceeds(most) || doneInAll.exceeds(mostOfAll) }
    /// Whether the statements together did too much.
    var isExhaustedInAll: Bool { doneInAll.exceeds(mostOfAll) }
}

extension Connection {
    /// For a database that may be somebody else's (https://sqlite.org/security.html): ends each statement that reads
    /// more than a file of this size can hold, and all of them once the calling task is cancelled; what is stored in
    /// the schema calls no function that could do more than compute.
    /// - Parameter isGrowing: whether this connection writes; the limits then grow with the file.
    /// - Throws: where the schema cannot be read, or has thousands of objects.
    public func limitWork(forFileOf bytes: Int64, isGrowing: Bool = false) throws(SQLiteError) {
        csqlite_set(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        try loadSchema()
        work = WorkLimit(forFileOf: bytes)
        fileSize = bytes
        self.isGrowing = isGrowing
        // No value is longer than the file (https://sqlite.org/limits.html).
        if !isGrowing { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(1 << 20, bytes))) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        // The handler is called while a statement of this connection runs, and so while the connection is there.
        sqlite3_progress_handler(
            handle, WorkLimit.stride,
            { context in
                guard let context else { return 0 }
                let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
                return connection.work.takeSteps() && !Task.isCancelled ? 0 : 1
            }, context)
    }
}

extension Connection {
    /// How often SQLite may report progress, each time after 100 steps, while it reads the schema: enough for about 3,000
    /// objects.
    private static let mostLooks = 200

    /// Reads the schema, as otherwise the first statement would. The time that takes grows with the square of the
    /// number of objects, so a crafted file with many views would take hours.
    private func loadSchema() throws(SQLiteError) {
        var looks = 0
        let code = withUnsafeMutablePointer(to: &looks) { looks in
            sqlite3_progress_handler(
                handle, 100,
                { context in
                    guard let looks = context?.assumingMemoryBound(to: Int.self) else { return 1 }
                    looks.pointee += 1
                    return looks.pointee > Connection.mostLooks ? 1 : 0
                }, looks)
            defer { sqlite3_progress_handler(handle, 0, nil, nil) }
            return sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema LIMIT 1", nil, nil, nil)
        }
        if looks > Self.mostLooks {
            throw SQLiteError(code: code, message: "it has more tables, indexes and views than are read", subject: path)
        }
        guard code == SQLITE_OK else { throw error(in: "sqlite_schema") }
    }

    /// Begins to count the work of a statement.
    func beginWork() {
        let changes = abs(Int64(sqlite3_total_changes(handle)) - Int64(knownChanges))
        if isGrowing, changes > 1_000 || bytesGiven > 1 << 20 { followGrowth() }
        work.done = WorkLimit.Done()
    }

    /// Sets the limits for the size that the file has now, uncommitted pages among it.
    private func followGrowth() {
        var size: Int64 = 1
        for pragma in ["PRAGMA page_count", "PRAGMA page_size"] {
            var statement: OpaquePointer?
            defer { sqlite3_finalize(statement) }
            // Where it cannot be asked, the limits stay as they are.
            guard sqlite3_prepare_v2(handle, pragma, -1, &statement, nil) == SQLITE_OK,
                sqlite3_step(statement) == SQLITE_ROW
            else {
                return
            }
            size = size.multipliedReportingOverflow(by: sqlite3_column_int64(statement, 0)).partialValue
        }
        knownChanges = sqlite3_total_changes(handle)
        bytesGiven = 0
        work = WorkLimit(forFileOf: size)
    }
}
