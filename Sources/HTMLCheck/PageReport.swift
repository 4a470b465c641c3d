/// What one reading of a page found: its faults, and what link checks over many pages need.
public struct PageReport: Sendable {
    /// The faults by line; empty for a good page. At most 100, and after a well-formedness fault nothing more is read.
    public let faults: [Fault]

    /// What links and ids are ranges of.
    let text: [UInt8]
    let links: [(target: Range<Int>, line: Int)]
    let idRanges: [Range<Int>]

    /// The page's ids in document order.
    public var ids: [String] { idRanges.map { String(decoding: text[$0], as: UTF8.self) } }

    /// Calls for every href, src, srcset entry and action in document order: its target as bytes (character
    /// references decoded, UTF-8) and the line of its tag. The bytes live no longer than the call.
    public func forEachLink(_ body: (_ target: UnsafeBufferPointer<UInt8>, _ line: Int) -> Void) {
        text.withUnsafeBufferPointer { text in
            for (target, line) in links { body(UnsafeBufferPointer(rebasing: text[target]), line) }
        }
    }
}

/// One thing wrong with a page, in words that name the place.
public struct Fault: Sendable, Equatable, CustomStringConvertible {
    /// The line on which the element's start tag begins, or the parser's line; the first line is 1.
    public let line: Int
    /// The rule that is broken.
    public let rule: Rule
    /// What is wrong: a sentence without a full stop, such as `<img> has no alt attribute`.
    public let message: String
    /// Such as `line 12: <img> has no alt attribute [missing-attribute]`.
    public var description: String { "line \(line): \(message) [\(rule.rawValue)]" }
}

/// A rule that a page can break, as the short name behind the message.
public enum Rule: String, Sendable {
    // The page as bytes.
    case pageTooLarge = "page-too-large"
    case notWellFormed = "not-well-formed"
    case notUTF8 = "not-utf-8"
    case nestedTooDeep = "nested-too-deep"
    case tooManyAttributes = "too-many-attributes"
    case forbiddenCharacter = "forbidden-character"
    case tooManyFaults = "too-many-faults"
    // What XML and HTML read differently.
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
