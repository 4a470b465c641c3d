public import Archive

/// What a catalogue says of records wherever pages name them: where they stand, what their members are called, how
/// values read.
public protocol RecordTelling: Sendable {
    /// The kinds in the order in which they are told, each with a plural text: "{count} characters".
    var kinds: [(name: String, count: TextNeed)] { get }

    /// Where a record's page is, and its picture; nil for one that the site does not have.
    func page(of key: RecordKey) -> RecordPage?

    /// What a record's members are called, in the order of its page.
    func members(of kind: String) -> [ToldMember]

    /// The record that an element of a list means; nil where it means none.
    func key(_ element: JSONValue, of member: String, in kind: String) -> RecordKey?

    /// A member's value as people read it; nil where there is nothing to see of it.
    func shown(_ value: JSONValue, of member: String, in record: RecordKey, _ texts: Texts) -> ShownValue?
}
