import Archive
import Capture
import HTTP
import Testing

struct EndingTests {
    /// Runs a capture, cancels it when the condition holds, and returns its error and the time until it ended.
    private func cancelCapture(_ captures: Captures, when condition: @escaping @Sendable (FakeAPI) -> Bool) async throws
        -> (
            String?, Duration
        )
    {
        let running = Task { try await captures.failure() }
        while !condition(captures.api) { try await Task.sleep(for: .milliseconds(2)) }
        let start = ContinuousClock.now
        running.cancel()
        return (try await running.value, start.duration(to: .now))
    }

    private static let interrupted =
        "the capture was interrupted; the received answers are kept, and the next run continues"

    @Test(
        arguments: ["character?page=1", "character?page=3", "location?page=1", "character/avatar/7.jpeg", "episode/9"])
    func `A capture that is cancelled during a request ends immediately and continues later`(
        path: String
    ) async throws {
        let captures = try Captures(FakeAPI.filled(65))
        captures.api.add(episode: 9)
        captures.api.add(character: 66, in: [9])
        captures.api.change {
            $0.hidden = [RecordKey("episode", 9)]
            $0.answers[path] = .silence
        }
        let (end, time) = try await cancelCapture(captures) { $0.requestedPaths.contains(path) }
        #expect(end == Self.interrupted)
        #expect(time < .seconds(10))
        captures.api.change { $0.answers = [:] }
        #expect(try await captures.run().records == ["character": 66, "location": 1, "episode": 2])
    }

    @Test func `A cancelled capture ends without reading all stored answers again`() async throws {
        var captures = try Captures(FakeAPI.filled(400))
        captures.api.change { $0.answers["character?page=20"] = .fault(.truncated) }
        #expect(try await captures.failure() != nil)
        captures.api.change { $0.answers = ["location?page=1": .silence, "character?page=20": .silence] }
        captures.settings.openCards = 2
        captures.api.forgetRequests()
        let progress = CaptureProgress()
        let running = Task { [captures] in try await captures.run(progress: progress) }
        while progress.current.kept == 0 { try await Task.sleep(for: .milliseconds(1)) }
        running.cancel()
        await #expect(throws: CaptureError.self) { try await running.value }
        // On a busy machine, the cancellation can come late.
        #expect(progress.current.kept < 400)
    }

    @Test func `A fatal failure in a card ends the capture immediately`() async throws {
        let captures = try Captures(FakeAPI.filled(400))
        captures.api.change {
            $0.answers["character/avatar/3.jpeg"] = .fault(.disk)
            $0.before = { path in if path.contains("?page=") { try await Task.sleep(for: .milliseconds(20)) } }
        }
        let failure = try #require(try await captures.failure())
        #expect(failure == "the capture cannot continue: \(FakeAPI.base)/character/avatar/3.jpeg: is made to fail")
        #expect(captures.api.requestedPaths.count { $0.hasPrefix("character?page=") } < 10)
    }

    @Test func `A card that waits for another card's failed request is released`() async throws {
        let captures = try Captures()
        captures.api.add(location: 1)
        for id in Int64(1)...5 { captures.api.add(character: id, at: 1, in: [9]) }
        captures.api.change { $0.answers["episode/9"] = .fault(.disk) }
        let start = ContinuousClock.now
        #expect(
            try await captures.failure() == "the capture cannot continue: \(FakeAPI.base)/episode/9: is made to fail")
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test func `Cards that wait for a list are released if the records for which they wait cannot be requested`()
        async throws
    {
        var captures = try Captures()
        captures.settings.maximumUnlistedRecords = 1
        for id in Int64(1)...3 { captures.api.add(character: id, in: [100 + id]) }
        captures.api.change { [api = captures.api] state in
            // The list of episodes ends when all cards wait.
            state.before = { path in
                while path == "episode?page=1",
                    api.requestedPaths.count(where: { $0.hasPrefix("character/avatar/") }) < 3
                {
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
        }
        #expect(
            try await captures.failure()
                == "the capture is not complete: the records of \(FakeAPI.base) refer to more than 1 records that are "
                + "in no list; such an API cannot be captured")
    }

    @Test(arguments: 0..<5)
    func `The capture reports the failed list, not the cancelled cards`(_: Int) async throws {
        let captures = try Captures(FakeAPI.filled(65))
        captures.api.change {
            $0.answers["location?page=1"] = .silence
            $0.answers["character?page=3"] = .fault(.refused)
        }
        let start = ContinuousClock.now
        #expect(
            try await captures.failure()
                == "the capture is not complete: \(FakeAPI.base)/character?page=3: is made to fail (2 attempts)")
        // The list that waits is cancelled, long before its time limit.
        #expect(start.duration(to: .now) < .seconds(10))
    }

    @Test func `An API that never answered is unreachable, and one that answered is not`() async throws {
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

    @Test func `A capture fails if there is no usable answer within the time limit`() async throws {
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
                == "the capture is not complete: \(FakeAPI.base) sent no usable answer for 0 seconds; run again later")
    }
}
