import Glibc

/// A value that several threads share, protected by a POSIX lock. Threads can wait for a change of the value.
///
/// ThreadSanitizer does not see the locks of `Synchronization.Mutex`, and would report false races.
public final class Locked<Value>: @unchecked Sendable {
    // `@unchecked Sendable` is safe, because `value` is used only while the lock is held.
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Creates a value with its own lock.
    public init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // A change of the wall clock must not change time limits.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(change, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(lock)
        change.deallocate()
        lock.deallocate()
    }

    /// Runs a short closure with exclusive access to the value. Calls for the same value must not be nested.
    public func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure)
        -> Result
    {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value)
    }

    /// Changes the value and wakes all waiting threads.
    func announce(_ body: (inout Value) -> Void) {
        withLock {
            body(&$0)
            pthread_cond_broadcast(change)
        }
    }

    /// Waits until a condition is true. It is checked immediately and after each `announce`.
    /// - Parameter milliseconds: the time limit; nil for none.
    func wait(milliseconds: Int?, until isTrue: (Value) -> Bool) {
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = end.tv_nsec + (milliseconds ?? 0) * 1_000_000
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while !isTrue(value) {
            if milliseconds == nil {
                pthread_cond_wait(change, lock)
            } else if pthread_cond_timedwait(change, lock, &end) != 0 {
                return
            }
        }
    }
}

/// A value with a version number. Threads can wait for the next version.
public final class VersionedValue<Value: Sendable>: Sendable {
    private let state: Locked<(value: Value, number: Int64, isEnded: Bool)>

    /// Creates the first version.
    public init(_ value: Value, number: Int64) { state = Locked((value, number, false)) }

    /// The current value and its number.
    public var current: (value: Value, number: Int64) { state.withLock { ($0.value, $0.number) } }

    /// Replaces the value.
    /// - Parameter notifies: whether the value gets a new number, which ends all waits.
    public func set(_ value: Value, notifies: Bool = true) {
        state.announce {
            $0.value = value
            if notifies { $0.number += 1 }
        }
    }

    /// Waits until the version number differs from a known one.
    /// - Parameter milliseconds: the time limit; nil for none.
    /// - Returns: the current number.
    @discardableResult
    public func wait(after known: Int64, milliseconds: Int? = nil) -> Int64 {
        state.wait(milliseconds: milliseconds) { $0.number != known || $0.isEnded }
        return current.number
    }

    /// Ends all current and later waits.
    public func end() { state.announce { $0.isEnded = true } }
}

/// Runs a closure when the last reference to this object is released.
public final class OnRelease: Sendable {
    private let body: @Sendable () -> Void

    package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    deinit { body() }
}
