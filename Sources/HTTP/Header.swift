/// One header field. Names compare without regard to case (RFC 9110, section 5.1).
public struct Header: Sendable, Hashable {
    /// The field's name.
    public let name: String
    /// The field's value, without surrounding white space.
    public let value: String

    /// A field with its value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [Header] {
    /// The value of the last field of that name.
    public subscript(name: String) -> String? {
        last { $0.name.lowercased() == name.lowercased() }?.value
    }
}
