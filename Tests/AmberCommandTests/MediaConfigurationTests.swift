import Capture
import Foundation
import HTTP
import SampleAPI
import TestSupport
import Testing

@testable import AmberCommand

struct MediaConfigurationTests {
    /// The first line of the error for a configuration, without the name of the file and the column.
    private func message(_ text: String) throws -> String {
        let scratch = try ScratchFolder()
        let file = try scratch.write(text, to: "searches.json")
        let failure = try #require(throws: Failure.self) { try Settings(Arguments(["build", "--config", file])) }
        #expect(failure.code == .wrongUsage)
        // An error about several keys has no line.
        return failure.lines[0].replacing("\(file):", with: "").replacing(/^([0-9]+):[0-9]+:/) { "line \($0.1):" }
    }

    @Test(arguments: [
        (#""media": "podcast""#, #"media: is "podcast"; allowed: music, movie, ebook"#),
        (#""media": "Music""#, #"media: is "Music"; allowed: music, movie, ebook"#),
        (#""media": 1"#, "media: is not a string; allowed: music, movie, ebook"),
        (#""country": "DE""#, #"country: is "DE"; allowed: US, RU"#),
        (#""country": "us""#, #"country: is "us"; allowed: US, RU"#),
        (#""explicit": "maybe""#, #"explicit: is "maybe"; allowed: yes, no"#),
        (#""explicit": true"#, "explicit: is not a string; allowed: yes, no"),
        (#""limit": 0"#, "limit: is not an integer from 1 to 200"),
        (#""limit": 201"#, "limit: is not an integer from 1 to 200"),
        (#""limit": -1"#, "limit: is not an integer from 1 to 200"),
        (#""limit": "30""#, "limit: is not an integer from 1 to 200"),
        (#""limit": 1.5"#, "limit: is null, or a number that is not an integer; no key allows that"),
        (#""limit": 1e99"#, "limit: is null, or a number that is not an integer; no key allows that"),
        (#""lang": "ru""#, "lang: is unknown; the keys are: term, media, country, explicit, limit"),
    ])
    func `The error for a wrong value names its line, its key and the allowed values`(member: String, sentence: String)
        throws
    {
        let text = "{\n  \"searches\": [\n    {\"term\": \"love\"},\n    {\"term\": \"sea\",\n      \(member)}\n  ]\n}"
        #expect(try message(text) == "line 5: searches[1].\(sentence)")
    }

    @Test(arguments: [
        ("[{}]", "searches[0].term: is missing"),
        (#"[{"term": " \t "}]"#, "searches[0].term: is blank"),
        (#"[{"term": "a\u0007b"}]"#, "searches[0].term: contains a line break or another control character"),
        (#"[{"term": ""}]"#, "searches[0].term: is empty"),
        (#"[{"term": 5}]"#, "searches[0].term: is not a string"),
        (
            "[{\"term\": \"\(String(repeating: "ж", count: 101))\"}]",
            "searches[0].term: is longer than 200 bytes"
        ),
        (
            #"[{"term": "a"}, {"term": "b"}, {"term": "a", "media": "music", "limit": 30}]"#,
            "searches[2]: is the same as number 1"
        ),
        ("[]", #"searches: is not a list of 1 to 10000 objects such as [{"term": "love"}]"#),
        (#"{"term": "love"}"#, #"searches: is not a list of 1 to 10000 objects such as [{"term": "love"}]"#),
        (#""love""#, #"searches: is not a list of 1 to 10000 objects such as [{"term": "love"}]"#),
        (
            "[\((0...10_000).map { #"{"term":"\#($0)"}"# }.joined(separator: ","))]",
            #"searches: is not a list of 1 to 10000 objects such as [{"term": "love"}]"#
        ),
        ("null", "searches: is null, or a number that is not an integer; no key allows that"),
        (#"["love"]"#, "searches[0]: is not an object"),
    ])
    func `The error for an invalid list of searches names its line`(searches: String, sentence: String) throws {
        #expect(try message("{\n\n  \"searches\": \(searches)\n}") == "line 3: \(sentence)")
    }

    @Test(arguments: [
        (
            #"{"catalogue": "films"}"#,
            "there is no catalogue \"films\": no folder Catalogues/films or \(Program.root)/Catalogues/films; the catalogues are: itunes, pokeapi, rickandmorty, wordpress"
        ),
        (
            #"{"catalogue": "a b"}"#,
            #"line 1: catalogue: is "a b", neither the name of a catalogue nor the path of its folder"#
        ),
        (#"{"catalogue": 5}"#, "line 1: catalogue: is not a string"),
        (
            #"{"catalogue": "rickandmorty", "searches": [{"term": "a"}]}"#,
            #"the catalogue "rickandmorty" does not use searches: remove the key "searches" or choose another catalogue"#
        ),
        (
            #"{"searches": [{"term": "a"}], "refusalDelay": 700}"#,
            "refusalDelay is 700 seconds, but patience ends a capture after 600: increase patience"
        ),
        (
            #"{"catalogue": "itunes"}"#,
            #"the catalogue "itunes" requires searches: add the key "searches" to the configuration"#
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
    func `Unknown catalogues, missing searches and wrong limits are reported`(text: String, sentence: String) throws {
        #expect(try message(text) == sentence)
    }

    @Test func `The message about a very long key is short`() throws {
        let sentence = try message(#"{"searches": [{"term": "a", "\#(String(repeating: "x", count: 100_000))": 3}]}"#)
        #expect(sentence.hasPrefix("line 1: searches[0].xxx") && sentence.count < 1_200)
    }

    @Test func `Missing keys of a search have defaults, and searches imply the catalogue`() async throws {
        let small = try SmallMedia()
        try small.scratch.write(
            #"{"searches": [{"term": "  love & я+%"}, {"term": "sea", "media": "ebook"}]}"#, to: "quick.json")
        try await small.run("capture").succeeded()
        let searches = small.server.log.filter { $0.kind == "search" }.map(\.target)
        #expect(
            Set(searches) == [
                "/search?term=++love+%26+%D1%8F%2B%25&country=US&media=music&entity=song&limit=30&explicit=Yes",
                "/search?term=sea&country=US&media=ebook&entity=ebook&limit=30&explicit=Yes",
            ])
        let media = try MediaSearch.shipped()
        #expect(media.count == 6 && Set(media.map(\.media)) == ["music", "movie", "ebook"])
        for medium in ["music", "movie", "ebook"] { #expect(media.count { $0.media == medium } == 2) }
        #expect(media.count { $0.country == "RU" } == 1)
    }

    @Test(arguments: ["itunes.apple.com", "ITUNES.apple.com"])
    func `The rate limit of the public API applies, also if its host is in capitals`(host: String) throws {
        let scratch = try ScratchFolder()
        let folder = scratch["catalogue"]
        try FileManager.default.copyItem(atPath: "\(Program.root)/Catalogues/itunes", toPath: folder)
        let declaration = try String(contentsOfFile: "\(folder)/catalogue.json", encoding: .utf8)
        let changed = declaration.replacing("//itunes.apple.com\"", with: "//\(host)\"")
        try scratch.write(changed, to: "catalogue/catalogue.json")
        let config = try scratch.write(#"{"searches": [{"term": "love"}]}"#, to: "searches.json")
        let settings = try Settings(Arguments(["capture", "--catalogue", folder, "--config", config]))
        #expect(settings.configuration.bounds.rateLimit?.calls == 20)
    }

    @Test func `Calls are limited per minute as configured, and pictures are not`() async throws {
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
