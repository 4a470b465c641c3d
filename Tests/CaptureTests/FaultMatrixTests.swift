import Archive
import Capture
import Foundation
import TestSupport
import Testing

/// Each way for a server to fail, on each kind of request: once, which leaves no trace, and always, which ends in words
/// and is gone on with.
@Suite("The matrix of server faults")
struct FaultMatrixTests {
    /// The state that an undisturbed capture has.
    private static let undisturbed = Task { try await FaultMatrixCell().capture() }

    @Test("An undisturbed capture asks for each kind by its own request")
    func baseline() async throws {
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

    @Test("A fault that passes leaves no trace", arguments: ServerFault.tried.map(\.name))
    func passing(name: String) async throws {
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
            #expect(!isMet || times > 1, "\(kind.rawValue) was asked \(times) times: the fault was not met")
            if fault.name.contains("with Retry-After") {
                #expect(cell.waited >= 60, "\(kind.rawValue) waited \(cell.waited) s")
            }
        }
    }

    @Test(
        "A fault that lasts ends in words, keeps what came, and the next capture asks for the rest",
        arguments: ServerFault.tried.map(\.name))
    func lasting(name: String) async throws {
        let fault = try #require(ServerFault.all.first { $0.name == name })
        try await forEach(RequestKind.allCases) { kind in try await last(fault, kind) }
    }

    @Test(
        "A list that contradicts itself is walked anew by the next capture, without conditions",
        arguments: ServerFault.lists.map(\.name))
    func lists(name: String) async throws {
        let fault = try #require(ServerFault.lists.first { $0.name == name })
        try await last(fault, .laterPage)
    }

    @Test("An answer with another record than was asked for is asked for again, once and alone")
    func mixedUp() async throws {
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
                    #expect(report.gapTexts == ["location/2 : is location 1, which was not asked for"])
                } else {
                    #expect(
                        report.gaps == [] && report.revision.digest == whole.revision.digest,
                        "\(kind.rawValue) \(report.gapTexts)")
                }
            }
        }
    }

    @Test(
        "A confirmation of another entity tag than was sent is no answer: the document is asked for without condition")
    func contradictedTag() async throws {
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

    @Test("One attempt is enough for what is not spoilt: a record that cannot be read is a gap, not the end")
    func oneAttempt() async throws {
        let cell = try FaultMatrixCell()
        let fault = try #require(ServerFault.all.first { $0.name == "missing keys" })
        cell.faulty.commit([FaultyServer.Fault(times: nil, fault.act, on: on(.laterPage))])
        let report = try await cell.capture(attempts: 1)
        #expect(
            report.gaps.count == 7 && report.gaps.allSatisfy { $0.keyPath.hasSuffix("].name") }, "\(report.gapTexts)")
    }

    /// Meets a fault at every request of a kind, and captures again without it.
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
        // Asked for one by one, each comes.
        case (_, .success(let report)) where kind == .several && isLost: #expect(report.gaps == [], "\(kind.rawValue)")
        // A picture has no keys; it is what it was.
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
        let report = try await cell.capture(asksConditionally: fault.nature != .moved)
        #expect(report.gaps == [], "\(kind.rawValue)")
        // A body that changes under one entity tag is confirmed as it came first.
        #expect(
            fault.name == "unknown extra keys" || report.revision.digest == whole.revision.digest, "\(kind.rawValue)")
        #expect(try cell.integrity() == ["ok"] && cell.spilled() == [], "\(kind.rawValue)")
        if fault.nature != .moved {
            // What was kept is asked for on a condition at most, but for what was spoilt.
            let twice = cell.faulty.takeLog().filter {
                $0.status == 200 && $0.target != target && kept.contains(String($0.target.dropFirst("/api/".count)))
            }
            #expect(twice == [], "\(kind.rawValue): what had come was sent again")
        }
    }

    private func on(_ kind: RequestKind) -> @Sendable (String) -> Bool {
        let target = FaultMatrixCell.target(kind)
        return { $0 == target }
    }

    /// Runs a body for all kinds at once: most of their time is waiting.
    private func forEach(_ kinds: [RequestKind], _ body: @escaping @Sendable (RequestKind) async throws -> Void)
        async throws
    {
        try await withThrowingTaskGroup { group in
            for kind in kinds { group.addTask { try await body(kind) } }
            try await group.waitForAll()
        }
    }
}
