import Dispatch
import Platform
import SQLite

/// Writes the archive on its own queue. Calls share a transaction, because a commit costs as much as many rows.
///
/// When a call returns, its work is committed. In WAL mode with synchronous=NORMAL, commits survive a crash of the
/// process without an fsync (https://sqlite.org/pragma.html#pragma_synchronous). `close()` removes the write-ahead log.
package actor ArchiveWriter {
    private let folder: ArchiveFolder
    /// Nil after `close()`.
    private var connection: Connection?
    private let queue = WriterQueue()
    /// The calls that wait for the end of the open transaction; nil if none is open.
    private var waiting: [CheckedContinuation<Void, any Error>]?

    /// Opens the archive for writing, creates it if it does not exist, and migrates its schema.
    package init(_ folder: ArchiveFolder) throws {
        self.folder = folder
        connection = try Self.open(folder)
        let file = FileStatus(folder.database)
        Self.openFiles.withLock { [id = ObjectIdentifier(self)] in $0[id] = file }
    }

    // This is not an `isolated deinit`, because Swift 6.3 then cannot compile callers in other modules ("circular
    // reference"). It is safe: nothing uses the connection any more, and it is closed with the writer.
    deinit { unlist() }

    /// All work runs on the writer's queue.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    /// Runs work that writes nothing, and does not wait for a commit.
    func read<Value: Sendable>(_ work: @Sendable (Connection) throws -> Value) throws -> Value {
        guard let connection else { throw ArchiveError.closed }
        return try work(connection)
    }

    /// Runs work in one transaction with that of other calls, and returns after the commit. The commit waits only for
    /// calls that are already queued. If any work of a transaction fails, all its calls fail.
    func perform<Value: Sendable>(_ work: @Sendable (Connection) throws -> Value) async throws -> Value {
        guard let connection else { throw ArchiveError.closed }
        if waiting == nil {
            try connection.execute("BEGIN IMMEDIATE")
            waiting = []
            // If this transaction fails, the task may commit the next one, which is early but correct.
            Task { commit() }
        }
        let value: Value
        do {
            value = try work(connection)
        } catch {
            endTransaction(.failure(error))
            throw error
        }
        try await withCheckedThrowingContinuation { waiting?.append($0) }
        return value
    }

    /// Commits the remaining work, removes the write-ahead log, and writes the file with the database's digest.
    package func close() throws {
        commit()
        guard let connection else { throw ArchiveError.closed }
        defer {
            self.connection = nil
            unlist()
        }
        do {
            try Self.leaveWALMode(connection)
            try folder.writeDigestFile()
        } catch ArchiveError.database(let error, _) where error.cause == .busy {
            // Another program has the database open. All work is committed. A later `close()` removes the log.
        }
    }

    private func commit() {
        guard let connection, waiting != nil else { return }
        endTransaction(Result { try connection.execute("COMMIT") })
    }

    /// Returns the result of the open transaction to all its calls. Rolls the transaction back if it failed.
    private func endTransaction(_ result: Result<Void, any Error>) {
        // A rollback fails if SQLite has already done it, such as when the disk is full. The first error is reported.
        if case .failure = result { try? connection?.execute("ROLLBACK") }
        waiting?.forEach { $0.resume(with: result) }
        waiting = nil
    }

    /// The databases that this process writes to, by their writers: fcntl(2) does not report a process's own locks.
    private static let openFiles = Locked<[ObjectIdentifier: FileStatus]>([:])

    static func isOpen(_ database: FileStatus) -> Bool {
        openFiles.withLock { $0.values.contains { $0.isSameFile(as: database) } }
    }

    private nonisolated func unlist() { Self.openFiles.withLock { [id = ObjectIdentifier(self)] in $0[id] = nil } }

    /// Opens an untrusted database. Nothing is written to it before its schema is checked.
    private static func open(_ folder: ArchiveFolder) throws -> Connection {
        try Folder.make(folder.path)
        // A killed capture can have left files.
        try Folder.remove(folder.incoming)
        try Folder.make(folder.incoming)
        let files = folder.exists ? try DatabaseFiles(folder.database) : nil
        try files?.refuseForeignJournal()
        let connection = try Connection(folder.database, .readWrite, ofArchive: folder.database)
        let version = try connection.checkSchema(ofArchive: folder.database, size: files?.size ?? 0, isGrowing: true)
        try File.remove(folder.digestFile)
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

    /// Leaves WAL mode. This fails while a reader has the database open, so it is attempted several times. Most readers
    /// close the database soon. Many short waits find a moment without readers more often than a long one.
    private static func leaveWALMode(_ connection: Connection) throws {
        try connection.execute("PRAGMA busy_timeout = 50")
        var attempts = 40
        while true {
            do {
                try connection.execute("PRAGMA synchronous = NORMAL")
                let isBusy = try connection.first("PRAGMA wal_checkpoint(TRUNCATE)") { $0.int(0) != 0 } ?? false
                // After the checkpoint, only the journal mode is written: see `open`.
                if !isBusy { try connection.execute("PRAGMA synchronous = OFF") }
                return try connection.execute("PRAGMA journal_mode = DELETE")
            } catch ArchiveError.database(let error, _) where error.cause == .busy && attempts > 0 {
                attempts -= 1
            }
        }
    }
}

/// Runs the jobs of a writer one by one, outside of Swift's cooperative thread pool, which writing would block.
private final class WriterQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "archive")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
}
