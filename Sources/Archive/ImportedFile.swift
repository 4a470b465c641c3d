/// A file of a state that is imported: its bytes, and the records that were found in it.
public struct ImportedFile: Sendable {
    /// The file's name.
    public let name: String
    /// All of it, byte for byte.
    public let bytes: [UInt8]
    /// The kind of its records.
    public let kind: String
    /// Its records, in order.
    public let records: [RecordSlice]

    /// A file with what is in it.
    public init(name: String, bytes: [UInt8], kind: String, records: [RecordSlice]) {
        self.name = name
        self.bytes = bytes
        self.kind = kind
        self.records = records
    }
}
