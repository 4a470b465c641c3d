import Archive
import Platform

/// Sees to it that a path is asked for by one caller at a time, and remembers the accepted answer for the others.
final class AnswersByPath: Sendable {
    private enum State {
        case asked(waiting: [CheckedContinuation<Void, Never>])
        case accepted(Exchange)
    }

    private let states = Guarded<[String: State]>([:])
}

extension AnswersByPath {
    /// - Returns: the answer that was accepted; nil where the caller has to ask for it, and then to call `end`.
    func wait(for path: String) async -> Exchange? {
        while true {
            let isFirst = states.withLock { states in
                guard states[path] == nil else { return false }
                states[path] = .asked(waiting: [])
                return true
            }
            if isFirst { return nil }
            if case .accepted(let exchange) = states.withLock({ $0[path] }) { return exchange }
            await withCheckedContinuation { continuation in
                let isOver = states.withLock { states in
                    guard case .asked(let waiting) = states[path] else { return true }
                    states[path] = .asked(waiting: waiting + [continuation])
                    return false
                }
                if isOver { continuation.resume() }
            }
        }
    }

    /// - Parameter exchange: the accepted answer. If it is nil, the next caller asks.
    func end(_ path: String, _ exchange: Exchange?) {
        let before = states.withLock { states in
            let before = states[path]
            states[path] = exchange.map { .accepted($0) }
            return before
        }
        if case .asked(let waiting) = before { for continuation in waiting { continuation.resume() } }
    }
}
