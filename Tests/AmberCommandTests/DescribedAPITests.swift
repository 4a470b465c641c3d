import Foundation
import HTTPServer
import Platform
import SampleAPI
import TestSupport
import Testing

/// Projects for APIs that Amber does not know.
struct DescribedAPITests {
    private func files(_ scratch: ScratchFolder) throws -> [String: Data] { try contents(of: scratch["out/site"]) }

    @Test func `A project for an unknown API builds and verifies without an edit`() async throws {
        let server = try SampleServer(Universe(seed: 1, characters: 30))
        defer { server.stop() }
        let scratch = try ScratchFolder()
        let begun = try await Program.run("init", scratch["mine"], "--api", server.apiURL).succeeded()
        for words in ["character", "page_number", "status", "Next: cd"] { #expect(begun.output.contains(words)) }
        let options = ["--config", scratch["mine/amber.json"], "--output", scratch["out"]]
        let built = try await Program.start(["build"] + options + ["--json"]).wait().succeeded()
        #expect(built.output.contains(#""character":30"#))
        try await Program.start(["verify"] + options).wait().succeeded()
        let files = try files(scratch)
        let page = String(decoding: try #require(files["character/1.html"]), as: UTF8.self)
        // The facts, the picture and the references of the record are there, and no text is left unfilled.
        #expect(page.contains("<dt>Species</dt>") && page.contains("<h2>Episodes</h2>") && !page.contains("{count}"))
        // The site has the name of the host in the API's links.
        let title = try #require(page.firstMatch(of: /<a class="brand"[^>]*>([^<]+)</)).1
        #expect(title == "Sample")
        #expect(files["character-pictures/1.png"] != nil || files["character-pictures/1.jpg"] != nil)
        #expect(files["index.html"] != nil && files["ru/index.html"] == nil && files["status/alive.html"] != nil)
        #expect(String(decoding: files["index.html"] ?? Data(), as: UTF8.self).contains("<title>Sample</title>"))
        // The folder is not empty any more.
        try await Program.run("init", scratch["mine"], "--api", server.apiURL).failed(6, "is not empty")
    }

    @Test(.enabled(if: RealData.hasPokeAPI, Comment(rawValue: RealData.comment)))
    func `Records that are requested one by one are complete, and a second capture is conditional`() async throws {
        let replica = try Replica(pokeAPI: "--limit", "25", "--kinds", "berry,nature,move-category")
        let scratch = try ScratchFolder()
        let begun = try await Program.run("init", scratch["mine"], "--api", replica.api)
        #expect(begun.code == 0 && begun.output.contains("offset, one by one"), "\(begun)")
        let options = ["--config", scratch["mine/amber.json"], "--output", scratch["out"]]
        let built = try await Program.start(["build", "--json"] + options).wait().succeeded()
        for count in [#""berry":25"#, #""nature":25"#, #""move-category":14"#] {
            #expect(built.output.contains(count), "\(built.output)")
        }
        // The id 0 is a text.
        let files = try files(scratch)
        #expect(files["move-category/0.html"] != nil && files["berry/1.html"] != nil)
        let berry = String(decoding: try #require(files["berry/1.html"]), as: UTF8.self)
        #expect(berry.contains("<dt>Growth time</dt><dd>3</dd>") && berry.contains("../nature/") == false)
        try await replica.reset()
        let again = try await Program.start(["build", "--json"] + options).wait()
        #expect(again.output.contains(#""unchanged":true"#), "\(again.output)")
        let statuses = try await replica.statistics()["status"] as? [String: Int]
        #expect(statuses?["200"] == nil && (statuses?["304"] ?? 0) >= 64, "\(statuses ?? [:])")
        #expect(try await Program.start(["verify"] + options).wait().code == 0)
    }

    @Test func `The API of a catalogue that comes with Amber is recognised without a request`() async throws {
        let scratch = try ScratchFolder()
        try await Program.run("init", scratch["mine"], "--api", "https://pokeapi.co/api/v2").succeeded()
        let settings = try String(contentsOfFile: scratch["mine/amber.json"], encoding: .utf8)
        #expect(settings.contains(#""catalogue": "pokeapi""#) && settings.contains("https://pokeapi.co/api/v2"))
        #expect(FileManager.default.fileExists(atPath: scratch["mine/Catalogues/pokeapi/catalogue.json"]))
        // The address of a blog's API has a path of its own.
        for ending in ["", "/"] {
            let blog = scratch["blog\(ending.count)"]
            let api = "http://127.0.0.1:9/wp-json/wp/v2\(ending)"
            try await Program.run("init", blog, "--api", api).succeeded()
            #expect(
                try String(contentsOfFile: "\(blog)/amber.json", encoding: .utf8).contains(#""catalogue": "wordpress""#)
            )
        }
        // Another server with this API needs the name of the catalogue. The project keeps the settings for requests.
        let configuration = try scratch.write(
            #"{"callsPerMinute": 50, "output": "x", "attempts": 3, "catalogue": null}"#, to: "mine.json")
        try await Program.run(
            "init", scratch["other"], "--catalogue", "pokeapi", "--api", "http://127.0.0.1:9/api/v2", "--config",
            configuration
        ).succeeded()
        let own = try String(contentsOfFile: scratch["other/amber.json"], encoding: .utf8)
        #expect(own.contains(#""catalogue": "pokeapi""#) && own.contains("http://127.0.0.1:9/api/v2"))
        #expect(own.contains("\"callsPerMinute\": 50,\n    \"attempts\": 3\n}"), "\(own)")
    }

    @Test func `A card prints its own record, not one of the same kind to which it refers`() async throws {
        func json(_ text: String) -> FileServer.File { ("application/json", Array(text.utf8)) }
        let server = try FileServer(
            books: [],
            files: [
                "/api/book/1": json(#"{"id":1,"name":"One"}"#), "/api/book/2": json(#"{"id":2,"name":"Two","next":1}"#),
            ])
        let scratch = try ScratchFolder()
        let declaration = server.declaration(fields: #""next": { "type": "reference", "to": "book" }"#)
        try scratch.write(
            declaration.replacing(#""lists": ["#, with: #""card": "book", "lists": ["#), to: "mine/catalogue.json")
        try scratch.write(#"{"catalogue":"./mine"}"#, to: "amber.json")
        let options = ["--config", scratch["amber.json"], "--output", scratch["out"]]
        let card = try await Program.start(["card", "2"] + options).wait().succeeded()
        #expect(card.output.hasPrefix("name      Two\nnext      One\n"), "\(card.output)")
    }

    @Test func `A dry run and an address without lists write nothing`() async throws {
        let server = try SampleServer(Universe(seed: 1, characters: 5))
        defer { server.stop() }
        let scratch = try ScratchFolder()
        let dry = try await Program.run(
            "init", scratch["mine"], "--api", server.apiURL, "--only", "episode", "--dry-run")
        #expect(dry.code == 0 && dry.output.contains(#""lists": ["episode"]"#), "\(dry.errors)")
        let none = try await Program.run("init", scratch["mine"], "--api", "\(server.apiURL)/nothing")
        none.failed(3, "no list of records was found")
        let secret = try await Program.run(
            "init", scratch["mine"], "--api", server.apiURL, "--header", "Authorization: Token abcdefgh")
        #expect(secret.code == 2 && secret.errors.contains("{env:NAME}") && !secret.errors.contains("abcdefgh"))
        let query = try await Program.run(
            "init", scratch["mine"], "--api", server.apiURL, "--list", "\(server.apiURL)/item?api_key=abcdefgh")
        #expect(query.code == 2 && query.errors.contains("{env:NAME}") && !query.errors.contains("abcdefgh"))
        for (headers, fault) in [
            (["X-A: b\nX-B: c"], "--header X-A has a character that a header cannot have"),
            (["Host: other"], "--header Host is not a field of a header that a catalogue can set"),
            (["X-A: b", "X-A: c"], "--header has X-A twice"),
        ] {
            let options = headers.flatMap { ["--header", $0] }
            try await Program.start(["init", scratch["mine"], "--api", server.apiURL] + options).wait().failed(2, fault)
        }
        let port = server.apiURL.dropLast("/api".count)
        let other = try await Program.run(
            "init", scratch["mine"], "--api", server.apiURL, "--list", "\(port)/apis/item")
        other.failed(2, "requires an address below \(server.apiURL), not \"\(port)/apis/item\"; use --api \(port)\n")
        let author = try await Program.run(
            "init", scratch["mine"], "--api", server.apiURL, "--list", "\(server.apiURL)/item?author=5&keyword=x")
        author.failed(3, "no list of records was found")
        let wrong = try await Program.run("init", scratch["mine"], "--api", server.apiURL, "--only", "episodes")
        #expect(wrong.code == 2 && wrong.errors.contains("no list is named \"episodes\"; found: "), "\(wrong)")
        #expect(!FileManager.default.fileExists(atPath: scratch["mine"]))
    }

    @Test func `Single records are requested at their addresses if pages lead above the address`() async throws {
        let paths = Locked<[String]>([])
        let port = Locked(0)
        let server = try FaultyServer { request in
            paths.withLock { $0.append(request.path) }
            let base = "http://127.0.0.1:\(port.withLock { $0 })/v1"
            let labels = "\(base)/repos/a/b/labels"
            let body: String? =
                switch (request.path, request.query) {
                case ("/v1/repos/a/b/labels", _): #"[{"id":7,"name":"bug"},{"id":8,"name":"help"}]"#
                case ("/v1/repos/a/b/labels/9", _): #"{"id":9,"name":"old"}"#
                case ("/v1/repos/a/b/issues", ""): #"[{"id":1,"name":"One","label":{"url":"\#(labels)/7"}}]"#
                case ("/v1/repositories/5/issues", _): #"[{"id":2,"name":"Two","label":{"url":"\#(labels)/9"}}]"#
                default: nil
                }
            let link = ("Link", "<\(base)/repositories/5/issues?page=2>; rel=\"next\"")
            let isFirst = request.path == "/v1/repos/a/b/issues"
            return .init(
                body == nil ? 404 : 200, [("Content-Type", "application/json")] + (isFirst ? [link] : []),
                Array((body ?? "{}").utf8))
        }
        defer { server.stop() }
        port.withLock { $0 = server.port }
        let scratch = try ScratchFolder()
        let api = "http://127.0.0.1:\(server.port)/v1/repos/a/b"
        try await Program.run(
            "init", scratch["mine"], "--api", api, "--list", "\(api)/issues", "--list", "\(api)/labels"
        ).succeeded()
        let options = ["--config", scratch["mine/amber.json"], "--output", scratch["out"]]
        let built = try await Program.start(["build"] + options).wait().succeeded()
        #expect(built.output.contains("3 labels, 2 issues"), "\(built.output)")
        #expect(paths.withLock { $0.contains("/v1/repos/a/b/labels/9") && !$0.contains("/labels/9") })
    }

    @Test func `An API with one address and lists in queries is described and built`() async throws {
        let server = try FaultyServer { request in
            guard request.query.contains("list=allpages") else {
                return .init(200, [("Content-Type", "text/html")], [])
            }
            let name = request.query.contains("from=") ? "Zed" : "AC/DC"
            let more = name == "Zed" ? "" : #""continue":{"from":"Z"},"#
            let body = #"{\#(more)"query":{"allpages":[{"id":"\#(name)","size":7}]}}"#
            return .init(200, [("Content-Type", "application/json")], Array(body.utf8))
        }
        defer { server.stop() }
        let scratch = try ScratchFolder()
        let api = "http://127.0.0.1:\(server.port)/w/api.php"
        let none = try await Program.run("init", scratch["mine"], "--api", api)
        none.failed(3, "api.php is a web page (text/html), not JSON")
        // The message names a row of a document.
        let row = try #require(none.errors.firstMatch(of: /its row "([^"]+)"/)).1
        let document = try String(contentsOfFile: "\(Program.root)/docs/catalogue.md", encoding: .utf8)
        #expect(document.contains("\n| \(row)"))
        try await Program.run("init", scratch["mine"], "--api", api, "--list", "api.php?list=allpages").succeeded()
        let options = ["--config", scratch["mine/amber.json"], "--output", scratch["out"]]
        let built = try await Program.start(["build"] + options).wait().succeeded()
        #expect(built.output.contains("records   2 allpages, "), "\(built.output)")
        // Without a title, the site has the name of the last folder that is no general word.
        let data = "/tracker/rest/data"
        let dry = try await Program.run(
            "init", scratch["other"], "--api", "http://127.0.0.1:\(server.port)\(data)", "--dry-run", "--list",
            "\(data)/a?list=allpages&kind=Old Item", "--list", "/b?list=allpages&from=A"
        ).succeeded()
        for part in [#""title": "Tracker""#, "allpages&kind=Old%20Item\"", "b?list=allpages&from=A\""] {
            #expect(dry.output.contains(part), "\(dry.output)")
        }
    }

    @Test func `A WordPress site without permalinks is found, captured and verified`() async throws {
        let post = #"""
            [{"id":7,"date":"2020-02-02T20:20:20","slug":"a","link":"http://blog.example/?p=7","author":0,"featured_media":0,"categories":[],
            "tags":[],"title":{"rendered":"A &amp; B"},"content":{"rendered":"<p>Hello</p>"},"excerpt":{"rendered":""}}]
            """#
        let server = try FaultyServer { request in
            guard request.path == "/blog/" || request.path == "/blog/index.php" else { return .init(404) }
            let link = #"</blog/index.php?rest_route=/>; rel="https://api.w.org/""#
            guard let route = request.query.split(separator: "&").first?.dropFirst("rest_route=/wp/v2".count) else {
                return .init(200, [("Content-Type", "text/html"), ("Link", link)], Array("<p>".utf8))
            }
            let root = #"{"name":"Tea &amp; \"Talk\"","routes":{"/wp/v2/posts":{}}}"#
            let body = route.isEmpty ? root : route == "/posts" ? post : "[]"
            let count = route == "/posts" ? "1" : "0"
            return .init(
                200, [("Content-Type", "application/json"), ("X-WP-Total", count), ("X-WP-TotalPages", count)],
                Array(body.utf8))
        }
        defer { server.stop() }
        let scratch = try ScratchFolder()
        let site = "http://127.0.0.1:\(server.port)/blog/"
        let begun = try await Program.run("init", scratch["mine"], "--wordpress", site)
        #expect(begun.code == 0 && begun.output.contains("make serve"), "\(begun)")
        let options = [
            "--config", scratch["mine/amber.json"], "--catalogue", scratch["mine/Catalogues/wordpress"], "--output",
            scratch["out"],
        ]
        let built = try await Program.start(["build", "--json"] + options).wait()
        #expect(built.code == 0 && built.output.contains(#""posts":1"#), "\(built.errors)")
        let home = try String(contentsOfFile: scratch["out/site/index.html"], encoding: .utf8)
        #expect(home.contains("Tea &amp; &quot;Talk&quot;"), "\(home)")
        #expect(try await Program.start(["verify"] + options).wait().code == 0)
        let none = try await Program.run("init", scratch["none"], "--wordpress", "http://127.0.0.1:\(server.port)/")
        none.failed(3, "no WordPress with an API was found at")
        let both = try await Program.run("init", scratch["none"], "--wordpress", site, "--api", site)
        both.failed(2, "cannot be combined with --api")
        #expect(!FileManager.default.fileExists(atPath: scratch["none"]))
    }

    @Test func `A catalogue cannot read a variable that the user does not allow`() async throws {
        let scratch = try ScratchFolder()
        let declaration = """
            {"name":"a","api":"http://127.0.0.1:9/a","request":{"headers":{"X-Token":"{env:AMBER_TEST_TOKEN}"}},
            "list":{"paginator":{"type":"single_page"}},"lists":["item"]}
            """
        try scratch.write(declaration, to: "cat/catalogue.json")
        func capture(_ configuration: String, _ environment: [String: String]) async throws -> Program.Result {
            try scratch.write(configuration, to: "amber.json")
            return try await Program.start(
                ["capture", "--config", scratch["amber.json"], "--output", scratch["out"]], environment: environment
            ).wait()
        }
        let token = ["AMBER_TEST_TOKEN": "a-long-secret"]
        let refused = try await capture(#"{"catalogue":"./cat"}"#, token)
        refused.failed(2, "AMBER_TEST_TOKEN")
        #expect(!refused.errors.contains("a-long-secret"))
        let allowed = #"{"catalogue":"./cat","secrets":["AMBER_TEST_TOKEN"]}"#
        try await capture(allowed, [:]).failed(2, "is not set")
        try await capture(allowed, ["AMBER_TEST_TOKEN": "short"]).failed(2, "fewer than 8")
        // With the variable the program tries to connect.
        let tried = try await capture(allowed, token)
        #expect(tried.code != 2 && !tried.errors.contains("a-long-secret"), "\(tried)")
    }
}
