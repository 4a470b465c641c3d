/// A request that a sample server was asked, and when.
public struct LoggedRequest: Sendable {
    /// The method.
    public let method: String

    /// Path and query, as sent.
    public let target: String

    /// As counted: `character_page`, `character` (by id or ids), the same for the other kinds, `avatar`,
    /// `search`, `lookup`, `artwork`, `other`.
    public let kind: String

    /// When it came in, since the log began.
    public let start: Duration

    /// When its answer was ready to be sent, or was broken off; nil while it is in flight.
    public internal(set) var end: Duration?

    /// The status; 0 while it is not decided, and where the connection is cut without one.
    public internal(set) var status: Int

    /// The header of this name.
    public let ifNoneMatch: String?
}
