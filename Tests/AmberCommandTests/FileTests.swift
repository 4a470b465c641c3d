import Foundation
import TestSupport
import Testing

/// Files that records link to, from the capture to the package.
struct FileTests {
    private static let fields = """
        "file": { "type": "file" }, "sound": { "type": "file" }, "text": { "type": "html", "capture": true }
        """

    private static let books = [
        #"{"id":1,"name":"One","file":"http://127.0.0.1:PORT/api/files/report.pdf","sound":"http://localhost:PORT/a.mp3","text":"<p>x<img src='/pic.png'></p>"}"#,
        #"{"id":2,"name":"Two","file":"http://127.0.0.1:PORT/page.pdf","sound":"http://localhost:PORT/none.mp3"}"#,
    ]

    private func server() throws -> FileServer {
        try FileServer(
            books: Self.books,
            files: [
                "/api/files/report.pdf": ("application/pdf", SmallFile.pdf), "/a.mp3": ("audio/mpeg", SmallFile.mp3),
                "/pic.png": ("image/png", SmallFile.png), "/page.pdf": ("application/pdf", Array("<html>".utf8)),
            ])
    }

    /// A configuration, amber.json, for a catalogue of the server's API.
    private func project(of server: FileServer, fields: String) throws -> ScratchFolder {
        let scratch = try ScratchFolder()
        try scratch.write(server.declaration(fields: fields), to: "mine/catalogue.json")
        try scratch.write(#"{"catalogue":"./mine"}"#, to: "amber.json")
        return scratch
    }

    @Test func `Without a count, a list declared as one page is complete only if it has one page`() async throws {
        let book = #"{"id":1,"name":"One","isbn":"x-1","note":"A text."}"#
        let server = try FileServer(books: [book], files: [:])
        let scratch = try project(of: server, fields: #""note": {"type": "prose"}"#)
        try await Program.start([
            "build", "--config", scratch["amber.json"], "--output", scratch["out"],
        ]).wait().succeeded()
        let page = try String(contentsOfFile: scratch["out/site/completeness.html"], encoding: .utf8)
        #expect(page.contains("Complete if these lists have only one page: book. The API gives"), "\(page)")
        let about = try String(contentsOfFile: scratch["out/site/about.html"], encoding: .utf8)
        #expect(about.contains("Each list was read to its end. The report says"), "\(about)")
        #expect(!about.contains("0 pictures"))
        // A text comes before the values that are not declared.
        let record = try String(contentsOfFile: scratch["out/site/book/1.html"], encoding: .utf8)
        let (text, value) = (record.firstRange(of: "<p>A text.</p>"), record.firstRange(of: "<dd>x-1</dd>"))
        #expect(try #require(text).upperBound <= #require(value).lowerBound, "\(record)")
    }

    @Test func `Without a count, a list without a value at the place of the next page is complete with a condition`()
        async throws
    {
        let server = try FileServer(books: [#"{"id":1,"name":"One"}"#], files: [:])
        let scratch = try project(of: server, fields: "")
        let declaration = server.declaration(fields: "").replacing(
            #""single_page""#, with: #""cursor", "cursor": "header:X-Nxt""#)
        try scratch.write(declaration, to: "mine/catalogue.json")
        let built = try await Program.start([
            "build", "--config", scratch["amber.json"], "--output", scratch["out"],
        ]).wait().succeeded()
        let note = "no page of the book list has a value at header:X-Nxt, the place of the next page"
        #expect(built.errors.contains(note), "\(built)")
        let page = try String(contentsOfFile: scratch["out/site/completeness.html"], encoding: .utf8)
        #expect(page.contains("No page of the list book has a value at header:X-Nxt"), "\(page)")
        let json = try String(contentsOfFile: scratch["out/site/completeness.json"], encoding: .utf8)
        #expect(json.contains(#""lackedNext":"header:X-Nxt""#) && json.contains(#""complete":true"#), "\(json)")
    }

    @Test func `Captured files are in the site, its mirror and its packages, and are verified`() async throws {
        let server = try server()
        let scratch = try project(of: server, fields: Self.fields)
        let options = ["--config", scratch["amber.json"], "--output", scratch["out"]]
        func run(_ verb: [String]) async throws -> Program.Result { try await Program.start(verb + options).wait() }

        let built = try await run(["build"])
        #expect(built.output.contains("2 books, 1 picture, 2 files"), "\(built)")
        #expect(built.output.contains("page.pdf: has the Content-Type application/pdf"), "\(built)")
        #expect(built.output.contains("none.mp3: the server does not have this file of book 2"), "\(built)")
        let files = try contents(of: scratch["out/site"])
        #expect(files["api/files/report.pdf"] == Data(SmallFile.pdf))
        let page = String(decoding: try #require(files["book/1.html"]), as: UTF8.self)
        #expect(page.contains("href=\"../api/files/report.pdf\" download=\"report.pdf\""), "\(page)")
        let sound = try #require(files.keys.first { $0.hasPrefix("api/picture/") && $0.hasSuffix(".mp3") })
        #expect(page.contains("<audio controls=\"\" preload=\"none\" src=\"../\(sound)\">"), "\(page)")
        #expect(!files.values.contains(Data("<html>".utf8)))
        for (path, counts) in [
            ("about.html", "<li>1 picture</li>\n<li>2 files</li>"), ("completeness.html", "<p>1 picture, 2 files</p>"),
        ] { #expect(String(decoding: try #require(files[path]), as: UTF8.self).contains(counts)) }
        let other = String(decoding: try #require(files["book/2.html"]), as: UTF8.self)
        #expect(other.contains("href=\"http://127.0.0.1:\(server.port)/page.pdf\" rel=\"nofollow\""), "\(other)")

        _ = server.takeLog()
        let again = try await run(["build", "--json"])
        #expect(again.output.contains(#""unchanged":true"#) && again.output.contains(#""files":2"#), "\(again)")
        #expect(server.log.count { $0.status == 304 } == 4, "\(server.log)")
        let log = try await run(["log"])
        #expect(log.output.contains("2 books, 3 files, 2 gaps"), "\(log)")

        let packed = try await run(["snapshot"])
        #expect(packed.code == 4 && packed.output.contains("wacz"), "the gaps give the exit code 4: \(packed)")
        let verified = try await run(["verify"])
        #expect(verified.code == 0 && verified.output.contains("3 pictures and files are consistent"), "\(verified)")
        let packages = try FileManager.default.contentsOfDirectory(atPath: scratch["out/snapshots"])
        #expect(packages.contains { $0.hasSuffix(".wacz") })
        // The state is imported elsewhere, without files.
        let bytes = try #require(files["data/books.json"])
        try scratch.write(String(decoding: bytes, as: UTF8.self), to: "state/books.json")
        try await Program.start([
            "import", scratch["state"], "--date", "2020-01-01", "--config", scratch["amber.json"], "--output",
            scratch["other"],
        ]).wait().succeeded()
        try await Program.start(
            ["render", "--config", scratch["amber.json"], "--output", scratch["other"]]).wait().succeeded()

        // A file that changes is a new revision, and a damaged file is found.
        server.set("/a.mp3", ("audio/mpeg", SmallFile.mp3 + [1]))
        let changed = try await run(["build", "--json"])
        #expect(changed.output.contains(#""unchanged":false"#), "\(changed)")
        #expect(try await run(["log"]).output.contains("files: 1 changed"))
        #expect(try await run(["diff", "1", "2"]).output.contains("\nfiles\n~ http://localhost"))
        let changes = String(
            decoding: try #require(try contents(of: scratch["out/site"])["revision/2.html"]), as: UTF8.self)
        #expect(changes.contains("<h2>1 file changed</h2>"), "\(changes)")
        #expect(changes.contains("<a class=\"who\" href=\"../book/1.html\">"), "\(changes)")
        #expect(changes.contains("<dt>File</dt><dd>\n<ins><span>Replaced</span></ins>"), "\(changes)")
        server.set(books: [Self.books[1]])
        _ = try await run(["build"])
        let last = String(
            decoding: try #require(try contents(of: scratch["out/site"])["revision/3.html"]), as: UTF8.self)
        #expect(last.contains("Removed: 1 book") && !last.contains("changed"), "its files are left out: \(last)")
        let archive = scratch["out/archive/assets"]
        let asset = try #require(try contents(of: archive).keys.sorted().first)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: "\(archive)/\(asset)")
        try Data("other".utf8).write(to: URL(fileURLWithPath: "\(archive)/\(asset)"))
        let damaged = try await run(["verify"])
        #expect(damaged.code != 0 && damaged.output.contains("does not match the digest in its name"), "\(damaged)")
    }
}
