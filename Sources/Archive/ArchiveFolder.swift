package import Platform
import SQLite

/// The archive on disk: `archive.sqlite`, pictures by digest below `assets/`, and `incoming/` for unfinished bodies.
public struct ArchiveFolder: Sendable {
    package let path: String
    package let database: String
    let readable: ReadableDatabase

    /// The folder may not exist yet.
    package init(_ path: String) {
        self.path = path
        database = "\(path)/archive.sqlite"
        readable = ReadableDatabase(database)
    }

    /// The folder of large bodies that are not complete yet.
    package var incoming: String { "\(path)/incoming" }

    package var exists: Bool { FileStatus(database) != nil }

    package func assetPath(_ sha256: SHA256) -> String { "\(path)/\(Self.assetName(hex: sha256.hex))" }

    /// The same, relative to the archive's folder: a folder by the first digit, then all of them. Few folders keep new
    /// files close together on the disk.
    package static func assetName(hex: some StringProtocol) -> String { "assets/\(hex.prefix(1))/\(hex)" }

    /// Makes the folders, and removes what a killed capture left in `incoming`.
    func prepare() throws {
        try Folder.make(path)
        try Folder.remove(incoming)
        try Folder.make(incoming)
    }
}

extension ArchiveFolder {
    /// Opens the database for reading, in the newest format. Nothing in the archive's folder changes: see
    /// `ReadableDatabase`.
    /// - Returns: nil if there are no tables, because a capture was killed at its start.
    func open() throws -> Connection? {
        do {
            let (path, size) = try readable.find()
            let db = try Connection(path, .readOnly)
            try db.limitWork(forFileOf: size)
            let version = try db.schemaVersion(of: Schema.migrations)
            try Schema.check(db, version: version, of: database)
            guard version > 0 else { return nil }
            try readable.checkRows(of: db, at: path)
            return db
        } catch {
            throw ArchiveError(error, database)
        }
    }

    /// Opens a read transaction, so that everything read is of one state, and no query locks the file on its own.
    func begin() throws -> Connection {
        guard let db = try open() else { throw ArchiveError.damaged("it has no tables") }
        try attempt { try db.execute("BEGIN") }
        return db
    }

    /// Adds the path of the archive to SQLite's errors.
    func attempt<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw ArchiveError.database(error, archive: database)
        }
    }
}

/// The digest of the database beside it, in the format of `sha256sum`. It shows whether the file has changed since it
/// was closed.
extension ArchiveFolder {
    private var sealFile: String { "\(database).sha256" }

    func breakSeal() throws { try File.remove(sealFile) }

    func seal() throws { try File.replace(try sealText(), at: sealFile) }

    /// What is wrong with the seal; nil if the database is byte for byte what was closed.
    func sealFault() throws -> String? {
        guard let file = FileStatus(sealFile) else {
            return "archive.sqlite has no digest beside it: a capture was interrupted, or read from while it ended; "
                + "end it with: amber capture"
        }
        // The file may be somebody else's: a pipe, or larger than the memory.
        guard try DatabaseFiles(database).areAtRest() else {
            return "a log or journal beside archive.sqlite changes what it holds: end the interrupted capture with "
                + "amber capture, or take another copy"
        }
        guard file.isRegular, file.size < 1 << 10, try File.read(sealFile) == sealText() else {
            return "archive.sqlite was changed after it was closed: its SHA-256 is not the one in archive.sqlite.sha256"
        }
        return nil
    }

    private func sealText() throws -> [UInt8] {
        Array("\(try SHA256(ofFile: database).hex)  archive.sqlite\n".utf8)
    }
}

/// An archive's folder held open, to look at the files of many pictures.
public struct OpenArchive: Sendable {
    private let folder: OpenFolder

    package init(_ archive: ArchiveFolder) throws(SystemError) {
        folder = try Folder.open(archive.path)
    }

    package func status(ofPicture sha256: SHA256) -> FileStatus? {
        FileStatus(ArchiveFolder.assetName(hex: sha256.hex), in: folder)
    }
}
