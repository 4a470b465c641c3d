/// A member of a kind's records, as pages call it.
public struct ToldMember: Sendable {
    /// The member's name in the JSON.
    public let name: String
    /// What it is called; nil for one that is no news, such as a record's own address.
    public let label: TextNeed?

    /// A member with its label.
    public init(_ name: String, _ label: TextNeed?) {
        self.name = name
        self.label = label
    }
}
