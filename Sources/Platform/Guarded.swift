import CSystem
import Glibc

/// A value that several threads share: touched by one at a time, under a POSIX lock. Threads can wait for what another
/// one makes of it.
///
/// Not `Synchronization.Mutex`: that one locks without the thread library, so ThreadSanitizer does not see it and
/// reports races where there are none.
public final class Guarded<Value>: @unchecked Sendable {
    // Unchecked: `value` is touched with the lock held only.
    private var value: Value
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let change = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// A value under a lock of its own.
    public init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(lock, nil)
        pthread_cond_init(change, nil)
    }

    deinit {
        pthread_cond_destroy(change)
        pthread_mutex_destroy(lock)
        change.deallocate()
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

    /// Changes the value and wakes those who wait.
    func announce(_ body: (inout Value) -> Void) {
        withLock {
            body(&$0)
            pthread_cond_broadcast(change)
        }
    }

    /// Runs a body under the lock, and again after each announcement, until it returns something.
    /// - Parameter milliseconds: the longest wait; nil for as long as it takes.
    /// - Returns: nil where the time is over.
    func wait<Result>(milliseconds: Int? = nil, until body: (inout Value) -> Result?) -> Result? {
        // By the clock that a condition variable goes by (pthread_cond_timedwait(3)).
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        let nanoseconds = end.tv_nsec + (milliseconds ?? 0) * 1_000_000
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while true {
            if let result = body(&value) { return result }
            if milliseconds == nil {
                pthread_cond_wait(change, lock)
            } else if pthread_cond_timedwait(change, lock, &end) != 0 {
                return nil
            }
        }
    }
}

/// A queue between threads: pushed from any, emptied by one that sleeps while there is nothing.
public final class BlockingQueue<Element: Sendable>: Sendable {
    private let elements = Guarded<[Element]>([])

    /// An empty queue.
    public init() {}

    /// Adds an element at the end.
    public func push(_ element: Element) { elements.announce { $0.append(element) } }

    /// Takes all elements, in the order pushed; sleeps until there is one.
    public func popAll() -> [Element] { elements.wait(until: Self.takeAll) ?? [] }

    /// Takes all elements, in the order pushed; waits for one, at most this many milliseconds.
    /// - Returns: none where none has come meanwhile.
    public func popAll(within milliseconds: Int) -> [Element] {
        elements.wait(milliseconds: milliseconds, until: Self.takeAll) ?? []
    }

    private static func takeAll(_ elements: inout [Element]) -> [Element]? {
        defer { elements = [] }
        return elements.isEmpty ? nil : elements
    }
}

/// A value that threads look at, and wait for a new one of. Each that is announced has a number of its own.
public final class Announced<Value: Sendable>: Sendable {
    private let state: Guarded<(value: Value, number: Int64, isEnded: Bool)>

    /// A first value, and its number.
    public init(_ value: Value, number: Int64) { state = Guarded((value, number, false)) }

    /// The value of the moment, and its number.
    public var current: (value: Value, number: Int64) { state.withLock { ($0.value, $0.number) } }

    /// Takes the place of the value; with a new number, so that all who wait are told, or quietly with the same one.
    public func set(_ value: Value, isNews: Bool = true) {
        state.announce {
            $0.value = value
            if isNews { $0.number += 1 }
        }
    }

    /// Waits while the number is the given one, at most this many milliseconds.
    /// - Returns: the number of the moment.
    public func wait(past known: Int64, milliseconds: Int) -> Int64 {
        state.wait(milliseconds: milliseconds) { $0.number == known && !$0.isEnded ? nil : $0.number } ?? known
    }

    /// Ends all waiting, also that to come.
    public func end() { state.announce { $0.isEnded = true } }
}
