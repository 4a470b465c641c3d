import Foundation
import TestSupport
import Testing

/// The worked example in docs/templates.md: its edits are applied to a copy of Templates, its commands are run, and
/// its output is compared.
struct TemplateExampleTests {
    private let scratch: ScratchFolder
    private var templates: String { scratch["Templates"] }
    private var site: String { scratch["Try/site"] }

    init() throws {
        scratch = try ScratchFolder()
        try FileManager.default.copyItem(atPath: "\(Program.root)/Templates", toPath: scratch["Templates"])
    }

    @Test func `Every step of the example works and shows the documented output`() async throws {
        var steps = 0
        var output = ""
        for block in try blocks() {
            switch block.language {
            case "sh": for line in block.lines { output = try await run(line) ?? output }
            case "diff": try edit(block.lines)
            case "text":
                let wanted = block.lines.joined(separator: "\n")
                #expect(output.contains(wanted), "the example shows\n\(wanted)\nand the program printed\n\(output)")
            case "html":
                let pages = try contents(of: site).filter { $0.key.hasSuffix(".html") }.map {
                    String(decoding: $1, as: UTF8.self)
                }
                #expect(
                    pages.contains { $0.contains(block.lines.joined(separator: "\n")) }, "no page has\n\(block.lines)")
            default: Issue.record("the example has an untested block of \(block.language)")
            }
            steps += 1
        }
        #expect(steps >= 12)
        let style = try String(contentsOfFile: "\(site)/style.css", encoding: .utf8)
        #expect(style.contains("--accent: light-dark(#7a2d8c, #e2a6ee);"))
        #expect(try String(contentsOfFile: "\(site)/index.html", encoding: .utf8).contains("<h1>Everyone</h1>"))
        #expect(try String(contentsOfFile: "\(site)/ru/index.html", encoding: .utf8).contains("<h1>Все, кто есть</h1>"))
        #expect(try String(contentsOfFile: "\(site)/de/index.html", encoding: .utf8).contains("<h1>Figuren</h1>"))
    }
}

extension TemplateExampleTests {
    private struct Block {
        let language: String
        let lines: [String]
    }

    private func blocks() throws -> [Block] {
        let text = try Document("docs/templates.md").byHand()
        let start = try #require(text.range(of: "\n## An example: changing the card\n"))
        let section = text[start.upperBound...].components(separatedBy: "\n## ")[0]
        var blocks: [Block] = []
        var open: Block?
        for line in section.components(separatedBy: "\n") {
            if let block = open {
                if line == "```" {
                    blocks.append(block)
                    open = nil
                } else {
                    open = Block(language: block.language, lines: block.lines + [line])
                }
            } else if line.hasPrefix("```") {
                open = Block(language: String(line.dropFirst(3)), lines: [])
            }
        }
        return blocks
    }

    /// Runs a command of the example.
    /// - Returns: the output of the program; nil for other commands.
    private func run(_ line: String) async throws -> String? {
        var words = line.split(separator: "#")[0].split(separator: " ").map(String.init)
        let verb = words.removeFirst()
        switch verb {
        case "cp":
            try FileManager.default.copyItem(atPath: scratch[words[0]], toPath: scratch[words[1]])
            return nil
        case "amber":
            // A server would run until it is interrupted. Other tests start it.
            guard words[0] != "serve" else { return nil }
            words = words.map { $0 == "Try" ? scratch["Try"] : $0 }
            let result = try await Program.start(words + ["--templates", templates]).wait()
            #expect([0, 5].contains(result.code), "\(line): \(result.errors)")
            return (result.errors + result.output).replacingOccurrences(of: templates, with: "Templates")
        default:
            Issue.record("the example has an untested command: \(line)")
            return nil
        }
    }

    /// Applies an edit: the first line names the file, the others are removed (-), added (+) or unchanged.
    private func edit(_ lines: [String]) throws {
        let file = scratch[String(try #require(lines.first).dropFirst("--- ".count))]
        func side(_ mark: Character) -> String {
            lines.dropFirst().filter { $0.first == mark || $0.first == " " }.map { "\($0.dropFirst())\n" }.joined()
        }
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(
            text.components(separatedBy: side("-")).count == 2,
            "\(lines[0]) does not contain exactly once:\n\(side("-"))")
        try Data(text.replacingOccurrences(of: side("-"), with: side("+")).utf8).write(to: URL(fileURLWithPath: file))
    }
}
