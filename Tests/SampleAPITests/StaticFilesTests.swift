import Glibc
import HTTPServer
import TestSupport
import Testing

final class StaticFilesTests {
    private let folder: ScratchFolder
    private let server: HTTPServer

    init() throws {
        folder = try ScratchFolder()
        let files = [
            "secret.txt": "secret", "site-beside/a.txt": "beside", "site/index.html": "<p>start</p>",
            "site/sub/index.html": "sub",
            "site/404.html": "<p>lost</p>", "site/style.css": "p {}", "site/a b.txt": "spaces", "site/noise": "?",
        ]
        for (name, text) in files { try folder.write(text, to: name) }
        symlink(folder["secret.txt"], folder["site/way-out.txt"])
        symlink("index.html", folder["site/way-in.html"])
        symlink("sub", folder["site/way-sub"])
        mkfifo(folder["site/pipe.html"], 0o644)

        let handler = StaticFiles(folder: folder["site"])
        server = try HTTPServer { handler.answer($0) }
    }

    deinit { server.stop() }

    @Test func `A folder that is a link is not served`() throws {
        symlink("site", folder["linked"])
        let files = StaticFiles(folder: folder["linked"])
        let server = try HTTPServer { files.answer($0) }
        defer { server.stop() }
        #expect(try ask(server.port, "/").status == 404)
        #expect(try ask(server.port, "/style.css").status == 404)
    }

    @Test func `Files are served by name with their content type`() throws {
        let start = try ask(server.port, "/")
        #expect(start.text == "<p>start</p>")
        #expect(start.header("Content-Type") == "text/html; charset=utf-8")
        #expect(start.header("Cache-Control") == "no-cache")
        #expect(try ask(server.port, "/style.css").header("Content-Type") == "text/css; charset=utf-8")
        #expect(try ask(server.port, "/noise").header("Content-Type") == "application/octet-stream")
        #expect(try ask(server.port, "/a%20b.txt?x=1").text == "spaces")
        #expect(try ask(server.port, "/sub/").text == "sub")
        let moved = try ask(server.port, "/sub")
        #expect(moved.status == 301)
        #expect(moved.header("Location") == "/sub/")
    }

    @Test(
        arguments: ["bytes=0-0", "bytes=99999999999999999999-", "bytes=-1,5-2,x"])
    func `A range request gets the complete file`(range: String) throws {
        let reply = try ask(server.port, "/style.css", headers: [("Range", range)])
        #expect((reply.status, reply.text) == (200, "p {}"))
        let many = "bytes=" + String(repeating: "0-0,", count: 1_000)
        #expect(try ask(server.port, "/style.css", headers: [("Range", many)]).text == "p {}")
    }

    @Test func `An address is split at bytes, also before a combining character`() throws {
        #expect(try ask(server.port, "/index.html?\u{301}x").text == "<p>start</p>")
        #expect(try ask(server.port, "/sub/?\u{301}").text == "sub")
        let names = ServerRequest(method: "GET", target: "//\u{301}a/\u{301}").names
        #expect(names == ["\u{301}a", "\u{301}"])
    }

    @Test func `HEAD gets the length without a body, and other methods are refused`() throws {
        let head = try ask(server.port, "/index.html", method: "HEAD")
        #expect(head.status == 200)
        #expect(head.header("Content-Length") == "12")
        #expect(head.body.isEmpty)
        for method in ["PUT", "POST", "DELETE", "OPTIONS", "TRACE", "get", "X"] {
            let other = try ask(server.port, "/index.html", method: method)
            #expect(other.status == 405, "\(method)")
            #expect(other.header("Allow") == "GET, HEAD")
        }
    }

    @Test func `A missing file gets the site's own 404 page`() throws {
        let reply = try ask(server.port, "/nowhere.html")
        #expect(reply.status == 404)
        #expect(reply.text == "<p>lost</p>")
    }

    @Test func `A client that has the file gets 304`() throws {
        let reply = try ask(server.port, "/style.css")
        let tag = try #require(reply.header("ETag"))
        #expect(try ask(server.port, "/style.css", headers: [("If-None-Match", tag)]).status == 304)
        #expect(try ask(server.port, "/style.css", headers: [("If-None-Match", "\"other\"")]).status == 200)
    }

    @Test(
        arguments: [
            "/way-in.html", "/way-sub/", "/way-sub/index.html", "/pipe.html", "/pipe.html/", "/style.css/", "/%2b",
            "/%+fx", "/%2520",
            "/.", "/./style.css", "/.hidden", "/\(String(repeating: "a/", count: 4_000))",
            "/\(String(repeating: "b", count: 5_000))",
            "/../secret.txt", "/%2e%2e/secret.txt", "/.%2E/secret.txt", "/sub/../../secret.txt", "/..%2fsecret.txt",
            "/%2e%2e%2fsecret.txt",
            "//../secret.txt", "/way-out.txt", "/../site-beside/a.txt", "/index.html%00.txt", "/%zz", "/%",
            "/..\\secret.txt",
            "/%c0%ae%c0%ae/secret.txt",
        ])
    func `Links are not followed, pipes are not opened, and paths outside the folder are refused`(target: String) throws
    {
        let reply = try ask(server.port, target)
        #expect(reply.status == 404)
        #expect(reply.text == "<p>lost</p>")
    }
}
