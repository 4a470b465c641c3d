/// Who is where and appears when, decided once for both sides of each reference.
///
/// Characters and locations come in districts of the default size (826 and 126), each with a few busy places and many
/// quiet ones, so that no record grows with the universe.
struct References: Sendable {
    private let seed: UInt64
    private let counts: Universe.Counts
    /// By character: the location, 0 for unknown, and the episodes.
    private(set) var homes: [Int32] = []
    private(set) var appearances = Rows()
    /// By location and by episode: the characters.
    private(set) var residents = Rows()
    private(set) var casts = Rows()
    private(set) var oneSided: [Universe.OneSided] = []

    init(_ seed: UInt64, _ counts: Universe.Counts) {
        self.seed = seed
        self.counts = counts
        homes.reserveCapacity(counts.character)
        for id in 1...counts.character {
            homes.append(Int32(home(of: id)))
            appearances.append(episodes(of: id))
        }
        oneSided = planned()

        let (homes, appearances, oneSided) = (homes, appearances, oneSided)
        // What a character lists that does not list it.
        let hidden = Dictionary(
            oneSided.filter { $0.from.kind == .character }.map { ($0.from.id, $0.to) }, uniquingKeysWith: { $1 })
        residents = Rows(count: counts.location) { add in
            for (index, home) in homes.enumerated()
            where home > 0 && hidden[index + 1] != Universe.Reference(.location, Int(home)) {
                add(Int(home) - 1, Int32(index + 1))
            }
        }
        casts = Rows(count: counts.episode) { add in
            // These first: their lists are the ones that are not sorted.
            for pair in oneSided where pair.from.kind == .episode { add(pair.from.id - 1, Int32(pair.to.id)) }
            for index in homes.indices {
                for episode in appearances[index] where hidden[index + 1] != Universe.Reference(.episode, Int(episode))
                { add(Int(episode) - 1, Int32(index + 1)) }
            }
        }
    }
}

extension References {
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
        let first = (id - 1) / 826 * 126
        let size = min(126, counts.location - first)
        guard size > 0 else { return dice.below(counts.location) + 1 }

        let draw = dice.unit()
        let place = first + Int(draw * draw * draw * Double(size)) + 1
        // Every ninth place is empty: those who would live there live next door.
        return place % 9 == 5 && place > 1 ? place - 1 : place
    }

    /// One to three episodes for most; nearly all of the first 51 for a few.
    private func episodes(of id: Int) -> [Int32] {
        var dice = Dice(seed, .episodes, id)
        if id <= 5 {
            let share = [1, 1, 0.84, 0.8, 0.76][id - 1]
            return (1...Int32(min(51, counts.episode))).filter { id <= 2 || $0 == 1 || dice.chance(share) }
        }

        let draw = dice.unit()
        let wanted =
            draw < 0.8 ? 1 : draw < 0.88 ? 2 : draw < 0.94 ? 3 : draw < 0.985 ? 4 + dice.below(3) : 7 + dice.below(12)
        // Characters turn up about when their id says, and then now and again.
        var episodes: Set = [
            dice.chance(0.3) ? dice.below(counts.episode) + 1 : (id - 1) * counts.episode / counts.character + 1
        ]
        while episodes.count < min(wanted, counts.episode) { episodes.insert(dice.below(counts.episode) + 1) }

        let sorted = episodes.sorted().map(Int32.init)
        return sorted.count > 1 && dice.chance(0.1) ? sorted.reversed() : sorted
    }

    /// Five of each sort in a universe of some size, drawn from characters far apart; none in a tiny one.
    private func planned() -> [Universe.OneSided] {
        guard counts.character >= 100, counts.episode > 3 else { return [] }
        var dice = Dice(seed, .oneSided, 0)
        let stratum = (counts.character - 20) / 15
        return (0..<15).compactMap { number in
            let id = 20 + number * stratum + dice.below(stratum)
            let character = Universe.Reference(.character, id)
            let listed = appearances[id - 1]
            switch number % 3 {
            case 0: return .init(from: character, to: .init(.episode, Int(listed[listed.startIndex])))
            case 1:
                // Among few episodes somebody may be in all of them.
                guard listed.count < counts.episode else { return nil }
                var episode = dice.below(counts.episode) + 1
                while listed.contains(Int32(episode)) { episode = episode % counts.episode + 1 }
                return .init(from: .init(.episode, episode), to: character)
            default:
                let home = Int(homes[id - 1])
                return home > 0 ? .init(from: character, to: .init(.location, home)) : nil
            }
        }
    }

    /// Lists of numbers, one a row, in two flat arrays: four bytes a number, whatever the number of rows.
    struct Rows: Sendable {
        private var ends: [Int32] = []
        private var values: [Int32] = []

        init() {}

        subscript(row: Int) -> ArraySlice<Int32> { values[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])] }

        mutating func append(_ row: [Int32]) {
            values += row
            ends.append(Int32(values.count))
        }

        /// Rows from pairs, each row's numbers in the order in which the pairs come (a counting sort).
        ///
        /// - Parameter pairs: called twice; must hand over the same pairs both times. Rows are counted from 0.
        init(count: Int, pairs: ((_ row: Int, _ value: Int32) -> Void) -> Void) {
            var counts = [Int32](repeating: 0, count: count)
            pairs { row, _ in counts[row] += 1 }
            // The end of a row is at first its start, and moves as the row fills.
            ends = counts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1) }
            values = [Int32](repeating: 0, count: Int(ends.removeLast()))
            pairs { row, value in
                values[Int(ends[row])] = value
                ends[row] += 1
            }
        }
    }
}
