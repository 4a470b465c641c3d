import Foundation
import TestSupport
import Testing

/// The worked examples in docs/templates.md and docs/catalogue.md: their edits are applied to a copy of the folders,
/// their commands are run, and their output is compared.
struct TemplateExampleTests {
    private let scratch: ScratchFolder
    private var templates: String { scratch["Templates"] }
    private var site: String { scratch["Try/site"] }

    init() throws {
        scratch = try ScratchFolder()
        for folder in ["Templates", "Catalogues"] {
            try FileManager.default.copyItem(atPath: "\(Program.root)/\(folder)", toPath: scratch[folder])
        }
    }

    /// Carries out the steps of a section.
    /// - Returns: the number of steps.
    private func carryOut(_ document: String, _ title: String) async throws -> Int {
        var steps = 0
        var output = ""
        for block in try blocks(of: document, title) {
            switch block.language {
            case "sh": for line in block.lines { output = try await run(line) ?? output }
            case "diff": try edit(block.lines)
            case "mustache":
                // The first line is a comment with the name of the file.
                let file = scratch[String(try #require(block.lines.first?.split(separator: " ").dropFirst().first))]
                try Data(block.lines.map { "\($0)\n" }.joined().utf8).write(to: URL(fileURLWithPath: file))
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
        return steps
    }

    @Test func `Every step of the example of a catalogue works`() async throws {
        #expect(try await carryOut("docs/catalogue.md", "An example: changing the catalogue") >= 9)
        for (language, labels) in [("", ["Characters by type", "Everyone"]), ("ru/", ["Персонажи по типам"])] {
            let text = try String(contentsOfFile: "\(site)/\(language)figures.html", encoding: .utf8)
            for label in labels { #expect(text.contains(label)) }
        }
        let folders = ["species", "location-type"].map { FileManager.default.fileExists(atPath: "\(site)/\($0)") }
        #expect(folders == [true, false])
    }

    @Test func `Every step of the example of templates works and shows the documented output`() async throws {
        #expect(try await carryOut("docs/templates.md", "An example: changing the card") >= 12)
        let style = try String(contentsOfFile: "\(site)/style.css", encoding: .utf8)
        #expect(style.contains("--accent: light-dark(#7a2d8c, #e2a6ee);"))
        #expect(try String(contentsOfFile: "\(site)/index.html", encoding: .utf8).contains("<h1>Everyone</h1>"))
        #expect(try String(contentsOfFile: "\(site)/ru/index.html", encoding: .utf8).contains("<h1>Все, кто есть</h1>"))
        #expect(try String(contentsOfFile: "\(site)/de/index.html", encoding: .utf8).contains("<h1>Figuren</h1>"))
    }

    @Test func `The example of a complete template of a record works`() async throws {
        #expect(try await carryOut("docs/templates.md", "An example: a page of records") == 4)
    }
}

extension TemplateExampleTests {
    private struct Block {
        let language: String
        let lines: [String]
    }

    private func blocks(of document: String, _ title: String) throws -> [Block] {
        let text = try Document(document).byHand()
        let start = try #require(text.range(of: "\n## \(title)\n"))
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
            words.removeAll { $0 == "-r" }
            try FileManager.default.copyItem(atPath: scratch[words[0]], toPath: scratch[words[1]])
            return nil
        case "amber":
            // A server would run until it is interrupted. Other tests start it.
            guard words[0] != "serve" else { return nil }
            words = words.map { $0 == "Try" ? scratch["Try"] : $0 == "./Mine" ? scratch["Mine"] : $0 }
            words += ["--templates", templates]
            if !words.contains("--catalogue") { words += ["--catalogue", scratch["Catalogues/rickandmorty"]] }
            let result = try await Program.start(words).wait()
            #expect([0, 5].contains(result.code), "\(line): \(result.errors)")
            return (result.errors + result.output).replacingOccurrences(of: "\(scratch.path)/", with: "")
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
