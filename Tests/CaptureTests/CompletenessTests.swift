import Archive
import Capture
import HTTP
import Testing

struct CompletenessTests {
    @Test func `A complete capture has all records in list order and requests each URL once`() async throws {
        let captures = try Captures(FakeAPI.filled(65))
        let report = try await captures.run()
        #expect(report.records == ["character": 65, "location": 1, "episode": 1])
        #expect(report.gaps.isEmpty && !report.isUnchanged)
        #expect(try captures.assetCounts() == [65, 0])
        #expect(try captures.numbers(of: "character") == Array(1...65))
        #expect(captures.api.requestedPaths.count == 71, "four pages, two other lists, 65 pictures")
        #expect(Set(captures.api.requestedPaths).count == captures.api.requestedPaths.count)
    }

    @Test func `Lists without records are complete`() async throws {
        let report = try await Captures().run()
        #expect(report.records == ["character": 0, "location": 0, "episode": 0])
    }

    @Test func `A list with a repeated or missing record has changed during the capture`() async throws {
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
                == "the API changed during the capture: the list has character 1 twice, the second time on page 2; run again"
        )
        captures.api.change { state in
            let one = state.records["character"]?[1] ?? ""
            state.answers["character?page=1"] = .body(200, #"{"info":{"count":2,"pages":1},"results":[\#(one)]}"#)
        }
        #expect(
            try await captures.failure()
                == "the API changed during the capture: the character list claims 2 records, but has 1; run again")
        captures.api.change { $0.answers = [:] }
        #expect(try await captures.run().records["character"] == 2)
    }

    @Test func `A list that became empty is refused if other records refer to it and cannot find its records`()
        async throws
    {
        let captures = try Captures(FakeAPI.filled(3))
        captures.api.change { $0.hidden = [RecordKey("location", 1)] }
        #expect(try await captures.run().records["location"] == 1)
        let records = captures.api.records("location")
        captures.api.change {
            $0.records["location"] = [:]
            $0.hidden = []
        }
        let failure = try await captures.failure() ?? ""
        let reason = "the list of the kind location of http://fake.example/api is empty, but other records refer to its"
        #expect(failure.contains("\(reason) records, and the newest revision has 1;"), "\(failure)")
        captures.api.change { $0.records["location"] = records }
        #expect(try await captures.run().gapTexts.isEmpty)
    }

    @Test func `A record that is repeated on one page is a gap, not a change of the list`() async throws {
        let captures = try Captures(FakeAPI.filled(3))
        captures.api.change { state in
            let records = [1, 2, 1].map { state.records["character"]?[$0] ?? "" }.joined(separator: ",")
            state.answers["character?page=1"] = .body(200, #"{"info":{"count":3,"pages":1},"results":[\#(records)]}"#)
        }
        let report = try await captures.run()
        #expect(report.records["character"] == 2)
        #expect(
            report.gaps.map { "\($0.url) \($0.keyPath) \($0.reason)" } == [
                "character?page=1 results[2] is a second character 1 in the same answer"
            ])
    }

    @Test func `A missing list page is a failure, and the next capture requests it again`() async throws {
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

    @Test func `A list that shrank after an interrupted capture fails only once`() async throws {
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

    @Test func `Records that are in no list are requested by number, and their cards are assembled`() async throws {
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
        #expect(api.requestedPaths.contains("character/60,61"), "several records in one request")
        #expect(api.requestedPaths.contains("character/avatar/61.jpeg"), "with their cards")
    }

    @Test func `A card that waits for one list still requests records that are missing in another list`() async throws {
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

    @Test func `One-sided references are not gaps`() async throws {
        let captures = try Captures()
        captures.api.add(location: 1, residents: [2])
        captures.api.add(episode: 1, characters: [])
        captures.api.add(character: 1, at: 1, in: [1])
        captures.api.add(character: 2)
        #expect(try await captures.run().gaps.isEmpty)
    }

    @Test func `Gaps are sorted and unique, and each has its reason`() async throws {
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
        #expect(texts.contains("character/78 status: is missing"))
        #expect(
            texts.contains {
                $0.hasPrefix(
                    "episode/5 : the server does not have this record, but character 1 refers to it at episode[1]")
            })
        #expect(texts.contains { $0.hasPrefix("character/avatar/1.jpeg : is not a PNG, JPEG, GIF or WebP picture") })
        let unread = texts.filter { $0.hasPrefix("character/78 ") }
        #expect(unread.count == 1 && !unread[0].contains("the server does not have this record"), "\(texts)")
    }

    @Test func `An unreadable record is one gap with its key path, and not a missing record`() async throws {
        let captures = try Captures()
        captures.api.add(location: 1, residents: [78])
        captures.api.add(character: 1)
        captures.api.change {
            $0.records["character"]?[78] = #"{"id":78,"status":12}"#
            $0.hidden = [RecordKey("character", 78)]
        }
        #expect(try await captures.run().gapTexts == ["character/78 status: is not a string"])
        #expect(
            try await Captures(captures.api).failure(card: RecordKey("character", 78))
                == "the capture is not complete: \(FakeAPI.base)/character/78: status: is not a string")
    }
}
