import Archive
import Foundation
import SampleAPI
import TestSupport
import Testing

@testable import AmberCommand

struct GapTests {
    @Test func `Gaps are grouped by their reason, with the most frequent first`() {
        let pictures = (1...30).map {
            Gap(url: "a/\($0).svg", reason: "is an SVG picture; only PNG is accepted; it is the picture of page \($0)")
        }
        let links = ["x", "y"].map {
            Gap(url: "page?p=1", keyPath: "[3].url", reason: "links to \"\($0)\", which is not known")
        }
        let lost = Gap(url: String(repeating: "u", count: 300), reason: "answered status 500")
        #expect(
            Summary.gapLines([lost] + links + pictures) == [
                "gaps      33:",
                "          30 like a/1.svg: is an SVG picture; only PNG is accepted; it is the picture of page 1",
                "          2 like page?p=1: [3].url: links to \"x\", which is not known",
                "          \(String(repeating: "u", count: 119))…: answered status 500",
                "          --json lists them all",
            ])
    }

    @Test func `A record that cannot be decoded is a gap with URL, path and reason, exit 4`() async throws {
        var behaviour = Behaviour()
        behaviour.replaced = [Universe.Reference(.character, 7): Array(#"{"id":7,"status":12}"#.utf8)]
        let small = try Small(behaviour)
        let run = try await small.run("build", "--json")
        #expect(run.code == 4)
        let summary = try run.summary()
        #expect(summary["complete"] as? Bool == false)
        let gaps = try #require(summary["gaps"] as? [[String: String]])
        #expect(gaps.contains(["url": "character?page=1", "reason": "results[6].status: is not a string"]))
        #expect((summary["records"] as? [String: Int])?["character"] == 44)
        let snapshot = try await small.run("snapshot", "--json")
        #expect(try snapshot.code == 4 && snapshot.summary()["gaps"] as? [[String: String]] == gaps)
        #expect(!small.hasFile("character/7.html"))
        #expect(small.hasFile("character/8.html"))
        let index = try small.page("index.html")
        #expect(index.contains("items could not be captured") && index.contains("about.html#missing"))
        let about = try small.page("about.html")
        #expect(about.contains("<h2 id=\"missing\">What is missing</h2>") && about.contains("results[6].status"))
    }

    @Test func `Missing and invalid pictures are gaps, and their pages show the placeholder`() async throws {
        var behaviour = Behaviour(faults: [Fault(.contains("avatar/3.jpeg"), times: nil, .status(404))])
        behaviour.avatarOverrides = [5: Array("<html>no picture</html>".utf8)]
        let small = try Small(behaviour)
        let run = try await small.run("build")
        run.failed(4, printing: "character/avatar/3.jpeg: the server does not have this picture of character 3")
        #expect(
            run.output.contains(
                "character/avatar/5.jpeg: is not a PNG, JPEG, GIF or WebP picture (2 attempts); it is the picture of character 5"
            ))
        for id in [3, 5] {
            #expect(try small.page("character/\(id).html").contains("<img src=\"../placeholder.svg\""))
        }
        #expect(try await small.run("build").code == 4, "a second run reports the gaps again")
    }

    @Test func `Transient faults do not change the site`() async throws {
        let small = try await Small.built()
        let good = try contents(of: small.site)
        let faulty = try Small(
            Behaviour(faults: [
                Fault(.contains("character?page=1"), .reset),
                Fault(.contains("character?page=2"), .status(502, body: "<html>")),
                Fault(.contains("location?page=1"), .truncate(100)),
                Fault(.contains("episode?page=1"), .body(Array("<p>hello".utf8))),
                Fault(.contains("avatar/4.jpeg"), .truncate(50)),
                Fault(.contains("avatar/6.jpeg"), .status(429, headers: [(name: "Retry-After", value: "1")])),
                Fault(.contains("avatar/8.jpeg"), .status(500)),
            ]))
        try await faulty.run("build").succeeded()
        // The two sites differ only in the address of the server.
        let repaired = try comparableFiles(contents(of: faulty.site)).mapValues { page in
            String(decoding: page, as: UTF8.self).replacingOccurrences(
                of: faulty.server.apiURL, with: small.server.apiURL)
        }
        #expect(repaired == (try comparableFiles(good)).mapValues { String(decoding: $0, as: UTF8.self) })
    }
}
