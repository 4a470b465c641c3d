import Foundation
import SampleAPI
import TestSupport
import Testing

/// What cannot be had is named; the rest is published; nothing is a silent hole.
struct GapTests {
    @Test("A record that cannot be decoded is a gap with URL, place and reason; the others are published, exit 4")
    func brokenRecord() async throws {
        var behaviour = Behaviour()
        behaviour.replaced = [Universe.Reference(.character, 7): Array(#"{"id":7,"name":12}"#.utf8)]
        let small = try Small(behaviour)
        let run = try await small.run("build", "--json")
        #expect(run.code == 4)
        let summary = try Small.summary(run)
        #expect(summary["complete"] as? Bool == false)
        let gaps = try #require(summary["gaps"] as? [[String: String]])
        #expect(gaps.contains(["url": "character?page=1", "reason": "results[6].name: is not a text"]))
        #expect((summary["records"] as? [String: Int])?["character"] == 44)
        #expect(!FileManager.default.fileExists(atPath: "\(small.site)/character/7.html"))
        #expect(FileManager.default.fileExists(atPath: "\(small.site)/character/8.html"))
        let index = try String(contentsOfFile: "\(small.site)/index.html", encoding: .utf8)
        #expect(index.contains("things could not be captured") && index.contains("about.html#missing"))
        let about = try String(contentsOfFile: "\(small.site)/about.html", encoding: .utf8)
        #expect(about.contains("<h2 id=\"missing\">What is missing</h2>") && about.contains("results[6].name"))
    }

    @Test("A picture that is missing, and one that is none, get the drawn placeholder and are named")
    func brokenPictures() async throws {
        var behaviour = Behaviour(faults: [Fault(.contains("avatar/3.jpeg"), times: nil, .status(404))])
        behaviour.avatarOverrides = [5: Array("<html>no picture</html>".utf8)]
        let small = try Small(behaviour)
        let run = try await small.run("build")
        #expect(run.code == 4)
        #expect(run.output.contains("character/avatar/3.jpeg: the server does not have this picture of character 3"))
        #expect(
            run.output.contains(
                "character/avatar/5.jpeg: is no picture, whatever it is called (3 attempts); it is the picture of character 5"
            ))
        for id in [3, 5] {
            let page = try String(contentsOfFile: "\(small.site)/character/\(id).html", encoding: .utf8)
            #expect(page.contains("<img src=\"../placeholder.svg\""))
        }
        #expect(try await small.run("build").code == 4, "a second run says it again")
    }

    @Test("A link to another host is named and not followed")
    func foreignLink() async throws {
        var behaviour = Behaviour()
        let character = String(
            decoding: try #require(Small.universe.json(Universe.Reference(.character, 9))), as: UTF8.self)
        behaviour.replaced = [
            Universe.Reference(.character, 9): Array(
                character.replacingOccurrences(
                    of: "https://sample.invalid/api/character/avatar/9.jpeg", with: "http://127.0.0.1:1/avatar/9.jpeg"
                ).utf8)
        ]
        let small = try Small(behaviour)
        let run = try await small.run("build")
        #expect(run.code == 4)
        #expect(
            run.output.contains(
                #"results[8].image: links to "http://127.0.0.1:1/avatar/9.jpeg", which is not below this API's address"#
            ))
        #expect(!small.server.log.contains { $0.target.contains("avatar/9.jpeg") })
    }

    @Test("A record that somebody names and nobody has is named with who names it")
    func dangling() async throws {
        var behaviour = Behaviour()
        let character = String(
            decoding: try #require(Small.universe.json(Universe.Reference(.character, 9))), as: UTF8.self)
        let dangling = character.replacingOccurrences(of: "/api/episode/", with: "/api/episode/99")
        behaviour.replaced = [Universe.Reference(.character, 9): Array(dangling.utf8)]
        let small = try Small(behaviour)
        let run = try await small.run("build")
        #expect(run.code == 4)
        #expect(run.output.contains("the server does not have it, though character 9 names it at episode[0]"))
    }

    @Test("Faults that pass leave no trace")
    func passingFaults() async throws {
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
        let run = try await faulty.run("build")
        #expect(run.code == 0, "\(run.errors)\(run.output)")
        // The address is the only thing in which what the two sites say of this state differs.
        let repaired = try stateOnly(contents(of: faulty.site)).mapValues { page in
            String(decoding: page, as: UTF8.self).replacingOccurrences(
                of: faulty.server.apiURL, with: small.server.apiURL)
        }
        #expect(repaired == (try stateOnly(good)).mapValues { String(decoding: $0, as: UTF8.self) })
    }
}
