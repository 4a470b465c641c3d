import Archive
import Capture
import Foundation
import TestSupport
import Testing

/// Tests every fault of a server with each kind of request, both temporarily and permanently.
struct FaultMatrixTests {
    private static let undisturbed = Task { try await FaultMatrixCell().capture() }

    @Test func `An undisturbed capture uses a separate request for each kind`() async throws {
        let cell = try FaultMatrixCell()
        let report = try await cell.capture()
        let requests = Set(cell.faulty.takeLog().map(\.target))
        for kind in RequestKind.allCases {
            #expect(requests.contains(FaultMatrixCell.target(kind)), "\(kind.rawValue)")
        }
        #expect(
            report.gaps == []
                && report.records == [
                    "character": 30, "location": report.records["location"], "episode": report.records["episode"],
                ])
        #expect(report.revision.digest == (try await Self.undisturbed.value).revision.digest)
    }

    @Test(arguments: ServerFault.selected.map(\.name))
    func `A temporary fault leaves no trace`(name: String) async throws {
        let fault = try #require(ServerFault.all.first { $0.name == name })
        let expected = try await Self.undisturbed.value
        try await forEach(RequestKind.allCases) { kind in
            let cell = try FaultMatrixCell()
            let action =
                if case .down = fault.action { FaultyServer.Action.down(for: .milliseconds(1)) } else { fault.action }
            cell.faulty.setFaults([FaultyServer.Fault(action, on: matches(kind))])
            let report = try await cell.capture(attempts: 5)
            #expect(report.gaps == [], "\(kind.rawValue)")
            #expect(
                fault.name == "unknown extra keys" || report.revision.digest == expected.revision.digest,
                "\(kind.rawValue)")
            #expect(try cell.integrity() == ["ok"] && cell.incompleteBodies() == [], "\(kind.rawValue)")
            let count = cell.faulty.takeLog().count { $0.target == FaultMatrixCell.target(kind) }
            let mustRepeat = fault.nature != .harmless && !(fault.nature == .unreadable && kind == .avatar)
            #expect(
                !mustRepeat || count > 1, "\(kind.rawValue) was requested \(count) times, so the fault did not occur")
            if fault.name.contains("with Retry-After") {
                #expect(cell.waited >= 60, "\(kind.rawValue) waited \(cell.waited) s")
            }
        }
    }

    @Test(
        arguments: ServerFault.selected.map(\.name))
    func `A permanent fault is reported, and the next capture requests only the rest`(name: String)
        async throws
    {
        let fault = try #require(ServerFault.all.first { $0.name == name })
        try await forEach(RequestKind.allCases) { kind in try await checkPermanentFault(fault, kind) }
    }

    @Test(
        arguments: ServerFault.lists.map(\.name))
    func `A contradictory list is requested again without conditions`(name: String)
        async throws
    {
        let fault = try #require(ServerFault.lists.first { $0.name == name })
        try await checkPermanentFault(fault, .laterPage)
    }

    @Test func `If an answer has a wrong record, each record is requested again alone`() async throws {
        let expected = try await Self.undisturbed.value
        let other = try await FaultMatrixCell.answer("/api/location/1")
        let others = try await FaultMatrixCell.answer("/api/character/1,29")
        for (kind, reply) in [
            (RequestKind.location, other), (.several, others),
            (.several, FaultyServer.Reply(200, [], Array("[]".utf8))),
        ] {
            for times in [1, nil] {
                let cell = try FaultMatrixCell()
                cell.faulty.setFaults([FaultyServer.Fault(times: times, .answer { _ in reply }, on: matches(kind))])
                let report = try await cell.capture()
                if kind == .location, times == nil {
                    #expect(report.gapTexts == ["location/2 : is location 1, which was not requested"])
                } else {
                    #expect(
                        report.gaps == [] && report.revision.digest == expected.revision.digest,
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
        cell.faulty.setFaults([
            FaultyServer.Fault(
                times: 1, .answer { _ in FaultyServer.Reply(304, [("ETag", "\"another\"")]) }, on: matches(.laterPage))
        ])
        let second = try await cell.capture()
        #expect(second.isUnchanged && second.revision.digest == first.revision.digest)
        let requests = cell.faulty.takeLog().filter { $0.target == target }
        #expect(requests.map { $0.condition != nil } == [true, false])
        #expect(requests.last?.status == 200)
    }

    @Test func `An unreadable record is a gap after a single attempt`() async throws {
        let cell = try FaultMatrixCell()
        let fault = try #require(ServerFault.all.first { $0.name == "missing keys" })
        cell.faulty.setFaults([FaultyServer.Fault(times: nil, fault.action, on: matches(.laterPage))])
        let report = try await cell.capture(attempts: 1)
        #expect(
            report.gaps.count == 7 && report.gaps.allSatisfy { $0.keyPath.hasSuffix("].id") }, "\(report.gapTexts)")
    }

    /// Runs a capture with a fault in every answer of a kind, and another capture without the fault.
    private func checkPermanentFault(_ fault: ServerFault, _ kind: RequestKind) async throws {
        let expected = try await Self.undisturbed.value
        let cell = try FaultMatrixCell()
        let target = FaultMatrixCell.target(kind)
        cell.faulty.setFaults([FaultyServer.Fault(times: nil, fault.action, on: matches(kind))])
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
        // Each record is then requested alone.
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
                    && report.gaps.allSatisfy { fault.isNamed(in: "\($0.keyPath): \($0.reason)") },
                "\(kind.rawValue): \(report.gapTexts)")
        default: Issue.record("\(kind.rawValue) ended in \(result)")
        }

        let kept = try cell.storedPaths()
        _ = cell.faulty.takeLog()
        try cell.faulty.restart()
        cell.faulty.setFaults([])
        let report = try await cell.capture(changedLists: fault.nature == .moved ? ["character?page=1"] : [])
        #expect(report.gaps == [], "\(kind.rawValue)")
        // If a body changes but its entity tag does not, the stored body is confirmed.
        #expect(
            fault.name == "unknown extra keys" || report.revision.digest == expected.revision.digest, "\(kind.rawValue)"
        )
        #expect(try cell.integrity() == ["ok"] && cell.incompleteBodies() == [], "\(kind.rawValue)")
        if fault.nature != .moved {
            // Stored answers are requested only conditionally, except for the faulty ones.
            let repeatedRequests = cell.faulty.takeLog().filter {
                $0.status == 200 && $0.target != target && kept.contains(String($0.target.dropFirst("/api/".count)))
            }
            #expect(repeatedRequests == [], "\(kind.rawValue): stored answers were sent again")
        }
    }

    private func matches(_ kind: RequestKind) -> @Sendable (String) -> Bool {
        let target = FaultMatrixCell.target(kind)
        return { $0 == target }
    }

    /// Runs a body for all kinds at the same time, because most of the time is spent waiting.
    private func forEach(_ kinds: [RequestKind], _ body: @escaping @Sendable (RequestKind) async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup { group in
            for kind in kinds { group.addTask { try await body(kind) } }
            try await group.waitForAll()
        }
    }
}
