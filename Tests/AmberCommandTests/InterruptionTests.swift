import Foundation
import SampleAPI
import TestSupport
import Testing

/// Captures that end too early, and two at once.
struct InterruptionTests {
    @Test("A killed capture goes on where it stopped: nothing that came in is asked again")
    func killed() async throws {
        let small = try Small(Behaviour(latency: .milliseconds(40)))
        let running = try Program.start(small.arguments("build"))
        while small.server.log.count(where: { $0.kind == "avatar" && $0.status == 200 }) < 12 {
            try await Task.sleep(for: .milliseconds(5))
        }
        running.send(SIGKILL)
        #expect(try await running.wait().code == -SIGKILL)
        #expect(!FileManager.default.fileExists(atPath: small.site))
        let first = small.server.log
        small.server.resetLog()
        small.server.behaviour = Behaviour()

        let second = try await small.run("build")
        #expect(second.code == 0, "\(second.errors)")
        #expect(second.errors.contains("answers of an interrupted run"))
        let answered = Set(first.filter { $0.status == 200 && $0.end != nil }.map(\.target))
        let again = Set(small.server.log.map(\.target)).intersection(answered)
        // What was on its way when the program died was answered and never kept.
        #expect(again.count <= 8, "\(again.sorted())")
        let everything = 45 + 3 + 1 + 1
        #expect(small.server.log.count <= everything - 12 + 8)
        let clean = try Small()
        #expect(try await clean.run("build").code == 0)
        #expect(try contents(of: small.site).count == contents(of: clean.site).count)
    }

    @Test(
        "SIGINT and SIGTERM end tidily, with 130 and 143, and the next run goes on",
        arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func interrupted(signal: Int32, code: Int32) async throws {
        let small = try Small(Behaviour(latency: .milliseconds(60)))
        let running = try Program.start(small.arguments("build"))
        while small.server.log.count < 12 { try await Task.sleep(for: .milliseconds(5)) }
        running.send(signal)
        let end = try await running.wait()
        #expect(end.code == code)
        #expect(end.errors.contains("the capture was interrupted; what came in is kept, and the next run goes on from there"))
        #expect(!FileManager.default.fileExists(atPath: "\(small.output)/archive/archive.sqlite-wal"), "one clean file is left")
        #expect(try await small.run("build").code == 0)
    }

    @Test("A second amber on the same output says so and exits 6")
    func locked() async throws {
        let small = try Small(Behaviour(latency: .milliseconds(100)))
        let running = try Program.start(small.arguments("build"))
        while small.server.log.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        let second = try await small.run("build")
        #expect(second.code == 6)
        #expect(second.errors == "amber: another amber is at work in \(small.output); wait until it ends, or choose another --output\n")
        running.send(SIGINT)
        #expect(try await running.wait().code == 130)
    }

    @Test("A list that moves while it is walked ends the capture; the next one begins anew")
    func moved() async throws {
        let small = try Small(
            Behaviour(faults: [
                Fault(
                    .contains("character?page=2"),
                    .body(Array(#"{"info":{"count":44,"pages":3,"next":null,"prev":null},"results":[]}"#.utf8)))
            ]))
        let run = try await small.run("build")
        #expect(run.code == 3)
        #expect(run.errors.contains("the character list had 45 records on 3 pages at page 1, and 44 on 3 at page 2; run again"))
        small.server.resetLog()
        #expect(try await small.run("build").code == 0)
        #expect(small.server.log.contains { $0.target.hasSuffix("/character?page=1") })
    }
}
