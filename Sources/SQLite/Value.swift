/// A value that a statement takes as a parameter; the five storage classes of https://sqlite.org/datatype3.html.
public enum Value: Sendable, Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    /// An integer of Swift's own width.
    public static func int(_ value: Int) -> Value { .integer(Int64(value)) }

    /// The text, or null where there is none.
    public static func optional(_ text: String?) -> Value { text.map(Value.text) ?? .null }

    /// The integer, or null where there is none.
    public static func optional(_ integer: Int64?) -> Value { integer.map(Value.integer) ?? .null }
}
