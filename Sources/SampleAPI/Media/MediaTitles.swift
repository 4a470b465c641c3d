/// How titles of one kind are made: of patterns, words and tails.
struct MediaTitles {
    /// What many of the titles are about, so that a search for one of these words finds a shelf full.
    let words: [String]
    let russian: [Noun]
    /// Out of how many titles one is about each of the words.
    let every: Int
    let patterns: [String]
    let tails: [String]

    /// A Russian noun, and what an adjective of it ends in.
    struct Noun {
        let text: String
        var isNeuter = false
    }
}

extension MediaTitles {
    /// A title that need not be the only one of its kind.
    func one(_ turn: Int, isRussian: Bool, _ dice: inout Dice) -> String {
        let choice = turn % every
        if isRussian {
            return Self.russianTitle(choice < 4 ? russian[choice % 2] : dice.one(of: Self.russianNouns), &dice)
        }
        let title = dice.one(of: patterns).replacingStar(
            with: choice < 2 ? words[choice] : dice.one(of: MediaWords.nouns))
        return dice.chance(0.2) ? title + dice.one(of: tails) : title
    }

    /// Such as «Бумажная луна за маяком».
    private static func russianTitle(_ noun: Noun, _ dice: inout Dice) -> String {
        let adjective = dice.one(of: russianStems) + (noun.isNeuter ? "ое" : "ая")
        let tail = dice.one(of: russianTails)
        switch dice.below(3) {
        case 0: return "\(adjective) \(noun.text.lowercased())"
        case 1: return "\(noun.text) \(tail)"
        default: return "\(adjective) \(noun.text.lowercased()) \(tail)"
        }
    }

    private static let russianNouns = ["Луна", "Гавань", "Река", "Весна", "Лодка", "Погода", "Карта", "Зима"].map {
        Noun(text: $0)
    }
    private static let russianStems = [
        "Бумажн", "Запасн", "Старинн", "Колокольн", "Фонарн", "Туманн", "Забыт", "Медн", "Перелётн", "Солён",
    ]
    private static let russianTails = [
        "на причале", "за маяком", "без расписания", "под зонтом", "после чая", "для одиннадцати", "у старого пирса",
        "и фонарь",
        "по вторникам", "в конверте", "с мармеладом", "на карте тумана",
    ]

    static let song = MediaTitles(
        words: ["Love", "Dream"], russian: [Noun(text: "Любовь"), Noun(text: "Мечта")], every: 10,
        patterns: [
            "Second-Hand *", "Foghorn *", "Tuesday's *", "* and the Kettle", "* Without an Umbrella", "* Kept in a Jar",
            "* on the Seventh Pier", "A Pocketful of Wet *", "*, with Marmalade", "The Gulls Took My *",
            "Nine Bells for *",
            "What the * Forgot", "Half-Past *", "* in a Borrowed Coat", "Ferry-Slip *", "Dear *, Yours, the Postman",
            "Saltlight *",
            "* for Eleven & a Half", "No * Without a Harbourmaster", "* at the Bottom of the Teapot", "I <3 Your *",
            "Who Put \"*\" on the Map?",
        ],
        tails: [" (Low Tide Mix)", " (Live at the Bellhouse)", " [feat. the Gulls]", ", Reprise"])

    static let movie = MediaTitles(
        words: ["Star", "Night"], russian: [Noun(text: "Звезда"), Noun(text: "Ночь")], every: 5,
        patterns: [
            "The * over Candlemere", "* Above the Outer Reef", "The Ninth * of Fenwick Quayle",
            "A * for the Postmaster",
            "* of the Lamplighters", "The * That Stayed In", "The Mapmaker's *", "* at the Bellhouse",
            "Eleven Ways to Fold a *",
            "The Last Ferry to *", "One * Too Many", "* at Half-Past", "The Clockmender's *", "* Without a Harbour",
            "The * & the Net-mender", "\"*\", Said the Fog", "Été sans *", "Seven Gulls and a *",
        ],
        tails: [": The Other Half", " II", " (Director's Teatime)", ": Low Water"])

    static let book = MediaTitles(
        words: ["Sea", "Life"], russian: [Noun(text: "Море", isNeuter: true), Noun(text: "Жизнь")], every: 5,
        patterns: [
            "The * Almanac", "A Gull's Guide to *", "* for Beginners & Barnacles", "My * as a Lighthouse",
            "The Quiet * of Foghorns",
            "Notes from a Borrowed *", "The * Behind the Bellhouse", "*: A History in Nine Bells", "How to Fold a *",
            "The Postmaster's *", "Letters to an Unhurried *", "A * in the Tearoom", "* and Other Weather",
            "The Lamplighter's *",
            "Who Owns the *?", "The \"*\" Question", "A Teaspoon of *", "The Second-Best *",
        ],
        tails: [": A Novel", ", Volume Two", " (Illustrated)", ": & Other Excuses"])
}

extension String {
    /// A pattern with its one star replaced.
    func replacingStar(with word: String) -> String {
        guard let star = firstIndex(of: "*") else { return self }
        return self[..<star] + word + self[index(after: star)...]
    }
}
