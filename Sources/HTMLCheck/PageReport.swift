/// The result of checking one page: its faults, and its links and ids for the link check of the site.
public struct PageReport: Sendable {
    /// The faults, ordered by line; empty for a valid page. There are at most 100, and none after the first
    /// well-formedness fault.
    public internal(set) var faults: [Fault] = []

    /// In document order.
    package var ids: [String] { encodedIDs.map { String(decoding: $0, as: UTF8.self) } }

    var encodedIDs: [[UInt8]] = []
    /// The bytes of the links and of the style. Each link is stored as a range of these bytes.
    var text: [UInt8] = []
    var links: [(target: Range<Int>, line: Int)] = []
    /// The text of the page's style element, and its line; nil without one.
    public internal(set) var style: (text: String, line: Int)?
    /// The page's content security policy; empty for none.
    public internal(set) var policy = ""

    /// Calls the closure with each href, src, srcset entry and action in document order. `target` is in UTF-8 with
    /// character references decoded, and is valid only during the call. `line` is the line of the tag.
    public func forEachLink(_ body: (_ target: UnsafeBufferPointer<UInt8>, _ line: Int) -> Void) {
        text.withUnsafeBufferPointer { text in
            for (target, line) in links { body(UnsafeBufferPointer(rebasing: text[target]), line) }
        }
    }
}

/// A violation of a rule on a page.
public struct Fault: Sendable, Equatable, CustomStringConvertible {
    /// The line of the element's start tag; for other faults, the current line of the parser. The first line is 1.
    public let line: Int
    package let rule: Rule
    /// A sentence without a full stop, such as `<img> has no alt attribute`.
    public let message: String
    /// Example: `line 12: <img> has no alt attribute [missing-attribute]`.
    public var description: String { "line \(line): \(message) [\(rule.rawValue)]" }
}

/// A rule for pages. The raw value is in brackets after each message.
public enum Rule: String, Sendable {
    // The page as bytes.
    case pageTooLarge = "page-too-large"
    case notWellFormed = "not-well-formed"
    case notUTF8 = "not-utf-8"
    case nestedTooDeep = "nested-too-deep"
    case tooManyAttributes = "too-many-attributes"
    case forbiddenCharacter = "forbidden-character"
    case tooManyFaults = "too-many-faults"
    // Differences between XML and HTML.
    case doctype
    case namespace
    case tagForm = "tag-form"
    case foreignMarkup = "foreign-markup"
    // Elements and attributes.
    case unknownElement = "unknown-element"
    case misplacedElement = "misplaced-element"
    case missingElement = "missing-element"
    case misplacedText = "misplaced-text"
    case unknownAttribute = "unknown-attribute"
    case missingAttribute = "missing-attribute"
    case attributeValue = "attribute-value"
    case inlineStyle = "inline-style"
    case inlineScript = "inline-script"
    // The page as a document.
    case language
    case charset
    case heading
    case emptyElement = "empty-element"
    case duplicateID = "duplicate-id"
    case unknownID = "unknown-id"
    case noopener
    case landmarkLabel = "landmark-label"
}
