import Archive
import Foundation
import HTTP
import SQLite
import SampleAPI
import TestSupport
import Testing

struct APIMirrorTests {
    /// The output of a command of docs/format.md.
    private func output(of start: String, in folder: String) async throws -> String {
        let format = try String(contentsOfFile: "\(Program.root)/docs/format.md", encoding: .utf8)
        let command = try #require(format.split(separator: "\n").first { $0.hasPrefix("    " + start) })
        return try await Running("/bin/sh", ["-c", "cd '\(folder)' && \(command)"]).wait().output
    }

    @Test func `The commands in docs/format.md compute the root hash that summary and pages show`() async throws {
        let small = try Small()
        let run = try await small.run("build", "--json").succeeded()
        let hash = try #require(try run.summary()["rootHash"] as? String)
        #expect(try await output(of: "find api ", in: small.site) == "\(hash)  -\n")
        for page in ["about.html", "ru/about.html"] {
            let html = try small.page("\(page)")
            #expect(html.contains("<code>\(hash)</code>"), "\(page)")
        }
        for verb in ["capture", "render"] {
            #expect(try await small.run(verb).output.contains("root hash \(hash)\n"), "\(verb)")
        }
    }

    @Test func `The mirror contains the server's own answers, and its pictures are hard links`() async throws {
        let small = try Small()
        try await small.run("build").succeeded()
        var asked: [String: String] = [:]
        for (kind, records, pages) in [("character", 45, 3), ("location", 6, 1), ("episode", 2, 1)] {
            for page in 1...pages { asked["\(kind)/page/\(page).json"] = "\(kind)?page=\(page)" }
            for id in [1, records] { asked["\(kind)/\(id).json"] = "\(kind)/\(id)" }
        }
        asked["character/avatar/45.jpeg"] = "character/avatar/45.jpeg"
        asked["404.json"] = "character?page=999"
        let client = Client.libcurl(agent: "test", spillFolder: small.scratch.path)
        for (file, path) in asked {
            let url = try #require(WebURL("\(small.server.apiURL)/\(path)"))
            let answer = try await client.send(Request(url))
            guard case .bytes(let bytes) = answer.body else { throw CocoaError(.fileReadTooLarge) }
            let kept = FileManager.default.contents(atPath: "\(small.site)/api/\(file)")
            #expect(kept == Data(bytes), "\(file)")
        }
        let entry = try small.page("api/index.json")
        #expect(
            entry
                == #"{"characters":"https://rickandmortyapi.com/api/character","locations":"https://rickandmortyapi.com/api/location","#
                + #""episodes":"https://rickandmortyapi.com/api/episode"}"#)
        let names = try contents(of: "\(small.site)/api").keys
        #expect(names.filter { !$0.contains("/") }.sorted() == ["404.json", "index.json"])
        #expect(names.filter { $0.hasSuffix(".jpeg") }.count == 45)
        let facts = try FileManager.default.attributesOfItem(atPath: "\(small.site)/api/character/avatar/45.jpeg")
        #expect(try #require(facts[.referenceCount] as? Int) >= 3, "the archive, the page's picture, the API mirror")
    }

    @Test func `A list page of many megabytes is in the API mirror unchanged`() async throws {
        let small = try Small(universe: Universe(seed: 7, characters: 3))
        #expect(try await small.run("capture").code == 0)
        let db = try Connection("\(small.output)/archive/archive.sqlite", .readWrite)
        let (body, served) = try #require(
            try db.first(
                "SELECT body.id, bytes FROM body JOIN exchange ON body = body.id WHERE path = 'character?page=1'"
            ) {
                ($0.integer(0), $0.blob(1))
            })
        // Spaces at the end keep the byte ranges of the records valid.
        let bytes = served + [UInt8](repeating: UInt8(ascii: " "), count: 17 << 20)
        let digest = SHA256(of: bytes)
        try db.run("UPDATE body SET bytes = ?, sha256 = ? WHERE id = ?", bytes, digest, body)
        try db.run("UPDATE exchange SET size = ?, sha256 = ? WHERE body = ?", bytes.count, digest, body)
        try await small.run("render").succeeded()
        #expect(FileManager.default.contents(atPath: "\(small.site)/api/character/page/1.json") == Data(bytes))
        #expect(try await small.run("render").code == 0)
    }

    @Test func `The site of an imported state has a root hash and no API mirror`() async throws {
        let small = try Small()
        for (name, kind) in [("characters", "character"), ("locations", "location"), ("episodes", "episode")] {
            let records = (1...Small.universe.counts[Universe.Kind(rawValue: kind) ?? .character]).compactMap { id in
                Universe.Kind(rawValue: kind).flatMap { Small.universe.json(.init($0, id)) }.map {
                    String(decoding: $0, as: UTF8.self)
                }
            }
            try small.scratch.write("[\(records.joined(separator: ",\n"))]\n", to: "state/\(name).json")
        }
        try await small.run("import", small.scratch["state"], "--date", "2018-05-01").succeeded()
        let run = try await small.run("render", "--json").succeeded()
        let hash = try #require(try run.summary()["rootHash"] as? String)
        #expect(try await output(of: "sha256sum ", in: small.scratch["state"]) == "\(hash)  -\n")
        #expect(!small.hasFile("api"))
        let html = try small.page("completeness.html")
        #expect(
            html.contains("It has no API responses") && html.contains("<code>\(hash)</code>")
                && html.contains("not known"))
    }
}
