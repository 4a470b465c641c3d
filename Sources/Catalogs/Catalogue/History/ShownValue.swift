/// A value as pages show it.
public struct ShownValue: Sendable, Equatable {
    /// What to read.
    public let text: String
    /// The page of what it names.
    public let path: SitePath?
    /// Whether the text is as served, in the language of the data.
    public let isServed: Bool

    /// A value to show.
    public init(_ text: String, path: SitePath? = nil, isServed: Bool) {
        self.text = text
        self.path = path
        self.isServed = isServed
    }
}
