import Foundation
import SampleAPI
import TestSupport
import Testing

struct OddDataTests {
    private func build(_ changes: [Int: [(String, String)]]) async throws -> (
        site: String, run: Program.Result, small: Small
    ) {
        var behaviour = Behaviour()
        for (id, edits) in changes {
            var json = String(
                decoding: try #require(Small.universe.json(Universe.Reference(.character, id))), as: UTF8.self)
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

    @Test func `Empty and blank values are shown as none given and have their own lists`() async throws {
        let (site, run, small) = try await build([
            7: [(#""name":"[^"]*","status""#, #""name":"  ","status""#), (#""status":"[^"]*""#, #""status":"""#)],
            8: [(#""species":"[^"]*""#, #""species":"""#), (#""gender":"[^"]*""#, #""gender":" ""#)],
            9: [
                (#""location":\{"name":"[^"]*""#, #""location":{"name":"\t""#),
                (#""origin":\{"name":"[^"]*""#, #""origin":{"name":"""#),
            ],
        ])
        defer { withExtendedLifetime(small) {} }
        #expect(run.code == 0, "\(run.errors)")
        #expect(
            try String(contentsOfFile: "\(site)/character/7.html", encoding: .utf8).contains("<h1>Character 7</h1>"))
        let index = try String(contentsOfFile: "\(site)/index.html", encoding: .utf8)
        #expect(index.components(separatedBy: ">not specified <span class=\"count\">1</span>").count == 4)
        let place = try String(contentsOfFile: "\(site)/character/9.html", encoding: .utf8)
        #expect(place.contains("<dt>Location</dt><dd><a href=\"../location/"))
        #expect(place.range(of: "<a [^>]*>\\s*</a>", options: .regularExpression) == nil)
    }

    @Test(arguments: ["", " ", #"\u200b"#])
    func `Pages of records that have only empty texts are valid HTML`(blank: String) async throws {
        var behaviour = Behaviour()
        let text = "\"\(blank)\""
        let place = #"{"name":\#(text),"url":""}"#
        for id in 1...Small.universe.counts.character {
            behaviour.replaced[.init(.character, id)] = HostileRecords.character(
                id,
                [
                    "name": text, "status": text, "species": text, "type": text, "gender": text, "origin": place,
                    "location": place,
                    "image": #""""#, "episode": "[]",
                ], without: id % 2 == 0 ? "url" : nil)
        }
        for id in 1...Small.universe.counts.location {
            behaviour.replaced[.init(.location, id)] = HostileRecords.location(
                id, residents: [], ["name": text, "type": text, "dimension": text])
        }
        for id in 1...Small.universe.counts.episode {
            behaviour.replaced[.init(.episode, id)] = HostileRecords.episode(
                id, characters: [], ["name": text, "air_date": text, "episode": text])
        }
        // One site has no history. In the other one the history shows every text that was removed.
        let (fresh, changed) = (try Small(behaviour), try Small())
        try await fresh.run("build").succeeded()
        #expect(try await changed.run("build").code == 0)
        changed.server.behaviour = behaviour
        try await changed.run("build").succeeded()
        for path in ["\(fresh.site)/character/7.html", "\(fresh.site)/location/1.html", "\(fresh.site)/episode/1.html"]
        {
            let page = try String(contentsOfFile: path, encoding: .utf8)
            #expect(page.contains("</h1>") && page.range(of: "<dl>\\s*</dl>", options: .regularExpression) == nil)
        }
    }

    @Test(arguments: [nil, "", " "])
    func `Pages of media that have only a number, a title and a link are valid HTML`(blank: String?) async throws {
        let (fresh, changed) = (try SmallMedia(), try SmallMedia())
        var rows: [Int64: [UInt8]] = [:]
        for search in SmallMedia.searches {
            for id in try await fresh.numbers(search) {
                let bytes = try #require(fresh.server.library.row(id, country: search.country))
                var row = try jsonObject(Data(bytes))
                for (name, value) in row
                where !["wrapperType", "kind", "trackId", "trackName", "trackViewUrl"].contains(name) {
                    row[name] = value is String ? blank : nil
                }
                rows[id] = Array(try JSONSerialization.data(withJSONObject: row, options: .sortedKeys))
            }
        }
        #expect(rows.count > 5)
        fresh.server.behaviour.replacedMedia = rows
        try await fresh.run("build").succeeded()
        #expect(try await changed.run("build").code == 0)
        changed.server.behaviour.replacedMedia = rows
        try await changed.run("build").succeeded()
    }
}
