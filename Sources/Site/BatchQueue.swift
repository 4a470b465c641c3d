import Catalogue
import Synchronization

/// Hands out the batches of all page sets to workers, each once.
final class BatchQueue: Sendable {
    private let sets: [any PageSet]
    private let part: Part
    private let next = Atomic<Int>(0)
    private let pagesDone = Atomic<Int>(0)
    private let bytesDone = Atomic<Int>(0)
    private let stepsDone = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)
    private let isCancelled: @Sendable () -> Bool
    /// How many batches there are in all.
    let count: Int
    /// How many pages there are in all.
    let pageCount: Int
    /// The most MiB that all pages together may have.
    private let mostMiB: Int

    /// - Parameters:
    ///   - part: whose batches are handed out; those of others are nobody's here.
    ///   - records: the bytes of all records, once for each language.
    ///   - isCancelled: asked before each batch; once it says so, there are no more.
    init(
        _ sets: [any PageSet], part: Part, pages: Int, records: Int, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.sets = sets
        self.part = part
        self.isCancelled = isCancelled
        count = sets.reduce(0) { $0 + $1.batchCount }
        pageCount = pages
        mostMiB = 1_024 + min(pages, 32 * records >> 20)
    }

    /// Hands out no more: the build has failed.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    func pop() -> (set: any PageSet, batch: Int)? {
        guard !isStopped.load(ordering: .relaxed), !isCancelled() else { return nil }
        while let (set, batch) = batch(at: next.add(1, ordering: .relaxed).oldValue) {
            if part.contains(batch, of: set.batchCount) { return (set, batch) }
        }
        return nil
    }

    private func batch(at place: Int) -> (set: any PageSet, batch: Int)? {
        var index = place
        for set in sets {
            if index < set.batchCount { return (set, index) }
            index -= set.batchCount
        }
        return nil
    }

    /// Counts what a page took.
    ///
    /// All pages together may have 1 GiB plus 1 MiB for each page or 32 times the records, whichever is less, and take
    /// 10^9 steps plus 10^6 for each page. Without these limits, a malicious API, archive or template could fill the
    /// disk or take hours, though each page is within its own limits.
    func take(bytes: Int, steps: Int) throws(SiteError) {
        guard bytesDone.add(bytes, ordering: .relaxed).newValue >> 20 <= mostMiB else {
            throw .pagesTakeTooMuch("have more than \(mostMiB) MiB")
        }
        guard stepsDone.add(steps, ordering: .relaxed).newValue / 1_000_000 <= 1_000 + pageCount else {
            throw .pagesTakeTooMuch("take more than \(1_000 + pageCount) million steps")
        }
    }

    /// - Returns: how many pages are done now.
    func finish(_ pages: Int) -> Int {
        pagesDone.add(pages, ordering: .relaxed).newValue
    }
}
