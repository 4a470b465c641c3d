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
        let judge = try await Running("/usr/bin/env", command + [page]).wait()
        #expect(judge.code == 0)
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
        for option in Option.general { #expect(help.contains("  \(Help.flag(option)) "), "\(option)") }
    }

    @Test(arguments: ["bash", "zsh", "fish"].filter(Tool.isInstalled))
    func `Each shell parses its completions without an error`(shell: String) async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write(try await Program.run("--completions", shell).output, to: shell)
        let end = try await Running("/usr/bin/env", [shell, "-n", file]).wait()
        #expect((end.code, end.output + end.errors) == (0, ""))
    }

    @Test func `The completions of each shell name every verb, its options and their values`() throws {
        let bash = Shell.bash.completions.split(separator: "\n").map(String.init)
        let zsh = Shell.zsh.completions.split(separator: "\n").map(String.init)
        let fish = Shell.fish.completions.split(separator: "\n").map(String.init)
        for verb in Verb.allCases {
            let inBash = try #require(bash.first { $0.hasPrefix("    \(verb.rawValue)) ") })
            let inZsh = try #require(zsh.first { $0.hasPrefix("    \(verb.rawValue)) ") })
            #expect(zsh.contains { $0.contains("'\(verb.rawValue):") })
            #expect(
                fish.contains { $0.hasPrefix("complete -c amber -n __fish_use_subcommand -a \(verb.rawValue) -d ") })
            for option in verb.options {
                let name = "--\(option.rawValue)"
                #expect(inBash.split { " ='".contains($0) }.contains { $0 == name }, "\(verb) \(option)")
                #expect(inZsh.contains("'\(name)["), "\(verb) \(option)")
                let inFish = fish.contains { line in
                    line.contains(" -l \(option.rawValue) ")
                        && line.split { " '".contains($0) }.contains { $0 == verb.rawValue }
                }
                #expect(inFish, "\(verb) \(option)")
            }
        }
        for option in Option.general {
            #expect(bash.contains { $0.contains("compgen -W 'build") && $0.contains(" --\(option.rawValue)") })
            #expect(zsh.contains { $0.hasPrefix("        _arguments ") && $0.contains("'--\(option.rawValue)[") })
            #expect(fish.contains { $0.contains("-n __fish_use_subcommand -l \(option.rawValue) ") })
        }
        for shell in Shell.allCases { #expect(shell.completions.contains("auto live archive sample"), "\(shell)") }
    }

    @Test(
        arguments: [
            (["amber", "s"], ["snapshot", "serve", "sample"]),
            (["amber", "--co"], ["--completions"]),
            (["amber", "build", "--so"], ["--source"]),
            (["amber", "build", "--source", ""], ["auto", "live", "archive", "sample"]),
            (["amber", "build", "--source", "=", "l"], ["live"]),
            (["amber", "build", "--source", "="], ["auto", "live", "archive", "sample"]),
            (["amber", "serve", "--port", ""], []),
            (["amber", "serve", "--po"], ["--port"]),
            (["amber", "build", "--po"], []),
            (["amber", "verify", "s"], ["site", "snapshot"]),
            (["amber", "init", ""], ["a folder"]),
            (["amber", "build", "--output", "a"], ["a folder"]),
            (["amber", "build", "--config", "a"], ["a file", "a folder"]),
            (["amber", "--completions", "z"], ["zsh"]),
            (["amber", "nothing", "--"], []),
        ])
    func `Bash completes verbs, options of the verb, values, folders and files`(words: [String], offered: [String])
        async throws
    {
        let scratch = try ScratchFolder()
        try scratch.write("", to: "work/a folder/x")
        try scratch.write("", to: "work/a file")
        let file = try scratch.write(Shell.bash.completions, to: "bash")
        let script = """
            source "$1"; cd "$2"; shift 2; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _amber
            for word in "${COMPREPLY[@]}"; do printf '%s\\n' "$word"; done | LC_ALL=C sort
            """
        let arguments = ["-c", script, "bash", file, scratch["work"]] + words
        let end = try await Running("/bin/bash", arguments).wait()
        #expect((end.code, end.errors) == (0, ""))
        #expect(end.output.split(separator: "\n").map(String.init) == offered.sorted())
    }

    @Test(.enabled(if: Tool.isInstalled("zsh"), "zsh is not installed here"), arguments: Verb.allCases)
    func `Zsh receives each option with its summary, its value and the choices for it`(verb: Verb) async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write(Shell.zsh.completions, to: "zsh")
        // Print the arguments that the completion system receives.
        let script = """
            compdef() { }; _arguments() { print -rl -- "$words[1] $CURRENT" "$@" }
            source "$1"; words=(amber "$2" --); CURRENT=3; _amber
            """
        let end = try await Running("/usr/bin/env", ["zsh", "-fc", script, "zsh", file, verb.rawValue]).wait()
        #expect((end.code, end.errors) == (0, ""))
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "\(verb.rawValue) 2")
        for option in verb.options {
            let entry = "--\(option.rawValue)[\(option.summary)]"
            #expect(lines.contains { $0 == entry || $0.hasPrefix("\(entry):\(option.argument ?? "no"):") }, "\(option)")
        }
        #expect(lines.contains { $0.hasPrefix("*:") } == !verb.operands.isEmpty)
        if verb == .build { #expect(lines.contains { $0.hasSuffix(":S:(auto live archive sample)") }) }
    }

    @Test(
        .enabled(if: Tool.isInstalled("fish"), "fish is not installed here"),
        arguments: [
            ("amber build --so", ["--source"]), ("amber build --source ", ["archive", "auto", "live", "sample"]),
            ("amber v", ["verify"]), ("amber verify ", ["archive", "site", "snapshot"]), ("amber log --por", []),
        ])
    func `Fish completes options, values and verbs`(line: String, offered: [String]) async throws {
        let scratch = try ScratchFolder()
        let file = try scratch.write(Shell.fish.completions, to: "amber.fish")
        let end = try await Running(
            "/usr/bin/env", ["fish", "-c", "source '\(file)'; complete -C '\(line)'"],
            environment: ["HOME": scratch.path]
        ).wait()
        #expect(
            end.output.split(separator: "\n").map { String($0.split(separator: "\t")[0]) }.sorted() == offered,
            "\(end.errors)")
    }
}
