import Platform

/// Admits work up to a total weight; further work waits in order. This limits the memory of a capture.
struct Window: Sendable {
    private typealias Work = (weight: Int, continuation: CheckedContinuation<Void, Never>)

    let width: Int
    private let state = Locked<(used: Int, waiting: [Work])>((0, []))

    /// Waits for admission. Work heavier than the window is admitted alone.
    /// - Returns: a permit, whose release releases the weight.
    func enter(weight: Int = 1) async -> OnRelease {
        let weight = min(max(weight, 1), width)
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting.append((weight, continuation)) }
            admit()
        }
        return permit(weight)
    }

    /// Admits work without waiting; returns nil if there is no room.
    func enterIfFree(weight: Int) -> OnRelease? {
        let isAdmitted = state.withLock { state in
            guard state.waiting.isEmpty, state.used <= width - weight else { return false }
            state.used += weight
            return true
        }
        return isAdmitted ? permit(weight) : nil
    }

    /// Runs work for each element, in parallel as far as the window allows.
    /// - Returns: the results in the order of the elements.
    @discardableResult
    func run<Element: Sendable, Value: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Value
    ) async throws -> [Value] {
        let results = Locked<[Int: Value]>([:])
        try await withThrowingDiscardingTaskGroup { group in
            for (index, element) in elements.enumerated() {
                let permit = await enter()
                group.addTask {
                    defer { withExtendedLifetime(permit) {} }
                    let value = try await body(element)
                    results.withLock { $0[index] = value }
                }
            }
        }
        return results.withLock { results in elements.indices.compactMap { results[$0] } }
    }

    private func permit(_ weight: Int) -> OnRelease {
        OnRelease {
            state.withLock { $0.used -= weight }
            admit()
        }
    }

    /// Admits waiting work in order, as far as there is room.
    private func admit() {
        let admitted = state.withLock { state in
            let first = state.waiting.prefix { work in
                guard state.used + work.weight <= width else { return false }
                state.used += work.weight
                return true
            }
            state.waiting.removeFirst(first.count)
            return first
        }
        for work in admitted { work.continuation.resume() }
    }
}

/// Limits the bytes that a capture stores. Sizes that lists claim are checked before the walk, actual bytes during it.
struct StorageLimit: Sendable {
    let maximum: Int
    /// The bytes that an interrupted run stored.
    let keptBefore: Int
    let disk: DiskReserve
    /// The bytes that this run stored, and an estimate for all list pages: each is as large as its list's first page.
    private let state = Locked<(kept: Int, claimed: Double)>((0, 0))

    /// Counts the bytes of an answer before it is stored.
    /// - Throws: if a limit is exceeded.
    func add(_ bytes: Int) throws {
        try state.withLock { state in
            guard bytes <= maximum - keptBefore - state.kept else {
                throw CaptureError.incomplete(
                    "the answers exceed the \(maximum) bytes that maximumCapture allows; the received answers are "
                        + "kept; raise maximumCapture and run again")
            }
            state.kept += bytes
            if let free = disk.shortage(for: bytes) {
                throw CaptureError.disk(
                    "the archive's disk has only \(free) free bytes; the received answers are kept; free space on the "
                        + "disk and run again")
            }
        }
    }

    /// Compares the size that a list claims with the available space, before the list is walked.
    /// - Parameter size: the bytes of its first page.
    /// - Throws: if there is not enough space.
    func claim(_ kind: String, pages: Int, of size: Int) throws {
        try state.withLock { state in
            state.claimed += Double(pages) * Double(size)
            guard pages > 1 else { return }
            let claim = "the \(kind) list claims \(pages) pages, and its first page has \(size) bytes"
            guard state.claimed <= Double(maximum) else {
                throw CaptureError.incomplete(
                    "\(claim): all lists together would exceed the \(maximum) bytes that maximumCapture allows; raise "
                        + "maximumCapture and run again")
            }
            if let room = disk.room, state.claimed > Double(keptBefore) + Double(room) {
                throw CaptureError.disk(
                    "\(claim): all lists together would exceed the \(room) bytes available on the archive's disk; free "
                        + "space on the disk and run again")
            }
        }
    }
}
