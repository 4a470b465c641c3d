import Foundation
import SampleAPI
import TestSupport

/// Builds that are killed at random moments. After each kill the state is checked and the next build must complete.
///
/// The server alternates between two generations of one universe, so that each build captures, writes and publishes.
/// Every third build starts with an empty output. During a build some requests fail once.
struct Kills {
    enum Stage: String, CaseIterable {
        case capture = "[1/3]"
        case render = "[2/3]"
        case publish = "[3/3]"
    }

    private let small: Small
    private let seed: UInt64
    private var random: SeededRandom
    /// The site of each generation, from a build without faults.
    private var sites: [[String: Data]] = []
    private var day = ""
    /// The seconds of each stage without faults. The key is true if the output had a site before.
    private var seconds: [Bool: [Stage: Double]] = [:]
    /// The generation of the published site; nil for an empty output.
    private var current: Int?

    private(set) var hits: [Stage: Int] = [:]
    /// Builds that ended before they were killed.
    private(set) var misses = 0
    /// The misses that aimed at publish.
    private(set) var missesOfPublish = 0
    /// After this many misses, publish is no longer preferred.
    static let mostPublishMisses = 30
    private(set) var published = 0
    /// Kills after which the next build resumed the capture.
    private(set) var resumed = 0
    private(set) var failures: [String] = []

    var count: Int { hits.values.reduce(0, +) }

    init(seed: UInt64) async throws {
        self.seed = seed
        random = SeededRandom(seed)
        small = try Small(universe: Universe(seed: 5, characters: 21))
        try await learn()
    }

    var figures: String {
        let stages = Stage.allCases.map { "\(hits[$0] ?? 0) in \($0)" }.joined(separator: ", ")
        return
            "seed \(seed): \(count) kills (\(stages)), \(published) with the new site, \(resumed) resumed, \(misses) too late"
    }
}

extension Kills {
    /// Kills a build, checks the state, and builds again.
    mutating func kill() async throws {
        if count % 3 == 0 { try empty() }
        let (old, new) = (current, current.map { 1 - $0 } ?? random.integer(below: 2))
        let drawn = (stage: random.pick(Stage.allCases), moment: random.fraction())
        // Publish is hard to hit. If no kill hit it, the last ones aim at its beginning.
        let isLast = count % 30 >= 27 && hits[.publish] == nil && missesOfPublish < Self.mostPublishMisses
        let (stage, moment) = isLast ? (.publish, 0) : drawn
        serve(new, faults(random.integer(below: 4)))
        let running = try Program.start(small.arguments("build"))
        let isStillRunning = try await wait(for: stage, moment * (seconds[old != nil]?[stage] ?? 0), in: running)
        if isStillRunning { running.send(SIGKILL) }
        let end = try await running.wait()
        // The build may have ended just before the signal.
        guard end.code == -SIGKILL else {
            miss(stage)
            if end.code != 0 {
                fail(stage, moment, "a build that was not killed ended with \(end.code): \(end.errors)")
            }
            current = new
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
        default:
            let files = try differing(site, old.map { sites[$0] } ?? [:])
            if isSameDay { fail(stage, moment, "the site is neither the old one nor the new one: \(files)") }
        }

        serve(new, [])
        let second = try await small.run("build")
        if second.code != 0 { fail(stage, moment, "the next build ended with \(second.code): \(second.errors)") }
        let files = try differing(siteState(of: small.site), sites[new])
        if !files.isEmpty, isSameDay { fail(stage, moment, "the next build made another site: \(files)") }
        let proofs = try await small.run("verify")
        if proofs.code != 0 { fail(stage, moment, "verify fails after the next build: \(proofs.output)") }
        let asked = small.server.log.map(\.target)
        let again = asked.filter { state.kept.contains(String($0.dropFirst("/api/".count))) }
        if !again.isEmpty { fail(stage, moment, "requested stored answers: \(again)") }
        if !state.kept.isEmpty { resumed += 1 }
        // If the revision is complete, the next capture only makes conditional requests.
        let whole = small.server.log.filter { $0.status != 304 }
        if stage != .capture, !whole.isEmpty {
            fail(stage, moment, "requested unchanged data again: \(whole.map { "\($0.target) \($0.status)" })")
        }
        current = new
    }

    /// Waits until `delay` seconds after the start of a stage.
    /// - Returns: whether the build is still running.
    private func wait(for stage: Stage, _ delay: Double, in running: Running) async throws -> Bool {
        // For the capture, the delay counts from the start: its line is printed with the first answer.
        while stage != .capture, !running.errorsSoFar.contains(stage.rawValue) {
            guard running.isRunning else { return false }
            usleep(100)
        }
        usleep(UInt32(delay * 1_000_000))
        return running.isRunning
    }

    /// Builds both generations without faults and measures the stages.
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
            // On a busy machine this loop can miss the last stages.
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
        current = nil
    }

    private func serve(_ generation: Int, _ faults: [Fault]) {
        // The latency makes the capture long enough to be killed.
        var behaviour = Behaviour(latency: .milliseconds(10), faults: faults)
        if generation > 0 { behaviour.revise(small.server.universe) }
        small.server.behaviour = behaviour
        small.server.resetLog()
    }

    /// Faults that occur once, each at another random request: a file that is refused twice is a gap.
    private mutating func faults(_ count: Int) -> [Fault] {
        var targets =
            ["character?page=1", "character?page=2", "location?page=1", "episode?page=1"]
            + (1...21).map { "avatar/\($0)." }
        return (0..<count).map { _ in
            let target = targets.remove(at: random.integer(below: targets.count))
            return Fault(
                .contains(target),
                random.pick([
                    .reset, .truncate(random.integer(below: 60)), .status(502, body: "<html>"),
                    .body(Array("<p>".utf8)),
                ]))
        }
    }

    private mutating func miss(_ stage: Stage) {
        misses += 1
        if stage == .publish { missesOfPublish += 1 }
    }

    private mutating func fail(_ stage: Stage, _ moment: Double, _ what: String) {
        failures.append("seed \(seed), kill \(count), \(stage) at \(moment): \(what)")
    }

    /// Pages show the date of their capture, so sites of different days differ.
    private var isSameDay: Bool { day == Self.today }

    private static var today: String { String(ISO8601DateFormatter().string(from: Date()).prefix(10)) }
}

extension Kills {
    /// Builds the reference sites again on a new day.
    mutating func keepUp() async throws {
        if !isSameDay { try await learn() }
    }
}
