import Platform
import SQLite

/// Writes the archive on one thread of its own, in groups: a commit costs as much as many rows.
///
/// Work counts when its call returns: it is committed then. WAL with synchronous=NORMAL survives the death of the
/// process without an fsync for each commit (https://sqlite.org/pragma.html#pragma_synchronous). At the end one plain
/// file is left.
public final class ArchiveWriter: Sendable {
    /// When the caller is to be answered.
    enum Urgency: Sendable {
        /// As soon as it is done: nothing is written.
        case reading
        /// As soon as it is committed, with all that has come before it.
        case prompt
        /// When it is committed, which may be put off while more of it comes.
        case patient
    }

    struct Job {
        let urgency: Urgency
        let work: @Sendable (Connection) throws -> Void
        let done: @Sendable ((any Error)?) -> Void
    }

    private enum Item {
        case job(Job)
        case close(CheckedContinuation<Result<Void, ArchiveError>, Never>)
        /// Nobody can ask any more; always the last.
        case end

        var isEnd: Bool { if case .end = self { true } else { false } }
    }

    private let folder: ArchiveFolder
    private let queue = BlockingQueue<Item>()

    /// Opens the archive for writing, makes it where there is none, and brings its schema up to date.
    public init(_ folder: ArchiveFolder) throws(ArchiveError) {
        self.folder = folder
        do throws(SystemError) {
            try folder.prepare()
        } catch {
            throw .file(error)
        }
        // A connection belongs to the thread that opens it.
        let opened = BlockingQueue<Result<Void, ArchiveError>>()
        startThread { [queue, folder] in
            do throws(ArchiveError) {
                let connection = try Self.open(folder)
                let file = FileStatus(folder.database)
                Self.openFiles.withLock { $0.append(file) }
                let end = {
                    Self.openFiles.withLock { files in _ = files.firstIndex { $0 == file }.map { files.remove(at: $0) }
                    }
                }
                opened.push(.success(()))
                if let refusal = Self.run(queue, folder, connection, end) { Self.refuse(queue, refusal) }
            } catch {
                opened.push(.failure(error))
            }
        }
        for result in opened.popAll() { try result.get() }
    }

    deinit { queue.push(.end) }
}

extension ArchiveWriter {
    /// Runs work on the writer's thread inside a group and answers when that is committed, or at once where nothing is
    /// written.
    func perform<Value: Sendable>(
        _ urgency: Urgency = .prompt, _ work: @escaping @Sendable (Connection) throws -> Value
    ) async throws(ArchiveError) -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            let box = Box<Value>()
            queue.push(
                .job(
                    Job(
                        urgency: urgency,
                        work: { connection in
                            let made = try work(connection)
                            box.value.withLock { $0 = made }
                        },
                        done: { error in
                            if let error { return continuation.resume(returning: .failure(error)) }
                            guard let made = box.value.withLock({ $0 }) else {
                                preconditionFailure("work that is committed has a value")
                            }
                            continuation.resume(returning: .success(made))
                        })))
        }
        do {
            return try result.get()
        } catch {
            throw ArchiveError(error, folder.database)
        }
    }

    /// Commits what is left and leaves one clean database file, without the write-ahead log.
    public func close() async throws(ArchiveError) {
        let result = await withCheckedContinuation { queue.push(.close($0)) }
        try result.get()
    }

    private final class Box<Value: Sendable>: Sendable {
        let value = Guarded<Value?>(nil)
    }
}

extension ArchiveWriter {
    /// The databases that this process writes to; its own locks are not told by the system (fcntl(2)).
    private static let openFiles = Guarded<[FileStatus?]>([])

    /// Whether this process writes to a database.
    static func isOpen(_ database: FileStatus) -> Bool {
        openFiles.withLock { $0.contains { $0?.isSameFile(as: database) == true } }
    }

    /// Opens a database that may be somebody else's: nothing is written before its schema is known.
    private static func open(_ folder: ArchiveFolder) throws(ArchiveError) -> Connection {
        do {
            let files = folder.exists ? try DatabaseFiles(folder.database) : nil
            try files?.refuseForeignJournal()
            let connection = try Connection(folder.database, .readWrite)
            try connection.limitWork(forFileOf: files?.size ?? 0, isGrowing: true)
            try Schema.check(
                connection, version: try connection.schemaVersion(of: Schema.migrations), of: folder.database)
            try folder.breakSeal()
            // The mode is a byte of the first page, whole before and after; and where there are no tables yet, nothing
            // can be lost.
            try connection.execute(
                """
                PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL;
                PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 16384
                """)
            let version = try connection.schemaVersion
            if version > 0 { try connection.execute("PRAGMA synchronous = NORMAL") }
            if (1..<Schema.migrations.count).contains(version) { try Schema.removeViews(connection) }
            try connection.migrate(Schema.migrations)
            try connection.execute("PRAGMA synchronous = NORMAL")
            return connection
        } catch {
            throw ArchiveError(error, folder.database)
        }
    }

    /// Works until the archive is closed or nobody can ask any more; the connection ends with the call.
    /// - Parameter end: called before anybody hears that the archive is closed.
    /// - Returns: what every later call is to hear; nil where there can be none.
    private static func run(
        _ queue: BlockingQueue<Item>, _ folder: ArchiveFolder, _ connection: Connection, _ end: () -> Void
    ) -> ArchiveError? {
        var group = WorkGroup(connection)
        while true {
            var items = (group.isWaiting ? queue.popAll(within: Self.patience) : queue.popAll())[...]
            if items.isEmpty { group.commit() }
            while case .job(let job)? = items.first {
                items.removeFirst()
                group.take(job)
            }
            // What nobody is in a hurry for goes with the next ones.
            if !items.isEmpty || group.isDue { group.commit() }

            switch items.popFirst() {
            case .close(let continuation):
                let result = tidy(connection, folder)
                end()
                continuation.resume(returning: result)
                // What came in the same breath is to hear the same as what comes later.
                for item in items { refuse(item, closed) }
                return items.contains(where: \.isEnd) ? nil : closed
            case .end:
                end()
                return nil
            case .job, nil: break
            }
        }
    }

    private static let closed = ArchiveError.closed

    /// Milliseconds without anything new after which patient work is committed too.
    private static let patience = 3

    private static func tidy(_ connection: Connection, _ folder: ArchiveFolder) -> Result<Void, ArchiveError> {
        do {
            try leaveLog(connection)
            return try .success(folder.seal())
        } catch let error as SQLiteError where error.isBusy {
            // Somebody else has it open: all is committed, and the log stays until the next close that is alone.
            return .success(())
        } catch {
            return .failure(ArchiveError(error, folder.database))
        }
    }

    /// Gives up the write-ahead log. Whoever reads meanwhile keeps it alive, most only for a moment: many short waits
    /// find a gap between two readers that one long wait does not.
    private static func leaveLog(_ connection: Connection) throws(SQLiteError) {
        try connection.execute("PRAGMA busy_timeout = 50")
        var attempts = 40
        while true {
            do throws(SQLiteError) {
                try connection.execute("PRAGMA synchronous = NORMAL")
                let isBusy = try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.int(0) != 0 } ?? false
                // Once all is in the file and safe there, what is left to write is the mode: see `open`.
                if !isBusy { try connection.execute("PRAGMA synchronous = OFF") }
                return try connection.execute("PRAGMA journal_mode = DELETE")
            } catch  where error.isBusy && attempts > 0 {
                attempts -= 1
            }
        }
    }

    private static func refuse(_ queue: BlockingQueue<Item>, _ error: ArchiveError) {
        while true {
            for item in queue.popAll() {
                if item.isEnd { return }
                refuse(item, error)
            }
        }
    }

    private static func refuse(_ item: Item, _ error: ArchiveError) {
        switch item {
        case .job(let job): job.done(error)
        case .close(let continuation): continuation.resume(returning: .failure(error))
        case .end: break
        }
    }
}
