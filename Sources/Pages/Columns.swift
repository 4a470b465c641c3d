import Platform

/// A column with few different values. Each value is stored once.
public struct ValueColumn: Sendable {
    package private(set) var values: [String] = []
    package private(set) var counts: [Int] = []
    package private(set) var codes: [UInt32] = []
    private var codesByValue: [String: UInt32] = [:]
    /// Whether the values are lists of texts, each with `separator` between its elements.
    private let hasLists: Bool

    package mutating func reserve(_ count: Int) { codes.reserveCapacity(count) }

    package init(hasLists: Bool = false) { self.hasLists = hasLists }

    package static let separator: Character = "\t"

    /// The column with each element of a list as a value, and the row of each value. An empty list has the empty value.
    package var elements: (column: ValueColumn, rows: [Int32]) {
        guard hasLists else { return (self, codes.indices.map { Int32($0) }) }
        var (column, rows) = (ValueColumn(), [Int32]())
        for row in codes.indices {
            let list = self[row].split(separator: Self.separator).map(String.init).unique()
            for element in list.isEmpty ? [""] : list {
                column.append(element)
                rows.append(Int32(row))
            }
        }
        return (column, rows)
    }

    package mutating func append(_ value: String) {
        let code = codesByValue[value] ?? UInt32(values.count)
        if code == values.count {
            codesByValue[value] = code
            values.append(value)
            counts.append(0)
        }
        codes.append(code)
        counts[Int(code)] += 1
    }

    package subscript(row: Int) -> String { values[Int(codes[row])] }

    /// Frees the memory that only `append` needs.
    package mutating func finish() { codesByValue = [:] }

    /// The indices of the values, the most frequent first. Values with equal counts are sorted by their bytes.
    package var byCount: [Int] {
        values.indices.sorted {
            counts[$0] != counts[$1]
                ? counts[$0] > counts[$1] : values[$0].utf8.lexicographicallyPrecedes(values[$1].utf8)
        }
    }
}
