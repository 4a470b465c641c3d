import Foundation
import Glibc
import Platform
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct ChildProcessTests {
    @Test func `A run that takes too long or prints too much is ended`() throws {
        let scratch = try ScratchFolder()
        func run(_ script: String, seconds: Double) throws -> ChildProcess.Outcome {
            try ChildProcess.run(
                "sh", ["-c", script], scratch: scratch.path, seconds: seconds, outputLimit: 1_000, holding: nil
            ) { false }
        }
        #expect(try run("trap '' TERM; echo started; sleep 60 & wait; wait", seconds: 0.2).code == -SIGKILL)
        let loud = try run("while :; do echo word; done", seconds: 60)
        #expect(loud.exceeded && loud.code == -SIGTERM && loud.output.isEmpty)
        #expect(try run("while :; do echo word >&2; done", seconds: 60).exceeded)
        #expect(try run("exit 7", seconds: 60).code == 7)
    }

    @Test func `A program gets the variables of this process, and added ones that have other names`() throws {
        let scratch = try ScratchFolder()
        let outcome = try ChildProcess.run(
            "sh", ["-c", #"echo "$PATH:$AMBER_NEW""#], variables: ["PATH": "/nowhere", "AMBER_NEW": "given"],
            scratch: scratch.path, seconds: 60, outputLimit: 100_000, holding: nil
        ) { false }
        let path = try #require(ProcessInfo.processInfo.environment["PATH"])
        #expect(String(decoding: outcome.output, as: UTF8.self) == "\(path):given\n")
    }

    @Test func `A lock stays held while the child runs`() throws {
        let scratch = try ScratchFolder()
        var lock = try FileLock(scratch["lock"])
        _ = try ChildProcess.run(
            "sh", ["-c", "sleep 1 >/dev/null & exit 0"], scratch: scratch.path, seconds: 60, outputLimit: 10,
            holding: lock
        ) { false }
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(try FileLock(scratch["lock"]) == nil)
    }
}
