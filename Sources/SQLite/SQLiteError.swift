/// What SQLite refused: its result code, its own message, and the statement or file concerned.
public struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The extended result code, as https://sqlite.org/rescode.html lists them.
    public let code: Int32
    /// SQLite's own words.
    public let message: String
    /// The SQL text or the file's path.
    public let subject: String

    /// An error made from its three parts.
    public init(code: Int32, message: String, subject: String) {
        self.code = code
        self.message = message
        self.subject = subject
    }

    /// What stood in the way, so far as that decides what helps; extended codes count as their primary ones.
    public enum Cause: Sendable {
        /// SQLITE_BUSY: another connection.
        case busy
        /// SQLITE_FULL: no room on the disk.
        case full
        /// SQLITE_PERM, SQLITE_READONLY, SQLITE_CANTOPEN: no right to read or write.
        case denied
        /// SQLITE_IOERR: the disk refused.
        case disk
        /// SQLITE_CORRUPT, SQLITE_NOTADB: the file is no database, or not a whole one.
        case damaged
        /// SQLITE_INTERRUPT: the task that asked was cancelled.
        case interrupted
        /// Anything else.
        case other
    }

    /// What stood in the way.
    public var cause: Cause {
        switch code & 0xFF {
        case 5: .busy
        case 13: .full
        case 3, 8, 14: .denied
        case 10: .disk
        case 11, 26: .damaged
        case 9: .interrupted
        default: .other
        }
    }

    /// Whether another connection was in the way.
    public var isBusy: Bool { cause == .busy }

    /// One sentence for a person.
    public var description: String { "SQLite: \(message) (code \(code)) in: \(subject)" }
}
