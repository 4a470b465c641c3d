/// A complete state of a source: as one capture found it, or imported with a date of its own. They stand in the order of their dates.
public struct Revision: Sendable, Equatable {
    /// The number of the revision, counted through the archive.
    public let number: Int64
    /// Where it comes from.
    public let source: Source
    /// Milliseconds since 1970 when its capture began; of an imported state its own date.
    public let started: Int64
    /// Milliseconds since 1970 when its capture ended; of an imported state its own date.
    public let finished: Int64
    /// Milliseconds since 1970 when the state was imported; nil for a capture.
    public let imported: Int64?
    /// The digest over all its answers: equal for equal states.
    public let digest: SHA256
    /// How many gaps it has.
    public let gaps: Int
}
