import Platform

/// A database file and what SQLite keeps beside it (https://sqlite.org/tempfiles.html), as they are at a moment. They
/// may be somebody else's: only regular files of a bounded size are opened.
struct DatabaseFiles: Equatable {
    private let database: String
    private let main: FileStatus
    private let log: FileStatus?
    private let journal: FileStatus?

    /// Larger files are no archives: reading one would take many minutes.
    private static let largest: Int64 = 1 << 38

    /// Looks at the files.
    init(_ database: String) throws(ArchiveError) {
        self.database = database
        guard let main = try Self.status(database) else { throw .file(SystemError("read", database, code: 2)) }
        self.main = main
        log = try Self.status("\(database)-wal")
        journal = try Self.status("\(database)-journal")
        _ = try Self.status("\(database)-shm")
        // A checkpoint begins long before a log is as large.
        for (file, ending) in [(log, "-wal"), (journal, "-journal")] where (file?.size ?? 0) > 4 * main.size + (1 << 30)
        {
            throw .refused("the file \(ending) beside it is larger than any that Amber leaves", archive: database)
        }
    }

    private static func status(_ path: String) throws(ArchiveError) -> FileStatus? {
        guard let status = FileStatus(path) else { return nil }
        guard status.isRegular else { throw .refused("it is not a regular file", archive: path) }
        guard status.size <= largest else {
            throw .refused("it has \(status.size) bytes, and no archive's has more than \(largest)", archive: path)
        }
        return status
    }

    /// The size of the database with its log.
    var size: Int64 { main.size + (log?.size ?? 0) }
}

extension DatabaseFiles {
    /// Whether SQLite can open the database for reading without writing beside it.
    func areAtRest() throws -> Bool {
        guard log == nil, journal == nil else { return false }
        // The bytes 18 and 19 of a database are 2 in WAL mode
        // (https://sqlite.org/fileformat.html#file_format_version_numbers).
        var reader = try FileReader(database)
        return try !reader.read(20).dropFirst(18).contains(2)
    }

    /// Whether a writer is at work.
    func areInUse() throws -> Bool {
        // SQLite locks bytes of this range, whatever is stored there
        // (https://sqlite.org/fileformat.html#the_lock_byte_page).
        try ArchiveWriter.isOpen(main) || FileLock.isHeld(on: database, from: 1 << 30, count: 512)
    }

    /// How much has to be copied so that SQLite finds the same state.
    var bytesToCopy: Int64 { size + (journal?.size ?? 0) }

    /// What has to be copied so that SQLite finds the same state.
    var endingsToCopy: [String] {
        [""] + (log == nil ? [] : ["-wal"]) + (journal == nil ? [] : ["-journal"])
    }

    /// Refuses a rollback journal that no Amber left.
    ///
    /// A journal can name another file, which SQLite would read and delete
    /// (https://sqlite.org/atomiccommit.html#_super_journal_file). Its first header also has the length of the
    /// database, and SQLite makes the file that long (https://sqlite.org/fileformat.html#the_rollback_journal).
    func refuseForeignJournal() throws {
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        guard let journal, journal.size >= 8, let file = try OpenFile("\(database)-journal") else { return }
        guard try file.read(at: journal.size - 8, 8) != magic else {
            throw ArchiveError.refused("its rollback journal names another file", archive: database)
        }
        guard journal.size >= 28 else { return }
        let header = try file.read(at: 0, 28)
        func number(at place: Int) -> Int64 { header[place..<place + 4].reduce(0) { $0 << 8 | Int64($1) } }
        guard header.starts(with: magic) else { return }
        let (length, isOverflow) = number(at: 16).multipliedReportingOverflow(by: number(at: 24))
        guard !isOverflow, length <= 2 * bytesToCopy + 1 << 20 else {
            throw ArchiveError.refused(
                "its rollback journal says that it had far more bytes than both files have", archive: database)
        }
    }
}
