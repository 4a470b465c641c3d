import Foundation
import TestSupport
import Testing

struct ErrorDocumentTests {
    @Test func `Every message of docs/errors.md is in the code`() throws {
        let sources = URL(fileURLWithPath: "\(Program.root)/Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        let code = try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
            // Join the parts of long strings.
            .replacing(/"\s*\+ "|\\#?\n\s*/, with: "").replacing("\\\"", with: "\"")
        let messages = try Document("docs/errors.md").text.matches(of: #/\n- `([^`]+)`: /#).map { String($0.1) }
        #expect(messages.count > 20)
        for part in messages.flatMap({ $0.components(separatedBy: "…") }) {
            let part = part.trimmingCharacters(in: [" "])
            // Skip the empty part after the last "…" and the example of a page fault, whose tag and attribute vary.
            if part.isEmpty || part.hasPrefix("<img>") { continue }
            let isSaid = code.contains(part)
            #expect(isSaid, "no message contains: \(part)")
        }
    }

    @Test func `Every exit code has a row`() throws {
        let rows = try Document("docs/errors.md").text.matches(of: /\n\| ([0-9, ]+) \|/).map { String($0.1) }
        #expect(rows == ["0", "2", "3", "4", "5", "6", "7", "130, 143"])
    }
}
