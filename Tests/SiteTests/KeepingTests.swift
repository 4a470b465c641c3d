import Archive
import Catalogue
import Foundation
import Platform
import TestSupport
import Testing

@testable import Site

struct KeepingTests {
    private func inode(_ path: String, _ sites: Sites) -> UInt64? { FileStatus("\(sites.folder.site)/\(path)")?.inode }

    @Test func `A file with unchanged bytes stays the same file in both trees`() async throws {
        var sites = try await Sites(["index.html": "<p>1</p>", "same.html": "<p>same</p>"])
        sites.catalogue.pictures = ["picture.png"]
        try sites.rebuild()
        let first = (inode("same.html", sites), inode("picture.png", sites))
        for number in 2...5 {
            sites.catalogue.pages["index.html"] = "<p>\(number)</p>"
            let report = try sites.rebuild()
            #expect(report.pages == 2 && report.files == 4 && report.written == 1, "\(number)")
            #expect(inode("same.html", sites) == first.0 && inode("picture.png", sites) == first.1)
            #expect(try sites.published()["index.html"]?.contains("<p>\(number)</p>") == true)
        }
    }

    @Test func `Edited, lost and replaced files are restored`() async throws {
        var sites = try await Sites(["index.html": "<p>1</p>", "same.html": "<p>same</p>"])
        try sites.rebuild()
        let whole = try sites.published()
        for spoil in [
            { try sites.scratch.write("edited", to: "out/site/same.html") },
            { try FileManager.default.removeItem(atPath: "\(sites.folder.site)/same.html") },
            {
                try FileManager.default.removeItem(atPath: "\(sites.folder.site)/same.html")
                return try sites.scratch.write("another file", to: "out/site/same.html")
            },
        ] as [() throws -> Any] {
            for name in ["2", "1"] {
                _ = try spoil()
                sites.catalogue.pages["index.html"] = "<p>\(name)</p>"
                try sites.rebuild()
                #expect(try sites.published()["same.html"] == whole["same.html"])
            }
        }
    }

    @Test(arguments: [false, true])
    func `A foreign file or folder whose name is not UTF-8 is not published again`(isFolder: Bool) async throws {
        var sites = try await Sites(["index.html": "<p>1</p>"])
        try sites.rebuild()
        let path: [CChar] = "\(sites.folder.site)/caf".utf8CString.dropLast() + [CChar(bitPattern: 0xE9), 0]
        if isFolder {
            try #require(mkdir(path, 0o755) == 0)
        } else {
            try #require(link("\(sites.folder.site)/index.html", path) == 0)
        }
        // The first build exchanges the trees, and the second one updates the tree with the file.
        for number in 2...3 {
            sites.catalogue.pages["index.html"] = "<p>\(number)</p>"
            try sites.rebuild()
        }
        #expect(try Folder.names(in: sites.folder.site) == ["index.html", "style.css"])
    }

    @Test func `A changed template rewrites its pages, and a changed file only itself`() async throws {
        let sites = try await Sites(["index.html": "<p>1</p>", "same.html": "<p>same</p>"])
        try sites.rebuild()
        try sites.scratch.write("p{color:blue}", to: "templates/style.css")
        #expect(try sites.rebuild().written == 1)
        // The other tree has the file by now.
        #expect(try sites.rebuild().written == 0)
        let template = try String(contentsOfFile: "\(sites.templates)/page.mustache", encoding: .utf8)
        try sites.scratch.write(
            template.replacingOccurrences(of: "<h1>T</h1>", with: "<h1>U</h1>"), to: "templates/page.mustache")
        #expect(try sites.rebuild().written == 2)
    }

    @Test func `A page is checked again unless the same program with the same templates checked it`()
        async throws
    {
        var sites = try await Sites(["index.html": "<p>1</p>", "same.html": "<p>same</p>"])
        try sites.rebuild()
        // The published page gets a fault that the build does not know.
        let published = "\(sites.folder.site)/same.html"
        let faulty = try #require(sites.published()["same.html"]).replacing("<p>same</p>", with: "<p>same</p><x></x>")
        try FileManager.default.removeItem(atPath: published)
        try sites.scratch.write(faulty, to: "out/site/same.html")
        sites.catalogue.pages["same.html"] = "<p>same</p><x></x>"
        let attempts: [(program: String, footer: String)] = [("another program", ""), ("", ""), ("program", "<hr />")]
        for (program, footer) in attempts {
            try sites.scratch.write(
                try String(contentsOfFile: "\(sites.templates)/page.mustache", encoding: .utf8)
                    .replacing("</body>", with: "\(footer)</body>"), to: "templates/page.mustache")
            #expect(
                "\(program)", performing: { try sites.rebuild(program: program) },
                throws: { "\($0)".contains("<x> is not an element that pages may use") })
        }
        let page = try String(contentsOfFile: "\(sites.templates)/page.mustache", encoding: .utf8)
        try sites.scratch.write(page.replacing("<hr />", with: ""), to: "templates/page.mustache")
        #expect(try sites.rebuild().pages == 2)
        #expect(try sites.published()["same.html"]?.contains("<p>same</p><x></x>") == true)
    }

    @Test func `A link from an unchanged page to an id that is gone is a fault`() async throws {
        var sites = try await Sites([
            "index.html": #"<p><a href="other.html#there">x</a></p>"#, "other.html": #"<p id="there">x</p>"#,
        ])
        try sites.rebuild()
        sites.catalogue.pages["other.html"] = "<p>x</p>"
        #expect(
            performing: { try sites.rebuild() },
            throws: {
                "\($0)".contains(#"index.html:4: other.html has no element with the id "there" [link]"#)
            })
    }
}
