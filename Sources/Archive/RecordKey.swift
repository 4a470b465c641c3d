/// Which record: its kind (the API's word: "character") and its number in that kind.
public struct RecordKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The API's word for the kind.
    public let kind: String
    /// The record's number, 1 or more.
    public let id: Int64

    /// A key of two parts.
    public init(_ kind: String, _ id: Int64) {
        self.kind = kind
        self.id = id
    }

    /// Orders by kind and number.
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        (left.kind, left.id) < (right.kind, right.id)
    }

    /// As people write it: "character 42".
    public var description: String { "\(kind) \(id)" }
}
