import CSQLite

/// Limits the work of one statement, and of all statements of a connection together. The limits depend on the size of
/// the file. Pages of a malicious file can refer to each other endlessly, and its rows cause millions of small queries.
struct WorkLimit {
    /// Numbers of rows, of steps, of bytes, and of pages that SQLite fetched from the file or from its cache.
    typealias Work = SIMD4<Int64>

    private var maximum = Work(repeating: .max)
    private var totalMaximum = Work(repeating: .max)
    /// The work of the current statement.
    var done = Work.zero
    private var totalDone = Work.zero

    /// Limits only the steps of a statement.
    init(steps: Int64 = .max) { maximum[1] = steps }

    /// Computes the limits for a file. Each row needs a byte or more. No query needs hundreds of steps for each row.
    init(forFileOf bytes: Int64) {
        let bytes = min(bytes, 1 << 44)
        // Amber reads large values once, small values several times. Values of a malicious file can share pages.
        maximum = Work(max(10_000, bytes), 10_000_000 + 200 * bytes, (1 << 26) + 16 * bytes, .max)
        // With real data and with 10,000 records, one connection needed, for each byte of the file, at most 3 bytes
        // read, 0.005 rows, 0.3 steps and 0.02 pages fetched.
        totalMaximum = Work(
            1_000_000 + 2 * bytes, 100_000_000 + 400 * bytes, (1 << 29) + 64 * bytes, 1_000_000 + bytes / 2)
    }

    /// Adds to the work done.
    /// - Returns: whether the work is still within the limits.
    mutating func add(rows: Int64 = 0, steps: Int32 = 0, bytes: Int = 0, pages: Int32 = 0) -> Bool {
        let work = Work(rows, Int64(steps), Int64(bytes), Int64(pages))
        done &+= work
        totalDone &+= work
        return violation == nil
    }

    /// The message about an exceeded limit; nil within the limits.
    var violation: String? {
        if any(totalDone .> totalMaximum) { return "reading it takes more work than a file of its size can need" }
        return any(done .> maximum) ? "it has more rows than a file of its size can hold" : nil
    }
}

extension Connection {
    /// Protects against an untrusted database (https://sqlite.org/security.html). A statement fails if it reads more
    /// than a file of this size can hold, or if the task is cancelled. SQL in the schema has no side effects.
    /// - Parameter isGrowing: whether this connection writes. The limits grow then, and a cancelled task can write.
    /// - Throws: if the schema cannot be read or has thousands of objects.
    package func limitWork(forFileOf bytes: Int64, isGrowing: Bool = false) throws {
        csqlite_set(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        // SQLite reads the schema with the first statement. The time grows with the square of the number of objects, so
        // a malicious file with many views would take hours. These steps are enough for about 3,000 objects.
        work = WorkLimit(steps: 20_000)
        countSteps(every: 100)
        let code = sqlite3_exec(handle, "SELECT 1 FROM sqlite_schema LIMIT 1", nil, nil, nil)
        guard work.violation == nil else { throw damage("it has too many tables, indexes and views", in: path) }
        guard code == SQLITE_OK else { throw error(in: "sqlite_schema") }
        work = WorkLimit(forFileOf: bytes)
        // 20,000 steps take less than a millisecond.
        countSteps(every: 20_000)
        fileSize = bytes
        self.isGrowing = isGrowing
        // No value is longer than the file (https://sqlite.org/limits.html).
        if !isGrowing { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(1 << 20, bytes))) }
    }

    /// Counts the steps of SQLite's virtual machine, `stride` at a time.
    private func countSteps(every stride: Int32) {
        self.stride = stride
        // The unretained pointer is valid: SQLite calls the handler only while a statement of this connection runs.
        sqlite3_progress_handler(
            handle, stride,
            { context in
                guard let context else { return 0 }
                let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
                let pages = connection.isGrowing ? 0 : connection.pagesFetched()
                let isWithinLimits = connection.work.add(steps: connection.stride, pages: pages)
                return isWithinLimits && (connection.isGrowing || !Task.isCancelled) ? 0 : 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The number of pages fetched since the last call. One step can fetch all pages of a long value.
    private func pagesFetched() -> Int32 {
        [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS].reduce(0) { sum, counter in
            var (count, unused): (Int32, Int32) = (0, 0)
            sqlite3_db_status(handle, counter, &count, &unused, 1)
            return sum &+ count
        }
    }

    /// Resets the work of the current statement. If the file has grown, it first sets the limits for its current size,
    /// including uncommitted pages.
    func beginWork() {
        defer { work.done = .zero }
        let changes = abs(Int64(sqlite3_total_changes(handle)) - Int64(knownChanges))
        guard isGrowing, changes > 1_000 || bytesBound > 1 << 20 else { return }
        // The counters are reset first, because the query below calls this function as well.
        knownChanges = sqlite3_total_changes(handle)
        bytesBound = 0
        // `try?` is safe, because the limits remain unchanged if the size cannot be read.
        let size = try? first("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") {
            $0.integer(0)
        }
        if let size { work = WorkLimit(forFileOf: size) }
    }
}
