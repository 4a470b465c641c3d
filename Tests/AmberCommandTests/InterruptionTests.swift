import Foundation
import SQLite
import SampleAPI
import TestSupport
import Testing

/// Captures that end too early, and two at once.
struct InterruptionTests {
    /// A server that answers for 12 pictures and is silent about the others, so that a capture is surely under way.
    private func silentAfterTwelve() throws -> Small {
        let isLater: @Sendable (String) -> Bool = { target in
            guard let number = target.split(separator: "/").last?.split(separator: ".").first,
                target.contains("/avatar/")
            else {
                return false
            }
            return (Int(number) ?? 0) > 12
        }
        return try Small(Behaviour(faults: [Fault(.satisfies(isLater), times: nil, .hang(.seconds(3_600)))]))
    }

    /// Waits until all that the server answers is answered and all connections wait.
    private func untilStuck(_ small: Small) async throws {
        for _ in 0..<20_000 {
            let pictures = small.server.log.filter { $0.kind == "avatar" }
            if pictures.count(where: { $0.status == 200 }) == 12, pictures.count(where: { $0.end == nil }) == 8 {
                return
            }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("the capture did not come to where it waits")
    }

    /// Waits until so many answers are committed: an answer that was sent need not be kept yet.
    private func untilKept(_ count: Int, _ small: Small) async throws {
        for _ in 0..<20_000 {
            let kept = try Connection("\(small.output)/archive/archive.sqlite", .readOnly).first(
                "SELECT count(*) FROM answer"
            ) {
                $0.int(0)
            }
            if kept == count { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("the archive never held \(count) answers")
    }

    @Test("A killed capture goes on where it stopped: nothing that came in is asked again")
    func killed() async throws {
        let small = try silentAfterTwelve()
        let running = try Program.start(small.arguments("build"))
        try await untilStuck(small)
        try await untilKept(17, small)
        running.send(SIGKILL)
        #expect(try await running.wait().code == -SIGKILL)
        #expect(!FileManager.default.fileExists(atPath: small.site))
        let answered = Set(small.server.log.filter { $0.status == 200 }.map(\.target))
        #expect(answered.count == 17, "12 pictures, 3 + 1 + 1 list pages")
        small.server.resetLog()
        small.server.behaviour = Behaviour()

        let second = try await small.run("build")
        #expect(second.code == 0, "\(second.errors)")
        #expect(second.errors.contains("going on from 17 answers of an interrupted run"))
        let asked = small.server.log.map(\.target)
        #expect(Set(asked).intersection(answered).isEmpty)
        #expect(asked.count == 33, "the other pictures")
        let clean = try Small()
        #expect(try await clean.run("build").code == 0)
        #expect(try contents(of: small.site).count == contents(of: clean.site).count)
    }

    @Test(
        "SIGINT and SIGTERM end tidily, with 130 and 143, and the next run goes on",
        arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func interrupted(signal: Int32, code: Int32) async throws {
        let small = try silentAfterTwelve()
        let running = try Program.start(small.arguments("build"))
        try await untilStuck(small)
        running.send(signal)
        let end = try await running.wait()
        #expect(end.code == code)
        #expect(
            end.errors.contains(
                "the capture was interrupted; what came in is kept, and the next run goes on from there"))
        #expect(
            !FileManager.default.fileExists(atPath: "\(small.output)/archive/archive.sqlite-wal"),
            "one clean file is left")
        small.server.behaviour = Behaviour()
        #expect(try await small.run("build").code == 0)
    }

    @Test("A second amber on the same output says so and exits 6")
    func locked() async throws {
        let small = try silentAfterTwelve()
        let running = try Program.start(small.arguments("build"))
        try await untilStuck(small)
        let second = try await small.run("build")
        #expect(second.code == 6)
        #expect(
            second.errors
                == "amber: another amber is at work in \(small.output); wait until it ends, or choose another --output\n"
        )
        running.send(SIGINT)
        #expect(try await running.wait().code == 130)
    }
}
