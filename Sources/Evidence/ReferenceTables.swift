import Archive

/// Searches an index by bisection. Returns the first index below a count for which a condition is false, or the count.
/// The condition must be true for all indices before that index, and false for all later ones.
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
        let index = firstIndex(of: number)
        return index < numbers.count && numbers[positionInOrder(index)] == number ? positionInOrder(index) : nil
    }

    func positions(sameAs position: Int) -> [Int] {
        guard !order.isEmpty else { return [position] }
        let number = numbers[position]
        return order[firstIndex(of: number)...].prefix { numbers[Int($0)] == number }.map { Int($0) }
    }

    private func firstIndex(of number: Int64) -> Int {
        partitionPoint(below: numbers.count) { numbers[positionInOrder($0)] < number }
    }

    private func positionInOrder(_ index: Int) -> Int { order.isEmpty ? index : Int(order[index]) }

    /// The highest number; 0 if there is none, or if all ids are texts.
    var highest: Int64 { numbers.isEmpty ? 0 : max(0, numbers[positionInOrder(numbers.count - 1)]) }

    /// The ranges of numbers from 1 to the highest that no record has.
    var absent: [ClosedRange<Int64>] {
        var absent: [ClosedRange<Int64>] = []
        var next: Int64 = 1
        for index in numbers.indices {
            let number = numbers[positionInOrder(index)]
            if number > next { absent.append(next...number - 1) }
            guard number < .max else { break }
            next = max(next, number + 1)
        }
        return absent
    }

    private var laterPositions: [Int] {
        zip(order.dropFirst(), order).lazy.filter { numbers[Int($0)] == numbers[Int($1)] }.map { Int($0.0) }
    }

    /// The numbers that several records have, with the count of these records.
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

/// Finds references that only one of two sides has. The references of one side are stored as pairs of eight bytes. A
/// pair is marked when the other side has the reference too.
struct MutualPairs {
    /// The positions of two records: one of the stored side and one of the other side.
    struct Pair: Comparable, Hashable {
        private let positions: UInt64

        init(held: Int, other: Int) { positions = UInt64(UInt32(held)) << 32 | UInt64(UInt32(other)) }

        var held: Int { Int(positions >> 32) }
        var other: Int { Int(positions & 0xFFFF_FFFF) }

        static func < (left: Pair, right: Pair) -> Bool { left.positions < right.positions }
    }

    private var pairs: [Pair] = []
    private var isComplete = false
    private var isMarked: [Bool] = []
    /// The references of the other side that were read before the stored side was complete.
    private var waiting: [Pair] = []
    private var onlyOther: Set<Pair> = []

    /// Adds a reference of the stored side.
    mutating func add(_ pair: Pair) {
        if pairs.last != pair { pairs.append(pair) }
    }

    /// Ends the references of the stored side.
    mutating func close() {
        pairs.sort()
        isMarked = [Bool](repeating: false, count: pairs.count)
        isComplete = true
        for pair in waiting { mark(pair) }
        waiting = []
    }

    /// Marks a pair, because the other side has the reference too. If the stored side does not have it, adds it to
    /// `onlyOther`.
    mutating func mark(_ pair: Pair) {
        guard isComplete else { return waiting.append(pair) }
        let index = partitionPoint(below: pairs.count) { pairs[$0] < pair }
        if index < pairs.count, pairs[index] == pair { isMarked[index] = true } else { onlyOther.insert(pair) }
    }

    /// The references that only the stored side has, and those that only the other side has. Each is contained once, in
    /// order.
    var oneSided: (held: [Pair], other: [Pair]) {
        // If a pair is stored several times, only the first one is marked.
        let held = pairs.indices.filter { !isMarked[$0] && ($0 == 0 || pairs[$0 - 1] != pairs[$0]) }.map { pairs[$0] }
        return (held, onlyOther.sorted())
    }
}
