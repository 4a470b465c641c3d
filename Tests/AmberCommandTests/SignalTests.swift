import Foundation
import SampleAPI
import TestSupport
import Testing

/// SIGINT and SIGTERM, whatever the program is at.
struct SignalTests {
    private static let signals = [(SIGINT, Int32(130)), (SIGTERM, Int32(143))]

    /// Sends a signal once something was said, and answers how the program ended: within two seconds, one of them
    /// grace.
    private func interrupt(_ arguments: [String], at text: String, with signal: Int32) async throws -> Program.Result {
        let running = try Program.start(arguments)
        while running.isRunning, !running.errorsSoFar.contains(text) { usleep(500) }
        let start = ContinuousClock.now
        running.send(signal)
        let end = try await running.wait()
        let seconds = start.duration(to: .now) / .seconds(1)
        #expect(seconds <= 2, "\(arguments.first ?? "") ended \(seconds) s after signal \(signal)")
        return end
    }

    @Test(arguments: [(SIGINT, Int32(130), true), (SIGTERM, 143, true), (SIGTERM, 143, false)])
    func
        `Interrupted while it renders or publishes, a build ends soon, the site is whole, and the next build makes the new one`(
            signal: Int32, code: Int32, isEarly: Bool
        ) async throws
    {
        // On a busy machine the signal may come when all is done; then the next universe takes longer.
        for characters in isEarly ? [250, 500, 1_000] : [120] {
            let end = try await end(characters, isEarly, signal, code)
            if !isEarly || end != 0 { return }
        }
        Issue.record(
            "rendering 1,000 characters was over before the signal came: the test cannot tell how it is interrupted")
    }

    /// Interrupts a render of so many characters, looks at what is left, and renders again; answers the interrupted
    /// one's code.
    private func end(_ characters: Int, _ isEarly: Bool, _ signal: Int32, _ code: Int32) async throws -> Int32 {
        let small = try Small(universe: Universe(seed: 3, characters: characters))
        #expect(try await small.run("build").code == 0)
        let old = try contents(of: small.site)
        let arguments = small.arguments("render", ["--base-url", "https://one.example"])
        let end = try await interrupt(arguments, at: isEarly ? "[1/2] render and check" : "[2/2] publish", with: signal)
        let after = try contents(of: small.site)
        if isEarly, end.code != 0 {
            #expect(end.code == code)
            #expect(
                end.errors.contains("the build was interrupted; the site stays as it was, and the next run builds it"))
            #expect(after == old)
        } else {
            // Publishing is over in milliseconds: the signal may come when all is done.
            #expect(end.code == code || end.code == 0)
        }
        #expect(try await Program.start(arguments).wait().code == 0)
        let new = try contents(of: small.site)
        #expect(new != old && (after == old || after == new))
        return end.code
    }

    @Test func `What does not end by itself is ended after a second, and by a second signal at once`() async throws {
        let small = try Small()
        // A pipe that nobody writes: reading it waits for ever.
        let pipe = small.scratch["pipe"]
        #expect(mkfifo(pipe, 0o644) == 0)
        func seconds(_ signals: Int) async throws -> Double {
            let running = try Program.start(["verify", "--output", small.output, "--key", pipe])
            try running.untilItTakesSignals()
            let start = ContinuousClock.now
            for _ in 0..<signals {
                running.send(SIGTERM)
                // Two that wait at once are one (signal(7)).
                usleep(100_000)
            }
            #expect(try await running.wait().code == 143)
            return start.duration(to: .now) / .seconds(1)
        }
        #expect(try await seconds(1) >= 1)
        // On a busy machine one of them may be late.
        var fastest = 9.0
        for _ in 0..<5 where fastest >= 1 { fastest = min(fastest, try await seconds(2)) }
        #expect(fastest < 1)
    }

    @Test(arguments: signals) func `Servers, the check and a card end by a signal, with its code`(
        signal: Int32, code: Int32
    ) async throws {
        let small = try await Small.built()
        let before = try contents(of: small.site)
        for verb in [["serve", "--output", small.output, "--port", "0"], ["sample", "--port", "0"]] {
            #expect(try await interrupt(verb, at: " is on http://", with: signal).code == code, "\(verb)")
        }
        small.server.behaviour = Behaviour(faults: [Fault(.any, times: nil, .hang(.seconds(3_600)))])
        small.server.resetLog()
        let card = try Program.start(small.arguments("card", ["5"]))
        while card.isRunning, small.server.log.isEmpty { usleep(500) }
        card.send(signal)
        #expect(try await card.wait().code == code)
        #expect(try contents(of: small.site) == before)
        #expect(!FileManager.default.fileExists(atPath: "\(small.output)/.amber/card"), "what it had is removed")
    }
}
