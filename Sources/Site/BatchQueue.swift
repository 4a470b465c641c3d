import Catalogue
import Synchronization

/// Hands out the batches of all page sets to workers, each once.
final class BatchQueue: Sendable {
    private let sets: [any PageSet]
    private let next = Atomic<Int>(0)
    private let pagesDone = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)
    private let isCancelled: @Sendable () -> Bool
    /// How many batches there are in all.
    let count: Int
    /// How many pages there are in all.
    let pageCount: Int

    /// - Parameter isCancelled: asked before each batch; once it says so, there are no more.
    init(_ sets: [any PageSet], pages: Int, isCancelled: @escaping @Sendable () -> Bool) {
        self.sets = sets
        self.isCancelled = isCancelled
        count = sets.reduce(0) { $0 + $1.batchCount }
        pageCount = pages
    }

    /// Hands out no more: the build has failed.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    func pop() -> (set: any PageSet, batch: Int)? {
        guard !isStopped.load(ordering: .relaxed), !isCancelled() else { return nil }
        var index = next.add(1, ordering: .relaxed).oldValue
        for set in sets {
            if index < set.batchCount { return (set, index) }
            index -= set.batchCount
        }
        return nil
    }

    /// - Returns: how many pages are done now.
    func finish(_ pages: Int) -> Int {
        pagesDone.add(pages, ordering: .relaxed).newValue
    }
}
