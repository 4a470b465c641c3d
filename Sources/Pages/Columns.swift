package import Archive
import Catalogue
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

extension RevisionReader {
    /// The maximum number of results in memory for each thread. Each thread has only one record in memory.
    private static let maxResultsPerThread = 2_048
    /// The maximum number of records that are read on one thread, because more threads would take longer.
    private static let oneThreadLimit = 100

    /// Reads all records of a kind on several threads, in bounded memory.
    /// - Parameters:
    ///   - count: the number of records of the kind.
    ///   - make: converts a record to a result. It is called on several threads.
    ///   - take: receives each result on the calling thread, in the API's order.
    package func forEachRecord<Output: Sendable>(
        of kind: String, count: Int, make: @escaping @Sendable (StoredRecord) throws -> Output,
        take: (Output) throws -> Void
    ) throws {
        let workers = processorCount
        guard count > Self.oneThreadLimit, workers > 1 else {
            for start in stride(from: 0, to: count, by: Self.maxResultsPerThread) {
                try records(of: kind, at: start..<start + Self.maxResultsPerThread, convert: make).forEach(take)
            }
            return
        }
        let (revision, folder) = (revision, folder)
        let chunk = min(Self.maxResultsPerThread, (count + workers - 1) / workers)
        for wave in stride(from: 0, to: count, by: workers * chunk) {
            let end = min(count, wave + workers * chunk)
            let results = resultsOnAllCores((end - wave + chunk - 1) / chunk) { worker in
                let start = wave + worker * chunk
                return try RevisionReader(revision, in: folder).records(
                    of: kind, at: start..<min(end, start + chunk), convert: make)
            }
            for result in results { try result.get().forEach(take) }
        }
    }
}
