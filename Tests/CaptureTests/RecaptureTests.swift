import Archive
import Capture
import Catalogue
import CatalogueEngine
import Foundation
import HTTP
import KnownCatalogues
import SampleAPI
import TestSupport
import Testing

struct RecaptureTests {
    @Test func `An unchanged server receives only conditional requests, and no revision is created`() async throws {
        let captures = try Captures(FakeAPI.filled(25))
        let first = try await captures.run()
        let paths = Set(captures.api.requestedPaths)
        captures.api.forgetRequests()
        let second = try await captures.run()
        #expect(second.isUnchanged && second.revision == first.revision && second.records == first.records)
        #expect(Set(captures.api.conditions) == paths && captures.api.notModified == paths.count)
    }

    @Test func `A change creates a new revision, and all other answers are only confirmed`() async throws {
        let captures = try Captures(FakeAPI.filled(25))
        let first = try await captures.run()
        captures.api.add(character: 3, at: 1, in: [1], name: "another name")
        captures.api.forgetRequests()
        let second = try await captures.run()
        #expect(!second.isUnchanged && second.revision.digest != first.revision.digest)
        #expect(captures.api.notModified == captures.api.requestedPaths.count - 1)
    }

    @Test func `A picture whose file is missing is requested again without a condition`() async throws {
        let captures = try Captures(FakeAPI.filled(2))
        _ = try await captures.run()
        let digest = SHA256(of: PictureHeaderTests.png + Array("character/avatar/1.jpeg".utf8))
        try FileManager.default.removeItem(atPath: captures.folder.assetPath(digest))
        captures.api.forgetRequests()
        #expect(try await captures.run().isUnchanged)
        #expect(!captures.api.conditions.contains("character/avatar/1.jpeg"))
        #expect(FileManager.default.fileExists(atPath: captures.folder.assetPath(digest)))
    }

    @Test func `A list that changed is requested again conditionally by the next capture`() async throws {
        let captures = try Captures(FakeAPI.filled(45))
        captures.api.change {
            $0.answers["character?page=3"] = .body(200, #"{"info":{"count":44,"pages":3},"results":[]}"#)
        }
        #expect(
            try await captures.failure()
                == """
                the API changed during the capture: page 1 of the character list claims 45 records on 3 pages, but page 3 claims 44 records on 3 pages; run again
                """)
        captures.api.change { $0.answers = [:] }
        captures.api.forgetRequests()
        #expect(try await captures.run().records["character"] == 45)
        #expect(captures.api.conditions.contains("character?page=1"))
        #expect(captures.api.requestedPaths.contains("character?page=1"))
    }

    @Test func `An unexpected 304 is refused`() async throws {
        let captures = try Captures(FakeAPI.filled(2))
        captures.api.change { $0.answers["location?page=1"] = .body(304, "") }
        #expect(
            try await captures.failure()
                == """
                the capture is not complete: \(FakeAPI.base)/location?page=1: answered 304 to an unconditional request (2 attempts)
                """)
    }

    @Test func `A capture continues after a failure without repeating finished requests`() async throws {
        let captures = try Captures(FakeAPI.filled(65))
        captures.api.change { $0.answers["character?page=4"] = .fault(.truncated) }
        #expect(try await captures.failure() != nil)
        let before = Set(captures.api.requestedPaths)
        captures.api.change { $0.answers = [:] }
        captures.api.forgetRequests()
        let progress = CaptureProgress()
        #expect(try await captures.run(progress: progress).records["character"] == 65)
        #expect(captures.api.requestedPaths.contains("character?page=4"))
        #expect(!captures.api.requestedPaths.contains("character?page=1") && progress.current.kept >= 5)
        #expect(Set(captures.api.requestedPaths).union(before).count == 71)
    }

    @Test func `An answer that is no longer readable is requested again without a condition`() async throws {
        var captures = try Captures(FakeAPI.filled(2))
        let anything = #"{"info":{"count":0,"pages":1},"results":[]}"#
        captures.api.change { $0.answers["location?page=1"] = .body(200, anything) }
        _ = try await captures.run()
        // A later version of the catalogue may be stricter.
        captures.catalogue = try StrictCatalogue(refused: Array(anything.utf8))
        captures.api.change { $0.answers = ["episode?page=1": .fault(.truncated)] }
        captures.api.forgetRequests()
        #expect(try await captures.failure()?.contains("episode?page=1") == true)
        captures.api.change { $0.answers = [:] }
        #expect(try await captures.run().records == ["character": 2, "location": 1, "episode": 1])

        captures.catalogue = try StrictCatalogue(
            refused: Array(#"{"info":{"count":1,"pages":1},"results":[{"id":1,"name":"place 1","type":"","#.utf8))
        captures.api.forgetRequests()
        #expect(try await captures.failure()?.contains("is no longer readable") == true)
        #expect(!captures.api.conditions.contains("location?page=1"))
    }

    @Test func `The digest does not depend on timing, window sizes or hidden records`() async throws {
        var digests: Set<SHA256> = []
        for round in 0..<6 {
            var captures = try Captures(FakeAPI.filled(45))
            let api = captures.api
            for id in Int64(2)...30 { api.add(location: id, residents: [100 + id]) }
            for id in Int64(102)...130 { api.add(character: id, at: id - 100, in: [id]) }
            for id in Int64(2)...140 { api.add(episode: id, characters: [id]) }
            api.change { state in
                for id in Int64(102)...130 {
                    state.hidden.formUnion([RecordKey("character", id), RecordKey("episode", id)])
                }
                for id in Int64(46)...101 { state.records["episode"]?[id] = nil }
                for id in Int64(131)...140 { state.records["episode"]?[id] = nil }
                state.before = { path in
                    try await Task.sleep(
                        for: .milliseconds((path.utf8.reduce(round) { $0 &* 31 &+ Int($1) } & 7) * (round % 3) * 2))
                }
            }
            captures.settings.openCards = [1, 3, 256][round % 3]
            captures.settings.pagesPerWave = [3, 1, 2][round % 3]
            let report = try await captures.run()
            #expect(report.gaps.isEmpty, "\(report.gapTexts)")
            #expect(report.records == ["character": 74, "location": 30, "episode": 74])
            digests.insert(report.revision.digest)
        }
        #expect(digests.count == 1)
    }

    @Test func `A slow server results in the same digest, with at most three pages in flight`() async throws {
        var digests: Set<SHA256> = []
        for latency in [0, 3] {
            var captures = try Captures()
            let hidden = [1, 17, 44].map { Universe.Reference(.character, $0) } + [Universe.Reference(.episode, 2)]
            let server = try SampleServer(
                Universe(seed: 5, characters: 130),
                behaviour: Behaviour(latency: .milliseconds(latency), hidden: Set(hidden)))
            captures.settings.api = server.apiURL
            captures.catalogue = try DeclaredCatalogue.rickAndMorty(bases: [Universe.canonicalBase])
            captures.client = .libcurl(agent: "test", spillFolder: captures.folder.path)
            let report = try await captures.run()
            #expect(report.gaps.isEmpty && report.records["character"] == 130, "\(report.gapTexts)")
            #expect(try captures.numbers(of: "character").suffix(3) == [1, 17, 44])
            #expect((1...3).contains(server.log.maximumInFlight("character_page")))
            digests.insert(report.revision.digest)
        }
        #expect(digests.count == 1)
    }
}

/// A catalogue that refuses list pages with a certain beginning.
private struct StrictCatalogue: Catalogue {
    let refused: [UInt8]
    private let base: DeclaredCatalogue

    init(refused: [UInt8]) throws {
        base = try .rickAndMorty()
        self.refused = refused
    }

    var name: String { base.name }
    var lists: [ListEndpoint] { base.lists }
    var recordsPerRequest: Int { base.recordsPerRequest }

    func plural(of kind: String) -> String { base.plural(of: kind) }

    func page(_ answer: PageAnswer, of list: ListEndpoint) throws -> ListPage {
        guard !answer.body.starts(with: refused) else { throw ContentFault("", "is no longer readable") }
        return try base.page(answer, of: list)
    }

    func facts(of record: ArraySlice<UInt8>, kind: String, base address: String) throws -> RecordFacts {
        try base.facts(of: record, kind: kind, base: address)
    }

    func path(for keys: [RecordKey]) -> String? { base.path(for: keys) }

    func records(in body: [UInt8], requested keys: [RecordKey]) throws -> [Range<Int>] {
        try base.records(in: body, requested: keys)
    }
}
