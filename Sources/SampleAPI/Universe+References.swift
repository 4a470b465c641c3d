/// The references between characters, locations and episodes, in both directions. Each district of 826 characters and
/// 126 locations has a few locations with many residents, so the size of a location does not depend on the universe.
extension Universe {
    /// A location in the character's district, or 0 for unknown.
    func home(of id: Int) -> Int {
        var random = SeededRandom(seed, .home, id)
        return random.chance(0.03) && id > 5 ? 0 : location(near: id, &random)
    }

    /// The location that a character comes from, or 0 for unknown. It is not stored, because locations do not list it.
    func origin(of id: Int) -> Int {
        var random = SeededRandom(seed, .nature, -id)
        return random.chance(0.3) ? 0 : location(near: id, &random)
    }

    private func location(near id: Int, _ random: inout SeededRandom) -> Int {
        let first = (id - 1) / 826 * 126
        let size = min(126, counts.location - first)
        guard size > 0 else { return random.integer(below: counts.location) + 1 }

        let draw = random.unit()
        let location = first + Int(draw * draw * draw * Double(size)) + 1
        // Every ninth location has no residents. They are moved to the previous location.
        return location % 9 == 5 && location > 1 ? location - 1 : location
    }

    /// The episodes of a character: one to three for most, nearly all of the first 51 for a few.
    func episodes(of id: Int) -> [Int] {
        var random = SeededRandom(seed, .episodes, id)
        if id <= 5 {
            let share = [1, 1, 0.84, 0.8, 0.76][id - 1]
            return (1...min(51, counts.episode)).filter { id <= 2 || $0 == 1 || random.chance(share) }
        }

        let draw = random.unit()
        let wanted =
            draw < 0.8
            ? 1
            : draw < 0.88
                ? 2 : draw < 0.94 ? 3 : draw < 0.985 ? 4 + random.integer(below: 3) : 7 + random.integer(below: 12)
        // The first episode usually follows from the id, so that ids are in the order of appearance.
        let usual = (id - 1) * counts.episode / counts.character + 1
        var episodes: Set = [random.chance(0.3) ? random.integer(below: counts.episode) + 1 : usual]
        while episodes.count < min(wanted, counts.episode) {
            episodes.insert(random.integer(below: counts.episode) + 1)
        }

        let sorted = episodes.sorted()
        return sorted.count > 1 && random.chance(0.1) ? sorted.reversed() : sorted
    }

    /// The references without one in the other direction, to test their detection: up to five of three types; none with
    /// fewer than 100 characters.
    package var oneSided: [(from: Reference, to: Reference)] {
        guard counts.character >= 100, counts.episode > 3 else { return [] }
        var random = SeededRandom(seed, .oneSided, 0)
        let stratum = (counts.character - 20) / 15
        return (0..<15).compactMap { number in
            let id = 20 + number * stratum + random.integer(below: stratum)
            let character = Reference(.character, id)
            let listed = episodes(of: id)
            switch number % 3 {
            case 0: return (character, .init(.episode, listed[0]))
            case 1:
                // The character can be in all episodes.
                guard listed.count < counts.episode else { return nil }
                var episode = random.integer(below: counts.episode) + 1
                while listed.contains(episode) { episode = episode % counts.episode + 1 }
                return (.init(.episode, episode), character)
            default:
                let home = home(of: id)
                return home > 0 ? (character, .init(.location, home)) : nil
            }
        }
    }
}
