import Archive
import Capture
import Foundation
import TestSupport
import Testing

/// Every fault of a server on each kind of request, once and always.
struct FaultMatrixTests {
    private static let undisturbed = Task { try await FaultMatrixCell().capture() }

    @Test func `An undisturbed capture uses a separate request for each kind`() async throws {
        let cell = try FaultMatrixCell()
        let report = try await cell.capture()
        let asked = Set(cell.faulty.takeLog().map(\.target))
        for kind in RequestKind.allCases { #expect(asked.contains(FaultMatrixCell.target(kind)), "\(kind.rawValue)") }
        #expect(
            report.gaps == []
                && report.records == [
                    "character": 30, "location": report.records["location"], "episode": report.records["episode"],
                ])
        #expect(report.revision.digest == (try await Self.undisturbed.value).revision.digest)
    }

    @Test(arguments: ServerFault.tried.map(\.name))
    func `A temporary fault leaves no trace`(name: String) async throws {
        let fault = try #require(ServerFault.all.first { $0.name == name })
        let whole = try await Self.undisturbed.value
        try await forEach(RequestKind.allCases) { kind in
            let cell = try FaultMatrixCell()
            let act = if case .down = fault.act { FaultyServer.Act.down(for: .milliseconds(1)) } else { fault.act }
            cell.faulty.commit([FaultyServer.Fault(act, on: on(kind))])
            let report = try await cell.capture(attempts: 5)
            #expect(report.gaps == [], "\(kind.rawValue)")
            #expect(
                fault.name == "unknown extra keys" || report.revision.digest == whole.revision.digest,
                "\(kind.rawValue)")
            #expect(try cell.integrity() == ["ok"] && cell.spilled() == [], "\(kind.rawValue)")
            let times = cell.faulty.takeLog().count { $0.target == FaultMatrixCell.target(kind) }
            let isMet = fault.nature != .harmless && !(fault.nature == .unreadable && kind == .avatar)
            #expect(!isMet || times > 1, "\(kind.rawValue) was requested \(times) times, so the fault did not occur")
            if fault.name.contains("with Retry-After") {
                #expect(cell.waited >= 60, "\(kind.rawValue) waited \(cell.waited) s")
            }
        }
    }

    @Test(
        arguments: ServerFault.tried.map(\.name))
    func `A permanent fault is reported, and the next capture requests only the rest`(name: String)
        async throws
    {
        let fault = try #require(ServerFault.all.first { $0.name == name })
        try await forEach(RequestKind.allCases) { kind in try await last(fault, kind) }
    }

    @Test(
        arguments: ServerFault.lists.map(\.name))
    func `A contradictory list is requested again without conditions`(name: String)
        async throws
    {
        let fault = try #require(ServerFault.lists.first { $0.name == name })
        try await last(fault, .laterPage)
    }

    @Test func `An answer with a wrong record is requested again, once and alone`() async throws {
        let whole = try await Self.undisturbed.value
        let other = try await FaultMatrixCell.answer("/api/location/1")
        let others = try await FaultMatrixCell.answer("/api/character/1,29")
        for (kind, reply) in [
            (RequestKind.location, other), (.several, others),
            (.several, FaultyServer.Reply(200, [], Array("[]".utf8))),
        ] {
            for times in [1, nil] {
                let cell = try FaultMatrixCell()
                cell.faulty.commit([FaultyServer.Fault(times: times, .answer { _ in reply }, on: on(kind))])
                let report = try await cell.capture()
                if kind == .location, times == nil {
                    #expect(report.gapTexts == ["location/2 : is location 1, which was not requested"])
                } else {
                    #expect(
                        report.gaps == [] && report.revision.digest == whole.revision.digest,
                        "\(kind.rawValue) \(report.gapTexts)")
                }
            }
        }
    }

    @Test func `A 304 with another entity tag is refused, and the document is requested again`() async throws {
        let cell = try FaultMatrixCell()
        let first = try await cell.capture()
        _ = cell.faulty.takeLog()
        let target = FaultMatrixCell.target(.laterPage)
        cell.faulty.commit([
            FaultyServer.Fault(
                times: 1, .answer { _ in FaultyServer.Reply(304, [("ETag", "\"another\"")]) }, on: on(.laterPage))
        ])
        let second = try await cell.capture()
        #expect(second.isUnchanged && second.revision.digest == first.revision.digest)
        let asked = cell.faulty.takeLog().filter { $0.target == target }
        #expect(asked.map { $0.condition != nil } == [true, false])
        #expect(asked.last?.status == 200)
    }

    @Test func `An unreadable record is a gap after a single attempt`() async throws {
        let cell = try FaultMatrixCell()
        let fault = try #require(ServerFault.all.first { $0.name == "missing keys" })
        cell.faulty.commit([FaultyServer.Fault(times: nil, fault.act, on: on(.laterPage))])
        let report = try await cell.capture(attempts: 1)
        #expect(
            report.gaps.count == 7 && report.gaps.allSatisfy { $0.keyPath.hasSuffix("].name") }, "\(report.gapTexts)")
    }

    /// Captures with a fault on every request of a kind, and again without it.
    private func last(_ fault: ServerFault, _ kind: RequestKind) async throws {
        let whole = try await Self.undisturbed.value
        let cell = try FaultMatrixCell()
        let target = FaultMatrixCell.target(kind)
        cell.faulty.commit([FaultyServer.Fault(times: nil, fault.act, on: on(kind))])
        let result: Result<CaptureReport, any Error>
        do { result = .success(try await cell.capture()) } catch { result = .failure(error) }
        #expect(try cell.integrity() == ["ok"], "\(kind.rawValue)")

        let isPage = kind == .firstPage || kind == .laterPage
        let isLost = fault.nature == .lost || (fault.nature == .unreadable && !isPage)
        switch (fault.nature, result) {
        case (.harmless, .success(let report)): #expect(report.gaps == [], "\(kind.rawValue)")
        case (.gone, .failure(let error)), (.moved, .failure(let error)):
            #expect(fault.isNamed(in: "\(error)"), "\(kind.rawValue): \(error)")
        case (.lost, .failure(let error)) where isPage:
            #expect("\(error)".contains(target) && fault.isNamed(in: "\(error)"), "\(kind.rawValue): \(error)")
        // Each of them is then requested alone.
        case (_, .success(let report)) where kind == .several && isLost: #expect(report.gaps == [], "\(kind.rawValue)")
        // A picture has no JSON members, so it is unchanged.
        case (.unreadable, .success(let report)) where kind == .avatar: #expect(report.gaps == [])
        case (_, .success(let report)) where isLost:
            #expect(
                report.gaps.count == 1
                    && report.gaps.allSatisfy {
                        target.hasSuffix($0.url) && fault.isNamed(in: "\($0.keyPath): \($0.reason)")
                    },
                "\(kind.rawValue): \(report.gapTexts)")
        case (.unreadable, .success(let report)):
            #expect(
                report.gaps.count > 1
                    && report.gaps.allSatisfy { $0.keyPath.hasSuffix("].name") && !$0.reason.isEmpty },
                "\(kind.rawValue): \(report.gapTexts)")
        default: Issue.record("\(kind.rawValue) ended in \(result)")
        }

        let kept = try cell.kept()
        _ = cell.faulty.takeLog()
        try cell.faulty.rise()
        cell.faulty.commit([])
        let report = try await cell.capture(usesConditionalRequests: fault.nature != .moved)
        #expect(report.gaps == [], "\(kind.rawValue)")
        // A body that changes under the same entity tag is confirmed in its first form.
        #expect(
            fault.name == "unknown extra keys" || report.revision.digest == whole.revision.digest, "\(kind.rawValue)")
        #expect(try cell.integrity() == ["ok"] && cell.spilled() == [], "\(kind.rawValue)")
        if fault.nature != .moved {
            // Stored answers are requested only conditionally, except for the faulty ones.
            let twice = cell.faulty.takeLog().filter {
                $0.status == 200 && $0.target != target && kept.contains(String($0.target.dropFirst("/api/".count)))
            }
            #expect(twice == [], "\(kind.rawValue): stored answers were sent again")
        }
    }

    private func on(_ kind: RequestKind) -> @Sendable (String) -> Bool {
        let target = FaultMatrixCell.target(kind)
        return { $0 == target }
    }

    /// Runs a body for all kinds at once, because most of the time is waiting.
    private func forEach(_ kinds: [RequestKind], _ body: @escaping @Sendable (RequestKind) async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup { group in
            for kind in kinds { group.addTask { try await body(kind) } }
            try await group.waitForAll()
        }
    }
}
