import Foundation
import SampleAPI
import TestSupport
import Testing

struct MediaCaptureTests {
    private static let failures: [Fault.Action] = [
        .status(503, body: "<html>down</html>"), .status(403, body: ""),
        .body(Array("Your request produced an error. <BR>[newNullResponse]".utf8), type: "text/html"),
        .body(
            Array("\n\n\n{\"errorMessage\":\"Invalid value(s) for key(s): [country]\"}".utf8), type: "text/javascript"),
        .body([], type: "text/javascript"),
        .body(Array("{\"resultCount\":3,\"results\":[]}".utf8), type: "text/javascript"),
    ]

    @Test func `A search that keeps failing fails the capture, and the published site is unchanged`() async throws {
        let small = try SmallMedia()
        #expect(try await small.run("build").code == 0)
        let before = try fingerprint(of: small.site)
        let start =
            "amber: the capture is not complete: \(small.server.rootURL)/search?term=%D0%BC%D0%BE%D1%80%D0%B5&country=RU&media=ebook"
        for action in Self.failures {
            small.server.behaviour.faults = [Fault(.prefix("/search?term=%D0%BC"), times: nil, action)]
            try await small.run("build").failed(3, start, "(2 attempts)")
            #expect(try fingerprint(of: small.site) == before)
        }
        small.server.behaviour.faults = []
        #expect(try await small.run("build").output.contains("revision 1 (unchanged)"))
    }

    @Test func `A failed lookup is a gap, and the page is built from the search result`() async throws {
        let searches = SmallMedia.searches + [MediaSearch("dream", "music", "US", limit: 3)]
        let small = try SmallMedia(searches)
        let whole = try SmallMedia(searches)
        #expect(try await whole.run("build").code == 0)
        small.server.behaviour.faults = [
            Fault(
                .satisfies { $0.hasPrefix("/lookup?") && $0.hasSuffix("&country=US") && !$0.contains("entity") },
                times: nil, .status(500)),
            Fault(.contains("entity=album"), times: nil, .status(500)),
        ]
        let run = try await small.run("build", "--json")
        #expect(run.code == 4, "\(run.errors)")
        let (loved, late) = (try await small.numbers(searches[0]), try await small.numbers(searches[3]))
        let songs = Array(Set(loved + late))
        let films = try await small.numbers(searches[2])
        let gaps = try run.gaps()
        let urls = gaps.compactMap { $0["url"] }
        #expect(urls.count { $0.contains("entity=album") } == 2)
        #expect(
            Set(urls.filter { !$0.contains("entity=album") })
                == Set((songs + films).map { "lookup?id=\($0)&country=US" }))
        #expect(gaps.allSatisfy { $0["reason"]?.hasPrefix("answered status 500") == true }, "\(gaps)")
        for (folder, numbers) in [("song-us", songs), ("movie-us", films)] {
            for id in numbers {
                for edition in ["", "ru/"] {
                    var made = MediaFacts(try small.page("\(edition)\(folder)/\(id).html"), isBook: false)
                    var expected = MediaFacts(try whole.page("\(edition)\(folder)/\(id).html"), isBook: false)
                    expected.albums = []
                    expected.picture = made.picture
                    #expect(made.picture == "placeholder.svg 300 300" && made.heading != "")
                    made.albums = []
                    #expect(made == expected)
                }
                let found =
                    folder == "movie-us"
                    ? ["star"] : [(loved, "love"), (late, "dream")].filter { $0.0.contains(id) }.map(\.1)
                let page = try small.page("\(folder)/\(id).html")
                #expect(
                    found.contains { page.contains("/search?term=\($0)&amp;") },
                    "\(id) came from the search for \(found)")
            }
        }
    }

    @Test func `Changed and removed items are listed, and the site equals one built from scratch`() async throws {
        let small = try SmallMedia()
        #expect(try await small.run("build").code == 0)
        let search = SmallMedia.searches[0]
        let numbers = try await small.numbers(search)
        let name =
            try #require(try await small.answer("lookup?id=\(numbers[1])")["results"] as? [[String: Any]])[0][
                "trackName"] as? String
        small.server.behaviour.replacedMedia[numbers[0]] = try small.row(numbers[0], "trackName", "A new love & more")
        var answer = try await small.answer(search.path)
        var rows = try #require(answer["results"] as? [[String: Any]])
        rows.remove(at: 1)
        answer["results"] = rows
        answer["resultCount"] = rows.count
        let body = Array(try JSONSerialization.data(withJSONObject: answer, options: .sortedKeys))
        small.server.behaviour.faults = [
            Fault(.prefix("/search?term=love"), times: nil, .body(body, type: "text/javascript"))
        ]
        let run = try await small.run("build")
        #expect(run.code == 0 && run.output.contains("revision 2\n"), "\(run.output)\(run.errors)")
        #expect(!small.hasFile("song-us/\(numbers[1]).html"))
        #expect(MediaFacts(try small.page("song-us/\(numbers[0]).html"), isBook: false).heading == "A new love & more")
        let gone = try #require(name).replacingOccurrences(of: "&", with: "&amp;")
        let revision = try small.page("revision/2.html")
        #expect(revision.contains("A new love &amp; more") && revision.contains(gone), "\(revision)")
        #expect(try small.page("changes.html").contains("revision/2.html"))
        #expect(try small.page("feed.xml").contains("revision/2.html"))
        #expect(try small.page("song-us/\(numbers[0]).html").contains("<section class=\"history\""))

        let (kept, fresh) = (try contents(of: small.site), try await small.freshSite())
        #expect(Set(kept.keys).union(fresh.keys).filter { kept[$0] != fresh[$0] }.sorted() == [])
    }

    @Test func `Every check of the archive, the site and a snapshot passes`() async throws {
        let small = try SmallMedia()
        for verb in ["build", "check", "snapshot"] { try await small.run(verb).succeeded() }
        let run = try await small.run("verify").succeeded()
        #expect(run.output.contains("\nconsistent: 20 checks passed\n"), "\(run.output)")
    }

    @Test func `Without a network, auto builds the invented media and says so on every page`() async throws {
        let small = try SmallMedia()
        small.server.stop()
        let run = try await small.run("build").succeeded()
        #expect(run.errors.hasPrefix("amber: the API cannot be reached (\(small.server.rootURL)/search?"))
        #expect(run.output.contains("source    sample: the sample media (seed 1), revision 1\n"), "\(run.output)")
        try small.expectSampleNotices()
        #expect(try await small.run("render", "--source", "sample").code == 0)
    }

    @Test func `Card and import are refused for a catalogue of searches`() async throws {
        let small = try SmallMedia()
        try await small.run("card", "5").failed(2, saying: "the catalogue \"itunes\" does not support the verb card")
        let bring = try await small.run("import", small.scratch.path, "--date", "2018-05-01")
        bring.failed(2, saying: "import reads lists, but the catalogue \"itunes\" has none")
        #expect(!FileManager.default.fileExists(atPath: "\(small.output)/archive"))
    }

    @Test(arguments: [
        [MediaSearch("zzyzzx", "movie", "RU", limit: 5)],
        [MediaSearch("zzyzzx", "music", "US", limit: 5)] + SmallMedia.searches,
    ])
    func `A search without results is a normal page that says so`(_ searches: [MediaSearch]) async throws {
        let small = try SmallMedia(searches)
        try await small.run("build").succeeded()
        let place = "found/zzyzzx-\(searches[0].media)-\(searches[0].country.lowercased()).html"
        for words in [MediaWords.english, .russian] {
            let page = try small.page(words.folder + place)
            #expect(
                page.contains(words["nothingFound"]) && page.contains(words.results(0))
                    && !page.contains("<li class=\"result\">"))
            #expect(try small.page("\(words.folder)index.html").contains(words.results(0)))
        }
        #expect(try await small.run("check").code == 0)
    }

    @Test func `Explicit songs are left out on request, even if the server returns one`() async throws {
        var search = MediaSearch("e", "music", "US", limit: 40)
        let all = try SmallMedia([search])
        let numbers = try await all.numbers(search)
        search.explicit = false
        let clean = try SmallMedia([search])
        let allowed = try await clean.numbers(search)
        // The server's filter does not know that this song is explicit.
        let secret = try #require(
            allowed.first { id in
                String(decoding: clean.server.library.row(id) ?? [], as: UTF8.self).contains(
                    "\"trackExplicitness\":\"notExplicit\"")
            })
        clean.server.behaviour.replacedMedia[secret] = try clean.row(secret, "trackExplicitness", "explicit")
        #expect(try await all.run("build").code == 0)
        #expect(try await clean.run("build").code == 0)
        func pages(_ small: SmallMedia) throws -> Set<String> {
            Set(try FileManager.default.contentsOfDirectory(atPath: "\(small.site)/song-us"))
        }
        #expect(try pages(all) == Set(numbers.map { "\($0).html" }))
        #expect(try pages(all).contains { try all.page("song-us/\($0)").contains("class=\"explicit\"") })
        #expect(try !pages(clean).contains("\(secret).html") && !pages(clean).isEmpty)
        for page in try pages(clean) {
            #expect(try !clean.page("song-us/\(page)").contains("class=\"explicit\""), "\(page)")
        }
        let found = try clean.page("found/e-music-us.html")
        #expect(!found.contains("song-us/\(secret).html") && found.contains("without explicit songs"))
    }

    @Test func `Items without a title or link or of another kind are gaps without a page`() async throws {
        let small = try SmallMedia()
        let songs = try await small.numbers(SmallMedia.searches[0])
        let films = try await small.numbers(SmallMedia.searches[2])
        small.server.behaviour.replacedMedia = [
            songs[0]: try small.row(songs[0], "trackName", nil),
            songs[2]: try small.row(songs[2], "trackViewUrl", "javascript:alert(1)"),
            films[1]: try small.row(films[1], "kind", "tv-episode"),
        ]
        let run = try await small.run("build", "--json")
        #expect(run.code == 4, "\(run.errors)")
        let gaps = try run.gaps()
        let reasons = Set(gaps.compactMap { $0["reason"] })
        #expect(
            reasons == [
                "results[0].trackName: is missing; the item has no page",
                "results[2].trackViewUrl: is \"javascript:alert(1)\", which is no address on the web; the item has no page",
                "results[1].kind: is \"tv-episode\", not \"feature-movie\"; it is skipped",
            ], "\(gaps)")
        for id in [songs[0], songs[2]] { #expect(!small.hasFile("song-us/\(id).html")) }
        #expect(!small.hasFile("movie-us/\(films[1]).html") && small.hasFile("song-us/\(songs[1]).html"))
        let broken = MediaFacts.all(#"<div class="broken">(.*?)</div>"#, in: try small.page("found/love-music-us.html"))
            .map {
                MediaFacts.text($0[0])
            }
        #expect(broken.count == 2)
        #expect(broken.first == "UntitledThis result cannot be shown: trackName: is missing")
        #expect(
            MediaFacts.all(#"<li class="result">(.*?)</li>"#, in: try small.page("found/star-movie-us.html")).count == 2
        )
        #expect(try !small.page("found/love-music-us.html").contains("href=\"javascript"))
        #expect(try await small.run("check").code == 0)
    }
}
