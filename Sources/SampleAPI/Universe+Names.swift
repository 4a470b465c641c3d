import Platform

extension Universe {
    package func name(of reference: Reference) -> String {
        switch reference.kind {
        case .character: name(ofCharacter: reference.id)
        case .location: location(reference.id).name
        case .episode: name(ofEpisode: reference.id)
        }
    }

    /// A character's name. About one in seven characters shares its name with another.
    private func name(ofCharacter id: Int) -> String {
        var id = id
        // A duplicate has the name of an earlier character, which can be a duplicate too.
        while id > 12 {
            var random = SeededRandom(seed, .name, -id)
            guard random.chance(0.014) else { break }
            id = max(1, id - 1 - random.integer(below: min(id - 1, 800)))
        }

        var random = SeededRandom(seed, .name, id)
        // The first 826 characters have each of these names once.
        if id % 31 == 17 { return NameWords.awkward[(id / 31 + Int(seed % 26)) % NameWords.awkward.count] }
        let surname = random.one(of: NameWords.surnames)
        switch traits(ofCharacter: id).species {
        case .automaton where random.chance(0.6):
            return random.chance(0.5)
                ? "Unit \(random.integer(below: 90) + 4) (\(random.one(of: NameWords.machines)))"
                : "\(random.one(of: NameWords.machines)) \(surname)"
        case .jelly where random.chance(0.5), .comet where random.chance(0.3):
            return "\(random.one(of: NameWords.jellies)) \(random.one(of: NameWords.epithets))"
        default: break
        }
        let given = random.one(of: NameWords.given)
        switch random.integer(below: 100) {
        case ..<62: return "\(given) \(surname)"
        case ..<68: return "\(random.one(of: NameWords.titles)) \(surname)"
        case ..<74: return "\(random.one(of: NameWords.titles)) \(given) \(surname)"
        case ..<80: return "The \(random.one(of: NameWords.trades))'s \(random.one(of: NameWords.relations))"
        case ..<86: return "\(given) \"\(random.one(of: NameWords.nicknames))\" \(surname)"
        case ..<90: return "\(given) \(random.one(of: NameWords.epithets))"
        case ..<95: return "\(given) the \(random.one(of: NameWords.trades))"
        default: return "\(given) \(surname) & \(random.one(of: ["Son", "Daughter", "Parrot", "Co."]))"
        }
    }

    private func name(ofEpisode id: Int) -> String {
        var random = SeededRandom(seed, .episode, id)
        if random.chance(0.25) { return NameWords.episodeTitles[(id + Int(seed % 16)) % NameWords.episodeTitles.count] }
        let noun = random.one(of: NameWords.episodeNouns)
        switch random.integer(below: 4) {
        case 0: return "The \(noun) That \(random.one(of: NameWords.episodeDeeds))"
        case 1: return "\(noun) & \(random.one(of: NameWords.episodeNouns))"
        case 2: return "The \(random.one(of: NameWords.trades))'s \(noun)"
        default: return "A \(noun) for \(random.one(of: NameWords.given))"
        }
    }

    /// A character's properties. Characters with the shared portrait have the species `unknown`.
    func traits(ofCharacter id: Int) -> (species: Species, status: String, gender: String, type: String) {
        var random = SeededRandom(seed, .nature, id)
        let species = isFaceless(id) ? Species.unknown : id <= 2 ? .islander : Species.random(&random)
        let gender =
            switch species {
            case .automaton, .jelly, .pebble: random.one(of: ["Genderless", "Genderless", "Female", "Male"])
            case .unknown: "unknown"
            default: random.one(of: ["Female", "Male", "Female", "Male", "Female", "Male", "Genderless", "unknown"])
            }
        let status =
            id <= 5 ? "Alive" : random.one(of: ["Alive", "Alive", "Alive", "Alive", "Dead", "Dead", "unknown"])
        return (species, status, gender, id > 5 && random.chance(0.32) ? random.one(of: species.facts.types) : "")
    }

    func location(_ id: Int) -> (name: String, type: String, dimension: String) {
        var random = SeededRandom(seed, .location, id)
        // The factor is coprime to the number of words, so every word is used before one is repeated.
        let index = (id * 7 + Int(seed % 24)) % NameWords.places.count
        let word = NameWords.placeWords[(id * 3 + id / NameWords.placeWords.count) % NameWords.placeWords.count]
        let place = NameWords.places[index]
        let name = random.chance(0.68) ? "\(word) \(place)" : "\(place) of \(random.one(of: NameWords.placeOf))"
        let type = id % 42 == 31 ? "" : random.chance(0.05) ? "unknown" : NameWords.placeTypes[index]
        let dimension = id % 53 == 40 ? "" : random.chance(0.25) ? "unknown" : random.one(of: NameWords.dimensions)
        return (name, type, dimension)
    }

    /// The code, such as `S01E02`, and the air date. A season has ten episodes, the last one the remaining ones too.
    /// There is a season each year and an episode each week. If this takes more than 30 years, the times are shorter.
    func airing(ofEpisode id: Int) -> (code: String, date: String) {
        let seasons = max(1, counts.episode / 10)
        let season = min((id - 1) / 10, seasons - 1)
        let number = id - season * 10
        let year = min(364, 30 * 364 / seasons)
        let day = 16_342 + season * year + (number - 1) * 7 * year / 364
        let date = formattedTime(seconds: day * 86_400, "%B %-d, %Y")
        return ("S\((season + 1).padded())E\(number.padded())", date)
    }

    /// The creation time of a record, in milliseconds. It grows with the id.
    func created(_ reference: Reference) -> String {
        var random = SeededRandom(
            seed, .created, reference.id * 3 + (Kind.allCases.firstIndex(of: reference.kind) ?? 0))
        let minutes =
            25_000_000 + reference.id * 47 * 826 / max(counts[reference.kind], 826) + random.integer(below: 30)
        let time = timestamp(milliseconds: Int64(minutes * 60 + random.integer(below: 60)) * 1_000)
        return "\(time.dropLast()).\(random.integer(below: 1000).padded(3))Z"
    }
}

enum Species: Int, CaseIterable {
    case islander, tidefolk, lampmoth, automaton, jelly, mossling, beast, gull, comet, pebble, unknown

    /// For each species its name, its share in per cent, and its values for `type`.
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

    static func random(_ random: inout SeededRandom) -> Species {
        var left = random.integer(below: 100)
        for species in allCases {
            left -= species.facts.share
            if left < 0 { return species }
        }
        return .unknown
    }
}
