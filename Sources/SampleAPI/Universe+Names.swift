extension Universe {
    /// A character's name; about one in seven shares it with somebody.
    func name(ofCharacter id: Int) -> String {
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
        default:
            break
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

    /// What a character is; the same for the few who share a portrait that shows nobody.
    func nature(ofCharacter id: Int) -> Nature {
        var dice = Dice(seed, .nature, id)
        let species = isFaceless(id) ? Species.unknown : id <= 2 ? .islander : Species.thrown(&dice)
        let gender: String =
            switch species {
            case .automaton, .jelly, .pebble: dice.one(of: ["Genderless", "Genderless", "Female", "Male"])
            case .unknown: "unknown"
            default: dice.one(of: ["Female", "Male", "Female", "Male", "Female", "Male", "Genderless", "unknown"])
            }
        let status = id <= 5 ? "Alive" : dice.one(of: ["Alive", "Alive", "Alive", "Alive", "Dead", "Dead", "unknown"])
        let type = id > 5 && dice.chance(0.32) ? dice.one(of: species.types) : ""
        return Nature(species: species, status: status, gender: gender, type: type)
    }

    struct Nature {
        let species: Species
        let status: String
        let gender: String
        let type: String
    }

    func name(ofLocation id: Int) -> String { location(id).name }

    func location(_ id: Int) -> (name: String, type: String, dimension: String) {
        var dice = Dice(seed, .location, id)
        // Multiplying by a number prime to the length deals all words out before one comes again.
        let place = Words.places[(id * 7 + Int(seed % 24)) % Words.places.count]
        let word = Words.placeWords[(id * 3 + id / Words.placeWords.count) % Words.placeWords.count]
        let name = dice.chance(0.68) ? "\(word) \(place)" : "\(place) of \(dice.one(of: Words.placeOf))"
        let type = id % 42 == 31 ? "" : dice.chance(0.05) ? "unknown" : Words.placeTypes[place] ?? ""
        let dimension = id % 53 == 40 ? "" : dice.chance(0.25) ? "unknown" : dice.one(of: Words.dimensions)
        return (name, type, dimension)
    }

    func name(ofEpisode id: Int) -> String {
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
}
