import Foundation
import Platform
import SampleAPI
import Snapshot
import TestSupport
import Testing

@testable import AmberCommand

struct UsageTests {
    @Test(
        arguments: [
            (
                [],
                "a verb is missing; use one of: build, capture, import, render, check, deploy, verify, snapshot, log, diff, serve, sample, card, init; see amber --help"
            ),
            (
                ["publish"],
                "there is no verb \"publish\"; the verbs are: build, capture, import, render, check, deploy, verify, snapshot, log, diff, serve, sample, card, init"
            ),
            (
                ["help", "publish"],
                "there is no verb \"publish\"; the verbs are: build, capture, import, render, check, deploy, verify, snapshot, log, diff, serve, sample, card, init"
            ),
            (["help", "build", "check"], "help takes one verb, such as: amber help build"),
            (["build", "--frob"], "there is no option --frob for build; see amber build --help"),
            (["build", "--api"], "--api requires a value"),
            (["--json", "log"], "there is no option --json before the verb; see amber --help"),
            (["build", "--output", ""], "--output requires a value, but the value is empty"),
            (["init", ""], "init requires one folder: amber init my-site"),
            (["build", "extra", "--frob"], "there is no option --frob for build; see amber build --help"),
            (["diff", "1", "--frob", "2"], "there is no option --frob for diff; see amber diff --help"),
            (["build", "extra", "--api"], "--api requires a value"),
            (["build", "extra", "-x"], "there is no option -x for build; see amber build --help"),
            (
                ["build", "--api", "file:///etc"],
                "the API's address must be an http or https URL without ? and #, not \"file:///etc\""
            ),
            (
                ["build", "--base-url", "example.org"],
                "the base URL must be an http or https URL without ? and #, not \"example.org\""
            ),
            (
                ["build", "--base-url", "https://a.example/?x"],
                "the base URL must be an http or https URL without ? and #, not \"https://a.example/?x\""
            ),
            (
                ["build", "--base-url", "https://a.example/" + String(repeating: "b", count: 2_000)],
                "the base URL has 2018 bytes; at most 2000 are allowed"
            ),
            (["build", "--source", "moon"], "--source takes auto, live, archive, sample, not \"moon\""),
            (["build", "--connections", "0"], "--connections takes a whole number from 1 to 64, not \"0\""),
            // Because of the second mistake, no server starts if the first one is accepted.
            (
                ["sample", "--portraits", "0", "--port", "x"],
                "--portraits takes a whole number from 1 to 1000000, not \"0\""
            ),
            (
                ["sample", "--characters", "5", "--changed", "6", "--port", "x"],
                "--changed takes a whole number from 1 to 5, not \"6\""
            ),
            (["build", "extra"], "build does not take the argument \"extra\"; options begin with --"),
            (["init"], "init requires one folder: amber init my-site"),
            (["init", "a", "b"], "init requires one folder: amber init my-site"),
            (["--completions", "tcsh"], "--completions takes bash, zsh, fish, not \"tcsh\""),
            (["card"], "card requires the id of one character: amber card 42"),
            (["card", "x"], "card requires the id of one character: amber card 42"),
            (
                ["render", "--source", "live"],
                "render does not use the network; use --source auto, archive or sample"
            ),
            (
                ["serve", "--output", "/nonexistent"],
                "there is no site in /nonexistent/site yet; create one with: \(Program.path) build --output /nonexistent"
            ),
            (["build", "--config", "/nonexistent.json"], "cannot read /nonexistent.json: No such file or directory"),
        ])
    func `Wrong usage prints one sentence and exits with 2`(arguments: [String], sentence: String) async throws {
        let run = try await Program.start(arguments).wait()
        run.failed(2, saying: sentence)
        #expect(run.output.isEmpty)
    }

    @Test(arguments: [["--help"], ["--man"], ["--completions", "zsh"], ["log", "--json"]])
    func `Output that cannot be written exits with 6`(arguments: [String]) async throws {
        let small = try Small()
        if arguments[0] == "log" { #expect(try await small.run("build").code == 0) }
        let all = arguments[0] == "log" ? small.arguments("log", ["--json"]) : arguments
        let run = try await Running("/bin/sh", ["-c", "\"$0\" \"$@\" > /dev/full", Program.path] + all).wait()
        run.failed(
            6, saying: "cannot write to standard output: No space left on device; free space there and run again")
    }

    @Test func `A closed standard output is an error, and no file takes its place`() async throws {
        let small = try await Small.built()
        let command = ["-c", "\"$0\" \"$@\" >&-", Program.path] + small.arguments("log")
        let run = try await Running("/bin/sh", command).wait()
        run.failed(6, saying: "cannot write to standard output: Bad file descriptor")
    }

    @Test func `The message about a missing catalogue says how to name a folder here`() {
        let failure = #expect(throws: Failure.self) { try CatalogueFolder("Tests") }
        #expect(failure?.description.contains("; write ./Tests for the folder here; the catalogues are: ") == true)
    }

    @Test func `A suggested command starts as the program was started and repeats its options`() async throws {
        let scratch = try ScratchFolder()
        let output = scratch["it's here"]
        let file = try scratch.write("{}", to: "own.json")
        let quoted = "'\(scratch.path)/it'\\''s here'"
        let called = ["serve", "--output", output, "--config", file, "--port", "0"]
        #expect(
            try await Program.start(called).wait().errors
                == "amber: there is no site in \(output)/site yet; create one with: \(Program.path) build --config \(file) --output \(quoted)\n"
        )
        #expect(
            try await Running(Program.path, called, environment: ["AMBER_CALLER": "make"]).wait().errors
                == "amber: there is no site in \(output)/site yet; create one with: make site CONFIG=\(file) OUTPUT=\(quoted)\n"
        )
        let built = ["build", "--source", "sample", "--characters", "3", "--output", output]
        #expect(
            try await Program.start(built).wait().output.hasSuffix(
                "\nOpen \(output)/site/index.html, or run: \(Program.path) serve --output \(quoted) (http://127.0.0.1:8000)\n"
            ))
    }

    @Test func `A configuration from a pipe has paths relative to the working folder`() async throws {
        let scratch = try ScratchFolder()
        try await Running(
            "/bin/sh",
            [
                "-c",
                "printf '{\"output\": \"%s/out\", \"templates\": \"Templates\"}' \"$1\" | \"$0\" build --source sample --characters 3 --config /dev/stdin",
                Program.path, scratch.path,
            ]
        ).wait().succeeded()
        #expect(FileManager.default.fileExists(atPath: scratch["out/site/index.html"]))
        try await Running(
            "/bin/sh", ["-c", "echo '{\"outptu\": 1}' | \"$0\" log --config /dev/stdin", Program.path]
        ).wait().failed(2, "amber: /dev/stdin:1:2: there is no key \"outptu\"; the keys are: ")
    }

    @Test func `A configuration file below /dev has paths relative to its own folder`() throws {
        // Every user can create files in this folder.
        let folder = try Folder.makeTemporary(prefix: "amber-test-", in: "/dev/shm")
        // A folder that cannot be removed does not change the result of the test.
        defer { try? Folder.remove(folder) }
        try File.writeNew(Array(#"{"output": "out"}"#.utf8), to: "\(folder)/amber.json")
        #expect(try Configuration("\(folder)/amber.json").output == "\(folder)/out")
    }

    @Test(arguments: ["0", "0.0", ".", "ten", "-5", "1.2.3", "1e3"])
    func `A soak without a length is refused`(minutes: String) async throws {
        let run = try await Running(
            "/bin/sh", ["Scripts/soak"], environment: ["AMBER_SOAK_MINUTES": minutes, "SWIFT": "false"]
        ).wait()
        #expect(run.code == 2)
        #expect(run.errors == "MINUTES takes a number over 0, not \"\(minutes)\"\n")
    }

    @Test(
        arguments: [
            (
                "{\n  \"api\": \"http://127.0.0.1:1/api\",\n  \"conections\": 3\n}",
                ":3:3: there is no key \"conections\"; the keys are: catalogue, api, output,"
            ),
            ("{\"\(String(repeating: "x", count: 300))\": 3}", ":1:2: there is no key \"xxx"),
            (
                "{\"a\(String(repeating: "\u{301}", count: 20_000))\": 3}",
                "has a text with more than the 200 combining marks in a row"
            ),
            (#"{"connections": "many"}"#, "connections: is not a whole number"),
            (#"{"connections": 0}"#, "connections: is 0, not 1 to 64"),
            (#"{"api": "#, ": is not valid JSON from here on"),
            (#"{"language": "\ud800"}"#, ":1:2: language: has half of a surrogate pair"),
            ("{\n\"attempts\": 2,\n}", ":3:1: is not valid JSON from here on; remove the comma before it"),
            (
                "{\n\"attempts\": 2\n\"redirects\": 1}",
                ":3:1: is not valid JSON from here on; a comma or colon is missing before it"
            ),
            (
                "{\"searches\": [\n{\"term\": \"a\"},\n]}",
                ":3:1: is not valid JSON from here on; remove the comma before it"
            ),
            ("{\"attempts\": 2,\n\"connections\": 2.5}", ":2:1: connections: is not a whole number from 1 to 64"),
            (#"{"output": ""}"#, ":1:2: output: is empty; it names a folder"),
            (#"{"output": "a\u0000b"}"#, ":1:2: output: has a zero byte; remove it"),
            ("{\n\"templates\": \"a\\u0000b\"}", ":2:1: templates: has a zero byte; remove it"),
        ])
    func `The error for a configuration names the file, the position and the allowed values`(
        text: String, sentence: String
    ) throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write(text, to: "amber.json")
        let failure = try #require(throws: Failure.self) { try Configuration(file) }
        #expect(failure.code == .wrongUsage)
        #expect(failure.description.hasPrefix("\(file):") && failure.description.contains(sentence), "\(failure)")
    }

    @Test func `The option --quiet prints nothing, and --json prints one complete object`() async throws {
        let small = try Small()
        let quiet = try await small.run("build", "--quiet")
        #expect((quiet.code, quiet.output, quiet.errors) == (0, "", ""))
        let summary = try await small.run("build", "--json").summary()
        let promised: Set = [
            "source", "revision", "complete", "records", "pictures", "requests", "pages", "written", "bytes", "gaps",
            "seconds",
        ]
        #expect(promised.isSubset(of: summary.keys))
        #expect(summary["records"] as? [String: Int] == ["character": 45, "location": 7, "episode": 3])
        #expect(summary["pictures"] as? Int == 45)
        #expect(summary["complete"] as? Bool == true)
    }

    @Test func `Sample serves fewer portraits and a renamed character on request`() async throws {
        let scratch = try ScratchFolder()
        let quiet = ["sample", "--port", "0", "--characters", "6", "--portraits", "2", "--changed", "3"]
        let sample = try Program.start(quiet)
        let api = try await sample.address()
        let run = try await Program.run("build", "--source", "live", "--api", api, "--output", scratch.path)
        sample.send(SIGTERM)
        _ = try await sample.wait()
        #expect(run.code == 0, "\(run.errors)")
        let universe = Universe(characters: 6)
        for id in 1...6 {
            let page = try String(contentsOfFile: "\(scratch.path)/site/character/\(id).html", encoding: .utf8)
            #expect(page.contains("(renamed)</h1>") == (id == 3), "\(universe.name(of: .init(.character, id)))")
            let picture = try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/site/avatar/\(id).png"))
            #expect(Array(picture) == universe.portrait(ofCharacter: (id - 1) % 2 + 1))
        }
    }

    @Test(
        arguments: [
            ("connectTimeout", "0.05", "300.5", "0.1 to 300 seconds"),
            ("stallTime", "0.5", "3601", "1 to 3600 seconds"),
            ("deadline", "0.5", "86401", "1 to 86400 seconds"), ("redirects", "-1", "51", "0 to 50"),
            ("maximumRetryAfter", "-1", "86401", "0 to 86400 seconds"),
            ("maximumDocument", "1023", "999000001", "1024 to 999000000 bytes"),
            ("maximumPicture", "1023", "999000001", "1024 to 999000000 bytes"),
            ("maximumPixels", "0", "1000000001", "1 to 1000000000"),
            ("maximumCapture", "999999", "1000000000000001", "1000000 to 1000000000000000 bytes"),
            ("maximumRecords", "0", "1000000001", "1 to 1000000000"),
            ("attempts", "0", "21", "1 to 20"), ("retryDelay", "-0.5", "30.5", "0 to 30 seconds"),
            ("patience", "0.5", "86400.5", "1 to 86400 seconds"),
        ])
    func `Every limit in the configuration has a minimum and a maximum`(
        key: String, low: String, high: String, range: String
    ) throws {
        let scratch = try ScratchFolder()
        for value in [low, high, "1e999", "\"1\"", "true"] {
            let file = try scratch.write("{\"\(key)\": \(value)}", to: "amber.json")
            let failure = try #require(throws: Failure.self, "\(value)") { try Configuration(file) }
            #expect(failure.code == .wrongUsage)
            let isNumber = value == low || value == high
            let shown = isNumber ? Double(value).map { $0 == $0.rounded() ? value : "\($0)" } ?? value : "not"
            #expect(failure.lines[0].hasPrefix("\(file):1:2: \(key): is \(shown)"), "\(failure)")
            #expect(failure.lines[0].hasSuffix(", not \(range)") == isNumber, "\(failure)")
        }
        for value in [range.split(separator: " ")[0], range.split(separator: " ")[2], "null"] {
            _ = try Configuration(try scratch.write("{\"\(key)\": \(value)}", to: "amber.json"))
        }
    }

    @Test func `SSL_CERT_FILE must name a file of certificates if the run needs one`() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write("nothing of the kind", to: "authorities.pem")
        let refusals = [
            "/nonexistent.pem":
                "SSL_CERT_FILE cannot be used: cannot read /nonexistent.pem: No such file or directory",
            file: "SSL_CERT_FILE cannot be used: \(file) contains no certificate (PEM)",
        ]
        for (path, sentence) in refusals {
            let run = try await Program.run("capture", "--output", scratch["out"], environment: ["SSL_CERT_FILE": path])
            run.failed(2, saying: sentence)
            let check = try await Program.run("check", "--output", scratch["out"], environment: ["SSL_CERT_FILE": path])
            #expect(check.errors.contains("there is no site in"), "a check needs no certificates")
        }
        try scratch.write(TLSIdentities.authority, to: "authorities.pem")
        let small = try Small()
        try await Program.start(small.arguments("capture"), environment: ["SSL_CERT_FILE": file]).wait().succeeded()
    }

    @Test func `A card that cannot be written exits with 6 and names the file in the way`() async throws {
        let small = try Small()
        let cards = try small.scratch.write("in the way", to: "out/cards")
        let run = try await small.run("card", "5")
        run.failed(6, saying: "cannot open the folder \(cards): Not a directory")
        #expect(try String(contentsOfFile: cards, encoding: .utf8) == "in the way")
        try FileManager.default.removeItem(atPath: cards)
        #expect(try await small.run("card", "5").code == 0)
    }

    @Test(.enabled(if: Machine.canBecomeNobody, "setpriv cannot run the program as another user here"))
    func `An old archive of a card that cannot be removed exits with 6`() async throws {
        let small = try Small()
        let kept = try small.scratch.write("kept", to: "out/.amber/card/file")
        for folder in [small.output, "\(small.output)/.amber"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        }
        let run = try await Machine.runAsNobody(small.arguments("card", ["5"]))
        let remedy = "Permission denied; give the user who runs amber permission, or choose another folder"
        run.failed(6, saying: "cannot remove \(kept): \(remedy)")
    }

    @Test(arguments: ["https://a.example/?x", String(repeating: "x", count: 3_000)])
    func `A package's own base URL is checked like a configured one`(base: String) throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write("{\"baseURL\": \"\(base)\"}", to: "amber.json")
        let failure = #expect(throws: Failure.self) { try SnapshotBuild(payload: scratch.path) }
        #expect(failure?.description.hasPrefix("\(file): the base URL ") == true, "\(failure as Any)")
    }
}
