/// What a page broke, as a short name that stands behind the message.
public enum Rule: String, Sendable, CaseIterable {
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
