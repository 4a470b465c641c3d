import Foundation
import SampleAPI
import TestSupport
import Testing

@testable import AmberCommand

/// Configurations of searches: what they may leave out, and what is said of what is wrong.
struct MediaConfigurationTests {
    /// The message for a configuration, without the program's name and the file's.
    private func message(_ text: String) throws -> String {
        let scratch = try ScratchFolder()
        let file = try scratch.write(text, to: "searches.json")
        let failure = try #require(throws: Failure.self) { try Settings(Arguments(["build", "--config", file])) }
        #expect(failure.code == .wrongUsage)
        // What is wrong with several keys together has no line.
        return failure.description.replacing("\(file): ", with: "")
    }

    @Test(arguments: [
        (#""media": "podcast""#, #"media: is "podcast"; allowed: music, movie, ebook"#),
        (#""media": "Music""#, #"media: is "Music"; allowed: music, movie, ebook"#),
        (#""media": 1"#, "media: is not a text; allowed: music, movie, ebook"),
        (#""country": "DE""#, #"country: is "DE"; allowed: US, RU"#),
        (#""country": "us""#, #"country: is "us"; allowed: US, RU"#),
        (#""explicit": "maybe""#, #"explicit: is "maybe"; allowed: yes, no"#),
        (#""explicit": true"#, "explicit: is not a text; allowed: yes, no"),
        (#""limit": 0"#, "limit: is 0; allowed: 1 to 200"),
        (#""limit": 201"#, "limit: is 201; allowed: 1 to 200"), (#""limit": -1"#, "limit: is -1; allowed: 1 to 200"),
        (#""limit": "30""#, "limit: is not a whole number; allowed: 1 to 200"),
        (#""limit": 1.5"#, "limit: is not a whole number; allowed: 1 to 200"),
        (#""limit": 1e99"#, "limit: is not a whole number; allowed: 1 to 200"),
        (#""lang": "ru""#, "lang: is not known; there are: term, media, country, explicit, limit"),
    ])
    func `A wrong value is named with its line, its key and what is allowed`(member: String, sentence: String)
        throws
    {
        let text = "{\n  \"searches\": [\n    {\"term\": \"love\"},\n    {\"term\": \"sea\",\n      \(member)}\n  ]\n}"
        #expect(try message(text) == "line 5: searches[1].\(sentence)")
    }

    @Test(arguments: [
        ("[{}]", "searches[0].term: is missing; it is the words to look for"),
        (#"[{"term": " \t "}]"#, "searches[0].term: is blank; it is the words to look for"),
        (#"[{"term": "a\u0007b"}]"#, "searches[0].term: has a line end or another control character"),
        (#"[{"term": ""}]"#, "searches[0].term: is blank; it is the words to look for"),
        (#"[{"term": 5}]"#, "searches[0].term: is not a text"),
        (
            "[{\"term\": \"\(String(repeating: "ж", count: 101))\"}]",
            "searches[0].term: is longer than the 200 bytes that are taken"
        ),
        (
            #"[{"term": "a"}, {"term": "b"}, {"term": "a", "media": "music", "limit": 30}]"#,
            "searches[2]: is the same as searches[0]"
        ),
        ("[]", "searches: is empty; one search at least is needed"),
        (#"{"term": "love"}"#, #"searches: is not a list of searches, as [{"term": "love"}]"#),
        (#""love""#, #"searches: is not a list of searches, as [{"term": "love"}]"#),
        (
            "[\((0...10_000).map { #"{"term":"\#($0)"}"# }.joined(separator: ","))]",
            "searches: has 10001 searches, more than the 10000 that are taken"
        ),
        ("null", #"searches: is not a list of searches, as [{"term": "love"}]"#),
        (#"["love"]"#, #"searches[0]: is not an object, as {"term": "love"}"#),
    ])
    func `What is no list of searches is named`(searches: String, sentence: String) throws {
        #expect(try message("{\n\n  \"searches\": \(searches)\n}") == "line 3: \(sentence)")
    }

    @Test(arguments: [
        (#"{"catalogue": "films"}"#, #"line 1: catalogue: is "films"; allowed: rickandmorty, itunes"#),
        (#"{"catalogue": 5}"#, "line 1: catalogue: is not a text"),
        (
            #"{"catalogue": "rickandmorty", "searches": [{"term": "a"}]}"#,
            #"the catalogue "rickandmorty" has no searches: leave out the key "searches", or name another catalogue"#
        ),
        (
            #"{"searches": [{"term": "a"}], "refusalDelay": 700}"#,
            "refusalDelay is 700 seconds, and patience ends a capture after 600: make patience longer"
        ),
        (
            #"{"catalogue": "itunes"}"#,
            #"the catalogue "itunes" needs searches: say which in the key "searches" of the configuration"#
        ),
        (
            "{\n\"callsPerMinute\": 0, \"searches\": [{\"term\": \"a\"}]}",
            "line 2: callsPerMinute: is 0, not 1 to 100000"
        ),
        (
            "{\n\n\"refusalDelay\": 3601, \"searches\": [{\"term\": \"a\"}]}",
            "line 3: refusalDelay: is 3601.0, not 0 to 3600 seconds"
        ),
    ])
    func `A catalogue that is not known, one without searches, and bounds of calls are named`(
        text: String, sentence: String
    ) throws {
        #expect(try message(text) == sentence)
    }

    @Test func `All that a search leaves out has its default, and searches alone say which catalogue it is`()
        async throws
    {
        let small = try SmallMedia()
        try small.scratch.write(
            #"{"searches": [{"term": "  love & я+%"}, {"term": "sea", "media": "ebook"}]}"#, to: "quick.json")
        let run = try await small.run("capture")
        #expect(run.code == 0, "\(run.errors)")
        let searches = small.server.log.filter { $0.kind == "search" }.map(\.target)
        #expect(
            Set(searches) == [
                "/search?term=++love+%26+%D1%8F%2B%25&country=US&media=music&entity=song&limit=30&explicit=Yes",
                "/search?term=sea&country=US&media=ebook&entity=ebook&limit=30&explicit=Yes",
            ])
        let shipped = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(fileURLWithPath: "\(Program.root)/media.json")))
        let entries = try #require((shipped as? [String: Any])?["searches"] as? [[String: Any]])
        let media = entries.map { MediaSearch(json: $0) }
        #expect(media.count == 6 && Set(media.map(\.media)) == ["music", "movie", "ebook"])
        for medium in ["music", "movie", "ebook"] { #expect(media.count { $0.media == medium } == 2) }
        #expect(media.count { $0.country == "RU" } == 1)
    }

    @Test func `Calls are spread over minutes as the configuration says, pictures go at once`() async throws {
        let small = try SmallMedia([MediaSearch("love", "music", "US", limit: 4)])
        try small.scratch.write(#"{"callsPerMinute": 2, "searches": [{"term": "love", "limit": 4}]}"#, to: "quick.json")
        let running = try Program.start(small.arguments("capture"))
        for _ in 0..<400 where small.server.log.count(where: { $0.kind != "artwork" }) < 2 {
            try await Task.sleep(for: .milliseconds(10))
        }
        try await Task.sleep(for: .milliseconds(700))
        let calls = small.server.log.filter { $0.kind == "search" || $0.kind == "lookup" }
        #expect(
            calls.count == 2, "one search and one lookup; the other waits for the next minute: \(calls.map(\.target))")
        running.send(SIGKILL)
        #expect(try await running.wait().code == -SIGKILL)
    }
}
