package import Archive
import Dispatch
import Platform

/// Reads all records of a kind on as many threads as there are processors, in bounded memory.
public struct RecordSweep: Sendable {
    private let kind: String
    private let count: Int
    private let workers: Int

    /// What is made of this many records is in memory for each thread; of the records themselves, one.
    private static let mostAtOnce = 2_048
    /// Fewer than this are not worth another thread.
    private static let fewest = 100

    /// A sweep over the records of a kind, of which there are so many.
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
