import Platform

/// A column of texts in one buffer. It needs less memory than an array of strings.
package struct TextColumn: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    package init() {}

    package var count: Int { ends.count }

    package mutating func reserve(_ count: Int) { ends.reserveCapacity(count) }

    package mutating func append(_ text: String) {
        bytes += text.utf8
        ends.append(bytes.count)
    }

    package subscript(row: Int) -> String {
        let start = row == 0 ? 0 : ends[row - 1]
        return String(decoding: bytes[start..<ends[row]], as: UTF8.self)
    }

    package mutating func finish() { bytes = Array(bytes[...]) }
}

/// The numbers of a kind's records by their positions, and the positions of each number.
package struct NumberIndex: Sendable {
    package let kind: String
    package let numbers: [Int64]
    /// The positions sorted by number and then by position; empty if this is their own order.
    private var order: [Int32] = []
    /// The positions of repeated numbers, without the first position of each.
    package private(set) var repeatedPositions: Set<Int> = []

    package init(_ kind: String, _ numbers: [Int64]) {
        self.kind = kind
        self.numbers = numbers
        let isSorted = numbers.first ?? 1 > 0 && zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
        guard !isSorted else { return }
        order = numbers.indices.map { Int32($0) }.sorted { (numbers[Int($0)], $0) < (numbers[Int($1)], $1) }
        repeatedPositions = Set(
            zip(order.dropFirst(), order).lazy.filter { numbers[Int($0)] == numbers[Int($1)] }.map { Int($0.0) })
    }

    /// The first position of a number; nil if no record has it.
    package func position(of number: Int64) -> Int? {
        // Most lists are numbered from 1 without gaps.
        if number > 0, number <= numbers.count, order.isEmpty, numbers[Int(number) - 1] == number {
            return Int(number) - 1
        }
        let index = firstIndex(of: number)
        return index < numbers.count && numbers[positionInOrder(index)] == number ? positionInOrder(index) : nil
    }

    package func positions(sameAs position: Int) -> [Int] {
        guard !order.isEmpty else { return [position] }
        let number = numbers[position]
        return order[firstIndex(of: number)...].prefix { numbers[Int($0)] == number }.map { Int($0) }
    }

    /// The index of a number in the sorted order, or of the first higher one.
    private func firstIndex(of number: Int64) -> Int {
        numbers.indices.lowest { numbers[positionInOrder($0)] >= number }
    }

    package func positionInOrder(_ index: Int) -> Int { order.isEmpty ? index : Int(order[index]) }
}
