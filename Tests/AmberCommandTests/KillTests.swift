import Foundation
import TestSupport
import Testing

/// Builds that are killed: the archive and the site are whole after each, and the next build ends as if nothing had
/// been.
struct KillTests {
    @Test(.timeLimit(.minutes(8)))
    func
        `Killed at moments drawn from capture, render and publish, a build leaves the old site or the new one, and the next one ends it`()
        async throws
    {
        var kills = try await Kills(seed: 20_261_121)
        // A machine under load may be too late for many moments, but not for all.
        let wanted = 4
        func isEnough() -> Bool { kills.count >= wanted && kills.hits.count > 1 && kills.resumed > 0 }
        while !isEnough(), kills.count < 40, kills.misses < 90 { try await kills.kill() }
        print(kills.figures)
        #expect(kills.failures.isEmpty, "\(kills.failures.joined(separator: "\n"))")
        #expect(kills.resumed > 0, "\(kills.figures)")
        // Publishing lasts milliseconds: make soak meets it, and each of its steps is ended in PublishStepsTests.
        #expect(
            kills.count >= wanted && kills.hits.keys.contains(.capture) && kills.hits.keys.contains(.render),
            "\(kills.figures)")
    }

    @Test(.enabled(if: Soak.minutes != nil, "make soak runs it for as long as asked"))
    func `Killed over and over, with new seeds`() async throws {
        let end = Soak.end()
        var seed = UInt64(Date().timeIntervalSince1970)
        var (count, misses) = (0, 0)
        // Where nearly every moment comes too late, it ends all the same.
        func isOn(_ kills: Int, _ late: Int) -> Bool {
            ContinuousClock.now < end || kills < Soak.least && late < 3 * Soak.least
        }
        while isOn(count, misses) {
            var kills = try await Kills(seed: seed)
            while kills.count < 30, kills.misses < 90, isOn(count + kills.count, misses + kills.misses) {
                try await kills.keepUp()
                try await kills.kill()
            }
            count += kills.count
            misses += kills.misses
            if kills.count > 0 { print("\(kills.figures); \(count) kills so far") }
            #expect(kills.failures.isEmpty, "\(kills.failures.joined(separator: "\n"))")
            seed += 1
        }
        #expect(
            count >= max(1, Soak.least),
            "\(count) kills, \(misses) moments too late: the machine is too busy, run it again when it is idle")
    }
}
