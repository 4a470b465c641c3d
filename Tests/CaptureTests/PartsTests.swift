import Archive
import Platform
import Testing

@testable import Capture

struct PartsTests {
    private static let keys = (1...5).map { RecordKey("episode", Int64($0)) }

    @Test func `A key is claimed once, and only after its list has ended`() async throws {
        let resolver = Resolver(listedKinds: ["episode"], limit: 1_000)
        #expect(await resolver.claim(Self.keys).isEmpty)
        try await resolver.addArrived([Self.keys[0]])
        #expect(await resolver.end(list: "episode").isEmpty, "no card waits")
        #expect(
            await resolver.claim([Self.keys[2], Self.keys[1], Self.keys[0], Self.keys[1]]) == [
                Self.keys[1], Self.keys[2],
            ])
        #expect(await resolver.claim(Self.keys) == [Self.keys[3], Self.keys[4]])
        #expect(await resolver.claim([RecordKey("other", 1)]) == [RecordKey("other", 1)], "a key of no list")
    }

    @Test func `A waiting card continues when all of its keys are known or missing`() async throws {
        let resolver = Resolver(listedKinds: ["episode"], limit: 1_000)
        let keys = Array(Self.keys.prefix(2))
        _ = await resolver.end(list: "episode")
        #expect(try await resolver.wait(for: keys) == keys, "no other card has claimed them")
        async let waiting = resolver.wait(for: keys)
        try await resolver.addArrived([keys[0]])
        await resolver.addMissing([keys[1], keys[0]])
        #expect(try await waiting.isEmpty, "both keys are known")
        #expect(await resolver.claim(keys).isEmpty, "an arrived key does not become missing")
    }

    @Test func `Keys that a list does not contain are claimed when it ends, even during a wait`() async throws {
        let resolver = Resolver(listedKinds: ["episode"], limit: 1_000)
        async let waiting = resolver.wait(for: Array(Self.keys.prefix(3)))
        while await resolver.waiting.isEmpty { await Task.yield() }
        #expect(await resolver.end(list: "episode") == [Self.keys[0]])
        try await resolver.addArrived([Self.keys[0]])
        #expect(try await waiting == [Self.keys[1], Self.keys[2]])
    }

    /// If each step of the wait checked all keys, the test would need hundreds of millions of steps.
    @Test(.timeLimit(.minutes(1)))
    func `A card with 20,000 references waits in linear time`() async throws {
        let resolver = Resolver(listedKinds: ["episode"], limit: 100_000)
        let keys = (1...20_000).map { RecordKey("episode", Int64($0)) }
        async let waiting = resolver.wait(for: keys)
        for key in keys {
            while await resolver.waiting.isEmpty { await Task.yield() }
            try await resolver.addArrived([key])
        }
        #expect(try await waiting.isEmpty, "all have arrived")
    }

    @Test func `Closing the resolver releases all waiting cards`() async {
        let resolver = Resolver(listedKinds: ["episode"], limit: 1_000)
        await withTaskGroup(of: Bool.self) { group in
            for key in Self.keys {
                group.addTask { (try? await resolver.wait(for: [key])) == nil }
            }
            await Task.yield()
            await resolver.close()
            for await isClosed in group { #expect(isClosed) }
        }
    }

    @Test func `An unresolved reference is returned once, with the first record that refers to it`() async throws {
        let resolver = Resolver(listedKinds: ["episode"], limit: 1_000)
        try await resolver.addReference(to: Self.keys[0], from: RecordKey("character", 5), at: "episode[0]")
        try await resolver.addReference(to: Self.keys[0], from: RecordKey("character", 6), at: "episode[1]")
        try await resolver.addReference(to: Self.keys[1], from: RecordKey("character", 6), at: "episode[2]")
        try await resolver.addArrived([Self.keys[1]])
        #expect(await resolver.unresolvedReferences().isEmpty, "the list has not ended")
        _ = await resolver.end(list: "episode")
        #expect(await resolver.unresolvedReferences() == [Self.keys[0]])
        #expect(await resolver.unresolvedReferences().isEmpty)
        #expect(await resolver.firstReference(to: Self.keys[0]) == "character 5 refers to it at episode[0]")
    }

    @Test func `A window never exceeds its width and admits all work`() async throws {
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
        #expect(count.maximum <= 3)
        #expect(count.done == 50)
    }

    private final class Count: Sendable {
        private let state = Locked((inside: 0, maximum: 0, done: 0))

        var maximum: Int { state.withLock { $0.maximum } }
        var done: Int { state.withLock { $0.done } }

        func enter() {
            state.withLock {
                $0.inside += 1
                $0.maximum = max($0.maximum, $0.inside)
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
