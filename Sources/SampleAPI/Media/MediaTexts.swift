/// What films and books are said to be about.
enum MediaTexts {
    static let sentences = [
        "When the ferry stops running on a Tuesday, nobody on the pier is surprised but the ferry.",
        "A lamplighter finds a letter addressed to the fog, and decides to deliver it.",
        "Eleven people come to tea; there are cups for ten and a half.",
        "The island has moved again, and this time it has taken the post office with it.",
        "She has one kite, two maps and no intention of going home before the bells.",
        "What begins as a quarrel over an umbrella ends at the edge of the known weather.",
        "He mends clocks for people who would rather not know what time it is.",
        "Every night someone moves the lighthouse a step to the left.",
        "“Nobody drowns in a sea as patient as this one,” says the harbourmaster, and rows out.",
        "The gulls know; the gulls have always known; the gulls are not telling.",
        "A warm and unhurried story about small hours, wet coats & second thoughts.",
        "It was a good winter for soup and a bad one for secrets.",
    ]
    static let russianSentences = [
        "Паром не ходит по вторникам, и удивляется этому один паром.",
        "Фонарщик находит письмо, адресованное туману, и решает его доставить.",
        "К чаю ждут одиннадцать гостей, а чашек — десять с половиной.",
        "Остров снова сдвинулся и на этот раз увёз с собой почту.",
        "У неё один змей, две карты и никакого желания вернуться до колоколов.",
        "Каждую ночь кто-то переставляет маяк на шаг левее.",
        "«В таком терпеливом море не тонут», — говорит смотритель и садится на вёсла.",
        "Тёплая и неторопливая история о мокрых пальто и вторых мыслях.",
    ]

    /// Some sentences, no two alike.
    static func some(_ count: Int, russian: Bool, _ dice: inout Dice) -> [String] {
        var left = russian ? russianSentences : sentences
        return (0..<min(count, left.count)).map { _ in left.remove(at: dice.below(left.count)) }
    }

    /// A book's description as publishers send it: markup in several hands, some of it nested for nothing, some of it
    /// not closed.
    static func markup(_ title: String, russian: Bool, style: Int, _ dice: inout Dice) -> String {
        let title = title.escapedForMarkup
        let text = some(4, russian: russian, &dice)
        switch style % 8 {
        case 0: return text.joined(separator: " ")
        case 1: return "<b>\(text[0])</b><br /><br />\(text[1]) \(text[2])<br /><br /><i>\(title)</i>: \(text[3])"
        case 2: return "<p>\(text[0])</p><p><i>\(title)</i>.&#xa0;\(text[1])</p><p>\(text[2])</p>"
        case 3: return "<b><b><b><b>\(text[0])</b></b></b></b><br /><br />\n\(text[1])  \(text[2])"
        case 4: return "<b><i>\(title)</i> • \(text[0])<br /><br />\(text[1])<br /><br />\(text[2])"
        case 5: return "\(text[0])<br />\n<br />\n\(text[1])&#xa0;&amp; \(text[2])</i></b>"
        case 6: return "<p>\(text[0])<br />\(text[1])</p>&#xa0;<p><b>\(text[2])</b> <i>\(text[3])</i></p>"
        default: return "<i>\(text[0])</i><br /><br />\(text[1])"
        }
    }
}

extension String {
    /// With the characters that markup keeps for itself as entities.
    fileprivate var escapedForMarkup: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
