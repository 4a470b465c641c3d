import SQLite
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
        #expect(try await usual.run("build").code == 0)
        #expect(try contents(of: small.site).keys == contents(of: usual.site).keys)
    }

    @Test("A low soft limit is raised to the hard one")
    func raised() async throws {
        let small = try Small()
        let run = try await run(small, limit: "ulimit -S -n 16", small.arguments("build", ["--connections", "64"]))
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test("Where even less is allowed, a run ends as always or in a sentence that says so, and damages nothing", arguments: 6...24)
    func fewer(limit: Int) async throws {
        let small = try Small()
        let run = try await run(small, limit: "ulimit -n \(limit)", small.arguments("build", ["--connections", "64"]))
        print("LIMIT", limit, run.code, run.errors.suffix(300))
        let after = try await small.run("build")
        #expect(after.code == 0, "\(after.errors)")
    }
}
