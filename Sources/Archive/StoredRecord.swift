/// A record as a revision holds it: the exact bytes that stood in the answer it came in.
public struct StoredRecord: Sendable {
    /// Which record.
    public let key: RecordKey
    /// Its JSON, byte for byte.
    public let bytes: [UInt8]

    /// A record with its bytes.
    public init(key: RecordKey, bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
    }
}

/// A record found in an answer's body.
public struct RecordSlice: Sendable {
    /// Which record.
    public let key: RecordKey
    let range: Range<Int>
    let sha256: SHA256

    /// A record at a place in a body.
    public init(key: RecordKey, range: Range<Int>, in body: [UInt8]) {
        self.key = key
        self.range = range
        sha256 = SHA256(of: body[range])
    }
}
