/// Admits work up to a total weight. Further work waits in order, or is refused.
package struct Window: Sendable {
    private typealias Work = (weight: Int, continuation: CheckedContinuation<Void, Never>)

    package let width: Int
    private let state = Locked<(used: Int, waiting: [Work])>((0, []))

    package init(width: Int) { self.width = width }

    /// Waits for admission. Work heavier than the window is admitted alone.
    /// - Returns: a permit, whose release releases the weight.
    package func enter(weight: Int = 1) async -> OnRelease {
        let weight = min(max(weight, 1), width)
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiting.append((weight, continuation)) }
            admit()
        }
        return permit(weight)
    }

    /// Admits work without waiting; returns nil if there is no room.
    package func enterIfFree(weight: Int = 1) -> OnRelease? {
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
    package func run<Element: Sendable, Value: Sendable>(
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
