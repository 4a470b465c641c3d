import Archive
import Catalogue
import RickAndMorty
import Testing

/// What the catalogue reads from answers: links, ids, envelopes, and the exact words where something is wrong.
struct RickAndMortyTests {
    private static let base = "http://127.0.0.1:9/api"
    private static let canonical = "https://rickandmortyapi.com/api"

    private func character(_ changes: [String: String] = [:], without missing: String? = nil) -> String {
        var members = [
            ("id", "1"), ("name", #""Rick""#), ("status", #""Alive""#), ("species", #""Human""#), ("type", #""""#), ("gender", #""Male""#),
            ("origin", #"{"name":"Earth","url":"\#(Self.canonical)/location/1"}"#),
            ("location", #"{"name":"Citadel","url":"\#(Self.canonical)/location/3"}"#),
            ("image", #""\#(Self.canonical)/character/avatar/1.jpeg""#),
            ("episode", #"["\#(Self.canonical)/episode/1","\#(Self.canonical)/episode/2"]"#),
        ]
        members = members.filter { $0.0 != missing }.map { ($0.0, changes[$0.0] ?? $0.1) }
        return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    private func facts(_ json: String, kind: String = "character") throws -> RecordFacts {
        try RickAndMorty().facts(of: Array(json.utf8)[...], kind: kind, base: Self.base)
    }

    private func fault(_ json: String, kind: String = "character") -> String? {
        do {
            _ = try facts(json, kind: kind)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func pageFault(_ json: String) -> String? {
        do {
            _ = try RickAndMorty().listPage(Array(json.utf8))
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("A character's card is its location, its origin and its episodes, each with its place, and one picture")
    func card() throws {
        let facts = try facts(character())
        #expect(facts.id == 1)
        #expect(
            facts.card == [
                Reference(RecordKey("location", 3), at: "location.url"), Reference(RecordKey("location", 1), at: "origin.url"),
                Reference(RecordKey("episode", 1), at: "episode[0]"), Reference(RecordKey("episode", 2), at: "episode[1]"),
            ])
        #expect(facts.mentions.isEmpty && facts.refused.isEmpty)
        #expect(facts.pictures == ["character/avatar/1.jpeg"])
    }

    @Test("Residents and a cast are looked for by the end, not shown")
    func mentions() throws {
        let links = #"["\#(Self.canonical)/character/8"]"#
        let location = try facts(#"{"id":5,"name":"X","type":"","dimension":"","residents":\#(links)}"#, kind: "location")
        #expect(location.card.isEmpty)
        #expect(location.mentions == [Reference(RecordKey("character", 8), at: "residents[0]")])
        let episode = try facts(#"{"id":5,"name":"X","air_date":"","episode":"","characters":\#(links)}"#, kind: "episode")
        #expect(episode.mentions == [Reference(RecordKey("character", 8), at: "characters[0]")])
    }

    @Test("Empty links are an unknown place, and no picture")
    func emptyLinks() throws {
        let facts = try facts(
            character([
                "origin": #"{"name":"unknown","url":""}"#, "location": #"{"name":"unknown","url":""}"#, "image": #""""#, "episode": "[]",
            ]))
        #expect(facts.card.isEmpty && facts.pictures.isEmpty && facts.refused.isEmpty)
    }

    @Test("Links may name the API's own host or the one that was asked")
    func bases() throws {
        for base in [Self.base, Self.canonical] {
            let facts = try facts(character(["episode": #"["\#(base)/episode/7"]"#]))
            #expect(facts.card.last?.key == RecordKey("episode", 7))
            #expect(facts.refused.isEmpty)
        }
    }

    @Test(
        "A link that is no record of that kind of this API is refused, with its place",
        arguments: [
            "http://elsewhere.example/api/episode/1", "https://rickandmortyapi.com/apiepisode/1",
            "https://rickandmortyapi.com.evil/api/episode/1",
            "http://rickandmortyapi.com/api/episode/1", "/api/episode/1", "episode/1", "", "https://rickandmortyapi.com/api/character/1",
            "https://rickandmortyapi.com/api/episode/0", "https://rickandmortyapi.com/api/episode/-1",
            "https://rickandmortyapi.com/api/episode/01", "https://rickandmortyapi.com/api/episode/+1",
            "https://rickandmortyapi.com/api/episode/9223372036854775808", "https://rickandmortyapi.com/api/episode/1/",
            "https://rickandmortyapi.com/api/episode/1,2", "https://rickandmortyapi.com/api/episode/../episode/1",
            "https://rickandmortyapi.com/api/episode/%31", "https://rickandmortyapi.com/api//episode/1",
            "https://rickandmortyapi.com/api/episode/1?x=1", "https://rickandmortyapi.com/api/episode/١",
        ])
    func refusedRecords(link: String) throws {
        let facts = try facts(character(["episode": "[\"\(link)\"]"]))
        #expect(facts.card.map(\.key.kind) == ["location", "location"])
        #expect(facts.refused.map(\.description) == ["episode[0]: links to \"\(link)\", which is no episode of this API"])
    }

    @Test(
        "A picture that is not plainly below the API is refused",
        arguments: [
            "http://elsewhere.example/1.jpeg", "https://rickandmortyapi.com/api/../1.jpeg", "https://rickandmortyapi.com/api/a/./1.jpeg",
            "https://rickandmortyapi.com/api/a%2e%2e/1.jpeg", "https://rickandmortyapi.com/api/a b.jpeg",
            "https://rickandmortyapi.com/api/a\\\\b.jpeg", "https://rickandmortyapi.com/api/é.jpeg", "https://rickandmortyapi.com/api/",
        ])
    func refusedPictures(link: String) throws {
        let facts = try facts(character(["image": "\"\(link)\""]))
        #expect(facts.pictures.isEmpty)
        #expect(facts.refused.map(\.keyPath) == ["image"])
    }

    @Test("A long link is named by its beginning")
    func longLink() throws {
        let facts = try facts(character(["image": "\"http://x/" + String(repeating: "a", count: 10_000) + "\""]))
        #expect(try #require(facts.refused.first).reason.utf8.count < 300)
    }

    @Test("What is missing, null or of the wrong kind is named by place and kind")
    func wrongTypes() {
        #expect(fault(character(without: "name")) == "name: is missing")
        #expect(fault(character(["name": "null"])) == "name: is null, not a text")
        #expect(fault(character(["name": "12"])) == "name: is not a text")
        #expect(fault(character(["id": #""1""#])) == "id: is not a whole number")
        #expect(fault(character(["episode": "{}"])) == "episode: is not an array")
        #expect(fault(character(["episode": #"["a",null]"#])) == "episode[1]: is null, not a text")
        #expect(fault(character(["origin": #"{"name":"x"}"#])) == "origin.url: is missing")
        #expect(fault(character(["origin": "[]"])) == "origin: is not an object")
        #expect(fault("[]") == "is not an object")
        #expect(fault("{") == "is not valid JSON, or out of range")
        #expect(fault(#"{"id":1,"name":"X"}"#, kind: "location") == "type: is missing")
        #expect(fault(#"{"id":1,"name":"X"}"#, kind: "episode") == "air_date: is missing")
    }

    @Test("Numbers begin at 1 and end where scripts can count")
    func ids() throws {
        #expect(fault(character(["id": "0"])) == "id: is 0, not 1 to 9007199254740991")
        #expect(fault(character(["id": "-3"])) == "id: is -3, not 1 to 9007199254740991")
        #expect(fault(character(["id": "9007199254740992"])) == "id: is 9007199254740992, not 1 to 9007199254740991")
        #expect(fault(character(["id": "1.5"])) == "is not valid JSON, or out of range")
        #expect(fault(character(["id": "9223372036854775808"])) == "is not valid JSON, or out of range")
        #expect(fault(character(["id": "01"])) != nil)
        #expect(try facts(character(["id": "9007199254740991"])).id == 9_007_199_254_740_991)
    }

    @Test("A list page is its claims and its records' places")
    func listPage() throws {
        let body = Array(#"{"info":{"count":3,"pages":2,"next":null,"prev":null},"results":[ {"id":1}, {"id":2} ]}"#.utf8)
        let page = try RickAndMorty().listPage(body)
        #expect(page.count == 3 && page.pages == 2)
        #expect(page.records.map { String(decoding: body[$0], as: UTF8.self) } == [#"{"id":1}"#, #"{"id":2}"#])
    }

    @Test("What is no list page says why; an error answer is quoted")
    func noListPage() {
        #expect(pageFault("") == "is empty")
        #expect(pageFault("<html>") == "is not an object (at byte 0)")
        #expect(pageFault("{}") == "info: is missing")
        #expect(pageFault(#"{"info":{"count":1,"pages":1}}"#) == "results: is missing")
        #expect(
            pageFault(#"{"error":"There is nothing here"}"#) == #"error: says "There is nothing here" where a list page belongs"#)
        #expect(pageFault(#"{"info":{"count":-1,"pages":1},"results":[]}"#) == "info: counts less than nothing")
        #expect(pageFault(#"{"info":{"count":"1","pages":1},"results":[]}"#) == "info.count: is not a whole number")
        #expect(pageFault(#"{"info":{"pages":1},"results":[]}"#) == "info.count: is missing")
        #expect(pageFault(#"{"info":[],"results":[]}"#) == "info: is not an object")
        #expect(pageFault(#"{"info":{"count":1,"pages":1},"results":{}}"#)?.hasPrefix("results: is not an array") == true)
    }

    @Test("A claim that no list can keep is refused, before anybody adds it up")
    func absurdClaims() {
        for claim in [#""count":9007199254740991,"pages":1"#, #""count":1,"pages":9007199254740991"#] {
            #expect(pageFault("{\"info\":{\(claim)},\"results\":[]}") == "info: claims more than a list can hold")
        }
    }

    @Test("One record is asked for and answered alone, several together")
    func byNumber() throws {
        let catalogue = RickAndMorty()
        let one = [RecordKey("character", 5)]
        let two = one + [RecordKey("character", 7)]
        #expect(catalogue.path(for: one) == "character/5")
        #expect(catalogue.path(for: two) == "character/5,7")
        #expect(try catalogue.records(in: Array(#"{"id":5}"#.utf8), askedFor: one) == [0..<8])
        #expect(try catalogue.records(in: Array("[{},{}]".utf8), askedFor: two) == [1..<3, 4..<6])
        #expect(try catalogue.records(in: Array("[]".utf8), askedFor: two).isEmpty)
        #expect(throws: ContentFault.self) { try catalogue.records(in: Array("[{}]".utf8), askedFor: one) }
        #expect(throws: ContentFault.self) { try catalogue.records(in: Array(#"{"error":"x"}"#.utf8), askedFor: two) }
    }

    @Test("A record answered alone is the same bytes as in a list: without the white space around it")
    func exactRecord() throws {
        let body = Array(" \n{\"id\":5}\r\n".utf8)
        let places = try RickAndMorty().records(in: body, askedFor: [RecordKey("character", 5)])
        #expect(places.map { String(decoding: body[$0], as: UTF8.self) } == [#"{"id":5}"#])
    }

    @Test("Damaged records are read or refused, without a trap")
    func damaged() {
        var random = Random(seed: 11)
        let record = Array(character().utf8)
        let page = Array(#"{"info":{"count":1,"pages":1},"results":["#.utf8) + record + Array("]}".utf8)
        var refused = 0
        for _ in 0..<2_000 {
            let facts = Result { try RickAndMorty().facts(of: random.damaged(record)[...], kind: "character", base: Self.base) }
            let list = Result { try RickAndMorty().listPage(random.damaged(page)) }
            if case .failure = facts { refused += 1 }
            if case .failure = list { refused += 1 }
        }
        #expect((1_000..<4_000).contains(refused), "most damage makes a record or a page unreadable, some does not")
    }
}
