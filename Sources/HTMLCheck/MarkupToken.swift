/// One thing that HTML says.
enum MarkupToken: Equatable {
    /// A character of text, references decoded; never one that HTML or XML forbids, or that formats direction.
    case character(Unicode.Scalar)
    /// A start tag: its name in lower case, and whether it ends in "/>".
    case start(String, isSelfClosing: Bool)
    /// An end tag.
    case end(String)
}
