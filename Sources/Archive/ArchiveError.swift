public import Platform
public import SQLite

/// Why the archive cannot be read or written.
public enum ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The database refused.
    case database(SQLiteError, archive: String)
    /// A file refused.
    case file(SystemError)
    /// What is read contradicts what was written.
    case damaged(String)
    /// A revision that was finished or given up meanwhile takes nothing more.
    case ended(revision: Int64)

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .database(let error, let archive): "the archive \(archive) cannot be used: \(error)"
        case .file(let error): "the archive cannot be used: \(error)"
        case .damaged(let what): "the archive is damaged: \(what)"
        case .ended(let revision): "revision \(revision) is not open any more: another capture has ended it"
        }
    }
}
