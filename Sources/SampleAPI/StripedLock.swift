import Platform

/// Four locks for any number of keys: at most four bodies run at a time, and those of the same key one after another.
struct StripedLock: Sendable {
    private let locks = (0..<4).map { _ in Guarded(()) }

    func withLock<Result>(for key: some Hashable, _ body: () -> Result) -> Result {
        let place = Int(UInt(bitPattern: key.hashValue) % UInt(locks.count))
        return locks[place].withLock { _ in body() }
    }
}
