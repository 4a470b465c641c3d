import Foundation
import SampleAPI
import TestSupport
import Testing

struct CatalogueFolderTests {
    /// Renames a catalogue, and declares that its API is the sample's.
    private func rename(_ catalogue: String) throws {
        try edit("\(catalogue)/catalogue.json") {
            $0.replacing(#""name": "rickandmorty""#, with: #""name": "mine""#)
                .replacing("https://rickandmortyapi.com/api", with: Universe.canonicalBase)
        }
    }

    @Test func `A catalogue with another name is captured, rendered, packaged and verified`() async throws {
        let small = try Small()
        let catalogue = try small.copyCatalogue()
        try rename(catalogue)
        try await small.run("build", "--catalogue", catalogue, "--source", "live").succeeded()
        #expect(small.hasFile("character/45.html"))
        #expect(try await small.run("snapshot", "--catalogue", catalogue).code == 0)
        // The package has its own catalogue.
        try FileManager.default.removeItem(atPath: catalogue)
        try await small.run("verify", "snapshot").succeeded()
    }

    @Test func `Only the catalogues of Amber have a sample`() async throws {
        let small = try Small()
        let catalogue = try small.copyCatalogue()
        try rename(catalogue)
        let build = try await small.run("build", "--catalogue", catalogue, "--source", "sample")
        build.failed(2, #"the catalogue "mine" has no sample; choose another --source"#)
    }

    @Test func `Work on an archive with one API needs no address`() async throws {
        let small = try await Small.built()
        let config = small.scratch["quick.json"]
        for verb in ["log", "render", "check", "verify", "snapshot"] {
            try await Program.run(verb, "--output", small.output, "--config", config).succeeded()
        }
        // A build uses the API of the catalogue, not that of the archive.
        let archive = try await Program.run(
            "build", "--output", small.output, "--config", config, "--source", "archive")
        #expect(archive.code == 3, "\(archive.output)")
    }

    @Test func `A fault of a declaration has file, line, column and the line`() async throws {
        let small = try Small()
        let catalogue = try small.copyCatalogue()
        let file = "\(catalogue)/catalogue.json"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try edit(file) { $0.replacing("\"perPage\": 20", with: "\"perpage\": 20") }
        let run = try await small.run("build", "--catalogue", catalogue)
        #expect(run.code == 2)
        let place = try #require(run.errors.components(separatedBy: "catalogue.json:").dropFirst().first)
        let number = try #require(Int(place.prefix { $0.isNumber }))
        let line = text.components(separatedBy: "\n")[number - 1]
        #expect(line.contains("\"perPage\""))
        #expect(run.errors.contains("kinds.character.list.perpage: is unknown; did you mean \"perPage\"?"))
    }

    @Test func `Files of a catalogue are copied into the site and replace shared ones`() async throws {
        let small = try Small()
        let catalogue = try small.copyCatalogue()
        try small.scratch.write("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", to: "catalogue/files/favicon.svg")
        try small.scratch.write("font", to: "catalogue/files/fonts/other.woff2")
        try await small.run("build", "--catalogue", catalogue).succeeded()
        let site = try contents(of: small.site)
        #expect(site["favicon.svg"] == Data("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8))
        #expect(site["fonts/other.woff2"] == Data("font".utf8) && site["placeholder.svg"] != nil)
    }

    @Test func `Other files, and links that lead out of the folder, are refused`() async throws {
        let small = try Small()
        let catalogue = try small.copyCatalogue()
        try small.scratch.write("x", to: "catalogue/run.sh")
        try await small.run("build", "--catalogue", catalogue).failed(5, "run.sh: is not a file of a catalogue")
        try FileManager.default.removeItem(atPath: "\(catalogue)/run.sh")
        try FileManager.default.moveItem(atPath: "\(catalogue)/catalogue.json", toPath: small.scratch["outside.json"])
        try FileManager.default.createSymbolicLink(
            atPath: "\(catalogue)/catalogue.json", withDestinationPath: "../outside.json")
        let link = try await small.run("build", "--catalogue", catalogue)
        #expect(link.code == 2, "\(link.errors)")
        #expect(!FileManager.default.fileExists(atPath: small.site))
    }
}
