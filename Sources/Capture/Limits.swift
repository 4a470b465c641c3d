import Platform

/// Admits work up to a total weight; the rest waits in order. Limits what a capture holds in memory.
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
    /// Admitted work. Its weight is free again when the last reference is gone, however the work ended.
    final class Permit: Sendable {
        private let window: Window
        private let weight: Int

        fileprivate init(_ window: Window, _ weight: Int) {
            self.window = window
            self.weight = weight
        }

        deinit { window.leave(weight) }
    }

    /// Waits for admission. Work heavier than the window is admitted alone.
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

    /// Admission without waiting; nil if there is no room.
    func enterIfFree(weight: Int) -> Permit? {
        let isAdmitted = state.withLock { state in
            guard state.waiting.isEmpty, state.used <= width - weight else { return false }
            state.used += weight
            return true
        }
        return isAdmitted ? Permit(self, weight) : nil
    }

    /// Does work for each element, at the same time as far as the window admits it.
    func forEach<Element: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Void
    ) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for element in elements {
                let permit = await enter()
                group.addTask {
                    defer { withExtendedLifetime(permit) {} }
                    try await body(element)
                }
            }
        }
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

/// Limits what a capture writes to the disk: the bytes of the answers that it keeps, and before that what its lists
/// state.
final class StorageLimit: Sendable {
    private struct State {
        /// Bytes of kept bodies and headers, those of an interrupted run included.
        var kept: Int
        /// Bytes of all pages of the lists, if they are as large as each list's first page.
        var claimed = 0
    }

    private let maximum: Int
    private let keptBefore: Int
    private let disk: DiskReserve
    private let state: Guarded<State>

    /// - Parameters:
    ///   - keptBefore: the bytes that an interrupted run has kept.
    ///   - freeSpace: the free bytes on the archive's disk.
    init(maximum: Int, keptBefore: Int, freeSpace: @escaping @Sendable () -> Int?) {
        self.maximum = maximum
        self.keptBefore = keptBefore
        disk = DiskReserve(freeSpace)
        state = Guarded(State(kept: keptBefore))
    }
}

extension StorageLimit {
    /// Counts an answer that is about to be kept.
    func take(_ bytes: Int) throws {
        try state.withLock { state in
            guard bytes <= maximum - state.kept else {
                throw CaptureError.incomplete(
                    "its answers have more than the \(maximum) bytes that maximumCapture allows; what came in is kept: "
                        + "raise maximumCapture and run again")
            }
            state.kept += bytes
            if let free = disk.shortage(for: bytes) {
                throw CaptureError.incomplete(
                    "the archive's disk has only \(free) bytes left; what came in is kept: make room there and run again"
                )
            }
        }
    }

    /// Compares the size that a list states with the available space, before it is walked.
    /// - Parameter size: the bytes of its first page.
    func claim(_ kind: String, pages: Int, of size: Int) throws {
        let (product, isHuge) = pages.multipliedReportingOverflow(by: size)
        let bytes = isHuge ? Int.max : product
        try state.withLock { state in
            let (sum, isHuger) = state.claimed.addingReportingOverflow(bytes)
            state.claimed = isHuger ? Int.max : sum
            guard pages > 1 else { return }
            let claim = "the \(kind) list claims \(pages) pages, and its first has \(size) bytes"
            guard state.claimed <= maximum else {
                throw CaptureError.incomplete(
                    "\(claim): with it the lists have more than the \(maximum) bytes that maximumCapture allows; raise it "
                        + "and run again")
            }
            if let room = disk.room, state.claimed - keptBefore > room {
                throw CaptureError.incomplete(
                    "\(claim): with it the lists have more than the \(room) bytes that can be used on the archive's disk; "
                        + "make room there and run again")
            }
        }
    }
}
