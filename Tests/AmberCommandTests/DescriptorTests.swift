import SampleAPI
import TestSupport
import Testing

/// Runs of the program that may have few files open at once.
struct DescriptorTests {
    private func run(_ small: Small, limit: String, _ arguments: [String]) async throws -> Program.Result {
        try await Running("/bin/sh", ["-c", "\(limit); exec \"$0\" \"$@\"", Program.path] + arguments).wait()
    }

    @Test("32 open files are enough: 64 connections asked for become as many as fit")
    func few() async throws {
        let (small, usual) = (try Small(), try Small())
        let run = try await run(small, limit: "ulimit -n 32", small.arguments("build", ["--connections", "64"]))
        #expect(run.code == 0, "\(run.errors)")
        #expect(
            run.errors.contains(
                "4 connections are used instead of 64: the system lets this process open few files (ulimit -n)"))
        #expect(try await usual.run("build").code == 0)
        #expect(try contents(of: small.site).keys == contents(of: usual.site).keys)
    }

    @Test("A low soft limit is raised to the hard one")
    func raised() async throws {
        let small = try Small()
        let run = try await run(small, limit: "ulimit -S -n 16", small.arguments("build", ["--connections", "64"]))
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test(
        "The fewest that are taken are enough too, and fewer are refused with a sentence that says so, before anything is touched"
    )
    func fewest() async throws {
        let small = try Small()
        for limit in [7, 16, 27] {
            let run = try await run(small, limit: "ulimit -n \(limit)", small.arguments("build"))
            #expect(run.code == 2)
            let sentence =
                "this process may have only \(limit) files open at once, and needs 28; allow more with: ulimit -n 64"
            #expect(run.errors == "amber: \(sentence)\n")
        }
        #expect(small.server.log.isEmpty)
        #expect(try contents(of: small.output).isEmpty)
        let run = try await run(small, limit: "ulimit -n 28", small.arguments("build"))
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test("The sample, whose server is in the same process, needs no more")
    func sample() async throws {
        let scratch = try ScratchFolder()
        let arguments = [
            "build", "--source", "sample", "--characters", "45", "--output", scratch["out"], "--connections", "64",
        ]
        let run = try await Running("/bin/sh", ["-c", "ulimit -n 32; exec \"$0\" \"$@\"", Program.path] + arguments)
            .wait()
        #expect(run.code == 0, "\(run.errors)")
    }
}
