import Archive

/// The numbers of a kind's records by their positions in the API's order, and the position of each number.
package struct NumberIndex: Sendable {
    package let kind: String
    package private(set) var numbers: [Int64] = []
    /// The positions sorted by number and then by position; empty if this is the API's order.
    private var order: [Int32] = []
    /// The positions of repeated numbers. Only the first record with a number has a file.
    private(set) var repeatedPositions: Set<Int> = []

    init(_ kind: String, _ reader: RevisionReader) throws {
        self.kind = kind
        numbers.reserveCapacity(try reader.recordCounts()[kind] ?? 0)
        var isSorted = true
        try reader.forEachMember(of: kind) { number, _ in
            isSorted = isSorted && number > self.numbers.last ?? 0
            self.numbers.append(number)
        }
        guard !isSorted else { return }
        let numbers = numbers
        order = numbers.indices.map { Int32($0) }.sorted { (numbers[Int($0)], $0) < (numbers[Int($1)], $1) }
        repeatedPositions = Set(
            zip(order.dropFirst(), order).lazy.filter { numbers[Int($0)] == numbers[Int($1)] }.map { Int($0.0) })
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

    /// The index of a number in the sorted order, or of the first higher one.
    private func firstIndex(of number: Int64) -> Int {
        var (low, high) = (0, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[positionInOrder(middle)] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func positionInOrder(_ index: Int) -> Int { order.isEmpty ? index : Int(order[index]) }

    /// The highest number; nil if ids are texts, or if no record has most of the numbers, so that a missing number
    /// means nothing.
    var highest: Int64? {
        guard !numbers.isEmpty, numbers[positionInOrder(0)] > 0 else { return nil }
        let highest = numbers[positionInOrder(numbers.count - 1)]
        return highest <= Int64(numbers.count) * 2 ? highest : nil
    }

    /// The ranges of numbers from 1 to the highest that no record has.
    var absent: [ClosedRange<Int64>] {
        guard highest != nil else { return [] }
        var absent: [ClosedRange<Int64>] = []
        var next: Int64 = 1
        for index in numbers.indices {
            let number = numbers[positionInOrder(index)]
            if number > next { absent.append(next...number - 1) }
            next = number + 1
        }
        return absent
    }

    /// The numbers that several records have, with the count of these records.
    var repeated: [(number: Int64, times: Int)] {
        let times = Dictionary(repeatedPositions.map { (numbers[$0], 2) }) { times, _ in times + 1 }
        return times.sorted { $0.key < $1.key }.map { (number: $0.key, times: $0.value) }
    }
}

/// A reference as the positions of two records, in eight bytes.
struct PositionPair: Comparable {
    private let positions: UInt64

    init(_ first: Int, _ second: Int) { positions = UInt64(UInt32(first)) << 32 | UInt64(UInt32(second)) }

    var first: Int { Int(positions >> 32) }
    var second: Int { Int(positions & 0xFFFF_FFFF) }
    var reversed: PositionPair { PositionPair(second, first) }

    static func < (left: PositionPair, right: PositionPair) -> Bool { left.positions < right.positions }
}

extension [PositionPair] {
    /// The pairs of this sorted list that another sorted list does not have, each once.
    func subtracting(_ other: [PositionPair]) -> [PositionPair] {
        var rest = other[...]
        var result: [PositionPair] = []
        for pair in self {
            rest = rest.drop { $0 < pair }
            if rest.first != pair, result.last != pair { result.append(pair) }
        }
        return result
    }
}
