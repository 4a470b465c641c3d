import Platform
import SQLite

/// Writes the archive on one thread of its own, in groups: a commit costs as much as many rows.
///
/// When a call returns, its work is committed. WAL with synchronous=NORMAL survives the end of the process without an
/// fsync for each commit (https://sqlite.org/pragma.html#pragma_synchronous). At the end one plain file is left.
public final class ArchiveWriter: Sendable {
    /// When the caller gets its answer.
    enum Urgency: Sendable {
        /// When the work is done: nothing is written.
        case reading
        /// As soon as the work is committed, with all work before it.
        case prompt
        /// When the work is committed, which may be delayed while more of it comes.
        case patient
    }

    private struct Job: Sendable {
        let urgency: Urgency
        let work: @Sendable (Connection) throws -> Void
        let done: @Sendable ((any Error)?) -> Void
    }

    private enum Item: Sendable {
        case job(Job)
        case close(CheckedContinuation<Void, any Error>)
        /// Always the last: the writer is gone.
        case end
    }

    private let folder: ArchiveFolder
    private let queue = BlockingQueue<Item>()

    /// Opens the archive for writing, creates it if there is none, and migrates its schema.
    package init(_ folder: ArchiveFolder) throws {
        self.folder = folder
        // A connection belongs to the thread that opens it.
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
    /// Runs work on the writer's thread inside a group and returns when that is committed, or at once if nothing is
    /// written.
    func perform<Value: Sendable>(
        _ urgency: Urgency = .prompt, _ work: @escaping @Sendable (Connection) throws -> Value
    ) async throws -> Value {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                let made = Guarded<Result<Value, any Error>>(.failure(ArchiveError.closed))
                let job = Job(urgency: urgency) { connection in
                    let value = try work(connection)
                    made.withLock { $0 = .success(value) }
                } done: { error in
                    continuation.resume(with: error.map(Result.failure) ?? made.withLock { $0 })
                }
                queue.push(.job(job))
            }
        } catch {
            throw ArchiveError(error, folder.database)
        }
    }

    /// Stores a state of an earlier day as a complete revision of that date: see `RevisionWriter.storeImported`.
    package func importState(
        of source: Source, date: Int64, _ files: [ImportedFile], gaps: [Gap] = []
    ) async throws -> RevisionWriter.Outcome {
        try await perform { db in
            try RevisionWriter.storeImported(files, of: source, date: date, gaps: gaps, in: db)
        }
    }

    /// Commits what is left and leaves one clean database file, without the write-ahead log.
    package func close() async throws {
        try await withCheckedThrowingContinuation { queue.push(.close($0)) }
    }
}

extension ArchiveWriter {
    /// The databases that this process writes to: fcntl(2) does not report a process's own locks.
    private static let openFiles = Guarded<[FileStatus?]>([])

    static func isOpen(_ database: FileStatus) -> Bool {
        openFiles.withLock { $0.contains { $0?.isSameFile(as: database) == true } }
    }

    /// Opens a database that may be somebody else's: nothing is written before its schema is known.
    private static func open(_ folder: ArchiveFolder) throws -> Connection {
        try folder.prepare()
        let files = folder.exists ? try DatabaseFiles(folder.database) : nil
        try files?.refuseForeignJournal()
        let connection = try Connection(folder.database, .readWrite)
        try connection.limitWork(forFileOf: files?.size ?? 0, isGrowing: true)
        let version = try connection.schemaVersion(of: Schema.migrations)
        try Schema.check(connection, version: version, of: folder.database)
        try folder.breakSeal()
        // The mode is a byte of the first page, so it is complete before and after. Without tables nothing can be lost.
        try connection.execute(
            """
            PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL;
            PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 16384
            """)
        if version > 0 { try connection.execute("PRAGMA synchronous = NORMAL") }
        if (1..<Schema.migrations.count).contains(version) { try Schema.removeViews(connection) }
        try connection.migrate(Schema.migrations)
        try connection.execute("PRAGMA synchronous = NORMAL")
        return connection
    }

    /// Works until the archive is closed, then refuses work until the writer is gone.
    /// - Parameter group: nil once the archive is closed, so that the connection ends.
    private static func run(
        _ queue: BlockingQueue<Item>, _ folder: ArchiveFolder, _ group: inout WorkGroup?, _ file: FileStatus?
    ) {
        func end() {
            guard group != nil else { return }
            group = nil
            openFiles.withLock { files in _ = files.firstIndex { $0 == file }.map { files.remove(at: $0) } }
        }
        while true {
            let items = group?.isWaiting == true ? queue.popAll(within: patience) : queue.popAll()
            if items.isEmpty { group?.commit() }
            for item in items {
                switch item {
                case .job(let job):
                    if group == nil { job.done(ArchiveError.closed) } else { group?.take(job) }
                case .close(let continuation):
                    group?.commit()
                    let result = group?.tidy(folder) ?? .failure(ArchiveError.closed)
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

    /// Milliseconds without new work after which patient work is committed too.
    private static let patience = 3

    /// Work inside one transaction.
    private struct WorkGroup {
        private let connection: Connection
        private var jobs: [Job] = []
        private var hasPrompt = false
        /// That many jobs are committed even if all are patient.
        private static let most = 256

        init(_ connection: Connection) {
            self.connection = connection
        }

        var isWaiting: Bool { !jobs.isEmpty }
        var isDue: Bool { hasPrompt || jobs.count >= Self.most }

        mutating func take(_ job: Job) {
            do {
                if jobs.isEmpty, job.urgency != .reading { try connection.execute("BEGIN IMMEDIATE") }
            } catch {
                return job.done(error)
            }
            do {
                try job.work(connection)
            } catch {
                guard job.urgency != .reading else { return job.done(error) }
                jobs.append(job)
                return fail(error)
            }
            guard job.urgency != .reading else { return job.done(nil) }
            jobs.append(job)
            if job.urgency == .prompt { hasPrompt = true }
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

        /// One error rolls the group back and is reported to all of its jobs.
        private mutating func fail(_ error: any Error) {
            // It fails if SQLite has rolled back by itself, such as when the disk is full; the first error is reported.
            try? connection.execute("ROLLBACK")
            end(error)
        }

        private mutating func end(_ error: (any Error)?) {
            for job in jobs { job.done(error) }
            jobs.removeAll(keepingCapacity: true)
            hasPrompt = false
        }

        /// Leaves one plain file with its digest beside it.
        func tidy(_ folder: ArchiveFolder) -> Result<Void, any Error> {
            do {
                try leaveLog()
                return .success(try folder.seal())
            } catch let error as SQLiteError where error.isBusy {
                // Another program has it open: all is committed, and the log stays until the next close that is alone.
                return .success(())
            } catch {
                return .failure(ArchiveError(error, folder.database))
            }
        }

        /// Leaves WAL mode. Readers keep the log alive, most only for a moment: many short waits find a gap between two
        /// readers that one long wait does not.
        private func leaveLog() throws {
            try connection.execute("PRAGMA busy_timeout = 50")
            var attempts = 40
            while true {
                do {
                    try connection.execute("PRAGMA synchronous = NORMAL")
                    let isBusy = try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.int(0) != 0 } ?? false
                    // Once all is safe in the file, only the mode is left to write: see `open`.
                    if !isBusy { try connection.execute("PRAGMA synchronous = OFF") }
                    return try connection.execute("PRAGMA journal_mode = DELETE")
                } catch let error as SQLiteError where error.isBusy && attempts > 0 {
                    attempts -= 1
                }
            }
        }
    }
}
