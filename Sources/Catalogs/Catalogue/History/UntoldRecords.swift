public import Archive

/// What is said of records whose catalogue says nothing: numbers, and values as they are.
public struct UntoldRecords: RecordTelling {
    /// Says nothing.
    public init() {}

    /// None is known.
    public var kinds: [(name: String, count: TextNeed)] { [] }

    /// None has a page.
    public func page(of key: RecordKey) -> RecordPage? { nil }

    /// All are called by their own names.
    public func members(of kind: String) -> [ToldMember] { [] }

    /// None means a record.
    public func key(_ element: JSONValue, of member: String, in kind: String) -> RecordKey? { nil }

    /// The value as it is.
    public func shown(_ value: JSONValue, of member: String, in key: RecordKey, _ texts: Texts) -> ShownValue? {
        ShownValue(value.shown, isServed: true)
    }
}
