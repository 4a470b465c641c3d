import Archive
import Capture
import HTTP
import Testing

/// What makes a capture complete, what makes it fail, and what is named as missing.
struct CompletenessTests {
    @Test("Everything is in, in the lists' order, each URL asked once")
    func whole() async throws {
        let captures = try Captures(FakeAPI.filled(65))
        let report = try await captures.run()
        #expect(report.records == ["character": 65, "location": 1, "episode": 1])
        #expect(report.pictures == 65 && report.gaps.isEmpty && report.absent.isEmpty && !report.isUnchanged)
        #expect(try captures.numbers(of: "character") == Array(1...65))
        #expect(captures.api.asked.count == 71, "four pages, two other lists, 65 pictures")
        #expect(Set(captures.api.asked).count == captures.api.asked.count)
    }

    @Test("Lists without records are complete too")
    func empty() async throws {
        let report = try await Captures().run()
        #expect(report.records == ["character": 0, "location": 0, "episode": 0])
    }

    @Test("A record that comes twice, and one that does not come, are a list that moved")
    func countsThatDoNotAgree() async throws {
        let captures = try Captures(FakeAPI.filled(2))
        captures.api.change { state in
            let one = state.records["character"]?[1] ?? ""
            let two = state.records["character"]?[2] ?? ""
            state.answers["character?page=1"] = .body(
                200, #"{"info":{"count":3,"pages":2},"results":[\#(one),\#(two)]}"#)
            state.answers["character?page=2"] = .body(200, #"{"info":{"count":3,"pages":2},"results":[\#(one)]}"#)
        }
        #expect(
            try await captures.failure()
                == "the API changed during the capture: character 1 came twice, the second time on page 2; run again")
        captures.api.change { state in
            let one = state.records["character"]?[1] ?? ""
            state.answers["character?page=1"] = .body(200, #"{"info":{"count":2,"pages":1},"results":[\#(one)]}"#)
        }
        #expect(
            try await captures.failure()
                == "the API changed during the capture: the character list claims 2 records and brought 1; run again")
        captures.api.change { $0.answers = [:] }
        #expect(try await captures.run().records["character"] == 2)
    }

    @Test("A record that comes twice on one page is a gap: no list moves while it is answered")
    func twiceOnAPage() async throws {
        let captures = try Captures(FakeAPI.filled(3))
        captures.api.change { state in
            let records = [1, 2, 1].map { state.records["character"]?[$0] ?? "" }.joined(separator: ",")
            state.answers["character?page=1"] = .body(200, #"{"info":{"count":3,"pages":1},"results":[\#(records)]}"#)
        }
        let report = try await captures.run()
        #expect(report.records["character"] == 2)
        #expect(
            report.gaps.map { "\($0.url) \($0.keyPath) \($0.reason)" } == [
                "character?page=1 results[2] is character 1, which the answer has already"
            ])
    }

    @Test("A list page that the server does not have is a failure, and the next capture asks for it again")
    func missingPage() async throws {
        for page in [1, 2] {
            let captures = try Captures(FakeAPI.filled(45))
            captures.api.change {
                $0.answers["character?page=\(page)"] = .body(404, #"{"error":"There is nothing here"}"#)
            }
            let failure = try #require(try await captures.failure())
            #expect(failure.contains("/character?page=\(page): answered 404"), "\(failure)")
            captures.api.change { $0.answers = [:] }
            #expect(try await captures.failure() == nil)
        }
    }

    @Test("A list that shrank while an interrupted capture lay still does not fail for ever")
    func shrunk() async throws {
        let captures = try Captures(FakeAPI.filled(45))
        captures.api.change { $0.answers["character?page=3"] = .fault(.truncated) }
        #expect(try await captures.failure()?.contains("character?page=3: is made to fail") == true)
        captures.api.change { state in
            state.answers = [:]
            for id in Int64(40)...45 { state.records["character"]?[id] = nil }
        }
        #expect(try await captures.failure()?.hasPrefix("the API changed during the capture: ") == true)
        #expect(try await captures.run().records["character"] == 39)
    }

    @Test("A record hidden from its list is asked for by number; so is who is named by what was found that way")
    func chain() async throws {
        let captures = try Captures(FakeAPI.filled(3))
        let api = captures.api
        api.add(location: 2, residents: [50])
        api.add(character: 50, at: 3, in: [1, 9])
        api.add(location: 3, residents: [60, 61])
        api.add(character: 60)
        api.add(character: 61)
        api.add(episode: 9)
        api.change {
            $0.hidden = [
                RecordKey("character", 50), RecordKey("location", 3), RecordKey("character", 60),
                RecordKey("character", 61),
            ]
        }
        let report = try await captures.run()
        #expect(report.gaps.isEmpty, "\(report.gapTexts)")
        #expect(report.records == ["character": 6, "location": 3, "episode": 2])
        #expect(try captures.numbers(of: "character") == [1, 2, 3, 50, 60, 61])
        #expect(api.asked.contains("character/60,61"), "several at once")
        #expect(api.asked.contains("character/avatar/61.jpeg"), "with their cards")
    }

    @Test("A card that waits for one list still gets what another list, ended meanwhile, did not bring")
    func lateWait() async throws {
        let captures = try Captures()
        let api = captures.api
        api.add(location: 1)
        api.add(episode: 1)
        api.add(episode: 9)
        api.add(character: 1, at: 1, in: [1, 9])
        api.change {
            $0.hidden = [RecordKey("episode", 9)]
            $0.before = { path in
                if path == "episode?page=1" { try await Task.sleep(for: .milliseconds(100)) }
                if path == "location?page=1" { try await Task.sleep(for: .milliseconds(300)) }
            }
        }
        let report = try await captures.run()
        #expect(report.gaps.isEmpty)
        #expect(try captures.numbers(of: "episode") == [1, 9])
    }

    @Test("References of one side only are no gaps")
    func oneSided() async throws {
        let captures = try Captures()
        captures.api.add(location: 1, residents: [2])
        captures.api.add(episode: 1, characters: [])
        captures.api.add(character: 1, at: 1, in: [1])
        captures.api.add(character: 2)
        #expect(try await captures.run().gaps.isEmpty)
    }

    @Test("Gaps are sorted, each once, and say what is true of each")
    func gaps() async throws {
        let captures = try Captures()
        let api = captures.api
        api.add(location: 1, residents: [77, 78])
        api.add(episode: 1, characters: [77, 78])
        api.add(character: 1, at: 1, in: [1, 5])
        api.change {
            $0.records["character"]?[78] = #"{"id":78}"#
            $0.hidden = [RecordKey("character", 78)]
            $0.answers["character/77,78"] = .body(200, #"[{"id":78}]"#)
            $0.answers["character/avatar/1.jpeg"] = .body(200, "<html>")
        }
        let report = try await captures.run()
        #expect(report.gaps == report.gaps.sorted() && Set(report.gaps).count == report.gaps.count)
        let texts = report.gapTexts
        #expect(texts.contains("character/78 name: is missing"))
        #expect(
            texts.contains {
                $0.hasPrefix("episode/5 : the server does not have it, though character 1 names it at episode[1]")
            })
        #expect(texts.contains { $0.hasPrefix("character/avatar/1.jpeg : is no picture, whatever it is called") })
        let unread = texts.filter { $0.hasPrefix("character/78 ") }
        #expect(unread.count == 1 && !unread[0].contains("the server does not have it"), "\(texts)")
    }

    @Test("A record that is there and cannot be read is one gap with its place, not one that the server lacks")
    func unreadable() async throws {
        let captures = try Captures()
        captures.api.add(location: 1, residents: [78])
        captures.api.add(character: 1)
        captures.api.change {
            $0.records["character"]?[78] = #"{"id":78,"name":12}"#
            $0.hidden = [RecordKey("character", 78)]
        }
        #expect(try await captures.run().gapTexts == ["character/78 name: is not a text"])
        #expect(
            try await Captures(captures.api).failure(card: RecordKey("character", 78))
                == "the capture is not complete: \(FakeAPI.base)/character/78: name: is not a text")
    }
}
