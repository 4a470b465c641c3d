public import Archive

/// What a capture did.
public struct CaptureReport: Sendable {
    /// The revision that stands now.
    public let revision: Revision
    /// Whether it is the one that stood before.
    public let isUnchanged: Bool
    /// Records by kind.
    public let records: [String: Int]
    /// Pictures had; one that several records show counts once.
    public let pictures: Int
    /// What is missing, each named.
    public let gaps: [Gap]
    /// Numbers between 1 and the highest that no record of the kind has.
    public let absent: [RecordKey]
}
