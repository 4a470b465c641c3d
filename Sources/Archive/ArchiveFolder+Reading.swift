import Platform
import SQLite

/// Reading of the database in the newest format. The folder may be read-only or another user's, so it does not change.
///
/// Usually the database itself is read. There are two exceptions: an earlier version of Amber wrote the database, or a
/// killed capture left a log or a journal, which SQLite would recover by writing to the folder
/// (https://sqlite.org/wal.html#readonly). In both cases the database is copied to a temporary folder, and recovered
/// and migrated there. The copy is removed when the `ArchiveFolder` is released. A database to which another process
/// writes is read without a copy, because SQLite's locks allow that.
extension ArchiveFolder {
    struct ReadingState {
        /// The last result of `location`, and the status of the files when it was determined.
        var known: (files: DatabaseFiles, location: (path: String, size: Int64))?
        /// The path of the file whose numbers of rows and sizes of values were checked last.
        var checkedPath: String?
        /// The folders of all copies. They are kept because a reader may still use an earlier one.
        var temporaryFolders: [String] = []
    }

    /// Opens the database for reading.
    /// - Returns: nil if the database has no tables, because a capture was killed at its start.
    func open() throws -> Connection? {
        let (path, size) = try location()
        let db = try Connection(path, .readOnly, ofArchive: database)
        guard try db.checkSchema(ofArchive: database, size: size) > 0 else { return nil }
        // Each file is checked only once, because commands open a connection for each revision.
        if reading.withLock({ $0.checkedPath != path }) {
            try Schema.checkSizes(of: db, archive: database)
            reading.withLock { $0.checkedPath = path }
        }
        return db
    }

    /// Opens the database and begins a read transaction. All queries then read the same state and share one file lock.
    func begin() throws -> Connection {
        let db = try ArchiveError.require(try open(), "it has no tables")
        try db.execute("BEGIN")
        return db
    }

    /// The file from which the database can be read.
    func location() throws -> (path: String, size: Int64) {
        try reading.withLock { state in
            // Files can change while they are copied.
            for _ in 0..<5 {
                let files = try DatabaseFiles(database)
                if let known = state.known, files == known.files { return known.location }
                let location = try isReadableInPlace(files) ? (database, files.size) : copy(files, &state)
                guard try DatabaseFiles(database) == files else { continue }
                state.known = (files, location)
                return location
            }
            // Another process is writing; SQLite waits for its locks.
            return (database, try DatabaseFiles(database).size)
        }
    }

    private func isReadableInPlace(_ files: DatabaseFiles) throws -> Bool {
        guard try files.areAtRest() || files.areInUse() else { return false }
        let db = try Connection(database, .readOnly, ofArchive: database)
        let version = try db.schemaVersion(limit: Schema.migrations.count)
        return version == 0 || version == Schema.migrations.count
    }

    private func copy(_ files: DatabaseFiles, _ state: inout ReadingState) throws -> (path: String, size: Int64) {
        try files.refuseForeignJournal()
        if let free = Folder.freeSpace(Folder.temporary), files.bytesToCopy > Int64(free) / 2 {
            throw ArchiveError.refused(
                "it must be copied to \(Folder.temporary) to be read, but there is not enough space for its "
                    + "\(files.bytesToCopy) bytes; free space there, or set TMPDIR to another folder", archive: database
            )
        }
        let folder = try Folder.makeTemporary(prefix: "amber-archive-")
        state.temporaryFolders.append(folder)
        let copy = "\(folder)/archive.sqlite"
        for ending in files.endingsToCopy { try File.copy(database + ending, to: copy + ending) }
        let db = try Connection(copy, .readWrite, ofArchive: database)
        let version = try db.checkSchema(ofArchive: database, size: files.size)
        if version > 0 {
            try db.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = DELETE")
            if version < Schema.migrations.count { try Schema.migrate(db, archive: database) }
        }
        return (copy, FileStatus(copy)?.size ?? files.size)
    }
}

/// The status of an untrusted database file, its log and its journal (https://sqlite.org/tempfiles.html).
struct DatabaseFiles: Equatable {
    private let database: String
    private let main: FileStatus
    /// The existing files by the ends of their names: "" for the database, "-wal" and "-journal".
    private var files: [String: FileStatus] = [:]

    /// Reading a larger file would take many minutes.
    private static let maximumSize: Int64 = 1 << 38

    init(_ database: String) throws {
        self.database = database
        guard let main = FileStatus(database) else { throw SystemError("read", database, code: 2) }
        self.main = main
        for ending in ["", "-wal", "-journal", "-shm"] {
            let path = database + ending
            guard let file = FileStatus(path) else { continue }
            guard file.isRegular else { throw ArchiveError.refused("it is not a regular file", archive: path) }
            guard file.size <= Self.maximumSize else {
                throw ArchiveError.refused(
                    "it has \(file.size) bytes; a file of an archive has at most \(Self.maximumSize)", archive: path)
            }
            if ending == "-shm" { continue }
            // SQLite runs a checkpoint long before a log reaches this size.
            guard file.size <= 4 * main.size + (1 << 30) else {
                throw ArchiveError.refused("its \(ending) file is larger than any that Amber writes", archive: database)
            }
            files[ending] = file
        }
    }

    var size: Int64 { main.size + (files["-wal"]?.size ?? 0) }
    var bytesToCopy: Int64 { files.values.reduce(0) { $0 + $1.size } }
    var endingsToCopy: [String] { files.keys.sorted() }

    /// Whether SQLite can open the database for reading without writing to its folder.
    func areAtRest() throws -> Bool {
        guard files.count == 1 else { return false }
        // The bytes 18 and 19 are 2 in WAL mode (https://sqlite.org/fileformat.html#file_format_version_numbers).
        return try !File(reading: database).read(20).dropFirst(18).contains(2)
    }

    func areInUse() throws -> Bool {
        // SQLite locks bytes in this range, even beyond the end (https://sqlite.org/fileformat.html#the_lock_byte_page)
        try ArchiveWriter.isOpen(main) || FileLock.isHeld(on: database, from: 1 << 30, count: 512)
    }

    /// Refuses a rollback journal that Amber did not write.
    ///
    /// A journal can name another file, which SQLite would read and delete
    /// (https://sqlite.org/atomiccommit.html#_super_journal_file). Its first header also gives the length of the
    /// database, and SQLite extends the file to that length (https://sqlite.org/fileformat.html#the_rollback_journal).
    func refuseForeignJournal() throws {
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        guard let journal = files["-journal"], journal.size >= 8 else { return }
        let file = try File(reading: "\(database)-journal")
        guard try file.read(8, at: journal.size - 8) != magic else {
            throw ArchiveError.refused("its rollback journal names another file", archive: database)
        }
        let header = try file.read(28, at: 0)
        guard header.count == 28, header.starts(with: magic) else { return }
        func number(at offset: Int) -> Int64 { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) } }
        let (length, isOverflow) = number(at: 16).multipliedReportingOverflow(by: number(at: 24))
        guard !isOverflow, length <= 2 * bytesToCopy + 1 << 20 else {
            throw ArchiveError.refused(
                "its rollback journal claims a database that is much longer than the database and the journal together",
                archive: database)
        }
    }
}
