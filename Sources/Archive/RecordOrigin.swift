/// Where a record's bytes were first had: what they can be proved by.
public struct RecordOrigin: Sendable, Equatable {
    /// How they came.
    public enum Way: Sendable, Equatable {
        /// In the answer for this path, relative to the API's base; `received` is in milliseconds since 1970.
        case answer(path: String, received: Int64)
        /// With an imported state of that date, in milliseconds since 1970.
        case imported(date: Int64)
    }

    /// The record.
    public let key: RecordKey
    /// The digest of its bytes.
    public let sha256: SHA256
    /// How the revision, or the first one before it that had the same bytes, came by them.
    public let way: Way
}
