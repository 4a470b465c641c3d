import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: RealData.hasMedia, Comment(rawValue: RealData.comment)), .serialized)
struct MediaRealDataTests {
    private static func configuration(_ searches: [MediaSearch], in scratch: ScratchFolder) throws -> String {
        let object: [String: Any] = ["catalogue": "itunes", "searches": searches.map(\.json)]
        let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .prettyPrinted])
        return try scratch.write(String(decoding: data, as: UTF8.self), to: "searches.json")
    }

    private static func build(_ replica: Replica, _ configuration: String, _ output: String, _ more: String...)
        async throws
        -> Program.Result
    {
        let arguments = [
            "build", "--source", "live", "--api", replica.api, "--config", configuration, "--output", output,
        ]
        return try await Program.start(arguments + more).wait()
    }

    /// The numbers of all recorded rows of a kind.
    private static func recorded(_ kind: String) throws -> Set<Int> {
        let folder = "\(RealData.folder)/data/itunes/answers"
        var numbers: Set<Int> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".json") {
            let answer = try jsonObject(Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
            let rows = answer["results"] as? [[String: Any]] ?? []
            numbers.formUnion(rows.filter { $0["kind"] as? String == kind }.compactMap { $0["trackId"] as? Int })
        }
        return numbers
    }

    @Test(.timeLimit(.minutes(5)))
    func `The six shipped searches keep the rate limit and agree with the recorded answers`() async throws {
        let replica = try Replica(media: "--rate-limit", "20")
        let scratch = try ScratchFolder()
        try await Self.build(replica, "media.json", scratch.path).succeeded()
        let statistics = try await replica.statistics()
        let status = try #require(statistics["status"] as? [String: Int])
        #expect(Set(status.keys) == ["200"], "\(status)")
        let calls = try #require(statistics["calls"] as? [[String: Any]])
        #expect(calls.count <= 20)
        let searches = try MediaSearch.shipped()
        #expect(searches.count == 6 && searches.contains { $0.country == "RU" })
        try await MediaPages("\(scratch.path)/site", of: searches, from: Replica(media: "--latency", "0"))
            .expectAgreement()
        try await Program.run("check", "--output", scratch.path, "--config", "media.json").succeeded()
    }

    @Test(.timeLimit(.minutes(10)))
    func `The pages of all recorded songs, films and books agree with the recorded answers`() async throws {
        let replica = try Replica(media: "--latency", "0")
        var searches: [MediaSearch] = []
        for (media, kind) in [("music", "song"), ("movie", "feature-movie"), ("ebook", "ebook")] {
            var missing = try Self.recorded(kind)
            var own = [MediaSearch("a", media, "US", limit: 200), MediaSearch("e", media, "US", limit: 200)]
            for search in own { missing.subtract(try await Self.numbers(search, replica)) }
            // Items that these searches do not find are searched by title.
            while let next = missing.min() {
                let rows = try await replica.object("lookup?id=\(next)")["results"] as? [[String: Any]]
                let search = MediaSearch(try #require(rows?.first?["trackName"] as? String), media, "US", limit: 200)
                let found = try await Self.numbers(search, replica)
                try #require(found.contains(next), "\(search)")
                missing.subtract(found)
                own.append(search)
            }
            searches += own
            searches += own.prefix(media == "music" ? own.count : 1).map {
                MediaSearch($0.term, media, "RU", limit: 200)
            }
        }
        let scratch = try ScratchFolder()
        try await Self.build(replica, try Self.configuration(searches, in: scratch), scratch["out"]).succeeded()
        let pages = try await MediaPages(scratch["out/site"], of: searches, from: replica)
        for (folder, kind) in [
            ("song-us", "song"), ("song-ru", "song"), ("movie-us", "feature-movie"), ("book-us", "ebook"),
        ] {
            #expect(Set((pages.items[folder] ?? [:]).keys) == (try Self.recorded(kind)), "\(folder)")
        }
        try await pages.expectAgreement()
    }

    @Test(.timeLimit(.minutes(5)))
    func `A capture that waits for a rate limit equals one without a limit`() async throws {
        let scratch = try ScratchFolder()
        let shipped = try Self.configuration(try MediaSearch.shipped(), in: scratch)
        let text = try String(contentsOfFile: shipped, encoding: .utf8)
        let patient = try scratch.write(
            text.replacingOccurrences(of: "{\n  \"cat", with: "{\n  \"refusalDelay\": 2.2,\n  \"cat"),
            to: "patient.json")
        func capture(_ replica: Replica, _ configuration: String, _ output: String) async throws -> (
            hash: String, complete: Bool, error: String
        ) {
            let arguments = [
                "capture", "--source", "live", "--api", replica.api, "--config", configuration, "--output", output,
                "--json",
            ]
            let run = try await Program.start(arguments).wait()
            let summary = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
            return (
                summary?["rootHash"] as? String ?? "", run.code == 0 && summary?["complete"] as? Bool == true,
                run.errors
            )
        }
        let free = try Replica(media: "--latency", "0")
        let port = try #require(URL(string: free.api)?.port)
        let undisturbed = try await capture(free, shipped, scratch["free"])
        #expect(undisturbed.complete && !undisturbed.hash.isEmpty, "\(undisturbed.error)")
        try await free.stop()
        // The answers contain the server's port.
        let strict = try Replica(media: "--port", "\(port)", "--rate-limit", "6", "--rate-window", "2")
        let refused = try await capture(strict, patient, scratch["strict"])
        #expect(refused.complete, "\(refused.error)")
        #expect(refused.hash == undisturbed.hash)
        let status = try #require(try await strict.statistics()["status"] as? [String: Int])
        #expect((status["403"] ?? 0) > 0, "\(status)")
    }

    private static func numbers(_ search: MediaSearch, _ replica: Replica) async throws -> Set<Int> {
        Set(try await search.rows(from: replica).compactMap { $0["trackId"] as? Int })
    }
}
