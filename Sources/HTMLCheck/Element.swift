/// One row of the grammar: an element, its categories, its allowed content, and its attributes in addition to the
/// global ones.
struct Element: Sendable {
    /// One name. In `ElementTable` it can be several names, separated by spaces, that have the same rule.
    var name: String
    let kinds: Kinds
    let allowedChildren: Kinds
    let forbiddenDescendants: Kinds
    let order: [Step]
    let attributes: KeyValuePairs<String, ValueRule>
    /// The names of the required attributes, at most 8. In `attributes`, an exclamation mark follows them.
    let required: [String]
    var special: Special?
    /// The index of its row in `Grammar.cells`.
    var firstCell = 0

    init(
        _ name: String, is kinds: Kinds, allowedChildren: Kinds = [], forbiddenDescendants: Kinds = [],
        order: [Step] = [], attributes: KeyValuePairs<String, ValueRule> = [:]
    ) {
        self.name = name
        self.kinds = kinds
        self.allowedChildren = order.reduce(allowedChildren) { $0.union($1.kinds) }
        self.forbiddenDescendants = forbiddenDescendants
        self.order = order
        self.attributes = attributes
        required = attributes.flatMap { $0.key.split(separator: " ") }.filter { $0.hasSuffix("!") }.map {
            String($0.dropLast())
        }
    }

    var isSVG: Bool { kinds.contains(.svg) }

    /// A bit for each required attribute, as in `Grammar.Cell.required`.
    var requiredBits: UInt8 { UInt8((1 << required.count) - 1) }

    /// One step of an ordered content model: at most `maximum` children of these kinds.
    struct Step: Sendable {
        let kinds: Kinds
        var maximum = 1
        /// The name of a required child, for messages; nil if it is optional.
        var requiredChild: String?

        static func one(_ kinds: Kinds, _ requiredChild: String) -> Step {
            Step(kinds: kinds, requiredChild: requiredChild)
        }
        static func maybe(_ kinds: Kinds) -> Step { Step(kinds: kinds) }
        static func any(_ kinds: Kinds) -> Step { Step(kinds: kinds, maximum: .max) }
    }

    /// Elements of HTML with rules that the table cannot express.
    enum Special: String {
        case html, head, body, title, meta, script, link, a, img, input, nav, main, dl, dt, dd, div, figcaption, label
        case li, tr, style
    }
}

/// The kinds of an element, which decide where it is allowed: the content categories of the HTML Living Standard,
/// section 3.2.5; one kind for each element that only certain parents allow; and properties of its tags and text.
struct Kinds: OptionSet, Sendable {
    let rawValue: UInt64

    static let flow = kind(0)
    static let phrasing = kind(1)
    static let heading = kind(2)
    static let sectioning = kind(3)
    static let interactive = kind(4)
    static let labelable = kind(5)
    static let metadata = kind(6)
    /// As allowed content: everything that the parent allows (the transparent content model of the standard).
    static let transparent = kind(7)
    static let document = kind(8)
    static let head = kind(9)
    static let body = kind(10)
    static let listItem = kind(11)
    static let term = kind(12)
    static let details = kind(13)
    static let group = kind(14)
    static let figcaption = kind(15)
    static let caption = kind(16)
    static let columns = kind(17)
    static let column = kind(18)
    static let headRows = kind(19)
    static let bodyRows = kind(20)
    static let footRows = kind(21)
    static let row = kind(22)
    static let cell = kind(23)
    static let option = kind(24)
    static let optionGroup = kind(25)
    static let legend = kind(26)
    static let summary = kind(27)
    static let source = kind(28)
    static let image = kind(29)
    // Kinds that some ancestors forbid.
    static let form = kind(32)
    static let label = kind(33)
    static let banner = kind(34)
    static let main = kind(35)
    static let definition = kind(36)
    static let progress = kind(37)
    static let meter = kind(38)
    static let table = kind(39)
    // SVG elements do not have the global attributes of HTML.
    static let svg = kind(47)
    static let drawing = kind(48)
    static let description = kind(49)
    static let stop = kind(50)
    static let span = kind(51)
    /// The element has no content, and no end tag in HTML (section 13.1.2, void elements). It is written like `<br/>`.
    static let void = kind(56)
    /// The element allows text, but no flow or phrasing content.
    static let text = kind(57)
    /// The element must contain text or an image with alt, or have an aria-label.
    static let named = kind(58)
    /// The kinds of a phrasing element, which is flow content too.
    static let phrase: Kinds = [.flow, .phrasing]

    /// The allowed content of an unknown element, so that an unknown name is only one fault.
    static let anything = Kinds(rawValue: .max)

    private static func kind(_ bit: UInt64) -> Kinds { Kinds(rawValue: 1 << bit) }
}

/// The rule for the value of an attribute.
enum ValueRule: Sendable {
    case any
    case nonEmpty
    /// A boolean attribute: the value is empty or the attribute's name (HTML Living Standard, section 2.3.2).
    case flag
    case id
    case idref
    case idrefs
    /// The id of a form control, in the `for` attribute of `label`.
    case control
    /// A URL that is added to the page's links.
    case link
    /// An absolute URL that is not added to the page's links.
    case url
    case srcset
    case integer(ClosedRange<Int>)
    case number
    case oneOf(KeywordList)
    /// At least one token, separated by spaces. Each must be in the list.
    case tokens(KeywordList)
    case language
    /// A language tag. An empty value means that the language is unknown (HTML Living Standard, section 3.2.6.2).
    case ownLanguage
    case dateTime
    /// A date, or a date with time and zone (section 2.3.5.7).
    case moment
    /// A type and subtype, such as image/png.
    case mediaType
    /// An SVG paint or other presentation value; `url(#x)` must name an id of the page.
    case paint
    /// A URL that consists of a fragment only.
    case fragment
    /// A list of icon sizes such as 32x32, or "any".
    case iconSizes

    static let wholeNumber = ValueRule.integer(0...Int(Int32.max))
    static let trueFalse = ValueRule.oneOf("true false")
    static let direction = ValueRule.oneOf("ltr rtl auto")
}

/// A list of words from a string literal with spaces between them.
///
/// The words are pointers to the literal, and the list is never freed, so a lookup does no reference counting.
/// `@unchecked Sendable` is safe, because the list never changes.
struct KeywordList: ExpressibleByStringLiteral, @unchecked Sendable {
    private let list: UnsafeMutableBufferPointer<UnsafeBufferPointer<UInt8>>

    init(stringLiteral text: StaticString) {
        var words: [UnsafeBufferPointer<UInt8>] = []
        UnsafeBufferPointer(text).forEachToken { words.append($0) }
        list = .permanent(words)
    }

    var words: [String] { list.map { String(decoding: $0, as: UTF8.self) } }

    func contains(_ word: UnsafeBufferPointer<UInt8>) -> Bool { list.contains { $0.equals(word) } }
}

extension UnsafeMutableBufferPointer {
    /// A copy of these items that is never freed.
    static func permanent(_ items: [Element]) -> Self {
        let copy = Self.allocate(capacity: items.count)
        _ = copy.initialize(from: items)
        return copy
    }
}
