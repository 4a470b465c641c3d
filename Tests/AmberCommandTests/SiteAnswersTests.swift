import Foundation
import HTTPServer
import SampleAPI
import TestSupport
import Testing

@testable import AmberCommand

struct SiteAnswersTests {
    private func values(_ name: String, _ answer: ServerAnswer) -> [String] {
        answer.headers.filter { $0.name == name }.map(\.value)
    }

    private func policy(_ answer: ServerAnswer) -> [String] { values("Content-Security-Policy", answer) }

    private func resourcePolicy(_ answer: ServerAnswer) -> [String] { values("Cross-Origin-Resource-Policy", answer) }

    private func allowedOrigin(_ answer: ServerAnswer) -> [String] { values("Access-Control-Allow-Origin", answer) }

    @Test func `Files from an API are sandboxed, and only the site may frame its pages`() async throws {
        let (characters, media) = (try Small(), try SmallMedia())
        #expect(try await characters.run("build").code == 0)
        #expect(try await media.run("build").code == 0)
        for (site, pictures) in [(characters.site, "avatar/"), (media.site, "artwork/")] {
            let answers = SiteAnswers(files: StaticFiles(folder: site), watched: nil)
            let names = try contents(of: site).keys
            let templates = Set(try contents(of: "\(Program.root)/Templates").keys)
            var sandboxed = 0
            for name in names {
                let answer = answers.answer(ServerRequest(method: "GET", target: "/\(name)"))
                #expect(answer.status == 200, "\(name)")
                let isPicture =
                    [".png", ".jpg", ".jpeg", ".gif", ".webp"].contains { name.hasSuffix($0) }
                    && !templates.contains(name)
                let isData = isPicture || name.hasPrefix("api/") || name.hasPrefix("data/")
                #expect(
                    policy(answer) == [isData ? "sandbox; default-src 'none'" : "frame-ancestors 'self'"], "\(name)")
                for header in SiteHeaders.common {
                    #expect(answer.headers.contains { $0 == header }, "\(name): \(header.name)")
                }
                let origin = name.hasPrefix("api/") ? "cross-origin" : "same-origin"
                #expect(resourcePolicy(answer) == [origin], "\(name)")
                #expect(allowedOrigin(answer) == (origin == "cross-origin" ? ["*"] : []), "\(name)")
                if isPicture && name.hasPrefix(pictures) { sandboxed += 1 }
            }
            #expect(sandboxed > 3, "\(site)")
        }
    }

    @Test func `Errors and redirects have the headers of files at the same path`() async throws {
        let small = try await Small.built()
        let answers = SiteAnswers(files: StaticFiles(folder: small.site), watched: nil)
        let page = "frame-ancestors 'self'"
        let data = "sandbox; default-src 'none'"
        for (target, method, status, policy) in [
            ("/nothing.html", "GET", 404, page), ("/avatar/nothing.png", "GET", 404, page), ("/../x", "GET", 404, page),
            ("/api/nothing", "GET", 404, data), ("/api/character/999", "GET", 404, data),
            ("/api/../index.html", "GET", 404, page),
            ("/api/character?name=x", "GET", 501, data), ("/character", "GET", 301, page), ("/data", "GET", 301, data),
            ("/index.html", "POST", 405, page), ("/api/character", "DELETE", 405, data),
            ("/%61pi/character/1.json", "GET", 200, data),
            ("//api//character/1.json", "HEAD", 200, data), ("/avatar/1.png", "GET", 200, data),
        ] {
            let answer = answers.answer(ServerRequest(method: method, target: target))
            #expect(answer.status == status, "\(method) \(target)")
            #expect(self.policy(answer) == [policy], "\(method) \(target)")
            let isMirror = target.contains("api/") && !target.contains("..") || target.hasPrefix("/%61pi")
            #expect(resourcePolicy(answer) == [isMirror ? "cross-origin" : "same-origin"], "\(method) \(target)")
            #expect(allowedOrigin(answer) == (isMirror ? ["*"] : []), "\(method) \(target)")
            for header in SiteHeaders.common {
                #expect(answer.headers.contains { $0 == header }, "\(target): \(header.name)")
            }
        }
    }

    @Test func `The API's paths return the mirror's answers, or 501 for other queries`() async throws {
        let small = try await Small.built()
        let answers = SiteAnswers(files: StaticFiles(folder: small.site), watched: nil)
        for (target, file) in [
            ("/api", "index.json"), ("/api/", "index.json"), ("/api/character", "character/page/1.json"),
            ("/api/character/?page=02", "character/page/2.json"), ("/api/character?page=x", "character/page/1.json"),
            ("/api/character?page=0", "character/page/1.json"), ("/api/location/?page=", "location/page/1.json"),
            ("/api/episode/2", "episode/2.json"), ("/api/character/007/", "character/7.json"),
            ("/api/character/avatar/1.jpeg", "character/avatar/1.jpeg"), ("/api/character/9999", "404.json"),
            ("/api/character?page=4", "404.json"), ("/api/nonsense?name=x", "404.json"),
            ("/api/character/x", "404.json"),
            ("/api/character/page/x", "404.json"),
            ("/api/character/1.json", "character/1.json"), ("/api/character/1.json/", "404.json"),
            ("/api/character/page/1.json/", "404.json"), ("/api/index.json/", "404.json"),
        ] {
            guard case .file(let found) = answers.answer(ServerRequest(method: "GET", target: target)).body else {
                Issue.record("\(target) is not a file")
                continue
            }
            #expect(found.path == "api/\(file)", "\(target)")
        }
        for target in [
            "/api/character?name=rick", "/api/character?page=1&page=2", "/api/character?page=1%32",
            "/api/character/1,2",
            "/api/character/%5B1,2%5D", "/api/episode/[1]", "/api/location/0",
        ] {
            #expect(answers.answer(ServerRequest(method: "GET", target: target)).status == 501, "\(target)")
        }
    }

    @Test func `An option allows a proxy's host name, and an invalid name is wrong usage`() async throws {
        let small = try await Small.built()
        let running = try Program.start(
            small.arguments("serve", ["--port", "0", "--allow-host", "a.example", "--allow-host", "B.example"]))
        let address = try await running.address()
        for (host, status) in [
            ("a.example", "200"), ("b.example:1", "200"), ("c.example", "403"), ("localhost", "200"),
        ] {
            let asked = try await Running(
                "/usr/bin/env",
                [
                    "curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--noproxy", "*", "-H", "Host: \(host)",
                    "\(address)/index.html",
                ]
            ).wait()
            #expect(asked.output == status, "\(host)")
        }
        running.send(SIGINT)
        #expect(try await running.wait().code == 130)
        for name in ["", "a b", "http://a.example", "a.example:80", "::1", "*"] {
            for verb in ["serve", "sample"] {
                // Because of the invalid port, no server starts if the name is accepted.
                let run = try await Program.start([verb, "--allow-host", name, "--port", "x", "--output", small.output])
                    .wait()
                #expect(run.code == 2, "\(verb) \(name)")
                let sentence =
                    name.isEmpty
                    ? "requires a value, but the value is empty"
                    : "takes a host name without a port, such as amber.example.org"
                #expect(run.errors.hasPrefix("amber: --allow-host \(sentence)"), "\(run.errors)")
            }
        }
    }
}
