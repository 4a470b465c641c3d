import Archive

/// The numbers of a kind's records by their positions in the API's order, and the position of each number.
struct NumberIndex: Sendable {
    private(set) var numbers: [Int64] = []
    /// The positions in the order of their numbers, the first of a number first; empty where that is the API's order.
    private var order: [Int32] = []

    /// Reads the numbers of a kind.
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
}

extension NumberIndex {
    /// Where a number stands first; nil where it stands nowhere.
    func position(of number: Int64) -> Int? {
        // Most lists count from 1 without holes.
        if number > 0, number <= numbers.count, order.isEmpty, numbers[Int(number) - 1] == number {
            return Int(number) - 1
        }
        let place = place(of: number)
        return place < numbers.count && numbers[sorted(place)] == number ? sorted(place) : nil
    }

    /// Everywhere where the number at a position stands.
    func positions(sameAs position: Int) -> [Int] {
        guard !order.isEmpty else { return [position] }
        let number = numbers[position]
        return order[place(of: number)...].prefix { numbers[Int($0)] == number }.map { Int($0) }
    }

    /// How many records have lower numbers.
    private func place(of number: Int64) -> Int {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[sorted(middle)] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The highest number; 0 where there is none.
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

    /// The numbers that stand several times, each with how often.
    var repeated: [(number: Int64, times: Int)] {
        guard !order.isEmpty else { return [] }
        var repeated: [(number: Int64, times: Int)] = []
        for (place, before) in zip(order.dropFirst(), order) where numbers[Int(place)] == numbers[Int(before)] {
            let number = numbers[Int(place)]
            if repeated.last?.number == number {
                repeated[repeated.count - 1].times += 1
            } else {
                repeated.append((number, 2))
            }
        }
        return repeated
    }

    /// The positions of numbers that stand at an earlier position too.
    var repeatedPositions: Set<Int> {
        Set(zip(order.dropFirst(), order).lazy.filter { numbers[Int($0)] == numbers[Int($1)] }.map { Int($0.0) })
    }

    private func sorted(_ place: Int) -> Int { order.isEmpty ? place : Int(order[place]) }
}
