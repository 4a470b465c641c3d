import Archive
import Catalogue
import CatalogueEngine
import KnownCatalogues
import TestSupport
import Testing

/// The engine with the declaration of the Rick and Morty API.
struct DeclaredCatalogueTests {
    private static let base = "http://127.0.0.1:9/api"
    private static let canonical = "https://rickandmortyapi.com/api"
    private let catalogue: DeclaredCatalogue

    init() throws {
        catalogue = try .rickAndMorty()
    }

    private func character(_ changes: [String: String] = [:], without missing: String? = nil) -> String {
        var members = [
            ("id", "1"), ("name", #""Rick""#), ("status", #""Alive""#), ("species", #""Human""#), ("type", #""""#),
            ("gender", #""Male""#),
            ("origin", #"{"name":"Earth","url":"\#(Self.canonical)/location/1"}"#),
            ("location", #"{"name":"Citadel","url":"\#(Self.canonical)/location/3"}"#),
            ("image", #""\#(Self.canonical)/character/avatar/1.jpeg""#),
            ("episode", #"["\#(Self.canonical)/episode/1","\#(Self.canonical)/episode/2"]"#),
        ]
        members = members.filter { $0.0 != missing }.map { ($0.0, changes[$0.0] ?? $0.1) }
        return "{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }

    private func facts(_ json: String, kind: String = "character") throws -> RecordFacts {
        try catalogue.facts(of: Array(json.utf8)[...], kind: kind, base: Self.base)
    }

    private func fault(_ json: String, kind: String = "character") -> String? {
        do {
            _ = try facts(json, kind: kind)
            return nil
        } catch {
            return "\(error)"
        }
    }

    private func listPage(_ body: [UInt8]) throws -> ListPage {
        try catalogue.page(
            PageAnswer(path: "character?page=1", headers: [], body: body, base: Self.base), of: catalogue.lists[0])
    }

    private func pageFault(_ json: String) -> String? {
        do {
            _ = try listPage(Array(json.utf8))
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `A character's card has its location, origin, episodes and one picture`() throws {
        let facts = try facts(character())
        #expect(facts.id == 1)
        #expect(
            facts.card == [
                Reference(RecordKey("location", 1), at: "origin.url"),
                Reference(RecordKey("location", 3), at: "location.url"),
                Reference(RecordKey("episode", 1), at: "episode[0]"),
                Reference(RecordKey("episode", 2), at: "episode[1]"),
            ])
        #expect(facts.references.isEmpty && facts.refused.isEmpty)
        #expect(facts.pictures == ["character/avatar/1.jpeg"])
    }

    // An attacker could use such a member to make all later builds fail.
    @Test(
        arguments: [
            #""\q""#, "[1,]", #"{"a":1,}"#, "1-2", "00", "1.", "-", "tru", #"{"a":[}]"#, "\"\u{1}\"", #"{"\q":1}"#,
        ])
    func `Members that are never read must be valid JSON`(value: String) {
        let record = character(["gender": "\"Male\",\"x\":\(value)"])
        #expect(fault(record)?.hasPrefix("x: is not valid JSON (at byte ") == true)
        #expect(
            fault(character(["gender": "\"Male\",\"created\":\(value)"]))?.hasPrefix("created: is not valid JSON")
                == true)
    }

    @Test func `A nested object has the same limit of members as a record`() {
        let members = (1...100_000).map { "\"m\($0)\":0" }.joined(separator: ",")
        #expect(fault(character(["gender": "\"Male\",\"x\":{\(members)}"])) == nil)
        #expect(
            fault(character(["gender": "\"Male\",\"x\":{\(members),\"m\":0}"]))?.hasPrefix(
                "x: has more than the 100000 members") == true)
    }

    // A fuzzer found that such a record was archived and then made every build fail.
    @Test func `JSON that only the decoder accepts is refused at capture`() throws {
        #expect(
            fault(character(["episode": #"["\#(Self.canonical)/episode/1",]"#]))
                == "episode: has no value where one is expected (at byte 362)")
        #expect(fault(#"{"id":1,"name":"","type":"","dimension":"","residents":[],}"#, kind: "location") != nil)
        let wide = Array(
            #"{"id":1,"name":"","type":"","dimension":"","residents":[]}"#.utf16.flatMap {
                [UInt8($0 >> 8), UInt8($0 & 0xFF)]
            })
        let page = Array("[".utf8) + wide + Array("]".utf8)
        let place = try #require(try JSONSlices.elements(of: page).first)
        #expect(throws: ContentFault("", "is not an object")) {
            try catalogue.facts(of: page[place], kind: "location", base: Self.base)
        }
    }

    @Test func `Residents and casts are references, but not part of the card`() throws {
        let links = #"["\#(Self.canonical)/character/8"]"#
        let location = try facts(
            #"{"id":5,"name":"X","type":"","dimension":"","residents":\#(links)}"#, kind: "location")
        #expect(location.card.isEmpty)
        #expect(location.references == [Reference(RecordKey("character", 8), at: "residents[0]")])
        let episode = try facts(
            #"{"id":5,"name":"X","air_date":"","episode":"","characters":\#(links)}"#, kind: "episode")
        #expect(episode.references == [Reference(RecordKey("character", 8), at: "characters[0]")])
    }

    @Test func `Empty links mean an unknown location and no picture`() throws {
        let facts = try facts(
            character([
                "origin": #"{"name":"unknown","url":""}"#, "location": #"{"name":"unknown","url":""}"#, "image": #""""#,
                "episode": "[]",
            ]))
        #expect(facts.card.isEmpty && facts.pictures.isEmpty && facts.refused.isEmpty)
    }

    @Test func `Links may name the API's own host, the requested one or none`() throws {
        let others = ["/api", "https://rickandmortyapi.com:443/api", "HTTPS://RICKANDMORTYAPI.COM/api"]
        for base in [Self.base, Self.canonical] + others {
            let facts = try facts(character(["episode": #"["\#(base)/episode/7"]"#]))
            #expect(facts.card.last?.key == RecordKey("episode", 7))
            #expect(facts.refused.isEmpty)
        }
    }

    @Test(
        arguments: [
            "http://elsewhere.example/api/episode/1", "https://rickandmortyapi.com/apiepisode/1",
            "https://rickandmortyapi.com.evil/api/episode/1",
            "http://rickandmortyapi.com/api/episode/1", "/episode/1", "/api/../episode/1", "/api/episode/01",
            "episode/1", "",
            "https://rickandmortyapi.com/api/character/1",
            "https://rickandmortyapi.com/api/episode/0", "https://rickandmortyapi.com/api/episode/-1",
            "https://rickandmortyapi.com/api/episode/01", "https://rickandmortyapi.com/api/episode/+1",
            "https://rickandmortyapi.com/api/episode/9223372036854775808",
            "https://rickandmortyapi.com/api/episode/1,2", "https://rickandmortyapi.com/api/episode/../episode/1",
            "https://rickandmortyapi.com/api/episode/%31", "https://rickandmortyapi.com/api//episode/1",
            "https://rickandmortyapi.com/api/episode/1?x=1", "https://rickandmortyapi.com/api/episode/١",
            "https://rickandmortyapi.com@evil/api/episode/1", "https://evil@rickandmortyapi.com/api/episode/1",
            "https://rickandmortyapi.com:444/api/episode/1", "https:rickandmortyapi.com/api/episode/1",
            "HTTPS://RICKANDMORTYAPI.COM/API/episode/1", "https://rickandmortyapi.com\\\\@evil/api/episode/1",
            "https://rickandmortyapi.com./api/episode/1", "https://rісkandmortyapi.com/api/episode/1",
            "//rickandmortyapi.com/api/episode/1", "file:///etc/passwd", "javascript:alert(1)", "data:,episode/1",
            " https://rickandmortyapi.com/api/episode/1", "https://rickandmortyapi.com/api/episode%2f1",
            "https://rickandmortyapi.com/api/episode/1#", "http://169.254.169.254/latest/meta-data",
            "http://[::1]/api/episode/1",
        ])
    func `A link that is not a record of its kind is refused with its key path`(link: String) throws {
        let facts = try facts(character(["episode": "[\"\(link)\"]"]))
        #expect(facts.card.map(\.key.kind) == ["location", "location"])
        let shown = link.replacing(#"\\"#, with: #"\"#)
        #expect(
            facts.refused.map(\.description) == ["episode[0]: links to \"\(shown)\", which is no episode of this API"])
    }

    @Test(
        arguments: [
            "http://elsewhere.example/1.jpeg", "https://rickandmortyapi.com/api/../1.jpeg",
            "https://rickandmortyapi.com/api/a/./1.jpeg",
            "https://rickandmortyapi.com/api/a%2e%2e/1.jpeg", "https://rickandmortyapi.com/api/a b.jpeg",
            "https://rickandmortyapi.com/api/a\\\\b.jpeg", "https://rickandmortyapi.com/api/%2e%2e/%2e%2e/x",
            "file:///etc/passwd",
            "https://rickandmortyapi.com/api/a\\nHost: evil", "https://rickandmortyapi.com/api/..",
            "data:image/png;base64,AAAA",
            "https://rickandmortyapi.com@127.0.0.1/api/1.jpeg", "https://rickandmortyapi.com:1/api/1.jpeg",
            "https://rickandmortyapi.com/api/a\\u0000.jpeg",
            "https://rickandmortyapi.com/api/\(String(repeating: "a", count: 65_536))",
            "https://rickandmortyapi.com/api/é.jpeg", "https://rickandmortyapi.com/api/",
            "https://rickandmortyapi.com/api/things/1,2", "https://rickandmortyapi.com/api/character/1,2/x.jpeg",
        ])
    func `A picture that is not directly below the API is refused`(link: String) throws {
        let facts = try facts(character(["image": "\"\(link)\""]))
        #expect(facts.pictures.isEmpty)
        #expect(facts.refused.map(\.keyPath) == ["image"])
    }

    @Test func `The address of a picture can have percent codes`() throws {
        let facts = try facts(character(["image": "\"\(Self.canonical)/a/H%C3%B6g%28x%29.jpg\""]))
        #expect(facts.pictures == ["a/H%C3%B6g%28x%29.jpg"] && facts.refused.isEmpty)
    }

    @Test func `A record with the address of another record is reported`() throws {
        for (url, count) in [("character/1", 0), ("character/2", 1), ("location/1", 1), ("character/01", 1)] {
            let json = character().dropLast() + #","url":"\#(Self.canonical)/\#(url)"}"#
            let refused = try facts(String(json)).refused
            #expect(refused.count == count)
            if let first = refused.first {
                #expect(first.description == #"url: is "\#(Self.canonical)/\#(url)", though the record is character 1"#)
            }
        }
        for url in [#""""#, "null", "7", "[]"] {
            #expect(
                try facts(String(character().dropLast() + #","url":\#(url)}"#)).refused.isEmpty, "it is ignored"
            )
        }
    }

    @Test func `The first thousand refused links are listed, and the others counted`() throws {
        func refused(_ count: Int, url: String) throws -> [String] {
            let links = Array(repeating: #""""#, count: count).joined(separator: ",")
            let record = #"{"id":5,"name":"","type":"","dimension":"","residents":[\#(links)],"url":"\#(url)"}"#
            return try facts(record, kind: "location").refused.map(\.description)
        }
        let named = (0..<1_000).map { #"residents[\#($0)]: links to "", which is no character of this API"# }
        #expect(try refused(1_000, url: "") == named)
        #expect(try refused(1_001, url: "") == named + ["and one more link is refused"])
        #expect(
            try refused(200_000, url: "x") == named + ["and 199001 more links are refused"],
            "its own address is one of them")
    }

    @Test func `A long link is shortened in the message`() throws {
        let facts = try facts(character(["image": "\"http://x/" + String(repeating: "a", count: 10_000) + "\""]))
        #expect(try #require(facts.refused.first).reason.utf8.count < 300)
    }

    @Test func `Missing, null and mistyped members are reported with key path and type`() {
        #expect(fault(character(without: "species")) == "species: is missing")
        #expect(fault(character(["id": #""01""#])) == "id: is not a whole number")
        #expect(fault(character(["episode": "{}"])) == "episode: is not an array")
        #expect(fault(character(["episode": #"["a",null]"#])) == "episode[1]: is null, not a string")
        #expect(fault(character(["origin": #"{"name":"x"}"#])) == "origin.url: is missing")
        #expect(fault(character(["origin": "[]"])) == "origin: is not an object")
        #expect(fault("[]") == "is not an object")
        #expect(fault("{") == "ends in the middle, after 1 bytes")
        #expect(fault("null") == "is null, not an object")
        #expect(fault(character(["origin": "null"])) == "origin: is null, not an object")
        #expect(fault(character(["origin": #"{"name":[],"url":""}"#])) == "origin.name: is not a string")
        #expect(fault(#"{"id":1,"name":"X"}"#, kind: "location") == "type: is missing")
        #expect(fault(#"{"id":1,"name":"X"}"#, kind: "episode") == "episode: is missing")
    }

    @Test func `A record without a title is kept, and a title that is an object or array is reported`() throws {
        for name in ["null", "12", "true", #""""#] {
            #expect(try facts(character(["name": name])).refused.isEmpty, "\(name)")
        }
        #expect(try facts(character(without: "name")).refused.isEmpty)
        for name in ["{}", "[]", #"{"en":"Rick"}"#] {
            let refused = try facts(character(["name": name])).refused
            #expect(refused.map(\.description) == ["name: is not a string"], "\(name)")
        }
    }

    @Test func `Record numbers begin at 1 and end at 9007199254740991`() throws {
        #expect(
            fault(character(["id": "0"]))
                == "id: is 0, not 1 to 9007199254740991; set \"textIds\" if ids of this kind can be other texts")
        #expect(
            fault(character(["id": "-3"]))
                == "id: is -3, not 1 to 9007199254740991; set \"textIds\" if ids of this kind can be other texts")
        #expect(
            fault(character(["id": "9007199254740992"]))
                == "id: is 9007199254740992, not 1 to 9007199254740991; set \"textIds\" if ids of this kind can be other texts"
        )
        #expect(
            fault(character(["id": "-0"]))
                == "id: is 0, not 1 to 9007199254740991; set \"textIds\" if ids of this kind can be other texts")
        #expect(fault(character(["id": "1.5"])) == "id: is 1.5, not a whole number of 64 bits")
        #expect(
            fault(character(["id": "9223372036854775808"]))
                == "id: is 9223372036854775808, not a whole number of 64 bits")
        #expect(fault(character(["id": "1e400"])) == "id: is 1e400, not a whole number of 64 bits")
        #expect(fault(character(["id": "01"])) != nil)
        #expect(try facts(character(["id": "9007199254740991"])).id == 9_007_199_254_740_991)
    }

    @Test func `A list page has its claims and the ranges of its records`() throws {
        let body = Array(
            #"{"info":{"count":3,"pages":2,"next":null,"prev":null},"results":[ {"id":1}, {"id":2} ]}"#.utf8)
        let page = try listPage(body)
        #expect(page.claim?.count == 3 && page.claim?.pages == 2)
        #expect(page.records.map { String(decoding: body[$0], as: UTF8.self) } == [#"{"id":1}"#, #"{"id":2}"#])
    }

    @Test func `An invalid list page is reported, and an error answer is quoted`() {
        #expect(pageFault("") == "is empty")
        #expect(pageFault("<html>") == "is not an object (at byte 0)")
        #expect(pageFault("{}") == "results: is missing")
        #expect(pageFault(#"{"info":{"count":1,"pages":1}}"#) == "results: is missing; the answer has info")
        #expect(
            pageFault(#"{"error":"There is nothing here"}"#)
                == #"error: has the error "There is nothing here" instead of a list page"#)
        #expect(pageFault(#"{"error":{"code":1}}"#) == #"error: has the error "{"code":1}" instead of a list page"#)
        let long = pageFault("{\"error\":\"\(String(repeating: "<\\u001b", count: 100_000))\"}")
        let quoted = "\"\(String(repeating: "<\u{FFFD}", count: 100))…\""
        #expect(long == "error: has the error \(quoted) instead of a list page")
        #expect(pageFault(#"{"info":{"count":-1,"pages":1},"results":[]}"#) == "info.count: is -1, less than nothing")
        #expect(pageFault(#"{"info":{"count":"01","pages":1},"results":[]}"#) == "info.count: is not a whole number")
        #expect(pageFault(#"{"info":{"pages":1},"results":[]}"#) == "info.count: is missing; info has pages")
        #expect(pageFault(#"{"info":[],"results":[]}"#) == "info.count: is missing; the answer has info, results")
        #expect(
            pageFault(#"{"info":{"count":1.5,"pages":1},"results":[]}"#)
                == "info.count: is 1.5, not a whole number of 64 bits")
        #expect(pageFault(#"{"info":{"count":1,"pages":-1},"results":[]}"#) == "info.pages: is -1, less than nothing")
        #expect(
            pageFault(#"{"info":{"count":3,"pages":4},"results":[]}"#)
                == "info.pages: is 4, more pages than the 3 records")
        #expect(
            pageFault(#"{"info":{"count":1,"pages":1},"results":5}"#)?.hasPrefix("results: is not an array") == true)
    }

    @Test func `An impossible claim is refused`() {
        for claim in ["9007199254740991", "4611686018427387904", "9223372036854775807"] {
            let reason = "is \(claim), more than a list can hold"
            #expect(pageFault("{\"info\":{\"count\":\(claim),\"pages\":1},\"results\":[]}") == "info.count: \(reason)")
            #expect(pageFault("{\"info\":{\"count\":1,\"pages\":\(claim)},\"results\":[]}") == "info.pages: \(reason)")
        }
    }

    @Test func `A single record and several records have different requests and answers`() throws {
        let one = [RecordKey("character", 5)]
        let two = one + [RecordKey("character", 7)]
        #expect(catalogue.path(for: one) == "character/5")
        #expect(catalogue.path(for: two) == "character/5,7")
        #expect(try catalogue.records(in: Array(#"{"id":5}"#.utf8), requested: one) == [0..<8])
        #expect(try catalogue.records(in: Array("[{},{}]".utf8), requested: two) == [1..<3, 4..<6])
        #expect(try catalogue.records(in: Array("[]".utf8), requested: two).isEmpty)
        #expect(throws: ContentFault.self) { try catalogue.records(in: Array("[{}]".utf8), requested: one) }
        #expect(throws: ContentFault.self) { try catalogue.records(in: Array(#"{"error":"x"}"#.utf8), requested: two) }
    }

    @Test func `A single record has no surrounding white space`() throws {
        let body = Array(" \n{\"id\":5}\r\n".utf8)
        let places = try catalogue.records(in: body, requested: [RecordKey("character", 5)])
        #expect(places.map { String(decoding: body[$0], as: UTF8.self) } == [#"{"id":5}"#])
    }

    @Test func `Damaged records are read or refused without a crash`() {
        var random = SeededRandom(11)
        let record = Array(character().utf8)
        let page = Array(#"{"info":{"count":1,"pages":1},"results":["#.utf8) + record + Array("]}".utf8)
        var refused = 0
        for _ in 0..<2_000 {
            let facts = Result {
                try catalogue.facts(of: random.damaged(record)[...], kind: "character", base: Self.base)
            }
            let list = Result { try listPage(random.damaged(page)) }
            if case .failure = facts { refused += 1 }
            if case .failure = list { refused += 1 }
        }
        #expect((1_000..<4_000).contains(refused), "most damage makes a record or a page unreadable, some does not")
    }
}
