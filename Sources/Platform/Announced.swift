import Glibc

/// A value that threads look at, and wait for a new one of. Each that is announced has a number of its own.
public final class Announced<Value: Sendable>: @unchecked Sendable {
    // Unchecked: all below is touched with the lock held only; a condition variable needs a pthread lock beside it.
    private var value: Value
    private var number: Int64
    private var isEnded = false
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let news = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// A first value, and its number.
    public init(_ value: Value, number: Int64) {
        self.value = value
        self.number = number
        pthread_mutex_init(lock, nil)
        pthread_cond_init(news, nil)
    }

    deinit {
        pthread_cond_destroy(news)
        pthread_mutex_destroy(lock)
        news.deallocate()
        lock.deallocate()
    }

    /// The value of the moment, and its number.
    public var current: (value: Value, number: Int64) {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return (value, number)
    }

    /// Takes the place of the value; with a new number, so that all who wait are told, or quietly with the same one.
    public func set(_ value: Value, isNews: Bool = true) {
        pthread_mutex_lock(lock)
        self.value = value
        if isNews {
            number += 1
            pthread_cond_broadcast(news)
        }
        pthread_mutex_unlock(lock)
    }

    /// Sleeps while the number is the one given, for so many milliseconds at the most.
    /// - Returns: the number of the moment.
    public func wait(past known: Int64, milliseconds: Int) -> Int64 {
        var end = deadline(in: milliseconds)
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while number == known, !isEnded, pthread_cond_timedwait(news, lock, &end) == 0 {}
        return number
    }

    /// Ends all waiting, also that to come.
    public func end() {
        pthread_mutex_lock(lock)
        isEnded = true
        pthread_cond_broadcast(news)
        pthread_mutex_unlock(lock)
    }
}
