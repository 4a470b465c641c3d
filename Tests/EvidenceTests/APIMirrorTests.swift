import Catalogue
import Evidence
import TestSupport
import Testing

@testable import Archive

struct APIMirrorTests {
    private static let pages = [
        ThingArchive.Page(
            kind: "thing", number: 1, records: [(1, #"{"id":1,"boxes":[]}"#), (2, #"{"id":2,"boxes":[]}"#)],
            pictures: [1: "of/1.png", 2: "of/2.json"]),
        ThingArchive.Page(
            kind: "thing", number: 2, records: [(2, #"{"id":2,"boxes":[ ]}"#), (9, #"{"id":9,"boxes":[]}"#)]),
        ThingArchive.Page(kind: "box", number: 1, records: [(1, #"{"id":1,"things":[]}"#)]),
    ]
    private static let pictures = ["of/1.png": "one", "of/2.json": "two", "of/3.json": "two", "of/4.png": nil]

    @Test func `Each answer has one path, and so has the first of two records with the same number`() async throws {
        let reader = try await ThingArchive().capture(Self.pages, pictures: Self.pictures)
        let mirror = try APIMirror(of: reader, Things())
        #expect(
            mirror.pages.map(\.path.text) == ["api/box/page/1.json", "api/thing/page/1.json", "api/thing/page/2.json"])
        #expect(
            try mirror.pages.map { try $0.file(from: reader).bytes } == [
                Self.pages[2].bytes, Self.pages[0].bytes, Self.pages[1].bytes,
            ])
        let things = try #require(mirror.records.first { $0.kind == "thing" })
        #expect(things.paths(at: 0..<4).map(\.text) == ["api/thing/1.json", "api/thing/2.json", "api/thing/9.json"])
        #expect(
            try things.files(at: 1..<4, from: reader).map { "\($0.path) \(String(decoding: $0.bytes, as: UTF8.self))" }
                == [#"api/thing/2.json {"id":2,"boxes":[]}"#, #"api/thing/9.json {"id":9,"boxes":[]}"#])
        let two = SHA256(of: "two".utf8).hex
        let pictures = ["api/of/1.png", "api/picture/\(two).png"]
        #expect(mirror.pictures.paths(at: 0..<mirror.pictures.count).map(\.text) == pictures)
        let found = try mirror.pictures(at: 0..<2, from: reader)
        #expect(
            found.map(\.path.text) == pictures
                && found.map(\.asset.sha256) == [SHA256(of: "one".utf8), SHA256(of: "two".utf8)])
        #expect(try mirror.pictures(at: 1..<2, from: reader).map(\.asset.sha256.hex) == [two])
    }

    @Test func `The root hash equals the output of sha256sum and sort over the mirror`() async throws {
        let reader = try await ThingArchive().capture(Self.pages, pictures: Self.pictures)
        let mirror = try APIMirror(of: reader, Things())
        let scratch = try ScratchFolder()
        for page in mirror.pages { try write(try page.file(from: reader), to: scratch) }
        for records in mirror.records {
            for file in try records.files(at: records.numbers.indices, from: reader) { try write(file, to: scratch) }
        }
        for path in mirror.pictures.paths(at: 0..<mirror.pictures.count) {
            try scratch.write(path.text.hasSuffix("1.png") ? "one" : "two", to: path.text)
        }
        try scratch.write("no answer", to: "api/index.json")
        let command = "find api -mindepth 2 -type f -print0 | xargs -0 sha256sum | LC_ALL=C sort | sha256sum"
        #expect(
            try await ThingArchive.shell(command, in: scratch.path) == "\(try RootHash(of: reader, Things()).hex)  -\n")
    }

    @Test func `An imported revision has no mirror, and its root hash covers its files`() async throws {
        let kept = try ThingArchive()
        let reader = try await kept.importFiles([("things.json", Self.pages[0]), ("boxes.json", Self.pages[2])])
        let mirror = try APIMirror(of: reader, Things())
        #expect(mirror.pages.isEmpty && mirror.records.isEmpty && mirror.pictures.count == 0)
        let scratch = try ScratchFolder()
        for (name, page) in [("things.json", Self.pages[0]), ("boxes.json", Self.pages[2])] {
            try scratch.write(String(decoding: page.bytes, as: UTF8.self), to: name)
        }
        let command = "sha256sum *.json | LC_ALL=C sort | sha256sum"
        #expect(
            try await ThingArchive.shell(command, in: scratch.path) == "\(try RootHash(of: reader, Things()).hex)  -\n")
    }

    @Test(arguments: [0, 1, 2])
    func `An imported revision whose records differ from its files is refused`(_ forgery: Int) async throws {
        let page = Self.pages[0]
        let kept = try ThingArchive()
        let reader = try await kept.importFiles([("things.json", page)]) {
            [Array($0.dropLast()), Array($0.dropFirst()), Array($0.reversed())][forgery]
        }
        let fault = forgery == 0 ? "has \(page.records.count - 1) of the" : "is not record 1 of the imported file"
        #expect {
            try RootHash(of: reader, Things())
        } throws: {
            "\($0)".contains(fault)
        }
        #expect(ImportedRecords.proof(kept.folder, Things())?.fault?.contains(fault) == true)
    }

    @Test(arguments: [
        ("character/avatar/1.jpeg", true), ("a/x.png", true), ("a/b/c-d_e.jpg", true), ("a/1.gif", true),
        ("a/1.webp", true),
        ("console/1.png", true), ("a/com.png", true),
        ("1.png", false), ("picture/1.png", false), ("a/1", false), ("a/1.json", false), ("a.b/1.png", false),
        ("a/.png", false),
        ("a//1.png", false), ("/a/1.png", false), ("a/1.png/", false), ("../a/1.png", false), ("a/../1.png", false),
        ("a/1.png?x", false),
        ("a/é.png", false), ("", false), ("/", false), ("a/", false), ("a/1.", false),
        ("a/\(String(repeating: "b", count: 200)).png", false),
        // Servers or browsers run files with these names.
        ("a/1.html", false), ("a/1.php", false), ("a/1.phtml", false), ("a/1.svg", false), ("a/1.js", false),
        ("a/1.shtml", false),
        ("a/web.config", false), ("a/.htaccess", false), ("a/1.php.png", false), ("a/1.png.php", false),
        ("a/1.tar.gz", false),
        ("a/1.htm", false), ("a/1.xhtml", false), ("a/1.xml", false), ("a/1.css", false), ("a/1.cgi", false),
        ("a/1.png.", false),
        ("a/1.png ", false), ("a/1.png%00.html", false), ("a/1.png;x.html", false), ("a/1.pngx", false),
        // These names are equal on some disks, or are devices on some systems.
        ("a/A.png", false), ("A/a.png", false), ("a/a.PNG", false), ("a/x.Php", false), ("a/con.png", false),
        ("a/nul.jpg", false),
        ("aux/1.png", false), ("a/lpt1/1.gif", false), ("a/com0.webp", false), ("prn/con.png", false),
    ])
    func `A picture keeps its path if it is safe on every server and disk`(requestPath: String, isKept: Bool) {
        let asset = Asset(sha256: SHA256(of: requestPath.utf8), size: 1, format: .jpeg, width: 1, height: 1)
        #expect(
            MirrorPath.asset(requestPath, asset).text
                == (isKept ? "api/\(requestPath)" : "api/picture/\(asset.sha256.hex).jpg"))
    }

    @Test(arguments: [
        ("things?page=1", 1), ("things?page=20", 20), ("things?page=0", nil), ("things?page=01", nil),
        ("things?page=", nil), ("boxs?page=1", nil), ("things?page=+1", nil), ("things?page=9223372036854775807", nil),
    ])
    func `A list finds its page number from a path`(path: String, page: Int?) {
        #expect(Things().lists[0].page(of: path) == page)
    }

    private func write(_ file: SiteFile, to scratch: ScratchFolder) throws {
        try scratch.write(String(decoding: file.bytes, as: UTF8.self), to: file.path.text)
    }
}
