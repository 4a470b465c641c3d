/// Who is where and appears when, decided once for both sides of each reference.
///
/// Characters and locations come in districts of the default size (826 and 126), each with a few busy places and many
/// quiet ones, so that no record grows with the universe.
struct ReferencePlan {
    let seed: UInt64
    let counts: Universe.Counts

    struct Tables {
        var homes: [Int32] = []
        var appearances = Rows()
        var residents = Rows()
        var casts = Rows()
        var oneSided: [Universe.OneSided] = []
    }

    private static let district = 826
    private static let placesPerDistrict = 126
    /// Main characters are in nearly all of this many episodes.
    private static let mainEpisodes = 51

    func tables() -> Tables {
        var tables = Tables()
        tables.homes.reserveCapacity(counts.character)
        for id in 1...counts.character {
            tables.homes.append(Int32(home(of: id)))
            tables.appearances.append(appearances(of: id))
        }
        tables.oneSided = oneSided(tables)

        let hidden = Set(tables.oneSided.filter { $0.from.kind == .character })
        let extra = tables.oneSided.filter { $0.from.kind == .episode }
        let named = Set(hidden.map(\.from.id))
        tables.residents = inhabitants(tables.homes, hidden: hidden, named: named)
        tables.casts = casts(tables.appearances, hidden: hidden, named: named, extra: extra)
        return tables
    }
}

extension ReferencePlan {
    /// A location in the character's own district, 0 for unknown.
    private func home(of id: Int) -> Int {
        var dice = Dice(seed, .home, id)
        return dice.chance(0.03) && id > 5 ? 0 : place(near: id, &dice)
    }

    /// Where a character comes from, 0 for unknown. Origins are listed nowhere else, so they are not kept.
    func origin(of id: Int) -> Int {
        var dice = Dice(seed, .nature, -id)
        return dice.chance(0.3) ? 0 : place(near: id, &dice)
    }

    private func place(near id: Int, _ dice: inout Dice) -> Int {
        let first = (id - 1) / Self.district * Self.placesPerDistrict
        let size = min(Self.placesPerDistrict, counts.location - first)
        guard size > 0 else { return dice.below(counts.location) + 1 }

        let draw = dice.unit()
        let place = first + Int(draw * draw * draw * Double(size)) + 1
        // Every ninth place is empty: those who would live there live next door.
        return place % 9 == 5 && place > 1 ? place - 1 : place
    }

    /// One to three episodes for most; nearly all of the first 51 for a few.
    private func appearances(of id: Int) -> [Int32] {
        var dice = Dice(seed, .episodes, id)
        let main = min(Self.mainEpisodes, counts.episode)
        if id <= 5 {
            let share = [1, 1, 0.84, 0.8, 0.76][id - 1]
            let episodes = (1...main).filter { id <= 2 || $0 == 1 || dice.chance(share) }
            return episodes.map(Int32.init)
        }

        let draw = dice.unit()
        var wanted =
            draw < 0.8 ? 1 : draw < 0.88 ? 2 : draw < 0.94 ? 3 : draw < 0.985 ? 4 + dice.below(3) : 7 + dice.below(12)
        wanted = min(wanted, counts.episode)
        // Characters turn up about when their id says, and then now and again.
        var episodes: Set<Int> = [
            dice.chance(0.3) ? dice.below(counts.episode) + 1 : (id - 1) * counts.episode / counts.character + 1
        ]
        while episodes.count < wanted { episodes.insert(dice.below(counts.episode) + 1) }

        let sorted = episodes.sorted().map(Int32.init)
        return sorted.count > 1 && dice.chance(0.1) ? sorted.reversed() : sorted
    }

    /// Five of each sort in a universe of some size, drawn from characters far apart; none in a tiny one.
    private func oneSided(_ tables: Tables) -> [Universe.OneSided] {
        guard counts.character >= 100, counts.episode > 3 else { return [] }
        var dice = Dice(seed, .oneSided, 0)
        var planned: [Universe.OneSided] = []
        for number in 0..<15 {
            let stratum = (counts.character - 20) / 15
            let id = 20 + number * stratum + dice.below(stratum)
            let character = Universe.Reference(.character, id)
            let listed = tables.appearances[id - 1]
            switch number % 3 {
            case 0:
                let episode = Int(listed[listed.startIndex])
                planned.append(Universe.OneSided(from: character, to: Universe.Reference(.episode, episode)))
            case 1:
                // Among few episodes somebody may be in all of them.
                guard listed.count < counts.episode else { continue }
                var episode = dice.below(counts.episode) + 1
                while listed.contains(Int32(episode)) { episode = episode % counts.episode + 1 }
                planned.append(Universe.OneSided(from: Universe.Reference(.episode, episode), to: character))
            default:
                let home = Int(tables.homes[id - 1])
                if home > 0 {
                    planned.append(Universe.OneSided(from: character, to: Universe.Reference(.location, home)))
                }
            }
        }
        return planned
    }

    private func inhabitants(_ homes: [Int32], hidden: Set<Universe.OneSided>, named: Set<Int>) -> Rows {
        Rows(rows: counts.location) { pair in
            for (index, home) in homes.enumerated() where home > 0 {
                let id = index + 1
                if named.contains(id),
                    hidden.contains(.init(from: .init(.character, id), to: .init(.location, Int(home))))
                {
                    continue
                }
                pair(Int(home) - 1, Int32(id))
            }
        }
    }

    private func casts(
        _ appearances: Rows, hidden: Set<Universe.OneSided>, named: Set<Int>, extra: [Universe.OneSided]
    ) -> Rows {
        Rows(rows: counts.episode) { pair in
            // Extras first: these lists are the ones that are not sorted.
            for reference in extra { pair(reference.from.id - 1, Int32(reference.to.id)) }
            for index in 0..<appearances.count {
                let id = index + 1
                for episode in appearances[index] {
                    if named.contains(id),
                        hidden.contains(.init(from: .init(.character, id), to: .init(.episode, Int(episode))))
                    {
                        continue
                    }
                    pair(Int(episode) - 1, Int32(id))
                }
            }
        }
    }
}
