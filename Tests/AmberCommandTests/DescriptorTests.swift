import SampleAPI
import TestSupport
import Testing

struct DescriptorTests {
    private func run(_ arguments: [String], limit: String) async throws -> Program.Result {
        try await Running("/bin/sh", ["-c", "ulimit \(limit); exec \"$0\" \"$@\"", Program.path] + arguments).wait()
    }

    @Test func `A low soft limit is raised to the hard limit`() async throws {
        let small = try Small()
        try await run(small.arguments("build", ["--connections", "64"]), limit: "-S -n 16").succeeded()
    }

    @Test func `The minimum of open files is enough, and fewer are refused before any change`() async throws {
        let small = try Small()
        for limit in [7, 16, 151] {
            let run = try await run(small.arguments("build"), limit: "-n \(limit)")
            #expect(run.code == 2)
            let sentence =
                "this process may open only \(limit) files, but needs 152; raise the limit with: ulimit -n 152"
            #expect(run.errors == "amber: \(sentence)\n")
        }
        #expect(small.server.log.isEmpty)
        #expect(try contents(of: small.output).isEmpty)
        try await run(small.arguments("build"), limit: "-n 152").succeeded()
    }

    @Test func `The sample works with 152 open files, although its server is in the same process`() async throws {
        let scratch = try ScratchFolder()
        let arguments = [
            "build", "--source", "sample", "--characters", "45", "--output", scratch["out"], "--connections", "64",
        ]
        try await run(arguments, limit: "-n 152").succeeded()
    }
}
