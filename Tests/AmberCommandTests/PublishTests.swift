import Foundation
import SampleAPI
import TestSupport
import Testing

struct PublishTests {
    @Test func `Builds in different folders, time zones and locales have the same bytes`() async throws {
        let small = try await Small.built()
        let other = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: "\(other.path)/deep/er", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: "\(small.output)/archive", toPath: "\(other.path)/deep/er/archive")
        try await Program.run(
            "render", "--api", small.server.apiURL, "--output", "\(other.path)/deep/er",
            environment: [
                "TZ": "Pacific/Kiritimati", "LC_ALL": "ru_RU.UTF-8", "LANG": "tr_TR.UTF-8", "HOME": "/nonexistent",
            ]
        ).succeeded()
        let one = try contents(of: small.site)
        let pages = one.keys.filter { $0.hasSuffix(".html") && $0 != "404.html" }
        #expect(pages.filter { $0.hasPrefix("character/") }.count == 45)
        let russian = pages.filter { $0.hasPrefix("ru/") }.map { String($0.dropFirst(3)) }
        #expect(Set(russian) == Set(pages.filter { !$0.hasPrefix("ru/") }), "each page exists in each language")
        #expect(try contents(of: "\(other.path)/deep/er/site") == one)
    }

    @Test func `A second run without changes writes nothing`() async throws {
        let small = try Small()
        #expect(try await small.run("build").code == 0)
        let before = try fingerprint(of: small.output)
        let second = try await small.run("build", "--source", "archive", "--json").succeeded()
        #expect(try second.summary()["written"] as? Int == 0)
        #expect(
            try second.summary()["pages"] as? Int
                == before.keys.filter { $0.hasPrefix("site/") && $0.hasSuffix(".html") }.count)
        #expect(try fingerprint(of: small.output) == before)
    }

    @Test func `Unchanged pages keep their files, and pictures are read-only hard links`() async throws {
        let small = try Small()
        #expect(try await small.run("build").code == 0)
        let archived = try contents(of: "\(small.output)/archive/assets")
        small.server.behaviour.revise(small.server.universe)
        // The first build after a change creates the second tree, and the next one updates both.
        #expect(try await small.run("build").code == 0)
        #expect(try contents(of: "\(small.output)/archive/assets").count >= archived.count)
        small.server.behaviour = Behaviour()
        let third = try await small.run("build", "--json").succeeded()
        let summary = try third.summary()
        #expect(summary["revision"] as? Int == 3)
        #expect(try #require(summary["written"] as? Int) < 95)
        let facts = try FileManager.default.attributesOfItem(atPath: "\(small.site)/avatar/1.png")
        #expect(facts[.posixPermissions] as? Int == 0o444)
        #expect(try #require(facts[.referenceCount] as? Int) >= 2)
    }

    @Test func `A site of another catalogue is not replaced, and nothing is requested`() async throws {
        let media = try SmallMedia()
        #expect(try await media.run("build").code == 0)
        let before = try fingerprint(of: media.site)
        let small = try Small()
        let run = try await small.run("build", output: media.output)
        run.failed(
            6,
            saying:
                "\(media.site) contains a site of the catalogue itunes, but this build is for rickandmorty; choose another --output, or move that site away"
        )
        #expect(small.server.log.isEmpty)
        #expect(try fingerprint(of: media.site) == before)
        try FileManager.default.moveItem(atPath: media.site, toPath: media.scratch["away"])
        try await small.run("build", output: media.output).succeeded()
        #expect(try await media.run("log").output.contains("1  "))
    }

    @Test func `A page that fails its check stops the build with page, line and rule, exit 5`() async throws {
        let small = try Small()
        #expect(try await small.run("build").code == 0)
        let before = try fingerprint(of: small.site)
        let catalogue = try small.copyCatalogue()
        try small.scratch.write(
            "<li><a href=\"{{home}}nowhere.html\"><img src=\"{{root}}{{picture.path}}\" />{{name}}</a></li>\n",
            to: "catalogue/templates/card.mustache")
        let run = try await small.run("render", "--catalogue", catalogue)
        run.failed(
            5, "amber: index.html:", ": <img> has no alt attribute [missing-attribute]",
            "the link \"../nowhere.html\" leads to no page or file of the site [link]", ", and on ")
        #expect(
            run.errors.firstMatch(of: /\n    \d+: <li><a href="nowhere.html"><img src="avatar\//) != nil,
            "\(run.errors)")
        #expect(run.errors.contains("\n    from index.mustache, or what it includes: card, "), "\(run.errors)")
        #expect(run.errors.contains("faults; nothing is published"))
        #expect(try fingerprint(of: small.site) == before)
    }

    @Test func `Check finds a broken link, a missing picture and invalid markup`() async throws {
        let small = try await Small.built()
        #expect(try await small.run("check").code == 0)
        try FileManager.default.removeItem(atPath: "\(small.site)/avatar/2.png")
        try edit("\(small.site)/character/3.html") { $0.replacing("</article>", with: "") }
        let run = try await small.run("check")
        run.failed(
            5, ": the link \"../avatar/2.png\" leads to no page or file of the site [link]", "character/3.html:",
            "[not-well-formed]")
    }
}
