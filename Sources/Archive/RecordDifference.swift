/// A record that two revisions hold with other bytes, or one of them only.
public struct RecordDifference: Sendable {
    /// Which record.
    public let key: RecordKey
    /// Its bytes in the earlier revision; nil where it was not there.
    public let old: [UInt8]?
    /// Its bytes in the later revision; nil where it is gone.
    public let new: [UInt8]?
}

/// A picture that two captures found with other bytes, or one of them only.
public struct PictureDifference: Sendable, Equatable {
    /// Where it was asked for, relative to the API's base.
    public let path: String
    /// What it was; nil where it was not there.
    public let old: SHA256?
    /// What it is; nil where it is gone.
    public let new: SHA256?
}
