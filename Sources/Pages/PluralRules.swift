/// Selects the plural form of a text for a whole number. Each rule set has the name of a language that uses it.
///
/// Source: Unicode CLDR 45, supplemental/plurals.xml, cardinal rules.
package enum PluralRules: String, Sendable, CaseIterable {
    case en, fr, es, ru, pl, cs, lt, lv, ro, sl, ar, he, ja

    /// The names of the forms in CLDR.
    package enum Category: String, Sendable, CaseIterable {
        case zero, one, two, few, many, other
    }
}

extension PluralRules {
    package func category(of count: Int) -> Category {
        let ten = count % 10
        let hundred = count % 100
        let isTeen = (11...19).contains(hundred)
        switch self {
        case .en: return count == 1 ? .one : .other
        case .fr: return count <= 1 ? .one : isMillions(count) ? .many : .other
        case .es: return count == 1 ? .one : isMillions(count) ? .many : .other
        case .ru, .pl:
            if self == .pl ? count == 1 : ten == 1 && hundred != 11 { return .one }
            return (2...4).contains(ten) && !(12...14).contains(hundred) ? .few : .many
        case .cs: return count == 1 ? .one : (2...4).contains(count) ? .few : .other
        case .lt: return isTeen || ten == 0 ? .other : ten == 1 ? .one : .few
        case .lv: return isTeen || ten == 0 ? .zero : ten == 1 ? .one : .other
        case .ro: return count == 1 ? .one : count == 0 || (1...19).contains(hundred) ? .few : .other
        case .sl: return hundred == 1 ? .one : hundred == 2 ? .two : (3...4).contains(hundred) ? .few : .other
        case .ar:
            if (0...2).contains(count) { return [.zero, .one, .two][count] }
            return (3...10).contains(hundred) ? .few : hundred >= 11 ? .many : .other
        case .he: return count == 1 ? .one : count == 2 ? .two : .other
        case .ja: return .other
        }
    }

    /// The forms that this rule set uses for whole numbers.
    package var categories: [Category] {
        let used = Set((0...200).map(category) + [category(of: 1_000_000)])
        return Category.allCases.filter(used.contains)
    }

    private func isMillions(_ count: Int) -> Bool { count != 0 && count % 1_000_000 == 0 }
}
