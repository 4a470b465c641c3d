/// One line of the grammar: an element, where it may stand, what it takes, and which attributes it has beside the
/// global ones.
struct ElementRule: Sendable {
    let name: String
    let kinds: Kinds
    let takes: Kinds
    let forbids: Kinds
    let traits: Traits
    let order: [Step]
    let check: Check
    let attributes: AttributeList
    let required: [String]

    init(
        _ name: String, is kinds: Kinds, takes: Kinds = [], forbids: Kinds = [], _ traits: Traits = [],
        order: [Step] = [],
        check: Check = .none, attributes: AttributeList = [:], required: [String] = []
    ) {
        self.name = name
        self.kinds = kinds
        self.takes = takes
        self.forbids = forbids
        self.traits = traits
        self.order = order
        self.check = check
        self.attributes = attributes
        self.required = required
    }

    /// What is special about an element's tags and text.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8

        /// No content and no end tag in HTML (section 13.1.2, void elements): written `<br/>`.
        static let void = Traits(rawValue: 1)

        /// Text may stand in it directly, though it takes neither flow nor phrasing content.
        static let text = Traits(rawValue: 2)

        /// Needs text, an image with alt, or an aria-label.
        static let named = Traits(rawValue: 4)

        /// Without the global attributes of HTML.
        static let bare = Traits(rawValue: 8)
    }

    /// One step of an ordered content model: so many children of these kinds, then on to the next step.
    struct Step: Sendable {
        let kinds: Kinds
        let least: Int
        let most: Int
        let words: String

        static func one(_ kinds: Kinds, _ words: String) -> Step { Step(kinds: kinds, least: 1, most: 1, words: words) }
        static func maybe(_ kinds: Kinds, _ words: String) -> Step {
            Step(kinds: kinds, least: 0, most: 1, words: words)
        }
        static func any(_ kinds: Kinds) -> Step { Step(kinds: kinds, least: 0, most: .max, words: "") }
    }

    /// A rule of its own that the table cannot say.
    enum Check: UInt8, Sendable {
        case none, html, head, body, title, meta, script, link, anchor, image, source, input, heading, nav, main, list,
            term, details
        case division, figure, figcaption, label, svg, listItem, row
    }
}
