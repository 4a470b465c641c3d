import Archive
import Platform
import Testing

@testable import Capture

/// The resolver's books and the card window, each by itself.
struct PartsTests {
    private static let keys = (1...5).map { RecordKey("episode", Int64($0)) }

    @Test("A key is claimed once, and not while its list may still bring it")
    func claim() async throws {
        let resolver = Resolver(listedKinds: ["episode"], limit: 1_000)
        #expect(await resolver.claim(Self.keys).isEmpty)
        try await resolver.arrived([Self.keys[0]])
        #expect(await resolver.end(list: "episode").isEmpty, "nobody waits")
        #expect(
            await resolver.claim([Self.keys[2], Self.keys[1], Self.keys[0], Self.keys[1]]) == [
                Self.keys[1], Self.keys[2],
            ])
        #expect(await resolver.claim(Self.keys) == [Self.keys[3], Self.keys[4]])
        #expect(await resolver.claim([RecordKey("other", 1)]) == [RecordKey("other", 1)], "of no list")
    }

    @Test(
        "Who waits goes on when all are known, there or not; what its list did not bring becomes the waiting one's to ask for"
    )
    func wait() async throws {
        let resolver = Resolver(listedKinds: ["episode"], limit: 1_000)
        let keys = Array(Self.keys.prefix(2))
        _ = await resolver.end(list: "episode")
        guard case .claimed(let own) = await resolver.wait(for: keys), own == keys else {
            Issue.record("nobody else asks for them")
            return
        }
        async let waiting = resolver.wait(for: keys)
        try await resolver.arrived([keys[0]])
        await resolver.missing([keys[1], keys[0]])
        guard case .settled = await waiting else {
            Issue.record("both are known")
            return
        }
        #expect(await resolver.claim(keys).isEmpty, "what is there does not become missing")
    }

    @Test("What a list did not bring is claimed when it ends while another of its records is waited for")
    func waitPastAList() async throws {
        let resolver = Resolver(listedKinds: ["episode"], limit: 1_000)
        async let waiting = resolver.wait(for: Array(Self.keys.prefix(3)))
        while await resolver.waiting.isEmpty { await Task.yield() }
        #expect(await resolver.end(list: "episode") == [Self.keys[0]])
        try await resolver.arrived([Self.keys[0]])
        guard case .claimed(let own) = await waiting else {
            Issue.record("the other two were not claimed")
            return
        }
        #expect(own == [Self.keys[1], Self.keys[2]])
    }

    /// A billion steps where each wait goes through all keys.
    @Test("A card of 20,000 references that arrive one by one is waited for in linear time", .timeLimit(.minutes(1)))
    func waitForMany() async throws {
        let resolver = Resolver(listedKinds: ["episode"], limit: 100_000)
        let keys = (1...20_000).map { RecordKey("episode", Int64($0)) }
        async let waiting = resolver.wait(for: keys)
        for key in keys {
            while await resolver.waiting.isEmpty { await Task.yield() }
            try await resolver.arrived([key])
        }
        guard case .settled = await waiting else {
            Issue.record("all have arrived")
            return
        }
    }

    @Test("Closing lets everyone go, those who wait and those who come later")
    func close() async {
        let resolver = Resolver(listedKinds: ["episode"], limit: 1_000)
        await withTaskGroup(of: Bool.self) { group in
            for key in Self.keys {
                group.addTask { if case .closed = await resolver.wait(for: [key]) { true } else { false } }
            }
            await Task.yield()
            await resolver.close()
            for await isClosed in group { #expect(isClosed) }
        }
    }

    @Test("What is named and not there is looked for once, and the first to name it is remembered")
    func mentions() async throws {
        let resolver = Resolver(listedKinds: ["episode"], limit: 1_000)
        try await resolver.mention(Self.keys[0], by: RecordKey("character", 5), at: "episode[0]")
        try await resolver.mention(Self.keys[0], by: RecordKey("character", 6), at: "episode[1]")
        try await resolver.mention(Self.keys[1], by: RecordKey("character", 6), at: "episode[2]")
        try await resolver.arrived([Self.keys[1]])
        #expect(await resolver.unresolvedMentions().isEmpty, "the list is not ended")
        _ = await resolver.end(list: "episode")
        #expect(await resolver.unresolvedMentions() == [Self.keys[0]])
        #expect(await resolver.unresolvedMentions().isEmpty)
        #expect(await resolver.place(of: Self.keys[0]) == "character 5 names it at episode[0]")
    }

    @Test("A window never holds more than its width, and frees what was held")
    func window() async throws {
        let window = Window(width: 3)
        let count = Count()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                let permit = await window.enter(weight: number % 5)
                group.addTask {
                    defer { withExtendedLifetime(permit) {} }
                    count.enter()
                    await Task.yield()
                    count.leave()
                }
            }
        }
        #expect(count.most <= 3)
        #expect(count.done == 50)
    }

    private final class Count: Sendable {
        private let state = Guarded((inside: 0, most: 0, done: 0))

        var most: Int { state.withLock { $0.most } }
        var done: Int { state.withLock { $0.done } }

        func enter() {
            state.withLock {
                $0.inside += 1
                $0.most = max($0.most, $0.inside)
            }
        }

        func leave() {
            state.withLock {
                $0.inside -= 1
                $0.done += 1
            }
        }
    }
}
