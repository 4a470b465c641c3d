import Archive
import Catalogue
import CatalogueEngine
import Evidence
import HTTP
import TestSupport
import Testing

@testable import Capture

/// Captures of files, and of pictures in texts.
struct FileCaptureTests {
    private static let fields = """
        "file": { "type": "file" }, "sounds": { "type": "file" }, "image": { "type": "image" },
        "text": { "type": "html", "capture": true }
        """
    private static let book = #"""
        {"id":1,"name":"One","file":"http://127.0.0.1:PORT/api/files/report.pdf",
        "sounds":["http://localhost:PORT/a%20b.mp3","//localhost:PORT/ä.mp3"],"image":"",
        "text":"<p>x<img alt=\"\" src='/pic.png?a=1&#038;b=2#top'><IMG src=data:image/png;base64,AA><!-- <img> --></p>"}
        """#
    private static let files: [String: FileServer.File] = [
        "/api/files/report.pdf": ("application/pdf", SmallFile.pdf), "/a%20b.mp3": ("audio/mpeg", SmallFile.mp3),
        "/%C3%A4.mp3": ("audio/mpeg", SmallFile.mp3 + [1]), "/pic.png": ("text/plain", SmallFile.png),
    ]

    private static func captures(of server: FileServer) throws -> Captures {
        var captures = try Captures()
        let declaration = server.declaration(fields: fields)
        captures.catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(declaration.utf8)))
        captures.settings.api = server.apiURL
        captures.settings.maximumDocument = 1 << 14
        captures.client = .libcurl(agent: "Test/1", spillFolder: captures.folder.incoming)
        captures.source = Source(catalogue: "library", api: server.apiURL, origin: .live)
        return captures
    }

    private func formats(_ report: CaptureReport, _ captures: Captures) throws -> [String: String] {
        let answers = try RevisionReader(report.revision, in: captures.folder).answers(as: .asset)
        return Dictionary(answers.map { ($0.path, $0.asset?.format.rawValue ?? "\($0.status)") }) { $1 }
    }

    @Test func `Files and pictures in texts are captured from the API's host and the declared hosts`() async throws {
        let server = try FileServer(books: [Self.book], files: Self.files)
        let captures = try Self.captures(of: server)
        let report = try await captures.run()
        #expect(report.gapTexts.isEmpty)
        #expect(try captures.assetCounts() == [1, 3])
        let (other, own) = ("http://localhost:\(server.port)", "http://127.0.0.1:\(server.port)")
        #expect(
            try formats(report, captures) == [
                "files/report.pdf": "pdf", "\(other)/a%20b.mp3": "mp3", "\(other)/%C3%A4.mp3": "mp3",
                "\(own)/pic.png?a=1&b=2": "png",
            ])
        do {
            // Only a field of the type image gives a record its own picture.
            let reader = try RevisionReader(report.revision, in: captures.folder)
            #expect(try reader.records(of: "book", at: 0..<1).map { $0.picture == nil } == [true])
            #expect(try reader.assetCounts() == (1, 3))
            // A path is kept if its extension is that of the file's format.
            let mirror = try APIMirror(of: reader, captures.catalogue)
            let paths = mirror.pictures.paths(at: 0..<mirror.pictures.count).map(\.text)
            #expect(paths.count == 4 && paths.contains("api/files/report.pdf"))
            #expect(paths.count { $0.wholeMatch(of: /api\/picture\/[0-9a-f]{64}\.mp3/) != nil } == 2)
            #expect(captures.folder.proofs(hasDigestFile: false).allSatisfy { $0.fault == nil })
        }

        _ = server.takeLog()
        let again = try await captures.run()
        #expect(again.isUnchanged)
        #expect(server.log.count == 5 && server.log.allSatisfy { $0.condition != nil && $0.status == 304 })

        server.set("/a%20b.mp3", ("audio/mpeg", SmallFile.mp3 + [2]))
        let changed = try await captures.run()
        #expect(!changed.isUnchanged)
        let differences = try RevisionReader(changed.revision, in: captures.folder).pictureDifferences(
            from: report.revision)
        #expect(differences.map(\.path) == ["\(other)/a%20b.mp3"])
        #expect(!differences[0].isPicture)
    }

    @Test func `A file is a gap if it is runnable, too large, truncated, missing or on another host`()
        async throws
    {
        let server = try FileServer(books: [], files: Self.files)
        let names = [
            "page.pdf", "code.js", "draw.svg", "big.pdf", "cut.pdf", "short.pdf", "none.pdf", "moved.pdf", "bad.pdf",
        ]
        let links =
            names.map { "\"http://127.0.0.1:PORT/\($0)\"" } + [
                "\"https://evil.example/a.pdf\"", "\"ftp://localhost:PORT/a.pdf\"",
                "\"http://127.0.0.1:PORT/api/book/1\"",
                "\"javascript:alert(1)\"",
            ]
        server.set(books: [
            #"{"id":1,"name":"One","sounds":[\#(links.joined(separator: ","))],"file":7,"text":"<img src=/doc.pdf>"}"#
        ])
        server.set("/page.pdf", ("application/pdf", Array("<html><script>alert(1)</script>".utf8)))
        server.set("/code.js", ("application/javascript", Array("alert(1)".utf8)))
        server.set("/draw.svg", ("image/svg+xml", Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)))
        server.set("/big.pdf", ("application/pdf", SmallFile.pdf + [UInt8](repeating: 32, count: 1 << 14)))
        server.set("/cut.pdf", ("application/pdf", SmallFile.pdf))
        server.set("/short.pdf", ("application/pdf", Array(SmallFile.pdf.dropLast(9))))
        server.set("/doc.pdf", ("application/pdf", SmallFile.pdf))
        server.set("/bad.pdf", FaultyServer.Reply(403, [], []))
        let other = "http://localhost:\(server.port)/api/files/report.pdf"
        server.set("/moved.pdf", FaultyServer.Reply(302, [("Location", other)], []))
        server.setFaults([Fault(.contains("cut.pdf"), times: nil, .truncate(10))])
        let captures = try Self.captures(of: server)
        let report = try await captures.run()
        let gaps = Dictionary(report.gaps.map { ($0.keyPath.isEmpty ? $0.url : $0.reason, $0.reason) }) { $1 }
        let own = "http://127.0.0.1:\(server.port)"
        for (path, reason) in [
            "page.pdf": "has the Content-Type application/pdf, and is not one of the accepted formats",
            "code.js": "has the Content-Type application/javascript,",
            "draw.svg": "has the Content-Type image/svg+xml,",
            "big.pdf": "is larger than the limit of 16384 bytes", "cut.pdf": "",
            "short.pdf": "is a damaged or incomplete PDF file (2 attempts)",
            "none.pdf": "the server does not have this file of book 1", "moved.pdf": "redirects to \(other)",
            "bad.pdf": "answered status 403",
            "doc.pdf": "is not a PNG, JPEG, GIF or WebP picture (2 attempts); it is the picture of",
        ] {
            let found = try #require(gaps["\(own)/\(path)"], "\(path): \(report.gapTexts)")
            #expect(found.contains(reason) && found.contains("of book 1"), "\(path): \(found)")
        }
        let refused = report.gaps.filter { !$0.keyPath.isEmpty }.map(\.reason)
        #expect(refused.count == 5, "\(refused)")
        #expect(refused.count { $0.contains("which is on none of the hosts of files") } == 3, "\(refused)")
        #expect(refused.count { $0.contains("which is not a file's address") } == 1, "\(refused)")
        #expect(report.gaps.count == 15)
        #expect(try captures.assetCounts()[1] == 0)
        // A redirect is not followed to another host, and an address on an unknown host is never requested.
        #expect(!server.log.contains { $0.target == "/api/files/report.pdf" })
        // The record itself is captured.
        #expect(try captures.numbers(of: "book") == [1])
    }

    @Test func `A picture or file that the API does not state and does not have is no gap`() async throws {
        let fields = #""image":{"type":"image","address":"c/{id}.png"},"file":{"type":"file","address":"f/{id}.pdf"}"#
        let server = try FileServer(
            books: (1...4).map { #"{"id":\#($0),"name":"\#($0)"}"# },
            files: ["/api/c/1.png": ("image/png", SmallFile.png), "/api/f/2.pdf": ("application/pdf", SmallFile.pdf)])
        server.set("/api/c/3.png", FaultyServer.Reply(410, [], []))
        server.set("/api/c/4.png", FaultyServer.Reply(403, [], []))
        var captures = try Self.captures(of: server)
        captures.catalogue = DeclaredCatalogue(
            try CatalogueDeclaration(Array(server.declaration(fields: fields).utf8)))
        let report = try await captures.run()
        #expect(report.gapTexts.count == 1 && report.gapTexts[0].contains("status 403"), "\(report.gapTexts)")
        #expect(report.notes.count == 1 && report.notes[0].hasPrefix("5 pictures or files"), "\(report.notes)")
        #expect(try captures.assetCounts() == [1, 1])
        #expect(try captures.evidence().proof.pictures?.missing.isEmpty == true)
        #expect(captures.folder.proofs(hasDigestFile: false).allSatisfy { $0.fault == nil })
    }

    @Test func `Too many files of one record are one gap`() async throws {
        let server = try FileServer(books: [], files: [:])
        let others = (1...1_000).map { "<img src='http://x.example/\($0).png'>" }.joined()
        let images = String(repeating: "<img src='/a.png'>", count: 500) + others
        server.set(books: [#"{"id":1,"name":"One","text":"\#(images)"}"#])
        var captures = try Self.captures(of: server)
        captures.settings.maximumDocument = 1 << 16
        let report = try await captures.run()
        let reason = "has 1001 files; only the first 1000 are captured"
        #expect(report.gaps.count { $0.reason == reason } == 1)
        #expect(report.gaps.count { $0.reason.contains("x.example") } == 999)
        #expect(server.log.map(\.target) == ["/api/book", "/a.png"])
    }

    @Test func `A resumed capture does not request a file again`() async throws {
        let server = try FileServer(books: [Self.book], files: Self.files)
        server.setFaults([
            Fault(.contains("pic.png"), times: nil, .reset), Fault(.contains("/api/book"), times: nil, .answer { $0 }),
        ])
        var captures = try Self.captures(of: server)
        captures.client = Client {
            [send = captures.client.send] (request) async throws(HTTPError) in
            if request.url.text.contains("pic.png") {
                throw HTTPError(.cancelled, url: request.url.text, reason: "cancelled")
            }
            return try await send(request)
        }
        #expect(try await captures.failure() != nil)
        let first = server.takeLog().map(\.target)
        server.setFaults([])
        captures.client = .libcurl(agent: "Test/1", spillFolder: captures.folder.incoming)
        let report = try await captures.run()
        #expect(report.gapTexts.isEmpty)
        #expect(try captures.assetCounts()[1] == 3)
        let second = server.log.map(\.target)
        #expect(Set(first).intersection(second).subtracting(["/api/book"]).isEmpty, "\(first) \(second)")
        #expect(second.contains("/pic.png?a=1&b=2"))
    }

    @Test func `An address of a picture and a file is requested once, and any file is accepted`() async throws {
        let server = try FileServer(
            books: [
                #"{"id":1,"name":"One","image":"http://localhost:PORT/ä.png","file":"//localhost:PORT/ä.png"}"#,
                #"{"id":2,"name":"Two","image":"http://localhost:PORT/b.pdf","file":"http://localhost:PORT/b.pdf"}"#,
                #"{"id":3,"name":"Three","image":"http://localhost:PORT/c.pdf","file":null}"#,
            ],
            files: [
                "/%C3%A4.png": ("image/png", SmallFile.png),
                "/b.pdf": ("", SmallFile.pdf), "/c.pdf": ("", SmallFile.pdf),
            ])
        let captures = try Self.captures(of: server)
        let report = try await captures.run()
        #expect(server.log.count { $0.target == "/%C3%A4.png" } == 1 && server.log.count { $0.target == "/b.pdf" } == 1)
        #expect(report.gaps.map(\.url) == ["http://localhost:\(server.port)/c.pdf"], "\(report.gapTexts)")
        let reader = try RevisionReader(report.revision, in: captures.folder)
        #expect(try reader.records(of: "book", at: 0..<3).map { $0.picture?.format } == [.png, nil, nil])
        let mirror = try APIMirror(of: reader, captures.catalogue)
        let completeness = try Completeness(of: mirror, RootHash(of: mirror, reader), reader)
        #expect(completeness.pictures?.missing.map(\.id) == [3])
    }

    @Test func `A field that becomes a picture makes a new revision, although all answers are unchanged`() async throws
    {
        let book = #"{"id":1,"name":"One","file":"http://127.0.0.1:PORT/p.png"}"#
        let server = try FileServer(books: [book], files: ["/p.png": ("", SmallFile.png)])
        var captures = try Self.captures(of: server)
        _ = try await captures.run()
        let declaration = server.declaration(fields: #""cover": { "type": "image", "path": "file" }"#)
        captures.catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(declaration.utf8)))
        let report = try await captures.run()
        #expect(!report.isUnchanged)
        do {
            let reader = try RevisionReader(report.revision, in: captures.folder)
            #expect(try reader.records(of: "book", at: 0..<1).map { $0.picture?.format } == [.png])
        }
        #expect(try await captures.run().isUnchanged)
    }

    @Test(arguments: [false, true])
    func `A file is stored even if a text of another record shows it as a picture`(isTextFirst: Bool) async throws {
        let text = #"{"id":\#(isTextFirst ? 1 : 2),"name":"T","text":"<img src=/a.pdf><img src=/p.png>"}"#
        let file = #"""
            {"id":\#(isTextFirst ? 2 : 1),"name":"F","file":"http://127.0.0.1:PORT/a.pdf",
            "sounds":["http://127.0.0.1:PORT/p.png"]}
            """#
        let server = try FileServer(
            books: isTextFirst ? [text, file] : [file, text],
            files: ["/a.pdf": ("", SmallFile.pdf), "/p.png": ("", SmallFile.png)])
        let captures = try Self.captures(of: server)
        let report = try await captures.run()
        #expect(report.gapTexts == [])
        #expect(try captures.assetCounts() == [1, 1])
    }

    @Test func `An address is requested once as a picture, and once as a file unless it is a picture`() {
        var log = CaptureLog()
        for isPicture in [true, false] {
            let claims = (0..<2).map { _ in log.claim(asset: "a", isPicture: isPicture) }
            #expect(claims == [true, false])
        }
        log.addPicture(at: "b")
        #expect([true, false].map { log.claim(asset: "b", isPicture: $0) } == [false, false])
    }

    /// The order of requests depends on the timing, so all orders of the calls are tried.
    @Test(arguments: [[true, false], [false, true]])
    func `An address of a picture and a file has one gap in any order of requests`(order: [Bool]) {
        var log = CaptureLog()
        for isPicture in order where log.claim(asset: "a", isPicture: isPicture) {
            log.addGap(isPicture ? "picture" : "file", ofAsset: "a", isPicture: isPicture)
        }
        #expect(log.allGaps().map(\.reason) == ["file"])
    }
}
