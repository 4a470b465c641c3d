public import Archive

/// Records in the order of their kinds: eight bytes for each, and its kind once for all of it.
public struct RecordList: RandomAccessCollection, Sendable, Equatable {
    private var kinds: [String] = []
    /// Where each kind's numbers end.
    private var ends: [Int] = []
    private var numbers: [Int64] = []

    /// No records.
    public init() {}

    /// Adds a record; one whose kind is another than the last one's begins a stretch of its own.
    public mutating func append(_ key: RecordKey) {
        numbers.append(key.id)
        if kinds.last == key.kind {
            ends[ends.count - 1] = numbers.count
        } else {
            kinds.append(key.kind)
            ends.append(numbers.count)
        }
    }

    /// The first record.
    public var startIndex: Int { 0 }
    /// Behind the last record.
    public var endIndex: Int { numbers.count }

    /// The record at a place.
    public subscript(place: Int) -> RecordKey {
        // One kind has pictures, seldom two.
        let stretch = ends.firstIndex { place < $0 } ?? 0
        return RecordKey(kinds[stretch], numbers[place])
    }
}

extension RecordList: ExpressibleByArrayLiteral {
    /// These records.
    public init(arrayLiteral records: RecordKey...) {
        for record in records { append(record) }
    }
}
