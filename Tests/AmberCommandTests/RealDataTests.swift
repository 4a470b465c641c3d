import Foundation
import SQLite
import TestSupport
import Testing

@Suite(.enabled(if: RealData.isAvailable, Comment(rawValue: RealData.comment)), .serialized)
struct RealDataTests {
    @Test func `All 826 pages show the data of the records, and nothing is requested twice`() async throws {
        let replica = try Replica("--latency", "20")
        let scratch = try ScratchFolder()
        try await Program.run("build", "--source", "live", "--api", replica.api, "--output", scratch.path)
            .succeeded()
        try expectPagesAgree(with: scratch.path + "/site")
        try RealPages(site: scratch.path + "/site").expectAgreement()
        try await expectOrderedWalks(try await replica.statistics())
        try await Program.run("check", "--output", scratch.path).succeeded()
    }

    @Test func `Records that are missing in their lists are requested by number, once`() async throws {
        let replica = try Replica("--hide", "location:20", "--hide", "episode:28")
        let scratch = try ScratchFolder()
        try await Program.run("build", "--source", "live", "--api", replica.api, "--output", scratch.path).succeeded()
        // Compare the characters that refer to the two records, and some others.
        try expectPagesAgree(with: scratch.path + "/site") { record in
            let text = "\(record)"
            return text.contains("location/20\"") || text.contains("episode/28\"") || text.contains("/character/8")
        }
        let requests = try await replica.statistics()["requests"] as? [String: Int]
        #expect(
            requests == [
                "character_page": 42, "location_page": 7, "episode_page": 3, "avatar": 826, "location": 1, "episode": 1,
            ])
    }

    @Test func `A second capture of an unchanged server transfers no body and adds no revision`() async throws {
        let replica = try Replica()
        let scratch = try ScratchFolder()
        try await Program.run(
            "build", "--source", "live", "--api", replica.api, "--output", scratch.path, "--quiet"
        ).succeeded()
        try await replica.reset()
        let second = try await Program.run("build", "--source", "live", "--api", replica.api, "--output", scratch.path)
            .succeeded()
        #expect(second.output.contains("revision 1 (unchanged)"))
        #expect(second.output.contains("2,927 pages, 0 files written"))
        let statistics = try await replica.statistics()
        #expect(statistics["status"] as? [String: Int] == ["304": 878])
    }

    @Test func `A capture with two hundred faulty answers equals a capture without faults`() async throws {
        let replica = try Replica("--hide", "location:20", "--hide", "episode:28", "--hide", "character:800")
        let faulty = try FaultyServer(before: try #require(URL(string: replica.api)?.port))
        let scratch = try ScratchFolder()
        try scratch.write(#"{"attempts": 4, "retryDelay": 0.01}"#, to: "quick.json")
        func capture(_ name: String) async throws -> (run: Program.Result, digest: Data?) {
            let arguments = ["capture", "--source", "live", "--api", faulty.apiURL, "--config", scratch["quick.json"]]
            let run = try await Program.start(arguments + ["--output", scratch[name]]).wait()
            let db = try Connection(scratch["\(name)/archive/archive.sqlite"], .readOnly)
            let digest = try db.first("SELECT digest FROM revision WHERE state = 'complete'") { Data($0.blob(0)) }
            return (run, digest)
        }
        let whole = try await capture("whole")
        try #require(whole.run.code == 0, "\(whole.run.errors)")
        let targets = Set(faulty.takeLog().map(\.target)).sorted()
        #expect(targets.count == 881)

        var random = SeededRandom(7)
        let kinds = ServerFault.all.filter { fault in
            switch fault.action {
            case .answer, .raw, .reset: fault.nature != .harmless && !fault.name.contains("with Retry-After")
            default: false
            }
        }
        let spoilt = targets.filter { _ in random.integer(below: 4) == 0 }
        #expect(spoilt.count > 180)
        faulty.setFaults(
            spoilt.map { target in FaultyServer.Fault(times: 1, random.pick(kinds).action) { $0 == target } })
        let again = try await capture("spoilt")
        #expect(again.run.code == 0, "\(again.run.errors)\(again.run.output)")
        #expect(again.digest != nil && again.digest == whole.digest)
        #expect(try ArchiveState(scratch["spoilt"]).faults.isEmpty)
    }

    @Test func `Card requests the character, then everything that its card shows`() async throws {
        let replica = try Replica("--latency", "20")
        let scratch = try ScratchFolder()
        let run = try await Program.run("card", "42", "--api", replica.api, "--output", scratch.path).succeeded()
        #expect(run.output.contains("name      Big Head Morty\n"))
        #expect(run.output.contains("location  Citadel of Ricks (Space station, unknown)\n"))
        #expect(run.output.contains("episode   The Rickshank Rickdemption, S03E01, April 1, 2017\n"))
        let requests = try await replica.statistics()["requests"] as? [String: Int]
        #expect(requests == ["character": 1, "location": 1, "episode": 1, "avatar": 1])
        let page = PageFacts(try String(contentsOfFile: "\(scratch.path)/cards/42/character/42.html", encoding: .utf8))
        #expect(page.heading == "Big Head Morty")
        #expect(!FileManager.default.fileExists(atPath: "\(scratch.path)/site"))
    }
}

extension RealDataTests {
    private func expectPagesAgree(
        with site: String, where isCompared: ([String: Any]) -> Bool = { _ in true }
    ) throws {
        func byURL(_ list: [[String: Any]]) -> [String: [String: Any]] {
            Dictionary(
                uniqueKeysWithValues: list.compactMap { record in (record["url"] as? String).map { ($0, record) } })
        }
        let characters = try RealData.list("characters")
        let places = byURL(try RealData.list("locations"))
        let episodes = byURL(try RealData.list("episodes"))
        let ids = byURL(characters).compactMapValues { $0["id"] as? Int }
        #expect(characters.count == 826 && ids.count == 826)
        for character in characters where isCompared(character) {
            let id = try #require(character["id"] as? Int)
            var shown = PageFacts(try String(contentsOfFile: "\(site)/character/\(id).html", encoding: .utf8))
            let picture = try Data(contentsOf: URL(fileURLWithPath: "\(site)/\(shown.picture)"))
            let original = try Data(
                contentsOf: URL(fileURLWithPath: "\(RealData.folder)/data/rickandmorty/avatars/\(id).jpeg"))
            #expect(picture == original, "the picture of character \(id)")
            #expect(shown.picture == "avatar/\(id).\(original.first == 0x89 ? "png" : "jpg")")
            shown.picture = ""
            #expect(shown == PageFacts(of: character, places: places, episodes: episodes, ids: ids), "character \(id)")
        }
        let lists = try FileManager.default.contentsOfDirectory(atPath: "\(site)/page").filter { $0.hasSuffix(".html") }
        #expect(lists.count == 41)
        try expectListsAgree(with: site, characters)
    }

    private func expectListsAgree(with site: String, _ characters: [[String: Any]]) throws {
        var links: [String] = []
        for number in 1...42 {
            let page = try String(
                contentsOfFile: number == 1 ? "\(site)/index.html" : "\(site)/page/\(number).html", encoding: .utf8)
            let found = page.components(separatedBy: "<li class=\"card\"><a href=\"").dropFirst().map {
                String($0.prefix { $0 != "\"" })
            }
            #expect(found.count == (number == 42 ? 6 : 20))
            links += found.map { $0.replacingOccurrences(of: "../", with: "") }
        }
        #expect(links == characters.compactMap { record in (record["id"] as? Int).map { "character/\($0).html" } })
    }

    /// Page 1 is requested alone, then three pages at a time, each page once. No record is requested by number.
    private func expectOrderedWalks(_ statistics: [String: Any]) async throws {
        let requests = try #require(statistics["requests"] as? [String: Int])
        #expect(requests == ["character_page": 42, "location_page": 7, "episode_page": 3, "avatar": 826])
        let most = try #require(statistics["most_in_flight"] as? [String: Int])
        #expect(try #require(most["character_page"]) == 3)
        #expect(most.values.allSatisfy { $0 <= 8 })
        let pages = try #require(statistics["pages"] as? [[String: Any]])
        for (list, count) in [("character", 42), ("location", 7), ("episode", 3)] {
            let asked = pages.filter { $0["list"] as? String == list }.compactMap {
                page -> (number: Int, start: Double, end: Double)? in
                guard let number = page["page"] as? Int, let start = page["start"] as? Double,
                    let end = page["end"] as? Double
                else {
                    return nil
                }
                return (number, start, end)
            }
            #expect(asked.map(\.number).sorted() == Array(1...count), "each page of the \(list) list is requested once")
            for later in asked {
                let wave = later.number == 1 ? 0 : (later.number + 1) / 3
                let waves = asked.map { $0.number == 1 ? 0 : ($0.number + 1) / 3 }
                for (earlier, itsWave) in zip(asked, waves) where itsWave < wave {
                    #expect(
                        earlier.end <= later.start,
                        "\(list) page \(later.number) was requested before page \(earlier.number) was complete")
                }
            }
        }
    }
}
