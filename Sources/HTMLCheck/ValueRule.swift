/// What the value of an attribute must be.
enum ValueRule: Sendable {
    case any
    case nonEmpty

    /// A boolean attribute: written `defer=""` or with its own name as the value (HTML Living Standard, section 2.3.2).
    case flag
    case id
    case idref
    case idrefs

    /// The id of a form control (the for attribute of label).
    case control

    /// A URL that is recorded as a link.
    case link

    /// A URL that is only looked at.
    case url
    case srcset
    case integer(ClosedRange<Int>)
    case number
    case oneOf([String])

    /// Tokens between spaces, each of the list, at least one.
    case tokens([String])
    case language

    /// A language, or nothing where it is not known (HTML Living Standard, section 3.2.6.2).
    case ownLanguage
    case dateTime

    /// A date, or a date with time and zone (section 2.3.5.7).
    case moment

    /// A type and subtype, such as image/png.
    case mediaType

    /// An SVG paint or other presentation value; `url(#x)` must name an id of the page.
    case paint

    /// A URL that is a fragment alone.
    case fragment

    /// A list of icon sizes such as 32x32, or any.
    case iconSizes

    static let wholeNumber = ValueRule.integer(0...Int(Int32.max))
    static let trueFalse = ValueRule.oneOf(["true", "false"])
}

extension ValueRule {
    /// The rule without its payload, as the hot path switches on it.
    enum Kind: UInt8, Sendable {
        case any, nonEmpty, flag, id, idref, idrefs, control, link, url, srcset, integer, number, oneOf, tokens,
            language, dateTime, moment
        case ownLanguage
        case mediaType, paint, fragment, iconSizes
    }

    var kind: Kind {
        switch self {
        case .any: .any
        case .nonEmpty: .nonEmpty
        case .flag: .flag
        case .id: .id
        case .idref: .idref
        case .idrefs: .idrefs
        case .control: .control
        case .link: .link
        case .url: .url
        case .srcset: .srcset
        case .integer: .integer
        case .number: .number
        case .oneOf: .oneOf
        case .tokens: .tokens
        case .language: .language
        case .ownLanguage: .ownLanguage
        case .dateTime: .dateTime
        case .moment: .moment
        case .mediaType: .mediaType
        case .paint: .paint
        case .fragment: .fragment
        case .iconSizes: .iconSizes
        }
    }
}
