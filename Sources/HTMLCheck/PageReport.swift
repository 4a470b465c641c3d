/// The result of checking one page: its faults, and its links and ids for the link check of the site.
package struct PageReport: Sendable {
    /// At most 100 faults, ordered by line; empty for a valid page. The first well-formedness fault is the last one.
    package internal(set) var faults: [Fault] = []

    /// In document order.
    package var ids: [String] { encodedIDs.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether this page has all ids of another page, which must be valid. The other page is only searched, because
    /// parsing takes much longer. So the result can also be false because of a text that looks like an id.
    package func hasIDs(of valid: [UInt8]) -> Bool {
        valid.withUnsafeBufferPointer { Set(encodedIDs).isSuperset(of: PageScan.possibleIDs(in: $0)) }
    }

    var encodedIDs: [[UInt8]] = []
    /// The bytes of the links. Each link is stored as a range of these bytes.
    var text: [UInt8] = []
    var links: [(target: Range<Int>, line: Int)] = []
    /// The text of the page's style element, and its line; nil without one.
    package internal(set) var style: (text: [UInt8], line: Int)?
    /// The page's content security policy; empty for none.
    package internal(set) var policy = ""

    /// Calls the closure with each href, src, srcset entry and action in document order. `target` is in UTF-8 with
    /// character references decoded, and is valid only during the call. `line` is the line of the tag.
    package func forEachLink(_ body: (_ target: UnsafeBufferPointer<UInt8>, _ line: Int) -> Void) {
        text.withUnsafeBufferPointer { text in
            for (target, line) in links { body(UnsafeBufferPointer(rebasing: text[target]), line) }
        }
    }
}

/// A violation of a rule on a page.
package struct Fault: Sendable, Equatable, CustomStringConvertible {
    /// The line of the element's start tag; for other faults, the current line of the parser. The first line is 1.
    package let line: Int
    package let rule: Rule
    /// A sentence without a full stop, such as `<img> has no alt attribute`.
    package let message: String
    /// Example: `<img> has no alt attribute [missing-attribute]`.
    package var ruledMessage: String { "\(message) [\(rule.name)]" }
    package var description: String { "line \(line): \(ruledMessage)" }
}

/// A rule for pages. Its name is in brackets after each message.
package enum Rule: String, Sendable {
    // The page as bytes.
    case pageTooLarge, notWellFormed, notUTF8, nestedTooDeep, tooManyAttributes, forbiddenCharacter, tooManyFaults
    // Differences between XML and HTML.
    case doctype, namespace, tagForm, foreignMarkup
    // Elements and attributes.
    case unknownElement, misplacedElement, missingElement, misplacedText, unknownAttribute, missingAttribute
    case attributeValue, inlineStyle, inlineScript
    // The page as a document.
    case language, charset, heading, emptyElement, duplicateID, unknownID, noopener, landmarkLabel

    /// The name in small letters with hyphens, such as "page-too-large".
    fileprivate var name: String { rawValue.replacing(/[A-Z]+|8/) { "-\($0.output.lowercased())" } }
}
