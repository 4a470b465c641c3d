import Platform

extension Universe {
    package func name(of reference: Reference) -> String {
        switch reference.kind {
        case .character: name(ofCharacter: reference.id)
        case .location: location(reference.id).name
        case .episode: name(ofEpisode: reference.id)
        }
    }

    /// A character's name; about one in seven shares it with somebody.
    private func name(ofCharacter id: Int) -> String {
        var id = id
        // A namesake bears the name of somebody before it, who may be a namesake too.
        while id > 12 {
            var dice = Dice(seed, .name, -id)
            guard dice.chance(0.014) else { break }
            id = max(1, id - 1 - dice.below(min(id - 1, 800)))
        }

        var dice = Dice(seed, .name, id)
        // All of them within the first district, each once.
        if id % 31 == 17 { return Words.awkward[(id / 31 + Int(seed % 26)) % Words.awkward.count] }
        let surname = dice.one(of: Words.surnames)
        switch nature(ofCharacter: id).species {
        case .automaton where dice.chance(0.6):
            return dice.chance(0.5)
                ? "Unit \(dice.below(90) + 4) (\(dice.one(of: Words.machines)))"
                : "\(dice.one(of: Words.machines)) \(surname)"
        case .jelly where dice.chance(0.5), .comet where dice.chance(0.3):
            return "\(dice.one(of: Words.jellies)) \(dice.one(of: Words.epithets))"
        default: break
        }
        let given = dice.one(of: Words.given)
        switch dice.below(100) {
        case ..<62: return "\(given) \(surname)"
        case ..<68: return "\(dice.one(of: Words.titles)) \(surname)"
        case ..<74: return "\(dice.one(of: Words.titles)) \(given) \(surname)"
        case ..<80: return "The \(dice.one(of: Words.trades))'s \(dice.one(of: Words.relations))"
        case ..<86: return "\(given) \"\(dice.one(of: Words.nicknames))\" \(surname)"
        case ..<90: return "\(given) \(dice.one(of: Words.epithets))"
        case ..<95: return "\(given) the \(dice.one(of: Words.trades))"
        default: return "\(given) \(surname) & \(dice.one(of: ["Son", "Daughter", "Parrot", "Co."]))"
        }
    }

    private func name(ofEpisode id: Int) -> String {
        var dice = Dice(seed, .episode, id)
        if dice.chance(0.25) { return Words.episodeTitles[(id + Int(seed % 16)) % Words.episodeTitles.count] }
        let noun = dice.one(of: Words.episodeNouns)
        switch dice.below(4) {
        case 0: return "The \(noun) That \(dice.one(of: Words.episodeDeeds))"
        case 1: return "\(noun) & \(dice.one(of: Words.episodeNouns))"
        case 2: return "The \(dice.one(of: Words.trades))'s \(noun)"
        default: return "A \(noun) for \(dice.one(of: Words.given))"
        }
    }

    /// What a character is; the same for the few who share a portrait that shows nobody.
    func nature(ofCharacter id: Int) -> (species: Species, status: String, gender: String, type: String) {
        var dice = Dice(seed, .nature, id)
        let species = isFaceless(id) ? Species.unknown : id <= 2 ? .islander : Species.thrown(&dice)
        let gender =
            switch species {
            case .automaton, .jelly, .pebble: dice.one(of: ["Genderless", "Genderless", "Female", "Male"])
            case .unknown: "unknown"
            default: dice.one(of: ["Female", "Male", "Female", "Male", "Female", "Male", "Genderless", "unknown"])
            }
        let status = id <= 5 ? "Alive" : dice.one(of: ["Alive", "Alive", "Alive", "Alive", "Dead", "Dead", "unknown"])
        return (species, status, gender, id > 5 && dice.chance(0.32) ? dice.one(of: species.facts.types) : "")
    }

    func location(_ id: Int) -> (name: String, type: String, dimension: String) {
        var dice = Dice(seed, .location, id)
        // Multiplying by a number prime to the length deals all words out before one comes again.
        let index = (id * 7 + Int(seed % 24)) % Words.places.count
        let word = Words.placeWords[(id * 3 + id / Words.placeWords.count) % Words.placeWords.count]
        let place = Words.places[index]
        let name = dice.chance(0.68) ? "\(word) \(place)" : "\(place) of \(dice.one(of: Words.placeOf))"
        let type = id % 42 == 31 ? "" : dice.chance(0.05) ? "unknown" : Words.placeTypes[index]
        let dimension = id % 53 == 40 ? "" : dice.chance(0.25) ? "unknown" : dice.one(of: Words.dimensions)
        return (name, type, dimension)
    }

    /// Such as `S01E02`, and a date: weekly from an autumn day on, a season a year; where that would take over 30
    /// years, all the closer. A season has about ten episodes: ten, and in the last one the odd ones too.
    func airing(ofEpisode id: Int) -> (code: String, date: String) {
        let seasons = max(1, counts.episode / 10)
        let season = min((id - 1) / 10, seasons - 1)
        let number = id - season * 10
        let year = min(364, 30 * 364 / seasons)
        let day = 16_342 + season * year + (number - 1) * 7 * year / 364
        let date = timestamp(milliseconds: Int64(day) * 86_400_000).split { !$0.isNumber }.compactMap { Int($0) }
        return ("S\((season + 1).padded())E\(number.padded())", "\(Words.months[date[1] - 1]) \(date[2]), \(date[0])")
    }

    /// When a record was made, in the order of ids, to the millisecond.
    func created(_ reference: Reference) -> String {
        var dice = Dice(seed, .created, reference.id * 3 + (Kind.allCases.firstIndex(of: reference.kind) ?? 0))
        let minutes = 25_000_000 + reference.id * 47 * 826 / max(counts[reference.kind], 826) + dice.below(30)
        let time = timestamp(milliseconds: Int64(minutes * 60 + dice.below(60)) * 1_000)
        return "\(time.dropLast()).\(dice.below(1000).padded(3))Z"
    }
}

/// The peoples of the archipelago.
enum Species: Int, CaseIterable {
    case islander, tidefolk, lampmoth, automaton, jelly, mossling, beast, gull, comet, pebble, unknown

    /// Names, how many of a hundred, and what `type` may say, where it says anything.
    private static let all = """
        Islander|36|Lamplighter|Sleepwalker|Ferry pilot|Cloud-born|Left-handed|Keeper's child
        Tidefolk|8|Deep-water|Half-Islander|Freshwater|Reef singer
        Lampmoth|6|Dusk-winged|Paper-eater|Night postal service
        Automaton|9|Clockwork|Steam & spring|Teapot-class|Self-winding
        Drift Jelly|6|Free-floating|Bottled|Choir
        Mossling|8|Evergreen|Mushroom|Succulent|Potted
        Quay Beast|13|Fox|Cat|Bear|Rabbit|Otter
        Stargull|7|Ferry gull|Owl-faced|Storm-blown
        Cometkin|3|Long-period|Returning|Crescent
        Pebblefolk|3|Basalt|Pumice|Kept in a pocket
        unknown|1|Seen only at night
        """.split(separator: "\n").map { line in
            let words = String(line).items
            return (name: words[0], share: Int(words[1]) ?? 0, types: Array(words[2...]))
        }

    var facts: (name: String, share: Int, types: [String]) { Self.all[rawValue] }

    static func thrown(_ dice: inout Dice) -> Species {
        var left = dice.below(100)
        for species in allCases {
            left -= species.facts.share
            if left < 0 { return species }
        }
        return .unknown
    }
}
