/// Which records name one another: the pairs that one side names are held, eight bytes each, and struck out as the
/// other names them.
struct MutualPairs {
    /// A record of the side that is held, and one of the other, by their positions.
    struct Pair: Comparable, Hashable {
        private let positions: UInt64

        init(_ held: Int, _ other: Int) { positions = UInt64(UInt32(held)) << 32 | UInt64(UInt32(other)) }

        /// As a reference from the side that is held to the other.
        var fromHeld: (from: Int, to: Int) { (Int(positions >> 32), Int(positions & 0xFFFF_FFFF)) }
        /// As a reference in the other direction.
        var toHeld: (from: Int, to: Int) { (fromHeld.to, fromHeld.from) }

        static func < (left: Pair, right: Pair) -> Bool { left.positions < right.positions }
    }

    private var pairs: [Pair] = []
    private var isSorted = true
    private var isWhole = false
    private var isStruck: [Bool] = []
    /// What the other side names, as long as the held one is not whole.
    private var waiting: [Pair] = []
    private var unheld: Set<Pair> = []
}

extension MutualPairs {
    /// Adds a pair that the held side names.
    mutating func hold(_ pair: Pair) {
        if let last = pairs.last {
            guard last != pair else { return }
            isSorted = isSorted && last < pair
        }
        pairs.append(pair)
    }

    /// Says that the held side has named all its pairs.
    mutating func close() {
        if !isSorted { pairs.sort() }
        isStruck = [Bool](repeating: false, count: pairs.count)
        isWhole = true
        for pair in waiting { strike(pair) }
        waiting = []
    }

    /// Strikes out a pair that the other side names.
    mutating func strike(_ pair: Pair) {
        guard isWhole else { return waiting.append(pair) }
        let place = place(of: pair)
        if place < pairs.count, pairs[place] == pair { isStruck[place] = true } else { unheld.insert(pair) }
    }

    /// The pairs that the held side alone names, and those that the other side alone does; each once, in order.
    var oneSided: (held: [Pair], other: [Pair]) {
        // Of pairs that were held several times the first one is struck.
        let held = pairs.indices.filter { !isStruck[$0] && ($0 == 0 || pairs[$0 - 1] != pairs[$0]) }.map { pairs[$0] }
        return (held, unheld.sorted())
    }

    /// The first place whose pair does not stand before this one.
    private func place(of pair: Pair) -> Int {
        var low = 0
        var high = pairs.count
        while low < high {
            let middle = (low + high) / 2
            if pairs[middle] < pair { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
