/// Two members of two kinds of record that say the same from both sides: where one names a record, that one names it in
/// turn.
public struct MutualReference: Sendable, Hashable {
    /// A member that names records: "episode" of characters.
    public struct Side: Sendable, Hashable {
        /// The kind of the record that has it.
        package let kind: String
        /// The member's name: the beginning of its references' key paths.
        package let member: String

        /// A member of a kind.
        package init(_ kind: String, _ member: String) {
            self.kind = kind
            self.member = member
        }
    }

    /// One side.
    package let first: Side
    /// The other.
    package let second: Side

    /// A pair of members.
    package init(_ first: Side, _ second: Side) {
        self.first = first
        self.second = second
    }
}
