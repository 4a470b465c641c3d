import Foundation
import Platform
import SampleAPI
import TestSupport
import Testing

@testable import AmberCommand

/// The command line itself.
struct UsageTests {
    @Test(
        "Wrong usage is a sentence and exit 2",
        arguments: [
            (
                [],
                "say what to do: build, capture, import, render, check, verify, snapshot, log, diff, serve, sample, card, init; amber --help tells more"
            ),
            (
                ["publish"],
                "there is no verb \"publish\"; there are: build, capture, import, render, check, verify, snapshot, log, diff, serve, sample, card, init"
            ),
            (["build", "--frob"], "there is no option --frob for build; see amber build --help"),
            (["build", "--api"], "--api needs a value behind it"),
            (["build", "--output", ""], "--output needs a value, and it is empty"),
            (["init", ""], "say which folder the project is to be in: amber init my-site"),
            (["build", "extra", "--frob"], "there is no option --frob for build; see amber build --help"),
            (["diff", "1", "--frob", "2"], "there is no option --frob for diff; see amber diff --help"),
            (["build", "extra", "--api"], "--api needs a value behind it"),
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
                "the base URL has 2018 bytes; the most are 2000"
            ),
            (["build", "--source", "moon"], "--source takes auto, live, archive, sample, not \"moon\""),
            (["build", "--connections", "0"], "--connections takes a whole number from 1 to 64, not \"0\""),
            // A second mistake behind the first: where the first is not seen, no server starts that nobody ends.
            (
                ["sample", "--portraits", "0", "--port", "x"],
                "--portraits takes a whole number from 1 to 1000000, not \"0\""
            ),
            (
                ["sample", "--characters", "5", "--changed", "5,6", "--port", "x"],
                "--changed takes whole numbers from 1 to 5 with commas between them, not \"5,6\""
            ),
            (
                ["sample", "--changed", "3,", "--port", "x"],
                "--changed takes whole numbers from 1 to 826 with commas between them, not \"3,\""
            ),
            (["build", "extra"], "build takes no \"extra\"; options begin with --"),
            (["init"], "say which folder the project is to be in: amber init my-site"),
            (["init", "a", "b"], "say which folder the project is to be in: amber init my-site"),
            (["--completions", "tcsh"], "--completions takes bash, zsh, fish, not \"tcsh\""),
            (["card"], "say which character, by its number: amber card 42"),
            (["card", "x"], "say which character, by its number: amber card 42"),
            (
                ["render", "--source", "live"],
                "render never asks the network; --source takes auto, archive or sample here"
            ),
            (
                ["serve", "--output", "/nonexistent"],
                "there is no site in /nonexistent/site yet; make one with: \(Program.path) build --output /nonexistent"
            ),
            (["build", "--config", "/nonexistent.json"], "cannot read /nonexistent.json: No such file or directory"),
        ])
    func wrong(arguments: [String], sentence: String) async throws {
        let run = try await Program.start(arguments).wait()
        #expect(run.code == 2)
        #expect(run.errors == "amber: \(sentence)\n")
        #expect(run.output.isEmpty)
    }

    @Test(
        "What standard output cannot take is no success",
        arguments: [["--help"], ["--man"], ["--completions", "zsh"], ["log", "--json"]])
    func full(arguments: [String]) async throws {
        let small = try Small()
        if arguments[0] == "log" { #expect(try await small.run("build").code == 0) }
        let all = arguments[0] == "log" ? small.arguments("log", ["--json"]) : arguments
        let run = try await Running("/bin/sh", ["-c", "\"$0\" \"$@\" > /dev/full", Program.path] + all).wait()
        #expect(run.code == 6)
        #expect(
            run.errors
                == "amber: cannot write to standard output: No space left on device; make room there and run again\n")
    }

    @Test("What is to be typed next is told as the program was called, with the options that it needs again")
    func next() async throws {
        let scratch = try ScratchFolder()
        let output = scratch["it's here"]
        let file = try scratch.write("{}", to: "own.json")
        let quoted = "'\(scratch.path)/it'\\''s here'"
        let called = ["serve", "--output", output, "--config", file, "--port", "0"]
        #expect(
            try await Program.start(called).wait().errors
                == "amber: there is no site in \(output)/site yet; make one with: \(Program.path) build --config \(file) --output \(quoted)\n"
        )
        #expect(
            try await Running(Program.path, called, environment: ["AMBER_CALLER": "make"]).wait().errors
                == "amber: there is no site in \(output)/site yet; make one with: make site CONFIG=\(file) OUTPUT=\(quoted)\n"
        )
        let built = ["build", "--source", "sample", "--characters", "3", "--output", output]
        #expect(
            try await Program.start(built).wait().output.hasSuffix(
                "\nOpen \(output)/site/index.html, or run: \(Program.path) serve --output \(quoted)\n"))
    }

    @Test("A configuration may come by a pipe; its paths are then relative to the working folder")
    func piped() async throws {
        let scratch = try ScratchFolder()
        let run = try await Running(
            "/bin/sh",
            [
                "-c",
                "printf '{\"output\": \"%s/out\", \"templates\": \"Templates\"}' \"$1\" | \"$0\" build --source sample --characters 3 --config /dev/stdin",
                Program.path, scratch.path,
            ]
        ).wait()
        #expect(run.code == 0, "\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: scratch["out/site/index.html"]))
        let wrong = try await Running(
            "/bin/sh", ["-c", "echo '{\"outptu\": 1}' | \"$0\" log --config /dev/stdin", Program.path]
        ).wait()
        #expect(wrong.code == 2)
        #expect(
            wrong.errors.hasPrefix("amber: /dev/stdin: line 1: there is no key \"outptu\"; there are: "),
            "\(wrong.errors)")
    }

    @Test("A configuration that is a file below /dev/ has its paths relative to its own folder")
    func belowDevices() throws {
        // Every user may create files in this folder.
        let folder = try Folder.makeTemporary(prefix: "amber-test-", in: "/dev/shm")
        // The system cleans up what cannot be removed; the result of the test is known.
        defer { try? Folder.remove(folder) }
        try File.writeNew(Array(#"{"output": "out"}"#.utf8), to: "\(folder)/amber.json")
        #expect(try Configuration("\(folder)/amber.json").output == "\(folder)/out")
    }

    @Test(
        "A soak of no length is refused, rather than passed", arguments: ["0", "0.0", ".", "ten", "-5", "1.2.3", "1e3"])
    func soak(minutes: String) async throws {
        let run = try await Running(
            "/bin/sh", ["Scripts/soak"], environment: ["AMBER_SOAK_MINUTES": minutes, "SWIFT": "false"]
        ).wait()
        #expect(run.code == 2)
        #expect(run.errors == "MINUTES takes a number over 0, not \"\(minutes)\"\n")
    }

    @Test(
        "Every verb has its help, which names every option that it takes",
        arguments: ["build", "capture", "render", "check", "serve", "sample", "card", "init"])
    func help(verb: String) async throws {
        let run = try await Program.run(verb, "--help")
        #expect(run.code == 0)
        #expect(run.output.hasPrefix("Usage: amber \(verb)"))
        for option in [
            "--api URL", "--source S", "--output DIR", "--templates DIR", "--config FILE", "--connections N", "--quiet",
            "--verbose",
            "--json",
        ] {
            #expect(run.output.contains(option))
        }
    }

    @Test(
        "A mistake in the configuration is named with file, place and what is allowed",
        arguments: [
            (
                "{\n  \"api\": \"http://127.0.0.1:1/api\",\n  \"conections\": 3\n}",
                "line 3: there is no key \"conections\"; there are: catalogue, api, output,"
            ),
            ("{\"\(String(repeating: "x", count: 300))\": 3}", "line 1: there is no key \"xxx"),
            (
                "{\"searches\": [{\"term\": \"a\", \"\(String(repeating: "x", count: 300))\": 3}]}",
                "xxx: is not known; there are: term"
            ),
            (
                "{\"a\(String(repeating: "\u{301}", count: 20_000))\": 3}",
                "has a text with more than the 200 combining marks in a row"
            ),
            (#"{"connections": "many"}"#, "connections: is not a whole number"),
            (#"{"connections": 0}"#, "connections: is 0, not 1 to 64"),
            (#"{"api": "#, "line 1: is not valid JSON from here on"),
            ("{\n\"attempts\": 2,\n}", "line 3: is not valid JSON from here on; take away the comma before it"),
            (
                "{\n\"attempts\": 2\n\"redirects\": 1}",
                "line 3: is not valid JSON from here on; a comma or colon is missing before it"
            ),
            (
                "{\"searches\": [\n{\"term\": \"a\"},\n]}",
                "line 3: is not valid JSON from here on; take away the comma before it"
            ),
            ("{\"searches\": [{\"term\": \"a\"},\n{\"term\":\n 3}]}", "line 2: searches[1].term: is not a text"),
            ("{\"attempts\": 2,\n\"connections\": 2.5}", "line 2: connections: is not a whole number, or out of range"),
            (#"{"output": ""}"#, "line 1: output: is empty; it names a folder"),
            (#"{"output": "a\u0000b"}"#, "line 1: output: has a zero byte; remove it"),
            ("{\n\"templates\": \"a\\u0000b\"}", "line 2: templates: has a zero byte; remove it"),
        ])
    func configuration(text: String, sentence: String) throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write(text, to: "amber.json")
        let failure = try #require(throws: Failure.self) { try Configuration(file) }
        #expect(failure.code == .wrongUsage)
        #expect(failure.description.hasPrefix("\(file): ") && failure.description.contains(sentence), "\(failure)")
    }

    @Test("--quiet prints nothing, --json one object with all that was promised")
    func output() async throws {
        let small = try Small()
        let quiet = try await small.run("build", "--quiet")
        #expect((quiet.code, quiet.output, quiet.errors) == (0, "", ""))
        let summary = try Small.summary(try await small.run("build", "--json"))
        let promised: Set = [
            "source", "revision", "complete", "records", "assets", "requests", "pages", "written", "bytes", "gaps",
            "seconds",
        ]
        #expect(promised.isSubset(of: summary.keys))
        #expect(summary["records"] as? [String: Int] == ["character": 45, "location": 7, "episode": 3])
        #expect(summary["assets"] as? Int == 45)
        #expect(summary["complete"] as? Bool == true)
    }

    @Test("amber serve shows the site, amber sample the API, each until interrupted")
    func servers() async throws {
        let small = try await Small.built()
        let site = try Program.start(["serve", "--output", small.output, "--port", "0"])
        let sample = try Program.start(["sample", "--port", "0", "--characters", "5"])
        for server in [site, sample] {
            while server.isRunning, !server.errorsSoFar.contains("(end with") {
                try await Task.sleep(for: .milliseconds(10))
            }
            server.send(SIGTERM)
            let end = try await server.wait()
            #expect(end.code == 143)
            #expect(end.errors.contains(" is on http://127.0.0.1:"))
        }
    }

    @Test("amber sample serves fewer portraits and renamed characters where it is told to")
    func changedSample() async throws {
        let scratch = try ScratchFolder()
        let quiet = ["sample", "--port", "0", "--characters", "6", "--portraits", "2", "--changed", "3,5"]
        let sample = try Program.start(quiet)
        while sample.isRunning, !sample.errorsSoFar.contains("(end with") {
            try await Task.sleep(for: .milliseconds(10))
        }
        let api = try #require(sample.errorsSoFar.split(separator: " ").first { $0.hasPrefix("http://") }).dropLast()
        let run = try await Program.run("build", "--source", "live", "--api", String(api), "--output", scratch.path)
        sample.send(SIGTERM)
        _ = try await sample.wait()
        #expect(run.code == 0, "\(run.errors)")
        let universe = Universe(characters: 6)
        for id in 1...6 {
            let page = try String(contentsOfFile: "\(scratch.path)/site/character/\(id).html", encoding: .utf8)
            #expect(
                page.contains("(renamed)</h1>") == [3, 5].contains(id), "\(universe.name(of: .init(.character, id)))")
            let picture = try Data(contentsOf: URL(fileURLWithPath: "\(scratch.path)/site/avatar/\(id).png"))
            #expect(Array(picture) == universe.portrait(ofCharacter: (id - 1) % 2 + 1))
        }
    }

    @Test(
        "Every bound in the configuration has a range, at both ends",
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
            ("attempts", "0", "21", "1 to 20"), ("retryDelay", "-0.5", "60.5", "0 to 60 seconds"),
            ("patience", "0.5", "86400.5", "1 to 86400 seconds"),
        ])
    func bounds(key: String, low: String, high: String, range: String) throws {
        let scratch = try ScratchFolder()
        for value in [low, high, "1e999", "\"1\"", "true"] {
            let file = try scratch.write("{\"\(key)\": \(value)}", to: "amber.json")
            let failure = try #require(throws: Failure.self, "\(value)") { try Configuration(file) }
            #expect(failure.code == .wrongUsage)
            let isNumber = value == low || value == high
            let shown = isNumber ? Double(value).map { $0 == $0.rounded() ? value : "\($0)" } ?? value : "not"
            #expect(failure.description.hasPrefix("\(file): line 1: \(key): is \(shown)"), "\(failure)")
            #expect(failure.description.hasSuffix(", not \(range)") == isNumber, "\(failure)")
        }
        for value in [range.split(separator: " ")[0], range.split(separator: " ")[2], "null"] {
            _ = try Configuration(try scratch.write("{\"\(key)\": \(value)}", to: "amber.json"))
        }
    }

    @Test("SSL_CERT_FILE has to name a file of certificates, where one is needed")
    func authorities() async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write("nothing of the kind", to: "authorities.pem")
        let refusals = [
            "/nonexistent.pem":
                "SSL_CERT_FILE names authorities to trust, but cannot read /nonexistent.pem: No such file or directory",
            file: "SSL_CERT_FILE names authorities to trust, but \(file) holds no certificate (PEM)",
        ]
        for (path, sentence) in refusals {
            let run = try await Program.run("capture", "--output", scratch["out"], environment: ["SSL_CERT_FILE": path])
            #expect(run.code == 2)
            #expect(run.errors == "amber: \(sentence)\n")
            let check = try await Program.run("check", "--output", scratch["out"], environment: ["SSL_CERT_FILE": path])
            #expect(check.errors.contains("there is no site in"), "what asks nobody trusts nobody")
        }
        try scratch.write(TLSIdentities.authority, to: "authorities.pem")
        let small = try Small()
        let run = try await Program.start(small.arguments("capture"), environment: ["SSL_CERT_FILE": file]).wait()
        #expect(run.code == 0, "\(run.errors)")
    }

    @Test("A card that cannot be written is exit 6 like a site, with what stands in the way")
    func card() async throws {
        let small = try Small()
        let cards = try small.scratch.write("in the way", to: "out/cards")
        let run = try await small.run("card", "5")
        #expect(run.code == 6)
        #expect(run.errors == "amber: cannot open the folder \(cards): Not a directory\n", "\(run.errors)")
        #expect(try String(contentsOfFile: cards, encoding: .utf8) == "in the way")
        try FileManager.default.removeItem(atPath: cards)
        #expect(try await small.run("card", "5").code == 0)
    }

    @Test(
        "The archive of a card before that another user keeps is exit 6 too",
        .enabled(if: Machine.canBecomeNobody, "setpriv cannot run the program as another user here"))
    func anothersCard() async throws {
        let small = try Small()
        let kept = try small.scratch.write("kept", to: "out/.amber/card/file")
        for folder in [small.output, "\(small.output)/.amber"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        }
        let run = try await Machine.runAsNobody(small.arguments("card", ["5"]))
        #expect(run.code == 6)
        let remedy = "Permission denied; give the user who runs amber the right to it, or choose another place"
        #expect(run.errors == "amber: cannot remove \(kept): \(remedy)\n", "\(run.errors)")
    }

    @Test(
        "A package's own base URL is checked like a configured one",
        arguments: ["https://a.example/?x", String(repeating: "x", count: 3_000)])
    func packagedBaseURL(base: String) throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write("{\"baseURL\": \"\(base)\"}", to: "amber.json")
        let failure = #expect(throws: Failure.self) { try Packaged(scratch.path).build() }
        #expect(failure?.description.hasPrefix("\(file): the base URL ") == true, "\(failure as Any)")
    }
}
