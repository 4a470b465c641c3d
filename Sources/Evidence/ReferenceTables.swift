import Archive

/// The first index below a count for which a condition is false. The condition must be true for all indices before it
/// and false for all after it.
private func partitionPoint(below count: Int, _ condition: (Int) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
        let middle = (low + high) / 2
        if condition(middle) { low = middle + 1 } else { high = middle }
    }
    return low
}

/// The numbers of a kind's records by their positions in the API's order, and the position of each number.
struct NumberIndex: Sendable {
    private(set) var numbers: [Int64] = []
    /// The positions sorted by number and then by position; empty if this is the API's order.
    private var order: [Int32] = []

    init(_ kind: String, _ reader: RevisionReader) throws {
        numbers.reserveCapacity(try reader.recordCounts()[kind] ?? 0)
        var isSorted = true
        try reader.forEachMember(of: kind) { number, _ in
            isSorted = isSorted && number > self.numbers.last ?? 0
            self.numbers.append(number)
        }
        guard !isSorted else { return }
        let numbers = numbers
        order = numbers.indices.map { Int32($0) }.sorted { (numbers[Int($0)], $0) < (numbers[Int($1)], $1) }
    }

    /// The first position of a number; nil if no record has it.
    func position(of number: Int64) -> Int? {
        // Most lists are numbered from 1 without gaps.
        if number > 0, number <= numbers.count, order.isEmpty, numbers[Int(number) - 1] == number {
            return Int(number) - 1
        }
        let place = place(of: number)
        return place < numbers.count && numbers[sorted(place)] == number ? sorted(place) : nil
    }

    func positions(sameAs position: Int) -> [Int] {
        guard !order.isEmpty else { return [position] }
        let number = numbers[position]
        return order[place(of: number)...].prefix { numbers[Int($0)] == number }.map { Int($0) }
    }

    private func place(of number: Int64) -> Int {
        partitionPoint(below: numbers.count) { numbers[sorted($0)] < number }
    }

    private func sorted(_ place: Int) -> Int { order.isEmpty ? place : Int(order[place]) }

    /// The highest number; 0 if there is none.
    var highest: Int64 { numbers.isEmpty ? 0 : numbers[sorted(numbers.count - 1)] }

    /// The runs of numbers from 1 to the highest that no record has.
    var absent: [ClosedRange<Int64>] {
        var absent: [ClosedRange<Int64>] = []
        var next: Int64 = 1
        for place in numbers.indices {
            let number = numbers[sorted(place)]
            if number > next { absent.append(next...number - 1) }
            guard number < .max else { break }
            next = max(next, number + 1)
        }
        return absent
    }

    private var laterPositions: [Int] {
        zip(order.dropFirst(), order).lazy.filter { numbers[Int($0)] == numbers[Int($1)] }.map { Int($0.0) }
    }

    /// The numbers that several records have, each with how many.
    var repeated: [(number: Int64, times: Int)] {
        var repeated: [(number: Int64, times: Int)] = []
        for position in laterPositions {
            if repeated.last?.number == numbers[position] {
                repeated[repeated.count - 1].times += 1
            } else {
                repeated.append((numbers[position], 2))
            }
        }
        return repeated
    }

    var repeatedPositions: Set<Int> { Set(laterPositions) }
}

/// Finds references that only one of two sides has. The pairs that one side names are held, eight bytes each, and
/// struck out when the other side names them.
struct MutualPairs {
    /// The positions of a record of the held side and of one of the other side.
    struct Pair: Comparable, Hashable {
        private let positions: UInt64

        init(held: Int, other: Int) { positions = UInt64(UInt32(held)) << 32 | UInt64(UInt32(other)) }

        var held: Int { Int(positions >> 32) }
        var other: Int { Int(positions & 0xFFFF_FFFF) }

        static func < (left: Pair, right: Pair) -> Bool { left.positions < right.positions }
    }

    private var pairs: [Pair] = []
    private var isComplete = false
    private var isStruck: [Bool] = []
    /// The pairs that the other side names before the held side is complete.
    private var waiting: [Pair] = []
    private var unheld: Set<Pair> = []

    /// Adds a pair that the held side names.
    mutating func hold(_ pair: Pair) {
        if pairs.last != pair { pairs.append(pair) }
    }

    /// Ends the pairs of the held side.
    mutating func close() {
        pairs.sort()
        isStruck = [Bool](repeating: false, count: pairs.count)
        isComplete = true
        for pair in waiting { strike(pair) }
        waiting = []
    }

    /// Strikes out a pair that the other side names.
    mutating func strike(_ pair: Pair) {
        guard isComplete else { return waiting.append(pair) }
        let place = partitionPoint(below: pairs.count) { pairs[$0] < pair }
        if place < pairs.count, pairs[place] == pair { isStruck[place] = true } else { unheld.insert(pair) }
    }

    /// The pairs that only the held side names, and those that only the other side does; each once, in order.
    var oneSided: (held: [Pair], other: [Pair]) {
        // If a pair was held several times, only the first one is struck out.
        let held = pairs.indices.filter { !isStruck[$0] && ($0 == 0 || pairs[$0 - 1] != pairs[$0]) }.map { pairs[$0] }
        return (held, unheld.sorted())
    }
}
