import Glibc

/// A queue between threads: pushed from any, emptied by one that sleeps while there is nothing.
public final class BlockingQueue<Element: Sendable>: @unchecked Sendable {
    // Unchecked: `elements` is touched with the lock held only; a condition variable needs a pthread lock beside it.
    private var elements: [Element] = []
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// An empty queue.
    public init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(arrival, nil)
    }

    deinit {
        pthread_cond_destroy(arrival)
        pthread_mutex_destroy(lock)
        arrival.deallocate()
        lock.deallocate()
    }

    /// Adds an element at the end.
    public func push(_ element: Element) {
        pthread_mutex_lock(lock)
        elements.append(element)
        pthread_cond_signal(arrival)
        pthread_mutex_unlock(lock)
    }

    /// Takes all elements, in the order pushed; sleeps until there is one.
    public func popAll() -> [Element] {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while elements.isEmpty { pthread_cond_wait(arrival, lock) }
        defer { elements = [] }
        return elements
    }

    /// Takes all elements, in the order pushed; sleeps until there is one, though not longer than so many milliseconds.
    /// - Returns: none where none has come meanwhile.
    public func popAll(within milliseconds: Int) -> [Element] {
        var end = deadline(in: milliseconds)
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while elements.isEmpty {
            guard pthread_cond_timedwait(arrival, lock, &end) == 0 else { break }
        }
        defer { elements = [] }
        return elements
    }
}
