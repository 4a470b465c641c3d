import FeedGrammar
import Foundation
import SampleAPI
import TestSupport
import Testing

struct ChangePagesTests {
    private func text(_ data: Data?) -> String { String(decoding: data ?? Data(), as: UTF8.self) }

    @Test func `A changed record changes only the pages that show it`() async throws {
        let universe = Universe(seed: 3, characters: 90)
        let scratch = try ScratchFolder()
        var behaviour = Behaviour()
        var server = try SampleServer(universe, behaviour: behaviour)
        let port = try #require(URL(string: server.apiURL)?.port)
        func build() async throws -> [String: Data] {
            try await Program.run(
                "build", "--source", "live", "--api", server.apiURL, "--output", scratch.path, "--quiet"
            ).succeeded()
            return try contents(of: "\(scratch.path)/site")
        }
        let before = try await build()
        server.stop()
        let record = String(decoding: try #require(universe.json(.init(.character, 30))), as: UTF8.self)
        let place = try #require(record.range(of: #""status":"[A-Za-z]*""#, options: .regularExpression))
        let status = record[place].contains("Dead") ? "Alive" : "Dead"
        behaviour.replaced[.init(.character, 30)] = Array(
            record.replacingCharacters(in: place, with: "\"status\":\"\(status)\"").utf8)
        server = try SampleServer(universe, port: port, behaviour: behaviour)
        let after = try await build()
        server.stop()

        let differing = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        let card = "<li class=\"card\"><a href=\"../character/30.html\">"
        let ofRecords = before.keys.filter { name in
            let parts = name.split(separator: "/")
            return name.hasSuffix(".html") && parts.count > 1
                && ["character", "location", "episode"].contains(parts[parts.count - 2])
        }
        let shown = ofRecords.filter { name in
            let local = name.hasPrefix("ru/") ? String(name.dropFirst(3)) : name
            return local == "character/30.html" || text(before[name]).contains(card)
        }
        #expect(shown.count >= 6)
        #expect(differing.intersection(ofRecords) == Set(shown))
        #expect(ofRecords.count > 200)

        // The other changed files show the record, all records or all changes.
        let whole = [
            "index.html", "page/", "status/", "gender/", "species/", "type/", "locations.html", "episodes.html",
            "figures.html", "changes.html", "revision/2.html",
            "feed.xml",
            "about.html", "completeness.", "api/character", "data/", "search", "scripts/texts.",
        ]
        let others = differing.subtracting(ofRecords).filter { name in
            let local = name.hasPrefix("ru/") ? String(name.dropFirst(3)) : name
            return !whole.contains { local.hasPrefix($0) }
        }
        #expect(others.isEmpty, "\(others.sorted())")
        #expect(text(after["character/30.html"]).contains("<section class=\"history\""))
        #expect(!text(before["character/30.html"]).contains("<section class=\"history\""))
        #expect(text(before["changes.html"]).contains("Later changes will be listed here."))
        #expect(text(after["index.html"]).contains("<h2>Latest changes</h2>"))
        #expect(!text(before["index.html"]).contains("<h2>Latest changes</h2>"))
        #expect(text(after["revision/2.html"]).contains("<h2>Changed: 1 character</h2>"))
    }

    @Test func `A changed picture is listed with the record that shows it`() async throws {
        let universe = Universe(seed: 3, characters: 30)
        let scratch = try ScratchFolder()
        var server = try SampleServer(universe)
        let port = try #require(URL(string: server.apiURL)?.port)
        func build() async throws {
            try await Program.run(
                "build", "--source", "live", "--api", server.apiURL, "--output", scratch.path, "--quiet"
            ).succeeded()
            server.stop()
        }
        try await build()
        var behaviour = Behaviour()
        behaviour.avatarOverrides[7] = universe.portrait(ofCharacter: 8)
        server = try SampleServer(universe, port: port, behaviour: behaviour)
        try await build()
        let page = try String(contentsOfFile: "\(scratch.path)/site/revision/2.html", encoding: .utf8)
        #expect(page.contains("<h2>1 picture changed</h2>"))
        #expect(page.components(separatedBy: "<a class=\"who\" href=\"../character/").count == 2)
        #expect(page.contains("<a class=\"who\" href=\"../character/7.html\">"))
    }

    @Test func `Pages of imported states say so and show when records were added and removed`() async throws {
        let imports = try Imports()
        let ada = Imports.character(1, "Ada")
        let states = [
            ("2018-01-01", [ada, Imports.character(2, "Ben"), Imports.character(4, "Dan")], [1, 2, 4]),
            ("2018-02-01", [ada], [1]),
            (
                "2018-03-01", [ada, Imports.character(2, "Ben", status: "Dead"), Imports.character(3, "Cid")],
                [3, 2, 1]
            ),
        ]
        for (day, characters, residents) in states {
            let folder = try imports.state(
                day, characters: characters, locations: [Imports.location(1, residents: residents)],
                episodes: [Imports.episode(1, characters: residents)])
            #expect(try await imports.run("import", folder, "--date", day).code == 0)
        }
        try await imports.run("render", "--source", "archive").succeeded()
        func page(_ path: String) throws -> String {
            try String(contentsOfFile: "\(imports.output)/site/\(path)", encoding: .utf8)
                .replacingOccurrences(of: "<[^>]*>", with: " ", options: .regularExpression)
                .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(
            try page("character/2.html").contains("In the archive until February 1, 2018 again since March 1, 2018"))
        #expect(try page("character/3.html").contains("In the archive since March 1, 2018"))
        #expect(try !page("character/1.html").contains("History"))
        #expect(try page("location/1.html").contains("February 1, 2018 Removed: Ben Dan March 1, 2018 Added: Cid Ben"))
        #expect(
            try page("character/1.html").contains(
                "Source imported from files of 2018-01-01; no API response is stored SHA-256"))
        #expect(try page("ru/character/2.html").contains("импортировано из файлов от 2018-03-01"))
        #expect(
            try !String(contentsOfFile: "\(imports.output)/site/character/1.html", encoding: .utf8).contains(
                "api/character"))
        let changes = try page("changes.html")
        #expect(
            changes.contains("March 1, 2018 revision 3, imported Added: 2 characters · Changed: 1 location, 1 episode"))
        #expect(
            changes.contains(
                "February 1, 2018 revision 2, imported Removed: 2 characters · Changed: 1 location, 1 episode"))
        #expect(
            changes.contains(
                "January 1, 2018 revision 1, imported First revision: 3 characters, 1 location, 1 episode."))
    }

    @Test func `Feeds of built sites are valid by the grammar of RFC 4287`() async throws {
        let grammar = try #require(RelaxNG(AtomGrammar.source))
        let small = try Small()
        #expect(try await small.run("build", "--source", "live", "--base-url", "https://example.org/kept").code == 0)
        for feed in ["feed.xml", "ru/feed.xml"] {
            let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(small.site)/\(feed)")))
            #expect(grammar.faults(in: bytes).isEmpty, "\(feed)")
        }
        let page = try small.page("ru/character/1.html")
        #expect(page.contains(#"<link rel="alternate" type="application/atom+xml" href="../feed.xml" />"#))
    }
}
