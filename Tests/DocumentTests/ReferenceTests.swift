import Foundation
import TestSupport
import Testing

struct ReferenceTests {
    private let text: String

    init() throws {
        text = try Document("docs/reference.md").text
    }

    /// The first column of the table with this heading.
    private func rows(_ heading: String) -> [String] {
        let table = text.components(separatedBy: "\n| \(heading) |").last?.components(separatedBy: "\n\n").first ?? ""
        return table.split(separator: "\n").dropFirst(2).map {
            $0.dropFirst(2).prefix { $0 != "|" }.trimmingCharacters(in: .whitespaces)
        }
    }

    @Test func `Every configuration key has a row, and there are no other rows`() async throws {
        let scratch = try ScratchFolder()
        let refused = try await Program.run("log", "--config", try scratch.write(#"{"none": 1}"#, to: "amber.json"))
        let known = try #require(refused.errors.components(separatedBy: "the keys are: ").last)
        let keys = try #require(known.split(separator: "\n").first).components(separatedBy: ", ")
        #expect(keys.count > 15)
        #expect(rows("key").map { $0.trimmingCharacters(in: ["`"]) }.sorted() == keys.sorted())
    }

    @Test func `Every verb has a row, and every option of all verbs is named`() async throws {
        let help = try await Program.run("--help").output
        let verbs = try #require(help.components(separatedBy: "\n\n").dropFirst(2).first).split(separator: "\n")
            .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.compactMap {
                $0.split(separator: " ").first.map(String.init)
            }
        #expect(verbs.count > 10)
        #expect(rows("verb").map { $0.dropFirst().prefix { $0.isLetter } }.map(String.init).sorted() == verbs.sorted())
        // This verb has no options of its own.
        let options = try await Program.run("log", "--help").output.matches(of: /\n  (--[a-z-]+)/).map { String($0.1) }
        #expect(options.count > 8)
        let missing = options.filter { !["--help", "--version"].contains($0) && !text.contains("`\($0)") }
        #expect(missing == [])
    }

    @Test func `README has at most 150 lines and 1,500 words`() throws {
        let readMe = try Document("README.md").text
        #expect(readMe.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
        #expect(readMe.split(whereSeparator: \.isWhitespace).count <= 1_500)
    }

    @Test func `Every exit code has a row`() {
        #expect(rows("exit code") == ["0", "2", "3", "4", "5", "6", "7", "130, 143"])
    }
}
