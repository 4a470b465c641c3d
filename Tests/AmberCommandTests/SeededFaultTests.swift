import Foundation
import SampleAPI
import TestSupport
import Testing

struct SeededFaultTests {
    private struct Builds {
        let small: Small
        let faulty: FaultyServer
        let whole: [String: Data]
        let targets: [String]
        private(set) var faults = 0
        private(set) var failures: [String] = []

        /// The faults that take no time. CaptureTests covers the slow ones.
        static let kinds = (ServerFault.all + ServerFault.lists).filter { fault in
            switch fault.action {
            case .hang, .slow, .endless, .down: false
            default: fault.nature != .harmless && !fault.name.contains("with Retry-After")
            }
        }

        init() async throws {
            small = try Small(
                Behaviour(hidden: [.init(.location, 2), .init(.character, 20), .init(.character, 21)]),
                universe: Universe(seed: 5, characters: 25))
            faulty = try FaultyServer(before: small.server.port)
            let run = try await Program.start(small.arguments("build", api: faulty.apiURL)).wait()
            try #require(run.code == 0, "\(run.errors)")
            whole = try comparableFiles(contents(of: small.site))
            targets = Set(faulty.takeLog().map(\.target)).sorted()
        }

        /// Builds once into an empty output. About a third of all targets fail once.
        mutating func build(seed: UInt64) async throws {
            var random = SeededRandom(seed)
            var committed: [(target: String, name: String)] = []
            var drawn: [FaultyServer.Fault] = []
            for target in targets where random.integer(below: 3) == 0 {
                let fault = random.pick(Self.kinds)
                // A list that contradicts itself is requested at most three times, so this fault is drawn only once.
                if fault.nature == .moved,
                    committed.contains(where: { $0.name == "moved" }) || !target.contains("page=2")
                {
                    continue
                }
                committed.append((target, fault.nature == .moved ? "moved" : fault.name))
                drawn.append(FaultyServer.Fault(times: 1, fault.action) { $0 == target })
            }
            faulty.setFaults(drawn)
            faults += drawn.count
            if FileManager.default.fileExists(atPath: small.output) {
                try FileManager.default.removeItem(atPath: small.output)
            }
            let run = try await Program.start(small.arguments("build", api: faulty.apiURL)).wait()
            let site = try comparableFiles(contents(of: small.site))
            let state = try ArchiveState(small.output)
            guard run.code == 0, site == whole, state.faults.isEmpty else {
                let differing = Set(site.keys).union(whole.keys).filter { site[$0] != whole[$0] }.sorted()
                failures.append(
                    "seed \(seed): \(run.code), \(run.errors)\(state.faults)\(differing.prefix(5)), faults \(committed)"
                )
                return
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `A build with random transient faults produces the same site as a build without faults`() async throws {
        var builds = try await Builds()
        for seed in 1...8 as ClosedRange<UInt64> { try await builds.build(seed: seed) }
        #expect(builds.faults > 60)
        #expect(builds.failures.isEmpty, "\(builds.failures.joined(separator: "\n"))")
    }

    @Test(.enabled(if: Soak.minutes != nil, "make soak runs it for as long as asked"))
    func `Builds disturbed repeatedly, with new seeds, produce the same site`() async throws {
        let end = Soak.end()
        var seed = UInt64(Date().timeIntervalSince1970)
        var (count, spoilt) = (0, 0)
        var builds = try await Builds()
        while ContinuousClock.now < end || count < Soak.minimumRounds {
            try await builds.build(seed: seed)
            seed += 1
            count += 1
            // Pages show the date, so the reference site is built again regularly.
            if count % 50 == 0 {
                spoilt += builds.faults
                builds = try await renewed(builds)
            }
            if count % 10 == 0 {
                print("\(count) builds among \(spoilt + builds.faults) spoilt answers, last seed \(seed - 1)")
            }
        }
        #expect(builds.failures.isEmpty, "\(builds.failures.joined(separator: "\n"))")
    }

    private func renewed(_ builds: Builds) async throws -> Builds {
        #expect(builds.failures.isEmpty, "\(builds.failures.joined(separator: "\n"))")
        return try await Builds()
    }
}
