import Foundation
import TestSupport
import Testing

/// docs/errors.md against the code.
///
/// A section says which messages it lists: `<!-- messages: Site/ AmberCommand/:wrongUsage -->`, files below Sources by
/// the beginning of their path, what is given to one call there (`:Gap`), or what has certain words
/// (`~was-interrupted`). The list is made from the code; what is said of a message behind it, after " — ", is kept.
struct ErrorDocumentTests {
    @Test func `docs/errors.md has every message that a person can meet`() throws {
        let document = try Document("docs/errors.md")
        let messages = try MessageScanner.messages(in: "\(Program.root)/Sources")
        #expect(messages.count > 300)
        let lines = document.text.components(separatedBy: "\n")
        let rules = lines.compactMap(Self.patterns)
        let told = Self.notes(lines)
        for message in messages where Self.rule(for: message, among: rules) == nil {
            Issue.record(
                "no section of docs/errors.md lists \(message.file):\(message.line), \(message.head): \(message.text)")
        }

        var wanted: [String] = []
        var isListed = false
        for line in lines {
            if line == "<!-- end -->" { isListed = false }
            if isListed { continue }
            wanted.append(line)
            guard let rule = Self.patterns(line) else { continue }
            isListed = true
            var seen: Set<String> = []
            for message in messages
            where Self.rule(for: message, among: rules) == rule && seen.insert(message.text).inserted {
                let quote = message.text.contains("`") ? "``" : "`"
                wanted.append(
                    "- \(quote)\(message.text)\(quote)" + (told[rule + [message.text]].map { " — \($0)" } ?? ""))
            }
        }
        try document.expect(wanted.joined(separator: "\n"))
        #expect(Document.brokenLinks(in: document.text) == [])
    }

    @Test func `Every exit code has a section in docs/errors.md`() throws {
        let text = try Document("docs/errors.md").text
        for code in ["2", "3", "4", "5", "6", "7", "130 and 143"] {
            #expect(text.contains("\n## Exit code \(code): "), "\(code)")
        }
    }
}

extension ErrorDocumentTests {
    private static func patterns(_ line: String) -> [String]? {
        guard line.hasPrefix("<!-- messages: "), line.hasSuffix(" -->") else { return nil }
        return line.dropFirst("<!-- messages: ".count).dropLast(" -->".count).split(separator: " ").map(String.init)
    }

    /// What is said of messages, by section and message.
    private static func notes(_ lines: [String]) -> [[String]: String] {
        var section: [String] = []
        return lines.reduce(into: [:]) { notes, line in
            section = patterns(line) ?? section
            if let entry = entry(line) { notes[section + [entry.text]] = entry.note }
        }
    }

    /// A message and what is said of it.
    private static func entry(_ line: String) -> (text: String, note: String)? {
        guard line.hasPrefix("- `"), let end = line.range(of: "` — ") else { return nil }
        return (line[..<end.lowerBound].dropFirst(2).trimmingCharacters(in: ["`"]), String(line[end.upperBound...]))
    }

    /// The section that says most exactly that it has this message.
    private static func rule(for message: Message, among rules: [[String]]) -> [String]? {
        func weight(_ pattern: String) -> Int? {
            let parts = pattern.split(maxSplits: 1) { ":~".contains($0) }.map(String.init)
            guard message.file.hasPrefix(parts[0]) else { return nil }
            guard parts.count == 2 else { return parts[0].count }
            if pattern.contains("~") {
                return message.text.contains(parts[1].replacingOccurrences(of: "-", with: " "))
                    ? parts[0].count + 2_000 : nil
            }
            return parts[1] == message.head ? parts[0].count + 1_000 : nil
        }
        return rules.compactMap { rule in rule.compactMap(weight).max().map { (rule, $0) } }.max { $0.1 < $1.1 }?.0
    }
}
