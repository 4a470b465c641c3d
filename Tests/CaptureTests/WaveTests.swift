import Capture
import HTTP
import Platform
import Testing

struct WaveTests {
    /// Records which pages were in flight at the same time.
    private final class Flight: Sendable {
        private let state = Locked((now: Set<Int>(), waves: [Set<Int>](), maximum: 0))

        var waves: [Set<Int>] { state.withLock { $0.waves } }
        var maximum: Int { state.withLock { $0.maximum } }

        func begin(_ page: Int) {
            state.withLock { state in
                if state.now.isEmpty { state.waves.append([]) }
                state.now.insert(page)
                state.waves[state.waves.count - 1].insert(page)
                state.maximum = max(state.maximum, state.now.count)
            }
        }

        func end(_ page: Int) {
            state.withLock { _ = $0.now.remove(page) }
        }
    }

    @Test func `Page 1 is requested alone, then waves of three pages in order`() async throws {
        let captures = try Captures(FakeAPI.filled(160))
        let flight = Flight()
        captures.api.change { state in
            state.before = { path in
                guard path.hasPrefix("character?page="), let page = Int(path.dropFirst("character?page=".count)) else {
                    return
                }
                flight.begin(page)
                // The last page of a wave arrives first.
                try await Task.sleep(for: .milliseconds(100 - 30 * ((page + 1) % 3)))
                flight.end(page)
            }
        }
        #expect(try await captures.run().records["character"] == 160)
        #expect(flight.maximum == 3)
        #expect(flight.waves == [[1], [2, 3, 4], [5, 6, 7], [8]])
        #expect(try captures.numbers(of: "character") == Array(1...160))
    }

    @Test func `A failed page ends the walk, and the next wave is not requested`() async throws {
        let captures = try Captures(FakeAPI.filled(160))
        captures.api.change { $0.answers["character?page=3"] = .fault(.refused) }
        #expect(try await captures.failure()?.contains("character?page=3") == true)
        #expect(!captures.api.requestedPaths.contains("character?page=5"))
    }
}
