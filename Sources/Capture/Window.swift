import Platform

/// Admits work up to a total weight; the rest waits in order. Bounds what a capture holds in memory, whatever a server
/// sends.
final class Window: Sendable {
    private struct State {
        var used = 0
        var waiting: [(weight: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let width: Int
    private let state = Guarded(State())

    init(width: Int) {
        self.width = width
    }
}

extension Window {
    /// What was admitted. Its weight is free again when the last reference to it is gone, however the work ended.
    final class Permit: Sendable {
        private let window: Window
        private let weight: Int

        fileprivate init(_ window: Window, _ weight: Int) {
            self.window = window
            self.weight = weight
        }

        deinit { window.leave(weight) }
    }

    /// Waits for admission. What is heavier than the window is admitted alone.
    func enter(weight: Int = 1) async -> Permit {
        let weight = min(max(weight, 1), width)
        await withCheckedContinuation { continuation in
            let isAdmitted = state.withLock { state in
                guard state.waiting.isEmpty, state.used + weight <= width else {
                    state.waiting.append((weight, continuation))
                    return false
                }
                state.used += weight
                return true
            }
            if isAdmitted { continuation.resume() }
        }
        return Permit(self, weight)
    }

    /// Admission without waiting; nil where there is no room.
    func enterIfFree(weight: Int) -> Permit? {
        let isAdmitted = state.withLock { state in
            guard state.waiting.isEmpty, state.used <= width - weight else { return false }
            state.used += weight
            return true
        }
        return isAdmitted ? Permit(self, weight) : nil
    }

    private func leave(_ weight: Int) {
        let admitted = state.withLock { state in
            state.used -= weight
            var count = 0
            while count < state.waiting.count, state.used + state.waiting[count].weight <= width {
                state.used += state.waiting[count].weight
                count += 1
            }
            defer { state.waiting.removeFirst(count) }
            return state.waiting.prefix(count).map(\.continuation)
        }
        for continuation in admitted { continuation.resume() }
    }
}
