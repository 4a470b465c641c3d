/// Lets in so many at once; the others wait in order. Bounds what a capture holds in memory, however long its lists are.
actor CardWindow {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(width: Int) {
        free = width
    }

    func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// Runs what was let in, and lets in the next when it has ended, however it ends.
    nonisolated func leaving(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            await leave()
            throw error
        }
        await leave()
    }

    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
