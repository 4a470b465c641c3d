package import Archive
import Dispatch
import Platform

/// Texts one behind the other: a million names without a million strings.
public struct TextColumn: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    package mutating func reserve(_ count: Int) { ends.reserveCapacity(count) }

    package init() {}

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

/// Values that many rows share, each kept once.
public struct ValueColumn: Sendable {
    package private(set) var values: [String] = []
    package private(set) var counts: [Int] = []
    package private(set) var codes: [UInt32] = []
    private var places: [String: UInt32] = [:]

    package mutating func reserve(_ count: Int) { codes.reserveCapacity(count) }

    package init() {}

    package mutating func append(_ value: String) {
        let place: UInt32
        if let known = places[value] {
            place = known
        } else {
            place = UInt32(values.count)
            places[value] = place
            values.append(value)
            counts.append(0)
        }
        codes.append(place)
        counts[Int(place)] += 1
    }

    package subscript(row: Int) -> String { values[Int(codes[row])] }

    /// The values by how many rows have them, most first; values of equal counts by their bytes.
    package var byCount: [Int] {
        values.indices.sorted {
            counts[$0] != counts[$1]
                ? counts[$0] > counts[$1] : values[$0].utf8.lexicographicallyPrecedes(values[$1].utf8)
        }
    }
}

/// Reads all records of a kind on as many threads as there are processors, in bounded memory.
public struct RecordSweep: Sendable {
    private let kind: String
    private let count: Int
    private let workers: Int

    /// What is made of this many records is in memory for each thread; of the records themselves, one.
    private static let mostAtOnce = 2_048
    /// Fewer than this are not worth another thread.
    private static let fewest = 100

    package init(_ kind: String, count: Int, workers: Int) {
        self.kind = kind
        self.count = count
        self.workers = max(1, workers)
    }
}

extension RecordSweep {
    /// - Parameters:
    ///   - make: turns a record into what is wanted of it; called on several threads.
    ///   - take: is given each of these, in the API's order, on the calling thread.
    package func run<Made: Sendable>(
        _ reader: RevisionReader, make: @escaping @Sendable (StoredRecord) throws -> Made, take: (Made) throws -> Void
    ) throws {
        guard count > Self.fewest, workers > 1 else {
            for start in stride(from: 0, to: count, by: Self.mostAtOnce) {
                for made in try reader.records(of: kind, at: start..<start + Self.mostAtOnce, make: make) {
                    try take(made)
                }
            }
            return
        }
        let revision = reader.revision
        let folder = reader.folder
        let chunk = min(Self.mostAtOnce, (count + workers - 1) / workers)
        for wave in stride(from: 0, to: count, by: workers * chunk) {
            let results = Guarded<[Int: Result<[Made], any Error>]>([:])
            DispatchQueue.concurrentPerform(iterations: workers) { worker in
                let start = wave + worker * chunk
                guard start < count else { return }
                let result = Result {
                    try RevisionReader(revision, in: folder).records(
                        of: kind, at: start..<min(count, start + chunk), make: make)
                }
                results.withLock { $0[worker] = result }
            }
            for worker in 0..<workers {
                for made in try results.withLock({ $0[worker] })?.get() ?? [] { try take(made) }
            }
        }
    }
}
