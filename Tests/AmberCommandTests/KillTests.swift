import Foundation
import TestSupport
import Testing

struct KillTests {
    @Test(.timeLimit(.minutes(8)))
    func `A build killed at a random moment leaves a complete site, and the next one finishes`() async throws {
        var kills = try await Kills(seed: 20_261_121)
        // On a busy machine many kills come too late, and many before the first answer is stored, but not all.
        let wanted = 4
        func isEnough() -> Bool { kills.count >= wanted && kills.hits.count > 1 && kills.resumed > 0 }
        while !isEnough(), kills.count < 120, kills.misses < 200 { try await kills.kill() }
        print(kills.figures)
        #expect(kills.failures.isEmpty, "\(kills.failures.joined(separator: "\n"))")
        #expect(kills.resumed > 0, "\(kills.figures)")
        // Publishing takes milliseconds: only make soak hits it. PublishStepsTests interrupts each of its steps.
        #expect(
            kills.count >= wanted && kills.hits.keys.contains(.capture) && kills.hits.keys.contains(.render),
            "\(kills.figures)")
    }

    @Test(.enabled(if: Soak.minutes != nil, "make soak runs it for as long as asked"))
    func `Builds killed repeatedly, with new seeds, leave complete sites`() async throws {
        let end = Soak.end()
        var seed = UInt64(Date().timeIntervalSince1970)
        var (count, misses) = (0, 0)
        // The loop also ends if nearly every kill comes too late.
        func isOn(_ kills: Int, _ late: Int) -> Bool {
            ContinuousClock.now < end || kills < Soak.minimumRounds && late < 3 * Soak.minimumRounds
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
            count >= max(1, Soak.minimumRounds),
            "\(count) kills, \(misses) moments too late: the machine is too busy, run it again when it is idle")
    }
}
