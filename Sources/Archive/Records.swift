/// Which record: its kind (the API's word: "character") and its number in that kind.
public struct RecordKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let kind: String
    package let id: Int64

    package init(_ kind: String, _ id: Int64) {
        self.kind = kind
        self.id = id
    }

    /// Orders by kind and number.
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        (left.kind, left.id) < (right.kind, right.id)
    }

    /// For people: "character 42".
    public var description: String { "\(kind) \(id)" }

    /// Scripts on pages hold numbers up to 2^53 - 1 exactly (ECMA-262, Number.MAX_SAFE_INTEGER), so no record has a
    /// larger one.
    static let numbers: ClosedRange<Int64> = 1...(1 << 53) - 1
}

/// A record in a revision: its exact bytes from the answer that brought it.
public struct StoredRecord: Sendable {
    package let key: RecordKey
    package let bytes: [UInt8]
    package let sha256: SHA256
    /// Its first picture; nil if it has none, or the picture is missing.
    package let picture: Asset?

    /// - Parameter sha256: the digest of the bytes if it is known.
    package init(key: RecordKey, bytes: [UInt8], sha256: SHA256? = nil, picture: Asset? = nil) {
        self.key = key
        self.bytes = bytes
        self.sha256 = sha256 ?? SHA256(of: bytes)
        self.picture = picture
    }
}

/// A record found in an answer's body.
public struct RecordSlice: Sendable {
    package let key: RecordKey
    let range: Range<Int>
    package let sha256: SHA256
    let picture: String?

    /// - Parameter picture: the path of its first picture.
    package init(key: RecordKey, range: Range<Int>, in body: [UInt8], picture: String? = nil) {
        self.key = key
        self.range = range
        self.picture = picture
        sha256 = SHA256(of: body[range])
    }
}

/// A file of an imported state, with its records in order.
public struct ImportedFile: Sendable {
    package let name: String
    package let bytes: [UInt8]
    package let kind: String
    package let records: [RecordSlice]

    package init(name: String, bytes: [UInt8], kind: String, records: [RecordSlice]) {
        self.name = name
        self.bytes = bytes
        self.kind = kind
        self.records = records
    }
}

/// A record that differs between two revisions, or is in one of them only.
public struct RecordDifference: Sendable {
    package let key: RecordKey
    package let old: [UInt8]?
    package let new: [UInt8]?
}

/// A picture that differs between two captures, or is in one of them only.
public struct PictureDifference: Sendable, Equatable {
    /// The request, relative to the API's base.
    package let path: String
    package let old: SHA256?
    package let new: SHA256?
}

/// The first source of a record's bytes, which they can be proved by.
public struct RecordOrigin: Sendable, Equatable {
    /// How the archive got the bytes.
    public enum Way: Sendable, Equatable {
        /// In the answer for this path, relative to the API's base; `received` is in milliseconds since 1970.
        case answer(path: String, received: Int64)
        /// With an imported state of that date, in milliseconds since 1970.
        case imported(date: Int64)
    }

    package let key: RecordKey
    package let sha256: SHA256
    package let way: Way
}
