import Foundation
import SQLite
import SampleAPI
import TestSupport
import Testing

struct DeclarationChangeTests {
    /// An output that was built with a copy of a catalogue.
    private struct Changing {
        let small: Small
        let catalogue: String

        init() async throws {
            small = try Small(universe: Universe(seed: 7, characters: 3))
            catalogue = try small.copyCatalogue()
            try await run("build").succeeded()
            small.server.resetLog()
        }

        func run(_ verb: String, _ more: String...) async throws -> Program.Result {
            try await Program.start(small.arguments(verb, more + ["--catalogue", catalogue])).wait()
        }

        func change(_ old: String, to new: String) throws {
            try edit("\(catalogue)/catalogue.json") { $0.replacing(old, with: new) }
        }
    }

    @Test func `Every verb refuses changed ids in one sentence, before any request`() async throws {
        let changing = try await Changing()
        try changing.change(#""character": {"#, to: #""character": { "id": "number","#)
        let sentence = """
            \(changing.catalogue)/catalogue.json: kinds.character.id: changed from "id" to "number", but revision 1 in \
            \(changing.small.output)/archive has such records; undo the change, or choose another --output to capture \
            into a new archive
            """
        let folder = "\(changing.small.scratch.path)/state"
        for (verb, more) in [
            ("build", []), ("capture", []), ("build", ["--source", "archive"]), ("render", []), ("log", []),
            ("verify", ["site"]), ("snapshot", []), ("import", [folder, "--date", "2018-05-01"]),
        ] {
            let run = try await Program.start(
                changing.small.arguments(verb, more + ["--catalogue", changing.catalogue])
            ).wait()
            #expect(run.code == 2 && run.errors.contains(sentence), "\(verb): \(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1, "\(verb): \(run.errors)")
        }
        #expect(changing.small.server.log.isEmpty)
        try await changing.run("verify", "archive").succeeded()

        // A new output has a new archive.
        let other = try await changing.run("capture", "--output", "\(changing.small.scratch.path)/other")
        #expect(!other.errors.contains("changed from"), "\(other.errors)")
        #expect(!changing.small.server.log.isEmpty)
    }

    @Test func `An edit for pages leaves the archive intact, and the site outdated`() async throws {
        let changing = try await Changing()
        try changing.change(#""species": { "facet": true },"#, to: #""species": { "facet": true, "label": "type" },"#)
        try await changing.run("verify", "archive").succeeded()
        let site = try await changing.run("verify", "site")
        #expect(site.code == 7)
        #expect(
            site.output.contains(
                "FAIL  site: the catalogue or the templates changed since \(changing.small.site) was built"))
        #expect(site.output.contains(" render --config "), "\(site.output)")
        #expect(try await changing.run("render").code == 0)
        #expect(try await changing.run("verify", "site").code == 0)
    }

    @Test func `A revision is proved with the declaration it was captured with`() async throws {
        let changing = try await Changing()
        // The records do not have this member, so they are invalid by the new declaration.
        let field = #""created": { "type": "datetime""#
        try changing.change(field, to: #""nickname": { "label": "species" }, \#(field)"#)
        try changing.change(#""required": ["status","#, to: #""required": ["nickname", "status","#)
        for verb in ["render", "verify", "snapshot", "verify"] {
            try await changing.run(verb).succeeded()
        }
    }

    @Test func `A revision that was only requested in another way says so`() async throws {
        let changing = try await Changing()
        try changing.change(#""path": "{list}""#, to: #""path": "{list}?x=1""#)
        #expect(try await changing.run("build").code == 0)
        let log = try await changing.run("log")
        #expect(
            log.output.contains("no value changed, but the API was requested or read in another way"), "\(log.output)")
        let page = try String(contentsOfFile: "\(changing.small.site)/changes.html", encoding: .utf8)
        #expect(page.contains("The catalogue requests or reads the API in another way."))
        #expect(!page.contains("written differently"))
    }

    @Test func `A new reference is read after an unchanged capture`() async throws {
        let changing = try await Changing()
        let reference = """
            "origin": {
                      "type": "reference", "to": "location", "path": "origin.url", "text": "origin.name",
                      "note": ["type", "dimension"]
                    },
            """
        try changing.change(reference, to: #""origin": { "path": "origin.name" },"#)
        try changing.change(#""of": "character.origin""#, to: #""of": "character.location""#)
        func digests() throws -> [[UInt8]] {
            let db = try Connection("\(changing.small.output)/archive/archive.sqlite", .readOnly)
            return try db.all("SELECT capture_digest FROM declaration") { $0.blob(0) }
        }
        let first = try digests()
        let build = try await changing.run("build", "--json").succeeded()
        #expect(try build.summary()["unchanged"] as? Bool == true, "\(build.output)")
        #expect(try digests().count == 1 && digests() != first)
        #expect(try await changing.run("verify").code == 0)
    }
}
