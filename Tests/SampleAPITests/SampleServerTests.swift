import SampleAPI
import TestSupport
import Testing

struct SampleServerTests {
    private let server: SampleServer
    private let base = Universe.canonicalBase

    init() throws {
        server = try SampleServer(Universe())
    }

    private func get(_ target: String, _ headers: [(String, String)] = []) throws -> Client.Reply {
        try ask(server.port, target, headers: headers)
    }

    @Test func `The root lists the endpoints, with and without a slash`() throws {
        let text = #"{"characters":"\#(base)/character","locations":"\#(base)/location","episodes":"\#(base)/episode"}"#
        #expect(try get("/api").text == text)
        #expect(try get("/api/").text == text)
    }

    @Test func `A list has pages of twenty`() throws {
        let first: Page<Character> = try decoded(get("/api/character").body)
        #expect(first.info == .init(count: 826, pages: 42, next: "\(base)/character?page=2", prev: nil))
        #expect(first.results.map(\.id) == Array(1...20))

        let last: Page<Character> = try decoded(get("/api/character/?page=42").body)
        #expect(last.info == .init(count: 826, pages: 42, next: nil, prev: "\(base)/character?page=41"))
        #expect(last.results.map(\.id) == Array(821...826))

        for page in ["0", "-3", "x", ""] {
            #expect(try get("/api/character?page=\(page)").body == get("/api/character").body)
        }
        let locations: Page<Location> = try decoded(get("/api/location?page=7").body)
        #expect(locations.results.count == 6)
        let episodes: Page<Episode> = try decoded(get("/api/episode?page=3").body)
        #expect(episodes.results.count == 11)
    }

    @Test func `Errors have the live service's statuses and texts`() throws {
        let expected: [(String, Int, String)] = [
            ("/api/character?page=43", 404, "There is nothing here"),
            ("/api/character/827", 404, "Character not found"), ("/api/location/0", 404, "Location not found"),
            ("/api/episode/52", 404, "Episode not found"), ("/api/character/abc", 500, "Hey! you must provide an id"),
            ("/api/nothing", 404, "There is nothing here."), ("/", 404, "There is nothing here."),
            ("/api/character/avatar/827.jpeg", 404, "There is nothing here."),
        ]
        for (target, status, text) in expected {
            let reply = try get(target)
            #expect(reply.status == status, "\(target)")
            #expect(reply.text == #"{"error":"\#(text)"}"#, "\(target)")
            #expect(reply.header("Content-Type") == "application/json; charset=utf-8")
        }
        #expect(try ask(server.port, "/api/character", method: "POST").status == 404)
    }

    @Test func `Each of several records is returned once in the server's order, and missing records are left out`()
        throws
    {
        let some: [Character] = try decoded(get("/api/character/7,3,3,9999").body)
        #expect(some.map(\.id) == [3, 7])
        let encoded: [Character] = try decoded(get("/api/character/5%2C6").body)
        #expect(encoded.map(\.id) == [5, 6])
        #expect(try get("/api/character/9999,10000").text == "[]")
        let five: Character = try decoded(get("/api/character/5").body)
        #expect(five.id == 5)
    }

    @Test func `The last page number is used, and filters are ignored`() throws {
        let page: Page<Character> = try decoded(get("/api/character?page=1&gender=male&page=2&unheard=of").body)
        #expect(page.results.map(\.id) == Array(21...40))
        #expect(page.info.next == "\(base)/character?page=3")
    }

    @Test func `An address of more than 4,096 bytes is refused`() throws {
        for start in ["/search?term=", "/api/character?name=", "/api/character/1,", "/lookup?id="] {
            let rest = String(repeating: "1", count: 4_096 - start.utf8.count)
            #expect(try get(start + rest).status != 414, "\(start)")
            let refused = try get(start + rest + "1")
            #expect(refused.status == 414, "\(start)")
            #expect(refused.text == "The address has more than 4096 bytes; request fewer records in one request.\n")
        }
    }

    @Test func `A query is split at bytes, also before a combining character`() throws {
        #expect(try get("/api/character?page=2&\u{301}x=1").body == get("/api/character?page=2").body)
        #expect(try get("/api/character?\u{301}page=2").body == get("/api/character").body)
    }

    @Test func `A matching entity tag gets 304`() throws {
        let reply = try get("/api/character/1")
        let tag = try #require(reply.header("ETag"))
        #expect(reply.header("Cache-Control") == "public, max-age=7776000, immutable")

        let again = try get("/api/character/1", [("If-None-Match", tag)])
        #expect(again.status == 304)
        #expect(again.body.isEmpty)
        #expect(try get("/api/character/2", [("If-None-Match", tag)]).status == 200)

        server.behaviour.revise(server.universe)
        let revised = try get("/api/character/1", [("If-None-Match", tag)])
        #expect(revised.status == 200)
        #expect(revised.header("ETag") != tag)
    }

    @Test func `Portraits are served as JPEG with an entity tag`() throws {
        let reply = try get("/api/character/avatar/1.jpeg")
        #expect(reply.header("Content-Type") == "image/jpeg")
        #expect(reply.body == server.universe.portrait(ofCharacter: 1))
        let tag = try #require(reply.header("ETag"))
        #expect(try get("/api/character/avatar/1.jpeg", [("If-None-Match", tag)]).status == 304)
        let head = try ask(server.port, "/api/character/avatar/1.jpeg", method: "HEAD")
        #expect(head.header("Content-Length") == String(reply.body.count))
        #expect(head.body.isEmpty)
    }

    @Test func `Hidden records are not in lists and counts but are returned by id`() throws {
        server.behaviour.hidden = [.init(.location, 20), .init(.location, 1)]
        let page: Page<Location> = try decoded(get("/api/location").body)
        #expect(page.info.count == 124)
        #expect(page.results.map(\.id) == Array(2...19) + [21, 22])
        let hidden: Location = try decoded(get("/api/location/20").body)
        #expect(hidden.id == 20)
    }

    @Test func `A record can be replaced by other bytes, also in lists`() throws {
        server.behaviour.replaced[.init(.episode, 2)] = Array(#"{"id":2,"name":"<script>"}"#.utf8)
        server.behaviour.avatarOverrides[4] = [1, 2, 3]
        #expect(try get("/api/episode/2").text == #"{"id":2,"name":"<script>"}"#)
        #expect(try get("/api/episode").text.contains(#","url":"\#(base)/episode/1""#))
        #expect(try get("/api/episode").text.contains(#"{"id":2,"name":"<script>"},{"id":3"#))
        #expect(try get("/api/character/avatar/4.jpeg").body == [1, 2, 3])
    }
}
