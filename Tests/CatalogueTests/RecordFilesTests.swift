import Archive
import Catalogue
import Mustache
import Pages
import TestSupport
import Testing

@testable import CatalogueEngine

/// Captured files on the pages of records.
struct RecordFilesTests {
    private static let record = #"""
        {"id":1,"name":"No. 1: One","file":"http://a.example/api/files/Annual%20report.PDF#page=3",
        "sounds":["https://cdn.example/a.mp3","https://cdn.example/1/download",
        "https://cdn.example/none.mp3","//cdn.example/<b>.zip","https://cdn.example/photo.jpg"],
        "text":"<img src='/p.png?a=1&amp;b=2'><img src=\"https://cdn.example/x.pdf\">"}
        """#

    private func revision() async throws -> PlannedRevision {
        let json = """
            {"name":"any","api":"http://a.example/api","hosts":["cdn.example"],"list":{"paginator":{"type":"single_page"}},
            "lists":["book"],"kinds":{"book":{"list":{},"fields":{"file":{"type":"file","history":false},
            "sounds":{"type":"file","label":"Sounds"},"text":{"type":"html","capture":true}}}}}
            """
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
        let texts = try Strings.english().adding(standards: catalogue.texts)
        let file: (AssetFormat) -> (bytes: [UInt8], facts: AssetFacts) = {
            (Array("\($0)".utf8), ($0, width: $0.isPicture ? 30 : 0, height: $0.isPicture ? 20 : 0))
        }
        return try await PlannedRevision(
            catalogue, [("book", [Self.record])], texts,
            assets: [
                "http://a.example/api/files/Annual%20report.PDF": file(.pdf), "https://cdn.example/a.mp3": file(.mp3),
                "https://cdn.example/1/download": file(.ogg),
                "http://cdn.example/%3Cb%3E.zip": file(.zip), "http://a.example/p.png?a=1&b=2": file(.png),
                "https://cdn.example/x.pdf": ([1], (.pdf, width: 0, height: 0)),
                "https://cdn.example/photo.jpg": file(.jpeg),
            ])
    }

    @Test func `A page shows captured files with format and size, and links to the original of others`() async throws {
        let page = try #require(try await revision().pages(1).first?.first?.model)
        let html = try #require(page.html("sections"))
        let path: (AssetFormat) -> String = { "../api/picture/\(SHA256(of: "\($0)".utf8).hex).\($0.fileExtension)" }
        for part in [
            "<h2>File</h2>", "<h2>Sounds</h2>",
            "<a href=\"\(path(.pdf))\" download=\"annual-report.pdf\">Annual report.PDF</a>, PDF, 0.1 kB",
            "<audio controls=\"\" preload=\"none\" src=\"\(path(.mp3))\"></audio>",
            "<a href=\"\(path(.mp3))\" download=\"a.mp3\">a.mp3</a>, MP3, 0.1 kB",
            "<a href=\"\(path(.ogg))\" download=\"no-1-one.ogg\">No. 1: One</a>, OGG, 0.1 kB",
            "<a href=\"https://cdn.example/none.mp3\" rel=\"nofollow\">none.mp3</a>",
            "<img src=\"\(path(.png))\"", "width=\"30\" height=\"20\"",
            "<p><img src=\"\(path(.jpeg))\" alt=\"\" width=\"30\" height=\"20\" loading=\"lazy\" /></p>\n"
                + "<a href=\"\(path(.jpeg))\">photo.jpg</a>, JPG, 0.1 kB",
            "<a href=\"\(path(.zip))\" download=\"b.zip\">&lt;b&gt;.zip</a>, ZIP, 0.1 kB",
        ] { #expect(html.contains(part), "\(part) in \(html)") }
        // The values are not shown again among the others.
        #expect(page.html("restSections")?.contains("mp3") == false)
    }

    @Test func `The pictures of a text are found by their addresses in it, with their sizes`() async throws {
        let revision = try await revision()
        let record = try #require(try revision.reader.records(of: "book", at: 0..<1).first)
        let tables = try revision.tables()
        let files = try RecordFiles(
            of: JSONFields(record.bytes), tables["book"].kind, tables.links, from: revision.reader)
        let path = "api/picture/\(SHA256(of: "png".utf8).hex).png"
        for address in ["/p.png?a=1&b=2", " //a.example/p.png?a=1&b=2#x", "http://a.example/p.png?a=1&b=2"] {
            let found = try #require(files.picture(at: address), "\(address)")
            #expect(found.path.text == path && found.width == 30 && found.height == 20)
        }
        for address in ["", "p.png", "/p.png", "https://cdn.example/x.pdf", "https://evil.example/p.png", "data:,"] {
            #expect(files.picture(at: address) == nil, "\(address)")
        }
    }

    @Test func `The host of a file can have capital letters, and the usual port`() async throws {
        let links = try await revision().tables().links
        for address in ["https://CDN.example/A.mp3", "http://cdn.example:80/A.mp3", "http://A.EXAMPLE:80/A.mp3"] {
            #expect(links.file(at: address).path == address)
        }
        #expect(links.file(at: "HTTPS://CDN.example:443/A.mp3").path == "https://cdn.example/A.mp3")
        #expect(links.file(at: "HTTP://A.example:80/api/A.mp3").path == "A.mp3")
        for address in [
            "https://cdn.example:80/a.mp3", "https://cdn.example./a.mp3", "https://cdn.example:443@evil.example/a.mp3",
            "https://u@CDN.example/a.mp3", "https://CDN.example.evil/a.mp3", "ftp://CDN.example/a.mp3",
        ] { #expect(links.file(at: address).path == nil, "\(address)") }
    }

    @Test func `An address can have values of the record, each as one segment of a path`() throws {
        let json = #"""
            {"name":"any","api":"http://a.example/api","hosts":["cdn.example"],"list":{"paginator":{"type":"single_page"}},
            "lists":["book"],"kinds":{"book":{"list":{},"required":[],"fields":{
            "cover":{"type":"image","address":"iiif/{image.id}/full/843,/0/default.jpg"},
            "scan":{"type":"file","address":"https://cdn.example/scans/{pages[1].id}.pdf"},
            "site":{"type":"url","address":"https://other.example/{image.id}?id={id}"}}}}}
            """#
        let catalogue = DeclaredCatalogue(try CatalogueDeclaration(Array(json.utf8)))
        let fields = try #require(catalogue.declaration.kind("book")).fields
        func facts(_ record: String) throws -> (pictures: [String], files: [String], site: String, refused: [String]) {
            let facts = try catalogue.facts(of: Array(record.utf8)[...], kind: "book", base: "http://127.0.0.1/api")
            let site = fields[2].shown(try JSONFields(Array(record.utf8)))
            return (facts.pictures, facts.files.map(\.path), site, facts.refused.map(\.description))
        }
        let plain = try facts(#"{"id":1,"image":{"id":"ab-1"},"pages":[{"id":1},{"id":22}]}"#)
        #expect(plain.pictures == ["iiif/ab-1/full/843,/0/default.jpg"])
        #expect(plain.files == ["https://cdn.example/scans/22.pdf"])
        #expect(plain.site == "https://other.example/ab-1?id=1" && plain.refused.isEmpty)
        let hostile = try facts(#"{"id":1,"image":{"id":"../a b?#é"},"pages":[0,{"id":".."}]}"#)
        #expect(hostile.pictures == ["http://a.example/api/iiif/..%2Fa%20b%3F%23%C3%A9/full/843,/0/default.jpg"])
        #expect(hostile.files == ["https://cdn.example/scans/%2E%2E.pdf"])
        #expect(hostile.site == "https://other.example/..%2Fa%20b%3F%23%C3%A9?id=1")
        let empty = try facts(#"{"id":1,"image":{"id":" "},"pages":[]}"#)
        #expect(empty.pictures.isEmpty && empty.files.isEmpty && empty.site.isEmpty && empty.refused.isEmpty)
        #expect(catalogue.exportTables[0].columns.map(\.name) == ["id", "title"])
    }
}
