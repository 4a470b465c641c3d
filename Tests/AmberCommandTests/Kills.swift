import Foundation
import SampleAPI
import TestSupport

/// Builds that are killed at drawn moments, each looked at and then built on from where it stopped.
///
/// The server alternates between two generations of one universe, so that each build has something to capture, to write
/// in place and to exchange; every third output begins empty. While a build runs, some answers fail in passing.
struct Kills {
    enum Stage: String, CaseIterable {
        case capture = "[1/3]"
        case render = "[2/3]"
        case publish = "[3/3]"
    }

    private let small: Small
    private let seed: UInt64
    private var dice: Dice
    /// The site of each generation, built without a disturbance.
    private var sites: [[String: Data]] = []
    private var day = ""
    /// Seconds that each stage takes undisturbed: into an empty output, and over a site that stands.
    private var seconds: [Bool: [Stage: Double]] = [:]
    /// The generation that stands in the output; nil where it is empty.
    private var standing: Int?

    /// Kills in each stage.
    private(set) var hits: [Stage: Int] = [:]
    /// Runs that ended before their moment.
    private(set) var misses = 0
    /// Those of them whose moment was in publishing.
    private(set) var missesOfPublish = 0
    /// After so many of those the machine is too slow for it.
    static let patience = 30
    /// Kills after which the new site stood.
    private(set) var published = 0
    /// Kills after which an interrupted capture was gone on from.
    private(set) var resumed = 0
    /// What went wrong, each with what to repeat it with.
    private(set) var failures: [String] = []

    var count: Int { hits.values.reduce(0, +) }

    init(seed: UInt64) async throws {
        self.seed = seed
        dice = Dice(seed)
        small = try Small(universe: Universe(seed: 5, characters: 21))
        try await learn()
    }

    var figures: String {
        let stages = Stage.allCases.map { "\(hits[$0] ?? 0) in \($0)" }.joined(separator: ", ")
        return
            "seed \(seed): \(count) kills (\(stages)), \(published) with the new site, \(resumed) gone on from, \(misses) too late"
    }
}

extension Kills {
    /// Kills one build more, and builds on.
    mutating func kill() async throws {
        if count % 3 == 0 { try empty() }
        let (old, new) = (standing, standing.map { 1 - $0 } ?? dice.below(2))
        let drawn = (stage: dice.pick(Stage.allCases), moment: dice.fraction())
        // Publishing is the hardest to meet: where it was not, the last ones are for its beginning.
        let isLast = count % 30 >= 27 && hits[.publish] == nil && missesOfPublish < Self.patience
        let (stage, moment) = isLast ? (.publish, 0) : drawn
        let faults = (0..<dice.below(4)).map { _ in fault() }
        serve(new, faults)
        let running = try Program.start(small.arguments("build"))
        guard try await wait(for: stage, moment * (seconds[old != nil]?[stage] ?? 0), in: running) else {
            miss(stage)
            let end = try await running.wait()
            if end.code != 0 { fail(stage, moment, "an undisturbed build ended with \(end.code): \(end.errors)") }
            standing = new
            return
        }
        running.send(SIGKILL)
        let end = try await running.wait()
        // It may have ended in the last moment.
        guard end.code == -SIGKILL else {
            miss(stage)
            standing = new
            return
        }
        let hit = Stage.allCases.last { end.errors.contains($0.rawValue) } ?? .capture
        hits[hit, default: 0] += 1
        try await examine(old, new, hit, moment)
    }

    private mutating func examine(_ old: Int?, _ new: Int, _ stage: Stage, _ moment: Double) async throws {
        let state = try ArchiveState(small.output)
        if !state.faults.isEmpty { fail(stage, moment, "the archive: \(state.faults)") }
        let site = try siteState(of: small.site)
        switch site {
        case sites[new]: published += 1
        case old.map({ sites[$0] }) ?? [:]: break
        default: if isSameDay { fail(stage, moment, "the site is neither the old one nor the new one") }
        }

        serve(new, [])
        let second = try await small.run("build")
        if second.code != 0 { fail(stage, moment, "the next build ended with \(second.code): \(second.errors)") }
        if try siteState(of: small.site) != sites[new], isSameDay {
            fail(stage, moment, "the next build made another site")
        }
        let proofs = try await small.run("verify")
        if proofs.code != 0 { fail(stage, moment, "the next build's site or archive does not hold: \(proofs.output)") }
        let asked = small.server.log.map(\.target)
        let again = asked.filter { state.kept.contains(String($0.dropFirst("/api/".count))) }
        if !again.isEmpty { fail(stage, moment, "asked again for \(again)") }
        if !state.kept.isEmpty { resumed += 1 }
        // Once a revision is complete, the next capture only asks whether it still holds.
        if stage != .capture, !small.server.log.allSatisfy({ $0.status == 304 }) {
            fail(stage, moment, "asked for what it had")
        }
        standing = new
    }

    /// Waits for a moment of a stage; answers whether the build is still under way then.
    private func wait(for stage: Stage, _ delay: Double, in running: Running) async throws -> Bool {
        // The capture's moments count from the start: its line comes with the first answer.
        while stage != .capture, !running.errorsSoFar.contains(stage.rawValue) {
            guard running.isRunning else { return false }
            usleep(100)
        }
        usleep(UInt32(delay * 1_000_000))
        return running.isRunning
    }

    /// Builds both generations undisturbed, and measures.
    private mutating func learn() async throws {
        sites = []
        day = Self.today
        for (generation, isOver) in [(0, false), (1, false), (0, true)] {
            if !isOver { try empty() }
            serve(generation, [])
            let start = ContinuousClock.now
            let running = try Program.start(small.arguments("build"))
            var begun: [Stage: Double] = [.capture: 0]
            while running.isRunning {
                let errors = running.errorsSoFar
                for stage in Stage.allCases where begun[stage] == nil && errors.contains(stage.rawValue) {
                    begun[stage] = start.duration(to: .now) / .seconds(1)
                }
                usleep(100)
            }
            let whole = start.duration(to: .now) / .seconds(1)
            let end = try await running.wait()
            guard end.code == 0 else { throw CocoaError(.executableLoad, userInfo: ["sentence": end.errors]) }
            // A busy machine may not look between the last stages.
            let publish = begun[.publish] ?? whole
            let render = begun[.render] ?? publish
            seconds[isOver] = [.capture: render, .render: publish - render, .publish: whole - publish]
            if !isOver { sites.append(try siteState(of: small.site)) }
        }
        guard sites[0] != sites[1] else { throw CocoaError(.featureUnsupported) }
        try empty()
    }

    private mutating func empty() throws {
        if FileManager.default.fileExists(atPath: small.output) {
            try FileManager.default.removeItem(atPath: small.output)
        }
        standing = nil
    }

    private func serve(_ generation: Int, _ faults: [Fault]) {
        // Late enough that a capture has moments to be killed at.
        var behaviour = Behaviour(latency: .milliseconds(10), faults: faults)
        if generation > 0 { behaviour.revise(small.server.universe) }
        small.server.behaviour = behaviour
        small.server.resetLog()
    }

    /// Something that goes wrong once, at a drawn request.
    private mutating func fault() -> Fault {
        let target = dice.pick(
            ["character?page=1", "character?page=2", "location?page=1", "episode?page=1"]
                + (1...21).map { "avatar/\($0)." })
        return Fault(
            .contains(target),
            dice.pick([.reset, .truncate(dice.below(60)), .status(502, body: "<html>"), .body(Array("<p>".utf8))]))
    }

    private mutating func miss(_ stage: Stage) {
        misses += 1
        if stage == .publish { missesOfPublish += 1 }
    }

    private mutating func fail(_ stage: Stage, _ moment: Double, _ what: String) {
        failures.append("seed \(seed), kill \(count), \(stage) at \(moment): \(what)")
    }

    /// Pages name the day of their capture: what was learned yesterday says nothing about today.
    private var isSameDay: Bool { day == Self.today }

    private static var today: String { String(ISO8601DateFormatter().string(from: Date()).prefix(10)) }
}

extension Kills {
    /// Learns anew where the day has changed.
    mutating func keepUp() async throws {
        if !isSameDay { try await learn() }
    }
}
