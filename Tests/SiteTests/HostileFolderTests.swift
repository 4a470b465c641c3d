import Foundation
import Platform
import TestSupport
import Testing

@testable import Site

/// Builds in prepared folders: nothing outside of them is written, removed or linked.
struct HostileFolderTests {
    /// A site with changes to build, and a folder next to it.
    private func sites() async throws -> Sites {
        var sites = try await Sites(["index.html": "<p>1</p>", "p/1.html": "<p>1</p>", "p/2.html": "<p>2</p>"])
        sites.catalogue.pictures = ["pictures/1.png"]
        for round in 1...2 {
            sites.catalogue.pages["index.html"] = "<p>\(round)</p>"
            try sites.build()
        }
        for name in ["next/p/1.html", "p/1.html", "1.html", "site/index.html"] {
            try sites.scratch.write("precious", to: "outside/\(name)")
        }
        sites.catalogue.pages = ["index.html": "<p>3</p>", "p/1.html": "<p>3</p>"]
        return sites
    }

    private func replace(_ path: String, byLinkTo target: String) throws {
        try Folder.remove(path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }

    @Test(
        arguments: [(".amber", ""), ("site", "/site"), (".amber/next/p", "/p"), (".amber/next", "/next")])
    func `A link in the place of an output folder is refused with its path`(
        place: String, target: String
    ) async throws {
        let sites = try await sites()
        try replace("\(sites.output)/\(place)", byLinkTo: "\(sites.scratch.path)/outside\(target)")
        let before = try fingerprint(of: sites.scratch["outside"])
        let failure = try sites.failure()
        if place == ".amber/next" {
            // A tree that is not trusted is removed; here it is the link itself.
            #expect(failure == nil)
            #expect(try #require(try sites.published()["index.html"]).contains("<p>3</p>"))
        } else {
            let reason =
                "\(sites.output)/\(place): it is a symbolic link; replace the link with the file or folder itself"
            #expect(failure?.hasSuffix(reason) == true, "\(failure ?? "no failure")")
        }
        #expect(try fingerprint(of: sites.scratch["outside"]) == before)
    }

    @Test(arguments: ["p", "p/1.html"])
    func `A link in the published site is not copied into the next one`(place: String) async throws {
        var sites = try await sites()
        try sites.rebuild()
        try replace("\(sites.folder.site)/\(place)", byLinkTo: "\(sites.scratch.path)/outside/\(place)")
        let before = try fingerprint(of: sites.scratch["outside"])
        sites.catalogue.pages["index.html"] = "<p>4</p>"
        try sites.rebuild()
        #expect(
            FileStatus("\(sites.folder.site)/p")?.isFolder == true
                && FileStatus("\(sites.folder.site)/p/1.html")?.isRegular == true)
        #expect(try #require(try sites.published()["p/1.html"]).contains("<p>3</p>"))
        #expect(try fingerprint(of: sites.scratch["outside"]) == before)
    }

    @Test(arguments: ["cards", "cards/42"])
    func `A site is not written or checked through a link`(place: String) async throws {
        let sites = try await sites()
        try FileManager.default.createDirectory(atPath: "\(sites.output)/cards", withIntermediateDirectories: true)
        try replace("\(sites.output)/\(place)", byLinkTo: "\(sites.scratch.path)/outside")
        let before = try fingerprint(of: sites.scratch["outside"])
        let build = try sites.siteBuild()
        if place == "cards" {
            let error = #expect(throws: SystemError.self) { try build.write(to: "cards/42", below: sites.output) }
            #expect(error?.description.contains("\(sites.output)/cards: it is a symbolic link") == true)
            #expect(throws: SystemError.self) { try SiteCheck.run("\(sites.output)/cards") }
        } else {
            // Existing files are removed, and so is a link.
            _ = try build.write(to: "cards/42", below: sites.output)
            #expect(FileStatus("\(sites.output)/cards/42")?.isFolder == true)
        }
        #expect(try fingerprint(of: sites.scratch["outside"]) == before)
    }

    @Test(
        arguments: ["api/../../../x/1.json", "../x.html", "/etc/x", "a//b", "con/1.html", "a/\u{0}", "kind./1.html"])
    func `A path that could leave the site stops the build before the first write`(path: String)
        async throws
    {
        var sites = try await Sites()
        sites.catalogue.joined = [path]
        let before = try contents(of: sites.scratch.path).keys.sorted()
        let failure = try sites.failure()
        #expect(failure?.hasPrefix("a file of the site has the path %") == true, "\(failure ?? "no failure")")
        #expect(try contents(of: sites.scratch.path).keys.sorted() == before)
    }

    @Test func `A path that is a file and a folder is refused`() async throws {
        for pages in [["a", "a/x.html"], ["b/c", "b/c/d/x.html"]] {
            var sites = try await Sites()
            for page in pages { sites.catalogue.pages[page] = "<p>x</p>" }
            #expect(try sites.failure()?.contains("has both a file and a folder with the path \(pages[0]);") == true)
        }
    }

    @Test func `Paths that differ only in capital letters are refused`() async throws {
        for pages in [["A.html", "a.html"], ["B/x.html", "b/x.html"], ["C.html", "c.html", "d.html"]] {
            var sites = try await Sites()
            for page in pages { sites.catalogue.pages[page] = "<p>x</p>" }
            #expect(
                try sites.failure()?.contains("differs from the path of another file only in capital letters") == true)
            sites.catalogue.pages = ["a.html": "<p>x</p>"]
            sites.catalogue.more = [pages[0]]
            if pages[0] == "A.html" {
                #expect(try sites.failure()?.contains("the path A.html differs from the path of another file") == true)
            }
        }
    }
}
