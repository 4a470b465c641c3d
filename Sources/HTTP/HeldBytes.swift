import Synchronization

/// Counts the bytes of answers that are still in use. While there are too many, no new transfer starts: a server that
/// is faster than the disk does not fill the memory.
final class HeldBytes: Sendable {
    private let count = Atomic<Int>(0)
    private let limit: Int
    /// Called when there is room again.
    private let freed: @Sendable () -> Void

    init(limit: Int, freed: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.freed = freed
    }

    /// Whether no more are to come.
    var areTooMany: Bool { count.load(ordering: .relaxed) >= limit }

    /// The bytes of one answer, counted until the last reference to this is gone.
    final class Share: Sendable {
        private let held: HeldBytes
        private let size: Int

        init(_ size: Int, of held: HeldBytes) {
            self.held = held
            self.size = size
            held.count.add(size, ordering: .relaxed)
        }

        deinit {
            let before = held.count.subtract(size, ordering: .relaxed).oldValue
            if before >= held.limit, before - size < held.limit { held.freed() }
        }
    }
}
