/// One thing wrong with a page, in words that name the place.
public struct Fault: Sendable, Equatable, CustomStringConvertible {
    /// The line on which the element's start tag begins, or the parser's line; the first line is 1.
    public let line: Int

    /// The element's name; empty where the page as a whole is meant.
    public let element: String

    /// The attribute's name, where the fault concerns one.
    public let attribute: String?

    /// The rule that is broken.
    public let rule: Rule

    /// What is wrong: a sentence without a full stop, such as `<img> has no alt attribute`.
    public let message: String

    /// Makes a fault.
    public init(line: Int, element: String, attribute: String? = nil, rule: Rule, message: String) {
        self.line = line
        self.element = element
        self.attribute = attribute
        self.rule = rule
        self.message = message
    }

    /// Such as `line 12: <img> has no alt attribute [missing-attribute]`.
    public var description: String {
        "line \(line): \(message) [\(rule.rawValue)]"
    }
}
