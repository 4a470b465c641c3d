import Platform
import SQLite

/// Writes the archive on its own thread. Several jobs share one transaction, because a commit costs as much as many
/// rows.
///
/// When a call returns, its work is committed. In WAL mode with synchronous=NORMAL, commits survive a crash of the
/// process without an fsync for each commit (https://sqlite.org/pragma.html#pragma_synchronous). `close()` removes the
/// write-ahead log.
public final class ArchiveWriter: Sendable {
    /// Determines when a call returns.
    enum Urgency: Sendable {
        /// The work writes nothing. The call returns when the work is done.
        case readOnly
        /// The call returns after a commit. The commit does not wait for more jobs.
        case immediate
        /// The call returns after a commit. The commit may wait for more jobs.
        case deferred
    }

    private struct Job: Sendable {
        let urgency: Urgency
        let work: @Sendable (Connection) throws -> Void
        let complete: @Sendable ((any Error)?) -> Void
    }

    private enum Item: Sendable {
        case job(Job)
        case close(CheckedContinuation<Void, any Error>)
        /// The writer was released. This is always the last item.
        case end
    }

    private let folder: ArchiveFolder
    private let queue = BlockingQueue<Item>()

    /// Opens the archive for writing, creates it if it does not exist, and migrates its schema.
    package init(_ folder: ArchiveFolder) throws {
        self.folder = folder
        // A connection is used only on the thread that opens it.
        let opened = BlockingQueue<Result<Void, any Error>>()
        startThread { [queue, folder] in
            var group: WorkGroup?
            do {
                group = WorkGroup(try Self.open(folder))
            } catch {
                return opened.push(.failure(ArchiveError(error, folder.database)))
            }
            let file = FileStatus(folder.database)
            Self.openFiles.withLock { $0.append(file) }
            opened.push(.success(()))
            Self.run(queue, folder, &group, file)
        }
        for result in opened.popAll() { try result.get() }
    }

    deinit { queue.push(.end) }
}

extension ArchiveWriter {
    /// Runs work on the writer's thread. It is in one transaction with other jobs, and the call returns after the
    /// commit. A call with `readOnly` work does not wait for a commit.
    func perform<Value: Sendable>(
        _ urgency: Urgency = .immediate, _ work: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                let result = Locked<Result<Value, any Error>>(.failure(ArchiveError.closed))
                let job = Job(urgency: urgency) { connection in
                    let value = try work(connection)
                    result.withLock { $0 = .success(value) }
                } complete: { error in
                    continuation.resume(with: error.map(Result.failure) ?? result.withLock { $0 })
                }
                queue.push(.job(job))
            }
        } catch {
            throw ArchiveError(error, folder.database)
        }
    }

    /// Stores files of an earlier day as a complete revision of that date: see `RevisionWriter.storeImported`.
    /// - Parameter date: milliseconds since 1970.
    package func importState(
        of source: Source, date: Int64, _ files: [ImportedFile], gaps: [Gap] = [],
        declaration: StoredDeclaration? = nil
    ) async throws -> RevisionWriter.Outcome {
        try await perform { db in
            try RevisionWriter.storeImported(files, of: source, date: date, gaps: gaps, declaration, in: db)
        }
    }

    /// Commits the remaining work, removes the write-ahead log, and writes the file with the database's digest.
    package func close() async throws {
        try await withCheckedThrowingContinuation { queue.push(.close($0)) }
    }
}

extension ArchiveWriter {
    /// The databases that this process writes to. They are listed because fcntl(2) does not report a process's own
    /// locks.
    private static let openFiles = Locked<[FileStatus?]>([])

    static func isOpen(_ database: FileStatus) -> Bool {
        openFiles.withLock { $0.contains { $0?.isSameFile(as: database) == true } }
    }

    /// Opens an untrusted database. Nothing is written before its schema is checked.
    private static func open(_ folder: ArchiveFolder) throws -> Connection {
        try folder.prepare()
        let files = folder.exists ? try DatabaseFiles(folder.database) : nil
        try files?.refuseForeignJournal()
        let connection = try Connection(folder.database, .readWrite)
        try connection.limitWork(forFileOf: files?.size ?? 0, isGrowing: true)
        let version = try connection.schemaVersion(of: Schema.migrations)
        try Schema.check(connection, version: version, of: folder.database)
        try folder.removeDigestFile()
        // Without synchronization, a power failure can damage these writes. Changing the journal mode is safe, because
        // it changes only two bytes of the first page. A database without tables contains nothing that can be lost.
        try connection.execute(
            """
            PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL;
            PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 16384
            """)
        if version > 0 { try connection.execute("PRAGMA synchronous = NORMAL") }
        if version < Schema.migrations.count { try Schema.migrate(connection, archive: folder.database) }
        try connection.execute("PRAGMA synchronous = NORMAL")
        return connection
    }

    /// Runs jobs until the archive is closed, then refuses jobs until the writer is released.
    /// - Parameter group: becomes nil when the archive is closed, which also closes the connection.
    private static func run(
        _ queue: BlockingQueue<Item>, _ folder: ArchiveFolder, _ group: inout WorkGroup?, _ file: FileStatus?
    ) {
        func end() {
            guard group != nil else { return }
            group = nil
            openFiles.withLock { files in _ = files.firstIndex { $0 == file }.map { files.remove(at: $0) } }
        }
        while true {
            let items = group?.isWaiting == true ? queue.popAll(within: commitDelay) : queue.popAll()
            if items.isEmpty { group?.commit() }
            for item in items {
                switch item {
                case .job(let job):
                    if group == nil { job.complete(ArchiveError.closed) } else { group?.add(job) }
                case .close(let continuation):
                    group?.commit()
                    let result = group?.finishFile(folder) ?? .failure(ArchiveError.closed)
                    end()
                    continuation.resume(with: result)
                case .end:
                    group?.commit()
                    return end()
                }
            }
            if group?.isDue == true { group?.commit() }
        }
    }

    /// The milliseconds without new jobs after which deferred jobs are committed too.
    private static let commitDelay = 3

    /// The jobs of one transaction.
    private struct WorkGroup {
        private let connection: Connection
        private var jobs: [Job] = []
        private var hasImmediateJob = false
        /// A group of this many jobs is committed even if all are deferred.
        private static let maximumJobs = 256

        init(_ connection: Connection) {
            self.connection = connection
        }

        var isWaiting: Bool { !jobs.isEmpty }
        var isDue: Bool { hasImmediateJob || jobs.count >= Self.maximumJobs }

        mutating func add(_ job: Job) {
            do {
                if jobs.isEmpty, job.urgency != .readOnly { try connection.execute("BEGIN IMMEDIATE") }
            } catch {
                return job.complete(error)
            }
            do {
                try job.work(connection)
            } catch {
                guard job.urgency != .readOnly else { return job.complete(error) }
                jobs.append(job)
                return fail(error)
            }
            guard job.urgency != .readOnly else { return job.complete(nil) }
            jobs.append(job)
            if job.urgency == .immediate { hasImmediateJob = true }
        }

        mutating func commit() {
            guard isWaiting else { return }
            do {
                try connection.execute("COMMIT")
                end(nil)
            } catch {
                fail(error)
            }
        }

        /// Rolls the group back and reports the error to all of its jobs.
        private mutating func fail(_ error: any Error) {
            // A rollback fails if SQLite has already rolled back, such as when the disk is full. The first error is
            // reported.
            try? connection.execute("ROLLBACK")
            end(error)
        }

        private mutating func end(_ error: (any Error)?) {
            for job in jobs { job.complete(error) }
            jobs.removeAll(keepingCapacity: true)
            hasImmediateJob = false
        }

        /// Removes the write-ahead log, and writes the file with the database's digest.
        func finishFile(_ folder: ArchiveFolder) -> Result<Void, any Error> {
            do {
                try leaveWALMode()
                return .success(try folder.writeDigestFile())
            } catch let error as SQLiteError where error.isBusy {
                // Another program has the database open. All work is committed. A later `close()` removes the log.
                return .success(())
            } catch {
                return .failure(ArchiveError(error, folder.database))
            }
        }

        /// Leaves WAL mode. This fails while a reader has the database open, so it is attempted several times. Most
        /// readers close the database soon. Many short waits find a moment without readers more often than a long one.
        private func leaveWALMode() throws {
            try connection.execute("PRAGMA busy_timeout = 50")
            var attempts = 40
            while true {
                do {
                    try connection.execute("PRAGMA synchronous = NORMAL")
                    let isBusy = try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.int(0) != 0 } ?? false
                    // After the checkpoint, only the journal mode is written: see `open`.
                    if !isBusy { try connection.execute("PRAGMA synchronous = OFF") }
                    return try connection.execute("PRAGMA journal_mode = DELETE")
                } catch let error as SQLiteError where error.isBusy && attempts > 0 {
                    attempts -= 1
                }
            }
        }
    }
}
