import Foundation
import TestSupport
import Testing

struct InstallTests {
    private static let few = ["--source", "sample", "--characters", "20", "--quiet"]

    private func install(_ word: String, _ scratch: ScratchFolder, prefix: String = "/opt/amber") async throws
        -> Program.Result
    {
        try await Running(
            "/bin/sh", ["Scripts/install", word],
            environment: ["BINARY": Program.path, "PREFIX": prefix, "DESTDIR": scratch["root"]]
        ).wait()
    }

    /// Runs a command in a folder with an empty environment, except for PATH if `path` is given.
    private func run(in folder: String, _ command: [String], path: String? = nil) async throws -> Program.Result {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let environment = ["-i"] + (path.map { ["PATH=\($0)"] } ?? [])
        return try await Running("/usr/bin/env", ["--chdir=\(folder)"] + environment + command).wait()
    }

    private func templates() throws -> [String: Data] {
        try contents(of: "\(Program.root)/Templates").filter {
            !$0.key.split(separator: "/").contains { $0.hasPrefix(".") }
        }
    }

    @Test func `The installed program builds sites, creates projects and uninstalls completely`() async throws {
        let scratch = try ScratchFolder()
        let root = scratch["root"]
        let installed = try await install("install", scratch)
        #expect((installed.code, installed.errors) == (0, ""))

        let share = "opt/amber/share"
        let files = try contents(of: root)
        let license =
            FileManager.default.fileExists(atPath: "\(Program.root)/LICENSE") ? ["\(share)/doc/amber/LICENSE"] : []
        let documents = try contents(of: "\(Program.root)/docs").keys.map { "\(share)/doc/amber/docs/\($0)" }
        let others = files.keys.filter {
            !$0.hasPrefix("\(share)/amber/Templates/") && !$0.hasPrefix("\(share)/amber/Catalogues/")
        }
        #expect(
            Set(others)
                == Set(
                    [
                        "opt/amber/bin/amber", "\(share)/amber/installed", "\(share)/bash-completion/completions/amber",
                        "\(share)/doc/amber/CHANGELOG.md", "\(share)/doc/amber/README.md",
                        "\(share)/doc/amber/examples/amber.json",
                        "\(share)/doc/amber/examples/media.json", "\(share)/fish/vendor_completions.d/amber.fish",
                        "\(share)/man/man1/amber.1.gz", "\(share)/amber/catalogue.schema.json",
                        "\(share)/zsh/site-functions/_amber",
                    ] + license + documents))
        for (name, bytes) in try templates() { #expect(files["\(share)/amber/Templates/\(name)"] == bytes, "\(name)") }
        let catalogues = try contents(of: "\(Program.root)/Catalogues")
        #expect(!catalogues.isEmpty)
        for (name, bytes) in catalogues { #expect(files["\(share)/amber/Catalogues/\(name)"] == bytes, "\(name)") }
        let page = try await Tool.bash("gzip -dc \"$1\"", "\(root)/\(share)/man/man1/amber.1.gz")
        #expect(page.output == (try await Program.run("--man").output))

        let amber = "\(root)/opt/amber/bin/amber"
        let built = try await run(in: scratch["empty"], [amber, "build"] + Self.few)
        #expect((built.code, built.output, built.errors) == (0, "", ""))
        #expect(FileManager.default.fileExists(atPath: scratch["empty/Output/site/index.html"]))

        let begun = try await run(in: scratch["empty"], [amber, "init", "project"]).succeeded()
        #expect(
            begun.output.hasSuffix(
                "Next, if amber is in your PATH: cd project && make site; make serve (http://127.0.0.1:8000)\n"),
            "\(begun.output)")
        let project = scratch["empty/project"]
        // The project's site must use its own templates, not the installed ones.
        try "<a/>\n".write(toFile: "\(project)/Templates/mark.svg", atomically: false, encoding: .utf8)
        for goal in [["site", "SOURCE=sample --characters 20"], ["check"], ["verify"], ["snapshot"], ["help"]] {
            try await run(
                in: project, ["make", "--no-print-directory"] + goal, path: "\(root)/opt/amber/bin:/usr/bin:/bin"
            ).succeeded()
        }
        #expect(try String(contentsOfFile: "\(project)/Output/site/mark.svg", encoding: .utf8) == "<a/>\n")

        #expect(try await install("uninstall", scratch).code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root) == [])
        let again = try await install("uninstall", scratch)
        again.failed(2, "nothing was installed in \(root)/opt/amber: ")
    }

    @Test func `A second installation removes old files of Amber and keeps files of others`() async throws {
        let scratch = try ScratchFolder()
        let list = "root/opt/amber/share/amber/installed"
        #expect(try await install("install", scratch).code == 0)
        let names = try String(contentsOfFile: scratch[list], encoding: .utf8)
        try scratch.write("old", to: "root/opt/amber/share/amber/Templates/old.mustache")
        try scratch.write(names + "/opt/amber/share/amber/Templates/old.mustache\n", to: list)
        try scratch.write("kept", to: "root/opt/amber/bin/other")
        #expect(try await install("install", scratch).code == 0)
        #expect(!FileManager.default.fileExists(atPath: scratch["root/opt/amber/share/amber/Templates/old.mustache"]))
        #expect(try await install("uninstall", scratch).code == 0)
        #expect(try contents(of: scratch["root"]) == ["opt/amber/bin/other": Data("kept".utf8)])
    }

    @Test func `A failed installation is removed by the next one or by uninstalling`() async throws {
        let scratch = try ScratchFolder()
        try scratch.write("in the way", to: "root/opt/amber/share/fish")
        let failed = try await install("install", scratch)
        #expect(failed.code != 0)
        #expect(
            failed.errors.hasSuffix(
                "the installation is incomplete; remove it with: make uninstall PREFIX=/opt/amber DESTDIR=\(scratch["root"])\n"
            ),
            "\(failed.errors)")
        #expect(try contents(of: scratch["root"]).count > 10)
        #expect(try await install("uninstall", scratch).code == 0)
        #expect(try contents(of: scratch["root"]) == ["opt/amber/share/fish": Data("in the way".utf8)])

        #expect(try await install("install", scratch).code != 0)
        try FileManager.default.removeItem(atPath: scratch["root/opt/amber/share/fish"])
        #expect(try await install("install", scratch).code == 0)
        #expect(try await install("uninstall", scratch).code == 0)
        #expect(try contents(of: scratch["root"]).isEmpty)
    }

    @Test func `The command that an error suggests works with any folder name`() async throws {
        let scratch = try ScratchFolder()
        #expect(try await Program.run("init", scratch["project"], "--quiet").code == 0)
        let make = ["make", "--no-print-directory", "AMBER=\(Program.path)"]
        for (name, given) in [("my out", "my out"), ("it's", "it's"), ("a$b", "a$$b"), ("a;b&c", "a;b&c")] {
            let refused = try await run(
                in: scratch["project"], make + ["verify", "OUTPUT=\(given)"], path: "/usr/bin:/bin")
            #expect(refused.code == 2)
            let said = try #require(refused.errors.split(separator: "\n").first)
            let advice = try #require(said.components(separatedBy: "create a site with: make ").last)
            let command = (make + ["SOURCE='sample --characters 3'"]).joined(separator: " ")
            #expect(
                try await run(in: scratch["project"], ["sh", "-c", "\(command) \(advice)"], path: "/usr/bin:/bin").code
                    == 0, "\(said)")
            #expect(FileManager.default.fileExists(atPath: scratch["project/\(name)/site/index.html"]), "\(said)")
        }
    }

    @Test func `A prefix that is not an absolute path is refused`() async throws {
        let scratch = try ScratchFolder()
        let run = try await install("install", scratch, prefix: "local")
        #expect((run.code, run.errors) == (2, "PREFIX has to be an absolute path, such as /usr/local, not \"local\"\n"))
    }

    @Test func `The errors for a missing catalogue and missing templates name all places`() async throws {
        let scratch = try ScratchFolder()
        let files = FileManager.default
        try files.createDirectory(atPath: scratch["bin"], withIntermediateDirectories: true)
        // A program outside the clone and without an installation.
        try files.copyItem(atPath: Program.path, toPath: scratch["bin/amber"])
        let share = URL(fileURLWithPath: scratch.path).resolvingSymlinksInPath().path + "/share/amber"
        let build = [scratch["bin/amber"], "build"] + Self.few

        let none = try await run(in: scratch["work"], build)
        let own = "Catalogues/rickandmorty"
        none.failed(2, saying: "there is no catalogue \"rickandmorty\": no folder \(own) or \(share)/\(own)")

        try files.copyItem(atPath: "\(Program.root)/Catalogues", toPath: scratch["work/Catalogues"])
        let catalogue = try await run(in: scratch["work"], build)
        catalogue.failed(
            2, saying: "there are no templates in Templates or \(share)/Templates; name their folder with --templates")
    }

    @Test func `A program in a clone finds the clone's templates from any folder`() async throws {
        let scratch = try ScratchFolder()
        let build = try await run(in: scratch.path, [Program.path, "build"] + Self.few)
        #expect((build.code, build.errors) == (0, ""))
        #expect(FileManager.default.fileExists(atPath: scratch["Output/site/index.html"]))
    }

    @Test func `A new project overwrites nothing, and the error names the existing file`() async throws {
        let scratch = try ScratchFolder()
        try scratch.write("kept", to: "full/a")
        try scratch.write("kept", to: "file")
        let before = try contents(of: scratch.path)
        let full = try await Program.run("init", scratch["full"])
        full.failed(6, saying: "\(scratch["full"]) is not empty: it contains a; choose an empty folder or a new one")
        try await Program.run("init", scratch["file"])
            .failed(6, saying: "cannot open the folder \(scratch["file"]): Not a directory")
        #expect(try contents(of: scratch.path) == before)
    }

    @Test func `A new project has the templates and the given settings`() async throws {
        let scratch = try ScratchFolder()
        let config = try scratch.write(#"{"searches": [{"term": "say \"love\"", "limit": 3}]}"#, to: "media.json")
        let run = try await Program.run(
            "init", scratch["p/q"], "--config", config, "--base-url", "https://a.example/", "--json")
        #expect((run.code, run.errors) == (0, ""))
        let templates = try templates()
        let catalogue = try contents(of: "\(Program.root)/Catalogues/itunes")
        let count = templates.count + catalogue.count
        #expect(run.output == "{\"folder\":\"\(scratch["p/q"])\",\"templates\":\(count)}\n", "\(run.output)")
        let files = try contents(of: scratch["p/q"])
        let own = ["amber.json", "Makefile", ".gitignore"]
        #expect(
            Set(files.keys)
                == Set(
                    templates.keys.map { "Templates/\($0)" } + catalogue.keys.map { "Catalogues/itunes/\($0)" } + own))
        for (name, bytes) in templates { #expect(files["Templates/\(name)"] == bytes, "\(name)") }
        for (name, bytes) in catalogue { #expect(files["Catalogues/itunes/\(name)"] == bytes, "\(name)") }
        #expect(
            String(decoding: files["amber.json"] ?? Data(), as: UTF8.self) == """
                {
                    "catalogue": "itunes",
                    "api": "https://itunes.apple.com",
                    "searches": [{"term":"say \\"love\\"","media":"music","country":"US","explicit":"yes","limit":3}],
                    "baseURL": "https://a.example"
                }

                """)
        let built = try await Program.run(
            "render", "--config", scratch["p/q/amber.json"], "--output", scratch["out"], "--source", "archive")
        #expect(built.code == 3, "the settings are read: \(built.errors)")
    }
}
