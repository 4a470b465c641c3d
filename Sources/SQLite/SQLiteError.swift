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

    /// Whether another connection was in the way: SQLITE_BUSY, whatever its extension.
    public var isBusy: Bool { code & 0xFF == 5 }

    /// One sentence for a person.
    public var description: String { "SQLite: \(message) (code \(code)) in: \(subject)" }
}
