/// In how many episodes each two of some characters are together.
struct SharedEpisodes {
    /// A row for each character; the diagonal holds its own number of episodes.
    let counts: [[Int]]

    /// The upper ends of the shades, ascending, five at most; empty where no two are ever together.
    let shades: [Int]

    /// - Parameter episodes: the episodes of each character; one that is named twice counts once.
    init(_ episodes: [[Int64]]) {
        let sets = episodes.map(Set.init)
        let counts = sets.map { one in sets.map { one.intersection($0).count } }
        self.counts = counts
        shades = Self.shades(upTo: counts.indices.flatMap { row in counts[row][..<row] }.max() ?? 0)
    }
}

extension SharedEpisodes {
    var pairs: Int { counts.count * (counts.count - 1) / 2 }
    var pairsWithout: Int { counts.indices.reduce(0) { sum, row in sum + counts[row][..<row].count { $0 == 0 } } }

    /// The two who are together most; the first ones where several are.
    var closest: (one: Int, other: Int, count: Int)? {
        var found: (one: Int, other: Int, count: Int)?
        for one in counts.indices {
            for other in counts.indices[(one + 1)...] where counts[one][other] > found?.count ?? 0 {
                found = (one, other, counts[one][other])
            }
        }
        return found
    }

    /// The three with whom this one shares most episodes, at least one; of equals the first.
    func partners(of row: Int) -> [Int] {
        let others = counts.indices.filter { $0 != row && counts[row][$0] > 0 }
        return Array(others.sorted { (-counts[row][$0], $0) < (-counts[row][$1], $1) }.prefix(3))
    }

    /// The shade of a count from 1 on, or nil for zero.
    func shade(_ count: Int) -> Int? {
        guard count > 0 else { return nil }
        return shades.firstIndex { count <= $0 }.map { $0 + 1 }
    }

    /// Ends of shades that grow by about the same factor: most pairs share few episodes, some nearly all.
    static func shades(upTo highest: Int) -> [Int] {
        guard highest > 0 else { return [] }
        var ends: [Int] = []
        var power = 1.0
        for _ in 1...5 where (ends.last ?? 0) < highest {
            power *= Double(highest)
            // The whole fifth root of highest, highest squared and so on.
            var root = (ends.last ?? 0) + 1
            while fifthPower(root + 1) <= power { root += 1 }
            ends.append(min(root, highest))
        }
        if let last = ends.indices.last { ends[last] = highest }
        return ends
    }

    private static func fifthPower(_ number: Int) -> Double {
        let number = Double(number)
        return number * number * number * number * number
    }
}
