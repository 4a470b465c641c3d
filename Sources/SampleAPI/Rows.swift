/// Lists of numbers, one a row, in two flat arrays: four bytes a number, whatever the number of rows.
struct Rows: Sendable {
    private var ends: [Int32] = []
    private var values: [Int32] = []
}

extension Rows {
    var count: Int { ends.count }

    /// How many numbers all rows hold.
    var total: Int { values.count }

    subscript(row: Int) -> ArraySlice<Int32> {
        values[(row == 0 ? 0 : Int(ends[row - 1]))..<Int(ends[row])]
    }

    mutating func append(_ row: some Sequence<Int32>) {
        values.append(contentsOf: row)
        ends.append(Int32(values.count))
    }

    /// Rows from pairs, each row's numbers in the order in which the pairs come (a counting sort).
    ///
    /// - Parameter pairs: called twice; must hand over the same pairs both times. Rows are counted from 0.
    init(rows: Int, pairs: ((_ row: Int, _ value: Int32) -> Void) -> Void) {
        var next = [Int32](repeating: 0, count: rows)
        pairs { row, _ in next[row] += 1 }

        var ends: [Int32] = []
        ends.reserveCapacity(rows)
        for row in 0..<rows {
            let start = ends.last ?? 0
            ends.append(start + next[row])
            next[row] = start
        }
        var values = [Int32](repeating: 0, count: Int(ends.last ?? 0))
        pairs { row, value in
            values[Int(next[row])] = value
            next[row] += 1
        }
        self.ends = ends
        self.values = values
    }
}
