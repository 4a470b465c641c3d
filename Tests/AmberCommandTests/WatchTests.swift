import Foundation
import HTTP
import HTTPServer
import Platform
import SampleAPI
import TestSupport
import Testing

@testable import AmberCommand
@testable import Site

struct WatchTests {
    private final class Watched {
        let small: Small
        let running: Running
        let address: String
        let client: Client

        /// The folder has a name that occurs in most words. The program gets it relative to the working folder.
        var templates: String { "\(small.scratch.path)/e" }

        init() async throws {
            small = try Small(universe: Universe(seed: 3, characters: 20))
            try FileManager.default.copyItem(atPath: "\(Program.root)/Templates", toPath: small.scratch["e"])
            client = Client.libcurl(agent: "WatchTests", spillFolder: small.scratch.path)
            let own = ["--templates", small.scratch["e"], "--catalogue", try small.copyCatalogue()]
            #expect(try await Program.start(small.arguments("build", own)).wait().code == 0)
            let arguments = small.arguments(
                "serve", ["--templates", "e", "--catalogue", "./catalogue", "--port", "0", "--watch"])
            running = try Running(
                "/bin/sh", ["-c", "cd \"$0\" && exec \"$@\"", small.scratch.path, Program.path] + arguments)
            address = try await running.address()
        }

        func get(_ path: String) async throws -> Response {
            try await client.send(Request(try #require(WebURL("\(address)/\(path)"))))
        }

        static func text(_ response: Response) -> String {
            guard case .bytes(let bytes) = response.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// A page's status and text, and the number of the change that it shows.
        func page(_ path: String) async throws -> (status: Int, text: String, news: String) {
            let response = try await get(path)
            let text = Self.text(response)
            let tag = try #require(text.firstRange(of: "/_amber/watch.js?"), "a page lacks the script")
            return (response.status, text, String(text[tag.upperBound...].prefix { $0.isNumber }))
        }

        /// Changes a template file and waits until the server announces the change to a page.
        func edit(_ file: String, of page: String, _ change: (String) -> String) async throws {
            let known = try await self.page(page).news
            try TestSupport.edit("\(templates)/\(file)", change)
            var news = known
            while news == known {
                news = try #require(try await get("_amber/state?\(known)").headers["Amber-State"])
            }
        }
    }

    private static func waitUntil(_ condition: () throws -> Bool) async throws {
        for _ in 0..<6_000 {
            if try condition() { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        Issue.record("the condition was never met")
    }

    @Test func `A saved template, text or style is shown immediately and then published`() async throws {
        let site = try await Watched()
        let path = "character/7.html"
        let before = try await site.page(path)
        #expect(before.status == 200 && !before.text.contains("Seen at once"))
        try await site.edit("layout.mustache", of: path) {
            $0.replacingOccurrences(of: "<main", with: "<p>Seen at once</p>\n<main")
        }
        #expect(try await site.page(path).text.contains("<p>Seen at once</p>"))
        try await Self.waitUntil { try site.small.page(path).contains("<p>Seen at once</p>") }
        #expect(try !site.small.page(path).contains("_amber"), "the script is not part of the site")

        try await site.edit("strings/en.json", of: "index.html") {
            $0.replacingOccurrences(of: "Skip to", with: "Leap to")
        }
        #expect(try await site.page("").text.contains("Leap to"))
        try await Self.waitUntil { try site.small.page("index.html").contains("Leap to") }
        try await site.edit("style.css", of: path) { $0 + "/* saved */\n" }
        #expect(Watched.text(try await site.get("style.css")).contains("/* saved */\n"))
        try await Self.waitUntil { try site.small.page("style.css").contains("/* saved */\n") }

        site.running.send(SIGINT)
        #expect(try await site.running.wait().code == 130)
        // The published site equals a rendered one.
        let render = site.small.arguments("render", ["--templates", site.templates, "--json"])
        let again = try await Program.start(render).wait().summary()
        #expect(again["written"] as? Int == 0)
    }

    @Test func `Requests for unknown names do not wait, and few requests wait for pages`() async throws {
        let small = try await Small.built(Universe(seed: 3, characters: 20))
        let site = try WatchedSite(try Run(try Arguments(small.arguments("serve"))))
        let build = site.run.siteBuild(try site.run.revision(nil), try site.run.compile(site.run.readTemplates()))
        let preview = try SitePreview(build)
        for name in ["index.html", "character/7.html", "style.css", "api/character/1.json", "robots.txt"] {
            #expect(preview.contains(name) == (try preview.file(at: name) != nil), "\(name)")
        }
        for name in ["", "nothing.html", "character/21.html", "avatar/1.png"] {
            #expect(!preview.contains(name), "\(name)")
        }

        site.state.set(WatchedSite.State(preview: preview))
        let files = StaticFiles(folder: small.site)
        let (missing, pages) = (Locked<[Int]>([]), Locked<[Int]>([]))
        @Sendable func request(_ target: String) -> Int {
            site.answer(ServerRequest(method: "GET", target: target), else: files).status
        }
        func take(_ count: Int, from answers: Locked<[Int]>) -> [Int] {
            let start = ContinuousClock.now
            while answers.withLock({ $0.count < count }), start.duration(to: .now) < .seconds(20) { usleep(5_000) }
            return answers.withLock { answers in
                defer { answers = [] }
                return answers
            }
        }
        // The lock prevents pages from being rendered.
        site.rendering.withLock { _ in
            startThread {
                let status = request("/nothing.html")
                missing.withLock { $0.append(status) }
            }
            #expect(take(1, from: missing) == [404])
            for _ in 0..<site.previewReaders.width + 10 {
                startThread {
                    let status = request("/about.html")
                    pages.withLock { $0.append(status) }
                }
            }
            #expect(take(10, from: pages) == Array(repeating: 503, count: 10))
        }
        let readers = site.previewReaders.width
        #expect(take(readers, from: pages) == Array(repeating: 200, count: readers))
        #expect(request("/about.html") == 200)
    }

    @Test func `Large pages have no script, and a fault is shown for every spelling of a path`() async throws {
        let small = try await Small.built(Universe(seed: 3, characters: 20))
        let head = "<!DOCTYPE html><html><head></head>"
        for (name, size) in [("large", 1 << 20 + 1), ("small", 1 << 20)] {
            try small.scratch.write(
                head + String(repeating: " ", count: size - head.utf8.count), to: "out/site/\(name).html")
        }
        let site = try WatchedSite(try Run(try Arguments(small.arguments("serve"))))
        let files = StaticFiles(folder: small.site)
        func request(_ target: String) -> ServerAnswer {
            site.answer(ServerRequest(method: "GET", target: target), else: files)
        }
        func hasScript(_ answer: ServerAnswer) -> Bool {
            guard case .bytes(let bytes) = answer.body else { return false }
            return bytes.firstRange(of: Array("/_amber/watch.js".utf8)) != nil
        }
        #expect(hasScript(request("/small.html")))
        guard case .file = request("/large.html").body else {
            Issue.record("the large page is in memory")
            return
        }
        do {
            let allReaders = try #require(site.pageReaders.enterIfFree(weight: site.pageReaders.width))
            defer { withExtendedLifetime(allReaders) {} }
            guard case .file = request("/small.html").body else {
                Issue.record("more pages are read than the limit allows")
                return
            }
        }
        #expect(hasScript(request("/small.html")))

        site.state.set(WatchedSite.State(fault: "a fault"))
        for target in ["/", "/index.html", "/index%2ehtml", "/%69ndex.html", "//index.html", "/ru/"] {
            #expect(request(target).status == 500, "\(target)")
        }
        #expect(request("/style.css").status == 200)
        #expect(request("/%zz.html").status == 404)
    }

    @Test(.enabled(if: FileStatus("/usr/bin/node") != nil, "node is not installed"))
    func `The script of a page waits after an immediate answer without news`() async throws {
        let page = """
            let asked = 0;
            globalThis.location = { pathname: '/', reload: () => { throw 1; } };
            globalThis.document = {
              currentScript: { src: 'http://localhost/_amber/watch.js?7', dataset: {} }, hidden: false,
              addEventListener() {},
            };
            globalThis.sessionStorage = { getItem: () => null };
            globalThis.fetch = async () => {
              asked += 1;
              if (asked > 100) end();
              return { headers: new Map([['Amber-State', '7']]) };
            };
            const end = () => { console.log(asked); process.exit(); };
            setTimeout(end, 150);

            """
        let script = page + String(decoding: WatchedSite.script, as: UTF8.self)
        let run = try await Running("/usr/bin/node", ["-e", script]).wait()
        #expect(run.output == "1\n", "\(run.output) \(run.errors)")
    }

    @Test func `The page of a fault escapes the markup that the fault quotes`() throws {
        // U+0600 and U+0D4E form one Character with the letter that follows.
        let page = WatchedSite.faultPage("\u{600}<img src=x onerror=a>\u{D4E}<b>&", 1)
        var bytes: [UInt8] = []
        if case .bytes(let body) = page.body { bytes = body }
        #expect(
            bytes.firstRange(of: Array("\u{600}&lt;img src=x onerror=a&gt;\u{D4E}&lt;b&gt;&amp;</pre>".utf8)) != nil,
            "\(String(decoding: bytes, as: UTF8.self))")
        let policy = page.headers.first { $0.name == "Content-Security-Policy" }?.value
        #expect(policy?.hasPrefix("default-src 'none'; script-src 'self'; ") == true)
    }

    @Test(arguments: [
        ("no e in layout.mustache:1:2: {{e/}} is here", "no e in /x/e/layout.mustache:1:2: {{e/}} is here"),
        ("nor in the folder of templates: see \"a/b\"", "nor in /x/e: see \"/x/e/a/b\""),
        ("/x/else/f, /y/x/e/f and {{/x/e}} stay", "/x/else/f, /y/x/e/f and {{/x/e}} stay"),
        ("the folder of templates", "/x/e"),
    ])
    func `Only the path of the templates is shortened on the page of a fault`(shown: String, text: String) {
        #expect(WatchedSite.relative(text, to: "/x/e") == shown)
    }

    @Test func `A failure to publish is reported once and publishing is tried again`() async throws {
        let site = try await Watched()
        let (published, away) = (site.small.site, site.small.scratch["away"])
        try FileManager.default.moveItem(atPath: published, toPath: away)
        try site.small.scratch.write("my own page", to: "out/site/index.html")
        try await site.edit("layout.mustache", of: "index.html") {
            $0.replacingOccurrences(of: "<main", with: "<p>Kept back</p>\n<main")
        }
        #expect(try await site.page("index.html").text.contains("<p>Kept back</p>"))
        let sentence =
            "\(published) contains files that Amber did not create; move them away, or choose another --output; this server shows the new pages"
        try await site.running.wait(for: "amber: \(sentence)")
        // Publishing is tried again during this time.
        try await Task.sleep(for: .milliseconds(1_200))
        #expect(try await site.page("index.html").status == 200)
        #expect(try site.small.page("index.html") == "my own page")
        #expect(site.running.errorsSoFar.components(separatedBy: "did not create").count == 2)
        try FileManager.default.removeItem(atPath: published)
        try FileManager.default.moveItem(atPath: away, toPath: published)
        try await Self.waitUntil { try site.small.page("index.html").contains("<p>Kept back</p>") }
    }

    @Test func `A revision that another process captured before publishing is published`() async throws {
        let site = try await Watched()
        var lock = try FileLock("\(site.small.output)/.amber/lock")
        #expect(lock != nil)
        try await site.edit("layout.mustache", of: "index.html") {
            $0.replacingOccurrences(of: "<main", with: "<p>Both</p>\n<main")
        }
        try await site.running.wait(for: "another amber process uses")
        site.small.server.behaviour.revise(site.small.server.universe)
        let other = site.small.scratch["other"]
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(other)/archive", withDestinationPath: "\(site.small.output)/archive")
        #expect(try await site.small.run("capture", output: other).code == 0)
        lock = nil
        try await Self.waitUntil { try site.small.page("index.html").contains("<p>Both</p>") }
        #expect(site.small.hasFile("revision/2.html"), "an older revision was published")
    }

    @Test func `A saved declaration is shown and published, and a wrong one leaves the site`() async throws {
        let site = try await Watched()
        let declaration = "../catalogue/catalogue.json"
        try await site.edit(declaration, of: "character/1.html") {
            $0.replacing("\"species\", \"gender\", \"type\", \"origin\"", with: "\"species\", \"type\", \"origin\"")
                .replacing(
                    #""image": {"#,
                    with: #""home": { "path": "origin.name", "facet": true, "label": "Home" }, "image": {"#)
        }
        let page = try await site.page("character/1.html")
        #expect(page.status == 200 && page.text.contains("<dt>Species</dt>") && !page.text.contains("<dt>Gender</dt>"))
        #expect(try await site.page("index.html").text.contains(#"href="home/"#), "the new facet is not on the page")
        try await Self.waitUntil { !(try site.small.page("character/1.html").contains("<dt>Gender</dt>")) }
        let before = try contents(of: site.small.site)
        try await site.edit(declaration, of: "index.html") { "{" + $0 }
        #expect(try await site.page("index.html").text.contains("catalogue.json:1:2: is not valid JSON"))
        try await site.running.wait(for: "catalogue.json:1:2: is not valid JSON")
        // A declaration is compared with that of the newest revision each time.
        try await site.edit(declaration, of: "index.html") {
            String($0.dropFirst()).replacing(#""character": {"#, with: #""character": { "id": "number","#)
        }
        #expect(try await site.page("index.html").status == 500)
        let sentence = #"kinds.character.id: changed from "id" to "number", but revision 1 in "#
        try await site.running.wait(for: sentence)
        #expect(try contents(of: site.small.site) == before)
        try await site.edit(declaration, of: "index.html") { $0.replacing(#" "id": "number","#, with: "") }
        #expect(try await site.page("index.html").status == 200)
    }

    @Test func `A fault is shown with its line on page and terminal until the file is fixed`() async throws {
        let site = try await Watched()
        let before = try contents(of: site.small.site)
        try await site.edit("../catalogue/templates/character.mustache", of: "index.html") {
            "{{<nowhere & far}}\n" + $0
        }
        let fault = try await site.page("index.html")
        #expect(fault.status == 500)
        #expect(fault.text.contains(">templates/character.mustache:1:"), "\(fault.text)")
        #expect(
            !fault.text.contains(site.small.scratch.path), "the page shows a path of this machine")
        #expect(fault.text.contains("    {{&lt;nowhere &amp; far}}\n"))
        try await site.running.wait(
            for: "amber: ./catalogue/templates/character.mustache:1:")
        #expect(try contents(of: site.small.site) == before)
        try await site.edit("../catalogue/templates/character.mustache", of: "index.html") {
            String($0.drop { $0 != "\n" }.dropFirst())
        }
        let fixed = try await site.page("index.html")
        #expect(fixed.status == 200 && fixed.text.contains("</html>"))

        try await site.edit("strings/ru.json", of: "") {
            $0.replacingOccurrences(of: "\"texts\": {", with: "\"texts\": {{")
        }
        let text = try await site.page("")
        #expect(text.status == 500)
        let line =
            try String(contentsOfFile: "\(site.templates)/strings/ru.json", encoding: .utf8).split(separator: "\n")
            .firstIndex { $0.contains("{{") }.map { $0 + 1 } ?? 0
        #expect(text.text.contains(">strings/ru.json:\(line):15: is not valid JSON"), "\(text.text)")
        #expect(!text.text.contains(site.small.scratch.path))
    }
}
