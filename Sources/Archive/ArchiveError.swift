package import SQLite

/// Why the archive cannot be read or written. For errors of the operating system see `SystemError`.
package enum ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
    case database(SQLiteError, archive: String)
    /// The archive's content contradicts itself or its digests. The text describes the fault.
    case damaged(String)
    /// The file is not an archive that this version of Amber can use. The text says why.
    case refused(String, archive: String)
    /// The revision was finished or abandoned in the meantime, so nothing can be added to it.
    case ended(revision: Int64)
    /// The API has two answers with this path, such as a page of a list and a record.
    case otherRole(path: String)
    /// The writer is closed and accepts no more work.
    case closed

    package var description: String {
        switch self {
        case .database(let error, let archive):
            "the archive \(archive) cannot be used: "
                + (Self.remedies[error.cause].map { "\(error.message) (SQLite's code \(error.code)); \($0)" }
                    ?? "\(error)")
        case .damaged(let what):
            "the archive is damaged: \(what); capture again to fetch the damaged parts, or restore a backup"
        case .refused(let what, let archive):
            "the archive \(archive) cannot be used: \(what); restore a backup, or move it away and capture again"
        case .ended(let revision): "revision \(revision) was closed by another capture; run again"
        case .otherRole(let path):
            "the API uses the address \(path) for two things, such as a page of a list and a record, so it cannot be "
                + "stored"
        case .closed: "the archive was used after it was closed"
        }
    }

    private static let remedies: [SQLiteError.Cause: String] = [
        .busy: "another program is using it; wait until that program ends",
        .full: "free space on its disk and run again",
        .denied: "check that the user who runs amber may read and write it, and may open enough files (ulimit -n)",
        .disk: "check whether its disk is full or broken, and run again",
        .damaged: "restore a backup, or move it away and capture again",
        .interrupted: "run again",
    ]

    /// Whether the disk, file permissions or another program caused the error, and not the archive's content.
    package var isRefusal: Bool { [.busy, .full, .denied, .disk].contains(cause) }

    package var isInterruption: Bool { cause == .interrupted }

    private var cause: SQLiteError.Cause? { if case .database(let error, _) = self { error.cause } else { nil } }

    /// Checks the archive's content.
    /// - Throws: `damaged` with the fault, unless the content is intact.
    package static func require(_ isIntact: Bool, _ fault: @autoclosure () -> String) throws {
        guard isIntact else { throw ArchiveError.damaged(fault()) }
    }

    /// Returns a value that every intact archive has.
    /// - Throws: `damaged` with the fault, if there is no value.
    package static func require<Value>(_ value: Value?, _ fault: @autoclosure () -> String) throws -> Value {
        guard let value else { throw ArchiveError.damaged(fault()) }
        return value
    }
}

extension Connection {
    /// Opens a database. Its errors have the path of the archive, even if the database is a temporary copy.
    convenience init(_ path: String, _ access: Access, ofArchive archive: String) throws {
        try self.init(path, access) { ArchiveError.database($0, archive: archive) }
    }

    /// Limits the work for an untrusted database, and checks its schema.
    /// - Returns: the version of its schema.
    func checkSchema(ofArchive archive: String, size: Int64, isGrowing: Bool = false) throws -> Int {
        try limitWork(forFileOf: size, isGrowing: isGrowing)
        let version = try schemaVersion(limit: Schema.migrations.count)
        try Schema.check(self, version: version, of: archive)
        return version
    }
}
