import Foundation
import SampleAPI
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: RcloneServer.isHere, "rclone is not installed"))
struct DeployCommandTests {
    @Test func `The published site is deployed, and a changed file on disk is refused`() async throws {
        let small = try Small(universe: Universe(seed: 3, characters: 10))
        #expect(try await small.run("deploy", "x").errors.contains("there is no site in \(small.site) yet"))
        #expect(try await small.run("build").code == 0)
        let target = small.scratch["target"]
        let plan = try await small.run("deploy", target, "--dry-run")
        let files = try contents(of: small.site)
        #expect(plan.code == 0)
        #expect(plan.output.contains("\nsend   index.html\n"))
        #expect(plan.output.contains("\n\(files.count) files (") && plan.output.hasSuffix("unchanged: \(target)\n"))
        #expect(!FileManager.default.fileExists(atPath: target))
        #expect(
            try await small.run("deploy", target, "--dry-run", "--json").summary()["dryRun"] as? Bool == true)

        let first = try await small.run("deploy", target, "--json").succeeded()
        let summary = try first.summary()
        #expect(summary["sent"] as? Int == files.count && summary["complete"] as? Bool == true)
        #expect(summary["dryRun"] as? Bool == false)
        #expect(try contents(of: target).filter { !$0.key.hasPrefix(".amber/") } == files)
        #expect(
            try await small.run("deploy", target).output
                == "0 files (0 kB) sent, 0 deleted, \(files.count) unchanged: \(target)\n")

        for folder in ["out", "out/site", "out/archive", "out/site/new", "new/../out/site/../site/a/b"] {
            try await small.run("deploy", small.scratch[folder]).failed(
                2,
                saying: "the target \(small.scratch[folder]) is in amber's own output folder; deploy to another folder")
        }

        // The program in place of rclone does not end.
        let program = try small.scratch.write("#!/bin/sh\ntouch \"$0.started\"\nexec sleep 1000\n", to: "bin/rclone")
        #expect(chmod(program, 0o755) == 0)
        let endless = try Program.start(
            small.arguments("deploy", [target]), environment: ["PATH": "\(small.scratch["bin"]):/usr/bin:/bin"])
        while endless.isRunning, !FileManager.default.fileExists(atPath: "\(program).started") { usleep(2_000) }
        endless.send(SIGTERM)
        let ended = try await endless.wait()
        #expect(ended.code == 143)
        #expect(ended.errors == "amber: the deploy was interrupted; the next one continues from there\n")

        try small.scratch.write("changed", to: "out/site/style.css")
        let refused = try await small.run("deploy", target)
        refused.failed(6, saying: "files in \(small.site) changed since it was built; build it again")
        #expect(try await small.run("deploy").code == 2)
        let sentence =
            "a target with parameters is refused, because other users of this machine can see it in the list of "
            + "processes; store the parameters with: rclone config"
        for text in [":webdav,url=\"http://h:1/\",pass=hidden:a", "s3,key='a,b:c':d", ":s3,key=\"open:d"] {
            try await small.run("deploy", text).failed(2, saying: sentence)
        }
    }

    @Test func `The scheduled job of docs/hosting.md captures, builds and deploys, and reports gaps`() async throws {
        let text = try String(contentsOfFile: "\(Program.root)/docs/hosting.md", encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n### A scheduled job\n").last)
        let block = section.split(separator: "\n").drop { !$0.hasPrefix("    #!/bin/sh") }.prefix {
            $0.hasPrefix("    ")
        }
        let script = block.map { $0.dropFirst(4) + "\n" }.joined()
        let small = try Small(universe: Universe(seed: 3, characters: 10))
        for folder in ["Templates", "Catalogues"] {
            try FileManager.default.createSymbolicLink(
                atPath: small.scratch[folder], withDestinationPath: "\(Program.root)/\(folder)")
        }
        try small.scratch.write(
            #"{"api": "\#(small.server.apiURL)", "attempts": 2, "retryDelay": 0.01}"#, to: "amber.json")
        func run() async throws -> Program.Result {
            let folder = (Program.path as NSString).deletingLastPathComponent
            return try await Tool.bash(
                script.replacing("/srv/characters", with: small.scratch.path).replacing(
                    "remote:bucket", with: small.scratch["target"]),
                environment: ["PATH": "\(folder):/usr/bin:/bin"])
        }
        let whole = try await run()
        #expect(whole.code == 0 && whole.errors.isEmpty, "\(whole)")
        #expect(FileManager.default.fileExists(atPath: small.scratch["target/index.html"]))

        var behaviour = Behaviour()
        behaviour.replaced = [Universe.Reference(.character, 7): Array(#"{"id":7,"status":12}"#.utf8)]
        small.server.behaviour = behaviour
        let gaps = try await run()
        gaps.failed(4, saying: "the deployed site has gaps; see completeness.html")
        let line = "`\(gaps.errors.trimmingCharacters(in: .newlines))`"
        #expect(section.contains(line), "\(line)")

        small.server.stop()
        let failed = try await run()
        #expect(failed.code == 3 && failed.errors.hasPrefix("amber: "))
    }
}
