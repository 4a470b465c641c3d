import Foundation
import SampleAPI
import TestSupport
import Testing

/// Records that are allowed and odd: nothing of them stops the site, and nothing is lost.
struct OddDataTests {
    private func build(_ changes: [Int: [(String, String)]]) async throws -> (site: String, run: Program.Result, small: Small) {
        var behaviour = Behaviour()
        for (id, edits) in changes {
            var json = String(decoding: try #require(Small.universe.json(Universe.Reference(.character, id))), as: UTF8.self)
            for (pattern, replacement) in edits {
                let expression = try NSRegularExpression(pattern: pattern)
                json = expression.stringByReplacingMatches(
                    in: json, range: NSRange(json.startIndex..., in: json),
                    withTemplate: NSRegularExpression.escapedTemplate(for: replacement))
            }
            behaviour.replaced[Universe.Reference(.character, id)] = Array(json.utf8)
        }
        let small = try Small(behaviour)
        return (small.site, try await small.run("build"), small)
    }

    @Test("Empty and blank values are shown as none, and have lists of their own")
    func blanks() async throws {
        let (site, run, small) = try await build([
            7: [(#""name":"[^"]*","status""#, #""name":"  ","status""#), (#""status":"[^"]*""#, #""status":"""#)],
            8: [(#""species":"[^"]*""#, #""species":"""#), (#""gender":"[^"]*""#, #""gender":" ""#)],
            9: [(#""location":\{"name":"[^"]*""#, #""location":{"name":"\t""#), (#""origin":\{"name":"[^"]*""#, #""origin":{"name":"""#)],
        ])
        defer { withExtendedLifetime(small) {} }
        #expect(run.code == 0, "\(run.errors)")
        #expect(try String(contentsOfFile: "\(site)/character/7.html", encoding: .utf8).contains("<h1>Character 7</h1>"))
        let index = try String(contentsOfFile: "\(site)/index.html", encoding: .utf8)
        #expect(index.components(separatedBy: "<span>none given</span> <span class=\"count\">1</span>").count == 4)
        let place = try String(contentsOfFile: "\(site)/character/9.html", encoding: .utf8)
        #expect(place.contains("<dt>Location</dt><dd><a href=\"../location/"))
        #expect(place.range(of: "<a [^>]*>\\s*</a>", options: .regularExpression) == nil)
    }

    @Test("A member's name written with escapes is read through capture and render")
    func escapedName() async throws {
        let (site, run, small) = try await build([7: [(#""species""#, #""\u0073pecies""#)]])
        defer { withExtendedLifetime(small) {} }
        #expect(run.code == 0, "\(run.errors)")
        #expect(FileManager.default.fileExists(atPath: "\(site)/character/7.html"))
    }

    @Test("A number that scripts cannot hold is a gap, and the others are published")
    func hugeNumber() async throws {
        let (site, run, small) = try await build([7: [(#"^\{"id":7"#, #"{"id":9007199254740993"#)]])
        defer { withExtendedLifetime(small) {} }
        #expect(run.code == 4)
        #expect(run.output.contains("id: is 9007199254740993, not 1 to 9007199254740991"))
        #expect(FileManager.default.fileExists(atPath: "\(site)/character/8.html"))
    }
}
