import Archive
import Catalogue

extension NumberIndex {
    /// The numbers of a kind's records in the API's order. Only the first record with a number has a file.
    init(_ kind: String, _ reader: RevisionReader) throws {
        var numbers: [Int64] = []
        numbers.reserveCapacity(try reader.recordCounts()[kind] ?? 0)
        try reader.forEachMember(of: kind) { number, _ in numbers.append(number) }
        self.init(kind, numbers)
    }

    /// The highest number; nil if ids are texts, or if most of the numbers up to it are missing.
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
