/// A reference from a page to something else: an href, src, srcset entry, poster or action.
public struct Link: Sendable, Equatable {
    /// The line on which the start tag begins.
    public let line: Int

    /// The element's name.
    public let element: String

    /// The attribute's name.
    public let attribute: String

    /// The attribute's value with its character references decoded; of a srcset, the URL of one candidate.
    public let target: String

    /// Makes a link.
    public init(line: Int, element: String, attribute: String, target: String) {
        self.line = line
        self.element = element
        self.attribute = attribute
        self.target = target
    }
}
