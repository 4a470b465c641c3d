import Foundation
import SampleAPI
import TestSupport
import Testing

struct InterruptionTests {
    private static let signals = [(SIGINT, Int32(130)), (SIGTERM, Int32(143))]

    /// A build from a server that sends 12 pictures and lets requests for the others wait, so that it cannot end.
    private func blockedBuild() async throws -> (small: Small, running: Running) {
        let isLater: @Sendable (String) -> Bool = { target in
            guard let number = target.split(separator: "/").last?.split(separator: ".").first,
                target.contains("/avatar/")
            else {
                return false
            }
            return (Int(number) ?? 0) > 12
        }
        let small = try Small(Behaviour(faults: [Fault(.satisfies(isLater), times: nil, .hang(.seconds(3_600)))]))
        let running = try Program.start(small.arguments("build"))
        for _ in 0..<20_000 {
            let pictures = small.server.log.filter { $0.kind == "avatar" }
            if pictures.count(where: { $0.status == 200 }) == 12, pictures.count(where: { $0.end == nil }) == 8 {
                return (small, running)
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("the capture did not reach the waiting requests")
        return (small, running)
    }

    /// Waits until `count` answers are committed. An answer that was sent may not be stored yet.
    private func waitUntilStored(_ count: Int, _ small: Small) async throws {
        for _ in 0..<20_000 {
            if try ArchiveState(small.output).kept.count == count { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("the archive never held \(count) answers")
    }

    @Test func `A killed capture continues, and no stored answer is requested again`() async throws {
        let (small, running) = try await blockedBuild()
        try await waitUntilStored(17, small)
        running.send(SIGKILL)
        #expect(try await running.wait().code == -SIGKILL)
        #expect(!FileManager.default.fileExists(atPath: small.site))
        let answered = Set(small.server.log.filter { $0.status == 200 }.map(\.target))
        #expect(answered.count == 17, "12 pictures, 3 + 1 + 1 list pages")
        small.server.resetLog()
        small.server.behaviour = Behaviour()

        let second = try await small.run("build").succeeded()
        #expect(second.errors.contains("continuing with 17 answers of an interrupted run"))
        #expect(second.output.contains(", continued with 17 answers of an interrupted run\n"))
        let asked = small.server.log.map(\.target)
        #expect(Set(asked).intersection(answered).isEmpty)
        #expect(asked.count == 33, "the other pictures")
        let clean = try Small()
        #expect(try await clean.run("build").code == 0)
        #expect(try contents(of: small.site).count == contents(of: clean.site).count)
    }

    @Test(arguments: signals)
    func `SIGINT and SIGTERM exit with 130 and 143, and the next run continues`(signal: Int32, code: Int32) async throws
    {
        let (small, running) = try await blockedBuild()
        running.send(signal)
        let end = try await running.wait()
        #expect(end.code == code)
        #expect(
            end.errors.contains(
                "the capture was interrupted; the received answers are kept, and the next run continues"))
        #expect(
            !FileManager.default.fileExists(atPath: "\(small.output)/archive/archive.sqlite-wal"),
            "one clean file is left")
        small.server.behaviour = Behaviour()
        #expect(try await small.run("build").code == 0)
    }

    @Test(arguments: signals)
    func `A signal before the first answer ends the build with its exit code`(signal: Int32, code: Int32) async throws {
        let small = try Small(Behaviour(faults: [Fault(.any, times: nil, .hang(.seconds(3_600)))]))
        let running = try Program.start(small.arguments("build"))
        while running.isRunning, small.server.log.isEmpty { usleep(500) }
        running.send(signal)
        #expect(try await running.wait().code == code)
    }

    @Test func `A second amber on the same output exits with 6`() async throws {
        let (small, running) = try await blockedBuild()
        let second = try await small.run("build")
        second.failed(
            6, saying: "another amber process uses \(small.output); wait until it ends, or choose another --output")
        running.send(SIGINT)
        #expect(try await running.wait().code == 130)
    }
}
