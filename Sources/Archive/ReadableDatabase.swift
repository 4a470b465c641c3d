import Platform
import SQLite

/// Where the database of an archive can be read in the newest format without a change to the archive's folder, which
/// may be somebody else's, or on a medium that cannot be written.
///
/// That is the database itself, unless an earlier version of Amber wrote it, or a killed capture left a log or a
/// journal beside it: SQLite would write to the folder to recover these (https://sqlite.org/wal.html#readonly). Then it
/// is a copy in a temporary folder, recovered and migrated there, which lasts as long as the `ArchiveFolder`. A
/// database that another process writes to is read where it lies: SQLite's locks keep both apart.
final class ReadableDatabase: Sendable {
    private struct State {
        /// The files as they were when `place` was found.
        var files: DatabaseFiles?
        var place: (path: String, size: Int64)?
        /// The path of the file whose rows were counted last.
        var counted: String?
        /// Folders of copies; a reader may still have an earlier one open.
        var scratch: [String] = []
    }

    private let database: String
    private let state = Guarded(State())
    /// How often files that change while they are copied are copied again.
    private static let attempts = 5

    init(_ database: String) {
        self.database = database
    }

    deinit {
        // What cannot be removed from the temporary folder is the system's to clean.
        for folder in state.withLock({ $0.scratch }) { try? Folder.remove(folder) }
    }
}

extension ReadableDatabase {
    /// The path of a file to open for reading, and its size with that of its log.
    func find() throws(ArchiveError) -> (path: String, size: Int64) {
        try state.withLock { (state) throws(ArchiveError) in
            for _ in 0..<Self.attempts {
                let files = try DatabaseFiles(database)
                if let place = state.place, files == state.files { return place }
                let place = try isReadableInPlace(files) ? (database, files.size) : copy(files, &state)
                guard try DatabaseFiles(database) == files else { continue }
                state.files = files
                state.place = place
                return place
            }
            // It is being written: SQLite waits for its turn.
            return (database, try DatabaseFiles(database).size)
        }
    }

    /// Counts the rows of a file when it is opened for the first time: commands open a connection for each revision.
    func checkRows(of db: Connection, at path: String) throws(ArchiveError) {
        guard state.withLock({ $0.counted != path }) else { return }
        try Schema.checkRows(of: db, archive: database)
        state.withLock { $0.counted = path }
    }

    private func isReadableInPlace(_ files: DatabaseFiles) throws(ArchiveError) -> Bool {
        do {
            guard try files.areAtRest() || files.areInUse() else { return false }
            let version = try Connection(database, .readOnly).schemaVersion(of: Schema.migrations)
            return version == 0 || version == Schema.migrations.count
        } catch {
            throw ArchiveError(error, database)
        }
    }

    private func copy(_ files: DatabaseFiles, _ state: inout State) throws(ArchiveError) -> (path: String, size: Int64)
    {
        do {
            try files.refuseForeignJournal()
            if let free = Folder.freeSpace(Folder.temporary), files.bytesToCopy > Int64(free) / 2 {
                throw ArchiveError.refused(
                    "it has to be copied to \(Folder.temporary) to be read, and \(files.bytesToCopy) bytes do not fit "
                        + "there; make room, or "
                        + "name another folder with TMPDIR", archive: database)
            }
            let folder = try Folder.makeTemporary(prefix: "amber-archive-")
            state.scratch.append(folder)
            let copy = "\(folder)/archive.sqlite"
            for ending in files.endingsToCopy { try File.copy(database + ending, to: copy + ending) }
            let db = try Connection(copy, .readWrite)
            try db.limitWork(forFileOf: files.size)
            let version = try db.schemaVersion(of: Schema.migrations)
            try Schema.check(db, version: version, of: database)
            if version > 0 {
                try db.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE")
                if version < Schema.migrations.count { try Schema.removeViews(db) }
                try db.migrate(Schema.migrations)
            }
            return (copy, FileStatus(copy)?.size ?? files.size)
        } catch {
            throw ArchiveError(error, database)
        }
    }
}
