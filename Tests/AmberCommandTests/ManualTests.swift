import Foundation
import TestSupport
import Testing

@testable import AmberCommand

struct ManualTests {
    @Test(.enabled(if: Tool.isInstalled("groff"), "groff is missing"))
    func `Groff accepts the manual page without a warning`() async throws {
        try await expect(["groff", "-ww", "-man", "-b", "-z", "-rCHECKSTYLE=1"])
    }

    @Test(.enabled(if: Tool.isInstalled("mandoc"), "mandoc is missing"))
    func `Mandoc accepts the manual page without an error`() async throws {
        try await expect(["mandoc", "-T", "lint", "-W", "error"])
    }

    private func expect(_ command: [String]) async throws {
        let scratch = try ScratchFolder()
        let page = try scratch.write(try await Program.run("--man").output, to: "amber.1")
        let judge = try await Running("/usr/bin/env", command + [page]).wait().succeeded()
        #expect(judge.output + judge.errors == "")
    }

    @Test func `The manual page has the help text of every verb, option and exit code`() async throws {
        let page = try await Program.run("--man")
        #expect((page.code, page.errors) == (0, ""))
        let text = page.output.replacing("\\-", with: "-").replacing("\\fI", with: "").replacing("\\fP", with: "")
        let lines = text.split(separator: "\n").map(String.init)
        func isListed(_ title: String, _ summary: String) -> Bool {
            lines.indices.dropFirst().contains {
                lines[$0] == ".B \(title)" && lines[$0 - 1] == ".TP" && lines[$0 + 1] == summary
            }
        }
        for verb in Verb.allCases { #expect(isListed("\(verb.rawValue)\(verb.operands)", verb.summary), "\(verb)") }
        for option in Option.allCases { #expect(isListed(Help.flag(option), option.summary), "\(option)") }
        for code in ExitCode.allCases { #expect(isListed("\(code.rawValue)", code.summary), "\(code)") }
        let sections = lines.filter { $0.hasPrefix(".SH") }.map { String($0.dropFirst(4)) }
        #expect(
            sections == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "VERBS", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES",
                "EXAMPLES",
            ])
        let help = try await Program.run("--help").output
        for option in Option.withoutVerb { #expect(help.contains("  \(Help.flag(option)) "), "\(option)") }
        for verb in Verb.allCases {
            let help = Help.text(for: verb)
            #expect(help.hasPrefix("Usage: amber \(verb.rawValue)\(verb.operands) [options]\n"))
            for option in verb.options { #expect(help.contains("  \(Help.flag(option)) "), "\(verb): \(option)") }
            #expect(try Arguments(["help", verb.rawValue]).verb == verb)
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"].filter(Tool.isInstalled))
    func `Each shell parses its completions without an error`(shell: String) async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write(try await Program.run("--completions", shell).output, to: shell)
        let end = try await Running("/usr/bin/env", [shell, "-n", file]).wait()
        #expect((end.code, end.output + end.errors) == (0, ""))
    }

    @Test func `Completions offer every verb and option with its summary, and the values of options`() {
        let verbs = Verb.allCases.map { "\($0.rawValue)\t\($0.summary)" }
        #expect(Shell.candidates(for: [""]) == verbs + Option.withoutVerb.map { "\($0.flag)\t\($0.summary)" })
        for verb in Verb.allCases {
            let options = Shell.candidates(for: [verb.rawValue, "--"])
            #expect(options == verb.options.map { "\($0.flag)\t\($0.summary)" }, "\(verb)")
        }
        #expect(Shell.candidates(for: ["build", "--source=a"]) == ["--source=auto", "--source=archive"])
        #expect(Shell.candidates(for: ["build", "--config", ""]) == [":files"])
        #expect(Shell.candidates(for: ["build", "--output", "a"]) == [":folders"])
        #expect(Shell.candidates(for: []) == Shell.candidates(for: [""]))
    }

    @Test(
        arguments: [
            (["s"], ["snapshot", "serve", "sample"]), (["--co"], ["--completions"]), (["build", "--so"], ["--source"]),
            (["build", "--source", ""], ["auto", "live", "archive", "sample"]),
            (["build", "--source", "=", "l"], ["live"]),
            (["build", "--source", "="], ["auto", "live", "archive", "sample"]),
            (["serve", "--port", ""], []), (["serve", "--po"], ["--port"]), (["build", "--po"], []),
            (["verify", "s"], ["site", "snapshot"]), (["init", ""], ["a folder"]),
            (["build", "--output", "a"], ["a folder"]), (["build", "--config", "a"], ["a file", "a folder"]),
            (["--completions", "z"], ["zsh"]), (["nothing", "--"], []),
        ])
    func `Bash completes verbs, options of the verb, values, folders and files`(words: [String], offered: [String])
        async throws
    {
        let scratch = try ScratchFolder()
        try scratch.write("", to: "work/a folder/x")
        try scratch.write("", to: "work/a file")
        let file = try scratch.write(Shell.bash.script, to: "bash")
        let script = """
            source "$1"; cd "$2"; shift 2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _amber
            for word in "${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done | LC_ALL=C sort
            """
        let arguments = ["-c", script, "bash", file, scratch["work"], Program.path] + words
        let end = try await Running("/bin/bash", arguments).wait()
        #expect((end.code, end.errors) == (0, ""))
        #expect(end.output.split(separator: "\n").map(String.init) == offered.sorted())
    }

    @Test(.enabled(if: Tool.isInstalled("zsh"), "zsh is not installed here"), arguments: Verb.allCases)
    func `Zsh receives each option with its summary`(verb: Verb) async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write(Shell.zsh.script, to: "zsh")
        // Print the candidates that the completion system receives.
        let script = """
            compdef() { }; _describe() { print -rl -- "${(@P)2}" }
            source "$1"; words=("$2" "$3" --); CURRENT=3; _amber
            """
        let end = try await Running("/usr/bin/env", ["zsh", "-fc", script, "zsh", file, Program.path, verb.rawValue])
            .wait()
        #expect((end.code, end.errors) == (0, ""))
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(lines == verb.options.map { "\($0.flag):\($0.summary)" })
    }

    @Test(
        .enabled(if: Tool.isInstalled("fish"), "fish is not installed here"),
        arguments: [
            ("build --so", ["--source"]), ("build --source ", ["archive", "auto", "live", "sample"]),
            ("v", ["verify"]), ("verify ", ["archive", "site", "snapshot"]), ("log --por", []),
        ])
    func `Fish completes options, values and verbs`(line: String, offered: [String]) async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write(Shell.fish.script, to: "amber.fish")
        let command = "set PATH (path dirname '\(Program.path)') $PATH; source '\(file)'; complete -C 'amber \(line)'"
        let end = try await Running(
            "/usr/bin/env", ["fish", "-c", command], environment: ["HOME": scratch.path]
        ).wait()
        #expect(
            end.output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }.sorted() == offered,
            "\(end.errors)")
    }
}
