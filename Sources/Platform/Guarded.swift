import Glibc

/// A value that several threads share: touched by one at a time, under a POSIX lock.
///
/// Not `Synchronization.Mutex`: that one locks without the thread library, so ThreadSanitizer does not see it and
/// reports races where there are none.
public final class Guarded<Value>: @unchecked Sendable {
    // Unchecked: `value` is touched with the lock held only.
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// A value under a lock of its own.
    public init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Runs a short body that alone has the value meanwhile. Never call from within another one on the same value.
    public func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value)
    }
}
