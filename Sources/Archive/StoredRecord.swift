/// A record as a revision holds it: the exact bytes that stood in the answer it came in.
public struct StoredRecord: Sendable {
    /// Which record.
    public let key: RecordKey
    /// Its JSON, byte for byte.
    public let bytes: [UInt8]
    /// The digest of these bytes.
    public let sha256: SHA256
    /// Its first picture, where that was had.
    public let picture: Asset?

    /// A record with its bytes and picture.
    public init(key: RecordKey, bytes: [UInt8], picture: Asset? = nil) {
        self.init(key: key, bytes: bytes, SHA256(of: bytes), picture: picture)
    }

    /// A record whose digest is known.
    init(key: RecordKey, bytes: [UInt8], _ sha256: SHA256, picture: Asset?) {
        self.key = key
        self.bytes = bytes
        self.sha256 = sha256
        self.picture = picture
    }

    /// Eight bytes that tell this record with its picture from any other.
    public var mark: UInt64 {
        sha256.words.0 &* 3 &+ (picture.map { $0.sha256.words.0 | 1 } ?? 0)
    }
}

/// A record found in an answer's body.
public struct RecordSlice: Sendable {
    /// Which record.
    public let key: RecordKey
    let range: Range<Int>
    let sha256: SHA256
    let picture: String?

    /// A record at a place in a body.
    /// - Parameter picture: the path of its first picture, where it has one.
    public init(key: RecordKey, range: Range<Int>, in body: [UInt8], picture: String? = nil) {
        self.key = key
        self.range = range
        self.picture = picture
        sha256 = SHA256(of: body[range])
    }
}
