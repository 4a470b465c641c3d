import Archive
import Capture
import HTTP
import Testing

/// Captures that end too early: nothing waits for ever, and the reason that is given is the one that counts.
struct EndingTests {
    /// Runs a capture, cancels it when `isTime`, and tells how it ended and how long that took.
    private func cancelled(_ captures: Captures, when isTime: @escaping @Sendable (FakeAPI) -> Bool) async throws -> (
        String?, Duration
    ) {
        let running = Task { try await captures.failure() }
        while !isTime(captures.api) { try await Task.sleep(for: .milliseconds(2)) }
        let start = ContinuousClock.now
        running.cancel()
        return (try await running.value, start.duration(to: .now))
    }

    private static let interrupted =
        "the capture was interrupted; what came in is kept, and the next run goes on from there"

    @Test(
        "Cancelled while it waits for a list page, a card, a picture, or a record that no list brought, it ends at once and goes on later",
        arguments: ["character?page=1", "character?page=3", "location?page=1", "character/avatar/7.jpeg", "episode/9"])
    func cancelled(path: String) async throws {
        let captures = try Captures(FakeAPI.filled(65))
        captures.api.add(episode: 9)
        captures.api.add(character: 66, in: [9])
        captures.api.change {
            $0.hidden = [RecordKey("episode", 9)]
            $0.answers[path] = .silence
        }
        let (end, time) = try await cancelled(captures) { $0.asked.contains(path) }
        #expect(end == Self.interrupted)
        #expect(time < .seconds(10))
        captures.api.change { $0.answers = [:] }
        #expect(try await captures.run().records == ["character": 66, "location": 1, "episode": 2])
    }

    @Test("Cancelled while everything is kept from before, it ends without reading it all again")
    func cancelledWhileKept() async throws {
        var captures = try Captures(FakeAPI.filled(400))
        captures.api.change { $0.answers["character?page=20"] = .fault(.truncated) }
        #expect(try await captures.failure() != nil)
        captures.api.change { $0.answers = ["location?page=1": .silence, "character?page=20": .silence] }
        captures.settings.openCards = 2
        captures.api.forgetAsked()
        let progress = CaptureProgress()
        let running = Task { [captures] in try await captures.run(progress: progress) }
        while progress.current.kept == 0 { try await Task.sleep(for: .milliseconds(1)) }
        running.cancel()
        await #expect(throws: CaptureError.self) { try await running.value }
        #expect(progress.current.kept < 100)
    }

    @Test(
        "A failure that ends the capture, in a card, ends it at once: no further page is asked for, nobody goes on waiting"
    )
    func failingCard() async throws {
        let captures = try Captures(FakeAPI.filled(400))
        captures.api.change {
            $0.answers["character/avatar/3.jpeg"] = .fault(.disk)
            $0.before = { path in if path.contains("?page=") { try await Task.sleep(for: .milliseconds(20)) } }
        }
        let failure = try #require(try await captures.failure())
        #expect(failure == "the capture cannot go on: \(FakeAPI.base)/character/avatar/3.jpeg: is made to fail")
        #expect(captures.api.asked.count { $0.hasPrefix("character?page=") } < 10)
    }

    @Test("Who waits for a record that another card asked for in vain is let go")
    func failingClaim() async throws {
        let captures = try Captures()
        captures.api.add(location: 1)
        for id in Int64(1)...5 { captures.api.add(character: id, at: 1, in: [9]) }
        captures.api.change { $0.answers["episode/9"] = .fault(.disk) }
        let start = ContinuousClock.now
        #expect(try await captures.failure() == "the capture cannot go on: \(FakeAPI.base)/episode/9: is made to fail")
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test("The reason given is the list's that failed, not that the cards beside it were let go", arguments: 0..<5)
    func firstFailure(_: Int) async throws {
        let captures = try Captures(FakeAPI.filled(65))
        captures.api.change {
            $0.answers["location?page=1"] = .silence
            $0.answers["character?page=3"] = .fault(.refused)
        }
        #expect(
            try await captures.failure()
                == "the capture is not complete: \(FakeAPI.base)/character?page=3: is made to fail (2 attempts)")
    }

    @Test("An API of which nothing is reached is unreachable; one that answered before is not")
    func unreachable() async throws {
        let captures = try Captures(FakeAPI.filled(2))
        captures.api.change { state in
            for kind in ["character", "location", "episode"] { state.answers["\(kind)?page=1"] = .fault(.name) }
        }
        #expect(try await captures.failure()?.hasPrefix("the API cannot be reached: ") == true)
        captures.api.change { state in
            state.answers = ["location?page=1": .fault(.name)]
            state.before = { path in if path == "location?page=1" { try await Task.sleep(for: .milliseconds(200)) } }
        }
        #expect(try await captures.failure()?.hasPrefix("the capture is not complete: ") == true)
    }

    @Test("A server that only ever fails, or says nothing, is given up when patience ends")
    func patience() async throws {
        for answer in [FakeAPI.Answer.silence, .fault(.timeout)] {
            var captures = try Captures(FakeAPI.filled(2))
            captures.settings.patience = 0.4
            captures.api.change { state in
                for kind in ["character", "location", "episode"] { state.answers["\(kind)?page=1"] = answer }
            }
            let start = ContinuousClock.now
            #expect(try await captures.failure() != nil)
            #expect(start.duration(to: .now) < .seconds(10))
        }
        var captures = try Captures(FakeAPI.filled(2))
        captures.settings.patience = 0.4
        captures.api.change { $0.answers["location?page=1"] = .silence }
        #expect(
            try await captures.failure()
                == "the capture is not complete: nothing that counts came from \(FakeAPI.base) for 0 seconds")
    }
}
