import Foundation
import SampleAPI
import TestSupport
import Testing

@testable import AmberCommand

struct TerminalTests {
    @Test(
        arguments: [
            ("plain, Käse 😀\tx", "plain, Käse 😀\tx"), ("\u{1B}[31mred\u{7}", "\\u{1b}[31mred\\u{7}"),
            ("a\u{9B}2Jb", "a\\u{9b}2Jb"),
            ("del\u{7F}", "del\\u{7f}"), ("one\ntwo\r", "one\\u{a}two\\u{d}"),
            ("\u{202E}abc\u{202C}", "\\u{202e}abc\\u{202c}"),
            ("\u{2066}x\u{2069}\u{200E}\u{200F}\u{61C}", "\\u{2066}x\\u{2069}\\u{200e}\\u{200f}\\u{61c}"),
            ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"), ("👩\u{200D}🚀", "👩\u{200D}🚀"),
        ])
    func `Characters that control a terminal are shown as escapes`(text: String, shown: String) {
        #expect(TerminalText.line(text) == shown)
    }

    @Test func `JSON keeps its value and is one line`() throws {
        let value = "\u{7F}\u{80}\u{9B}\u{2028}\u{202E}\u{200F}é"
        let json = TerminalText.json("{\r\n\t\"a\": \"\(value)\"}")
        #expect(!Self.hasUnsafeCharacter(json) && !json.contains("\n"))
        let object = try jsonObject(Data(json.utf8))
        #expect(object["a"] as? String == value)
    }

    @Test func `No verb lets the text of a record control the terminal`() async throws {
        let hostile =
            #"\u001b]0;owned\u0007\u009b31m\u202e\u2066\nok  archive: all proofs hold\r\u2028\u007f"#
            + "\u{9B}\u{202E}\u{2028}"
        var behaviour = Behaviour()
        let reference = Universe.Reference(.character, 7)
        let json = String(decoding: try #require(Small.universe.json(reference)), as: UTF8.self)
        func record(_ name: String, _ image: String) -> [UInt8] {
            Array(
                json.replacing(/"name":"[^"]*","status"/, with: "\"name\":\"\(name)\",\"status\"")
                    .replacing(/"image":"[^"]*"/, with: "\"image\":\"\(image)\"").utf8)
        }
        behaviour.replaced[reference] = record(hostile + "1", hostile)
        let small = try Small(behaviour)
        var results = [try await small.run("build", "--verbose")]
        behaviour.replaced[reference] = record(hostile + "2", "x" + hostile)
        small.server.behaviour = behaviour
        results.append(try await small.run("build"))
        for verb in [
            ["log"], ["diff", "1", "2"], ["verify"], ["check"], ["card", "7"], ["diff", "1", "2", "--json"],
            ["log", "--json"],
        ] {
            results.append(try await Program.start(small.arguments(verb[0], Array(verb.dropFirst()))).wait())
        }
        for result in results {
            #expect(
                !Self.hasUnsafeCharacter(result.output) && !Self.hasUnsafeCharacter(result.errors),
                "\(result.output)\n\(result.errors)")
            #expect(!result.output.contains("\nok  archive: all proofs hold\\u{d}"))
        }
        #expect(results[2].code == 0 && results[3].output.contains("~ character 7"))
    }

    @Test func `Errors that quote a path, a key or a verb do not control the terminal`() async throws {
        let scratch = try ScratchFolder()
        let name = "\u{1B}[2J\u{9B}x\nline"
        let missing = try await Program.run("build", "--config", "\(scratch.path)/\(name)")
        let file = try scratch.write("{\"\(name)\": 1}", to: "amber.json")
        let key = try await Program.run("build", "--config", file)
        let verb = try await Program.run(name)
        // The error in the file quotes the line and shows the column.
        for (result, lines) in [(missing, 1), (key, 3), (verb, 1)] {
            #expect(result.code == 2 && !Self.hasUnsafeCharacter(result.errors), "\(result.errors)")
            #expect(result.errors.split(separator: "\n").count == lines, "\(result.errors)")
        }
    }

    /// Whether a text contains a control character other than a line feed, or a character that changes the direction.
    private static func hasUnsafeCharacter(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 10: false
            case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
