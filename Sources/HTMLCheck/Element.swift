/// One row of the grammar: an element, its categories, its content, and its attributes beside the global ones.
struct Element: Sendable {
    /// One name. In `ElementTable` it can be several names, separated by spaces, that have the same rule.
    private(set) var name: String
    let kinds: Kinds
    let allowedChildren: Kinds
    let forbiddenDescendants: Kinds
    let order: [Step]
    private(set) var attributes: KeyValuePairs<String, ValueRule> = [:]
    /// The names of the required attributes, at most 8. In `attributes`, an exclamation mark follows them.
    var required: [String] = []
    private(set) var special: Special?
    /// The index of its first rule in `Grammar.rules`.
    var firstRule = 0

    init(
        _ name: String, _ kinds: Kinds, content: Kinds = [], without forbiddenDescendants: Kinds = [],
        order: [Step] = []
    ) {
        self.name = name
        self.kinds = kinds
        allowedChildren = order.reduce(content) { $0.union($1.kinds) }
        self.forbiddenDescendants = forbiddenDescendants
        self.order = order
    }

    func having(_ attributes: KeyValuePairs<String, ValueRule>) -> Element {
        var element = self
        element.attributes = attributes
        return element
    }

    /// The same element with one of its names.
    func named(_ name: String) -> Element {
        var element = self
        element.name = name
        element.special = isSVG ? nil : Special(rawValue: name)
        return element
    }

    var isSVG: Bool { kinds.contains(.svg) }

    /// One step of an ordered content model: one child of these kinds, or any number of them.
    struct Step: Sendable {
        let kinds: Kinds
        var isRepeated = false
        /// The name of a required child, for messages; nil if it is optional.
        var requiredChild: String?

        static func one(_ kinds: Kinds, _ child: String) -> Step { Step(kinds: kinds, requiredChild: child) }
        static func maybe(_ kinds: Kinds) -> Step { Step(kinds: kinds) }
        static func any(_ kinds: Kinds) -> Step { Step(kinds: kinds, isRepeated: true) }
    }

    /// Elements of HTML with rules that the table cannot express.
    enum Special: String {
        case html, head, body, title, meta, script, link, a, input, nav, main, dl, dt, dd, div, figcaption, label
        case li, tr, style
    }
}

/// A property of an element, which decides where it is allowed.
enum Kind: UInt64 {
    // The content categories of the HTML Living Standard, section 3.2.5.
    case flow, phrasing, heading, sectioning, interactive, labelable, metadata
    /// As allowed content: everything that the parent allows (the transparent content model of the standard).
    case transparent
    // One kind for each element that only certain parents allow.
    case document, head, body, listItem, term, details, group, figcaption, caption, columns, column, headRows, bodyRows
    case footRows, row, cell, option, optionGroup, legend, summary, source, image
    // Kinds that some ancestors forbid.
    case form, label, banner, main, definition, progress, meter, table
    // SVG elements do not have the global attributes of HTML.
    case svg, drawing, description, stop, span
    /// The element has no content, and no end tag in HTML (section 13.1.2, void elements). It is written like `<br/>`.
    case void
    /// The element allows text, but no flow or phrasing content.
    case text
    /// The element must contain text or an image with alt, or have an aria-label.
    case named
}

struct Kinds: Sendable { private var bits: UInt64 }

extension Kinds: ExpressibleByArrayLiteral {
    init(arrayLiteral kinds: Kind...) { bits = kinds.reduce(0) { $0 | 1 << $1.rawValue } }

    static let phrase = phrase()

    /// The kinds of a phrasing element, which is flow content too.
    static func phrase(_ others: Kind...) -> Kinds { others.reduce([.flow, .phrasing]) { $0.union([$1]) } }

    /// The allowed content of an unknown element, so that an unknown name is only one fault.
    static let anything = Kinds(bits: .max)

    @inline(__always)
    func contains(_ kind: Kind) -> Bool { bits & 1 &<< kind.rawValue != 0 }
    func intersects(_ other: Kinds) -> Bool { bits & other.bits != 0 }
    func intersection(_ other: Kinds) -> Kinds { Kinds(bits: bits & other.bits) }
    func union(_ other: Kinds) -> Kinds { Kinds(bits: bits | other.bits) }
    mutating func remove(_ kind: Kind) { bits &= ~(1 << kind.rawValue) }
}

struct AttributeRule {
    let value: ValueRule
    /// The attribute's bit among the required attributes of the element; 0 if it is optional.
    var required: UInt8 = 0
    var effect: Effect?

    /// What an attribute changes besides its own value.
    enum Effect {
        case names, namesOption, namesSuggestion, hides, hidesIfTrue, focuses
        /// The attribute is allowed only together with another one.
        case requires(StaticString)
        // Microdata (section 5.2).
        case itemScope, itemProperty
    }
}

enum ValueRule: Sendable {
    case any
    case nonEmpty
    /// A boolean attribute: the value is empty or the attribute's name (HTML Living Standard, section 2.3.2).
    case flag
    case id
    case idref
    case idrefs
    /// A URL that is added to the page's links.
    case link
    /// An absolute URL that is not added to the page's links.
    case url
    case srcset
    case integer(ClosedRange<Int>)
    case number
    /// One of these words, which are separated by spaces.
    case oneOf(StaticString)
    /// At least one token, separated by spaces. Each must be one of these words.
    case tokens(StaticString)
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

extension String { var words: [String] { split(separator: " ").map(String.init) } }
