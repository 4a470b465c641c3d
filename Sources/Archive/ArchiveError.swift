public import Platform
public import SQLite

/// Why the archive cannot be read or written.
public enum ArchiveError: Error, Sendable, Equatable, CustomStringConvertible {
    case database(SQLiteError, archive: String)
    case file(SystemError)
    /// What is read contradicts what was written.
    case damaged(String)
    /// It is no archive that Amber makes; `what` is the rest of a sentence.
    case refused(String, archive: String)
    /// A revision that was finished or given up meanwhile takes nothing more.
    case ended(revision: Int64)
    /// The writer takes nothing more.
    case closed

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .database(let error, let archive):
            if let remedy = Self.remedy(for: error.cause) {
                "the archive \(archive) cannot be used: \(error.message) (SQLite's code \(error.code)); \(remedy)"
            } else {
                "the archive \(archive) cannot be used: \(error)"
            }
        case .file(let error): "the archive cannot be used: \(error)"
        case .damaged(let what):
            "the archive is damaged: \(what); capture again, which fetches anew what is damaged, or put a backup in "
                + "its place"
        case .refused(let what, let archive):
            "the archive \(archive) cannot be used: \(what); put a backup in its place, or move it away and capture "
                + "again"
        case .ended(let revision): "revision \(revision) is not open any more: another capture has ended it"
        case .closed: "the archive was closed before its last use"
        }
    }

    private static func remedy(for cause: SQLiteError.Cause) -> String? {
        switch cause {
        case .busy: "another program is at work on it; wait until that ends"
        case .full: "make room on its disk and run again"
        case .denied: "see that the user who runs amber may read and write it, and may open enough files (ulimit -n)"
        case .disk: "see whether its disk is full or broken, and run again"
        case .damaged: "put a backup in its place, or move it away and capture anew"
        case .interrupted: "run again"
        case .other: nil
        }
    }

    /// Whether the disk, its rights or another program refused, rather than that something is wrong with what is kept.
    package var isRefusal: Bool {
        switch self {
        case .file: true
        case .database(let error, _): [.busy, .full, .denied, .disk].contains(error.cause)
        case .damaged, .refused, .ended, .closed: false
        }
    }

    package var isInterruption: Bool {
        if case .database(let error, _) = self { error.cause == .interrupted } else { false }
    }

    init(_ error: any Error, _ archive: String) {
        self =
            switch error {
            case let error as ArchiveError: error
            case let error as SQLiteError: .database(error, archive: archive)
            case let error as SystemError: .file(error)
            default: .damaged("\(error)")
            }
    }
}
