import Foundation
import SampleAPI
import TestSupport
import Testing

struct SnapshotTests {
    let small: Small

    init() throws {
        small = try Small(universe: Universe(seed: 7, characters: 21))
    }

    private var snapshots: String { "\(small.output)/snapshots" }

    private func name(_ result: Program.Result) throws -> String {
        try #require(try result.summary()["name"] as? String)
    }

    private func package(_ name: String) throws -> [String: Data] {
        try contents(of: snapshots).filter { $0.key.hasPrefix(name) }
    }

    @Test func `A package that is created again has the same bytes, also after later captures`() async throws {
        #expect(try await small.run("build").code == 0)
        let first = try await small.run("snapshot", "--json").succeeded()
        let name = try name(first)
        let before = try package(name)
        #expect(before.keys.contains("\(name).tar") && before.keys.contains("\(name)/data/archive/archive.sqlite"))
        #expect(try await small.run("snapshot").code == 0)
        #expect(try package(name) == before)

        small.server.behaviour.revise(small.server.universe)
        #expect(try await small.run("build").code == 0)
        let later = try await small.run("snapshot", "--json")
        #expect(try self.name(later) != name)
        try FileManager.default.removeItem(atPath: "\(snapshots)/\(name)")
        #expect(try await small.run("snapshot", "--revision", "1").code == 0)
        #expect(try package(name) == before)
    }

    @Test func `A package is an archive that renders the same site again`() async throws {
        #expect(try await small.run("build").code == 0)
        let name = try name(try await small.run("snapshot", "--json"))
        let restored = "\(small.scratch.path)/restored"
        try FileManager.default.copyItem(atPath: "\(snapshots)/\(name)/data", toPath: restored)
        let site = try contents(of: small.site)
        #expect(try contents(of: "\(restored)/site") == site)
        let settings = try jsonObject(Data(contentsOf: URL(fileURLWithPath: "\(restored)/amber.json")))
        #expect(settings["catalogue"] as? String == "./catalogue")
        try FileManager.default.removeItem(atPath: "\(restored)/site")
        try await Program.run(
            "render", "--config", "\(restored)/amber.json", "--output", restored, "--api", small.server.apiURL
        ).succeeded()
        #expect(try contents(of: "\(restored)/site") == site)
    }

    @Test func `A package of an imported state has no WACZ and says so`() async throws {
        let imports = try Imports()
        try await imports.importTwo()
        let result = try await imports.run("snapshot", "--revision", "2018-02-05", "--json").succeeded()
        let name = try name(result)
        #expect(name == "rickandmorty-2018-02-05-r2")
        let folder = "\(imports.output)/snapshots"
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/\(name).wacz"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder)/\(name)/data/site/api"))
        let readMe = try String(contentsOfFile: "\(folder)/\(name)/data/README.txt", encoding: .utf8)
        #expect(readMe.contains("This state was imported"))
        try await imports.run("verify", "snapshot").succeeded()
    }

    @Test func `The root hash and the digests of a package agree with sha256sum`() async throws {
        #expect(try await small.run("build").code == 0)
        let name = try name(try await small.run("snapshot", "--json"))
        let script = """
            set -e
            cd "\(snapshots)"
            sha256sum --check --quiet --strict \(name).sha256
            cd \(name)
            sha256sum --check --quiet --strict manifest-sha256.txt tagmanifest-sha256.txt
            sha512sum --check --quiet --strict manifest-sha512.txt tagmanifest-sha512.txt
            cd data/site
            find api -mindepth 2 -type f -print0 | xargs -0 sha256sum | LC_ALL=C sort | sha256sum | cut -d ' ' -f 1
            """
        let shell = try await Running("/bin/sh", ["-c", script]).wait().succeeded()
        #expect(shell.output == (try String(contentsOfFile: "\(snapshots)/\(name).roothash", encoding: .utf8)))
    }

    @Test func `A package that cannot be signed is not created, and the existing package is unchanged`() async throws {
        #expect(try await small.run("build").code == 0)
        #expect(try await small.run("snapshot").code == 0)
        let before = try contents(of: snapshots)
        try await small.run("snapshot", "--key", "/nowhere/key.pem").failed(2, "cannot read /nowhere/key.pem")
        #expect(try contents(of: snapshots).filter { !$0.key.hasPrefix(".") } == before)
    }

    @Test func `A killed snapshot leaves no partial package, and the next one is complete`() async throws {
        #expect(try await small.run("build").code == 0)
        let start = ContinuousClock.now
        #expect(try await small.run("snapshot").code == 0)
        let whole = start.duration(to: .now) / .seconds(1)
        let before = try contents(of: snapshots)
        var killed = 0
        for moment in Soak.all(Array(1...16), orOnly: { $0 % 4 == 1 }) {
            try FileManager.default.removeItem(atPath: snapshots)
            let running = try Program.start(small.arguments("snapshot"))
            usleep(UInt32(whole * Double(moment) / 16 * 1_000_000))
            running.send(SIGKILL)
            if try await running.wait().code == -SIGKILL { killed += 1 }
            let existing = FileManager.default.fileExists(atPath: snapshots) ? try contents(of: snapshots) : [:]
            let shown = existing.filter { !$0.key.hasPrefix(".") }
            let isWhole = shown.keys.contains { $0.hasSuffix(".sha256") && !$0.contains("/") }
            #expect(!isWhole || shown == before, "killed at \(moment) of 16")
            try FileManager.default.createDirectory(atPath: snapshots, withIntermediateDirectories: true)
        }
        #expect(killed > 0)
        #expect(try await small.run("snapshot").code == 0)
        #expect(try contents(of: snapshots) == before)
    }

    @Test func `A package is not replaced by a package with different content`() async throws {
        #expect(try await small.run("build").code == 0)
        let name = try name(try await small.run("snapshot", "--json"))
        let before = try contents(of: snapshots)
        try FileManager.default.copyItem(atPath: "\(Program.root)/Templates", toPath: small.scratch["Templates"])
        try edit(small.scratch["Templates/style.css"]) { $0 + "/* other */\n" }
        let other = try await small.run("snapshot", "--templates", small.scratch["Templates"])
        #expect(
            other.code == 6
                && other.errors.hasSuffix(
                    """
                    amber: \(snapshots)/\(name) already exists with different content: its templates, settings, history or version differ; \
                    move it away to create a new one

                    """),
            "\(other.errors)")
        #expect(try contents(of: snapshots) == before)
    }
}
