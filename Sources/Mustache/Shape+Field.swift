extension Shape {
    /// A name of a shape, what kind of value it stands for, and what it means.
    public struct Field: Sendable {
        /// As templates write it.
        public let name: String

        /// What a template may do with it.
        public let kind: Kind

        /// One line for documentation; may be empty.
        public let summary: String

        /// A field of a shape; the summary is one line for documentation.
        public init(_ name: String, _ kind: Kind, _ summary: String = "") {
            self.name = name
            self.kind = kind
            self.summary = summary
        }
    }
}
