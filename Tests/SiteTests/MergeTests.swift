import Archive
import Foundation
import Pages
import Platform
import TestSupport
import Testing

@testable import Site

/// Sites that are rendered in three parts and merged.
struct MergeTests {
    /// Pages with links to fragments. Part 1 has the first two pages, and the other parts have one page each.
    private static let pages = [
        "a/1.html": ##"<p id="x"><a href="../b.html#x">b</a> <a href="../index.html#x">i</a></p>"##,
        "b.html": ##"<p id="x"><a href="c.html#x">c</a></p>"##, "c.html": ##"<p id="x"><a href="b.html#x">b</a></p>"##,
        "index.html": ##"<p id="x"><a href="a/1.html#x">a</a></p>"##,
    ]

    private func sites() async throws -> Sites {
        var sites = try await Sites(Self.pages)
        sites.catalogue.pictures = ["pictures/1.png", "pictures/2.png"]
        return sites
    }

    private func renderParts(_ sites: Sites) throws {
        for part in Shard.all(of: 3) { _ = try sites.siteBuild().write(part, below: sites.output) }
    }

    @discardableResult
    private func merge(_ sites: Sites, _ count: Int = 3, baseURL: String? = nil) throws -> BuildReport {
        let build = try sites.siteBuild(baseURL: baseURL)
        let prepared = try build.merge(count, into: sites.folder, key: try build.key())
        try prepared.publish()
        return prepared.report
    }

    @Test func `Merged parts equal the site of one build`() async throws {
        let (whole, sites) = (try await sites(), try await sites())
        let expected = try whole.build()
        try renderParts(sites)
        let report = try merge(sites)
        #expect(try sites.published() == whole.published())
        #expect(report.pages == expected.pages && report.files == expected.files && report.bytes == expected.bytes)
        // A second name, not a copy.
        #expect(FileStatus("\(sites.folder.site)/b.html")?.links == 2)
        // A build of the same site finds it up to date.
        #expect(
            try sites.folder.reportIfUpToDate(key: sites.siteBuild().key(), from: sites.archive)?.files == report.files)
    }

    @Test func `A merge keeps equal files and removes obsolete ones`() async throws {
        var sites = try await sites()
        sites.catalogue.pages["old/1.html"] = "<p>old</p>"
        for body in ["<p>1</p>", "<p>2</p>"] {
            sites.catalogue.pages["new.html"] = body
            try sites.rebuild()
        }
        let kept = try #require(FileStatus("\(sites.folder.site)/b.html"))
        sites.catalogue.pages["old/1.html"] = nil
        sites.catalogue.pages["new.html"] = "<p>3</p>"
        try renderParts(sites)
        #expect(try merge(sites).written == 1)
        #expect(FileStatus("\(sites.folder.site)/b.html")?.isSameFile(as: kept) == true)
        #expect(
            try sites.published().keys.sorted() == [
                "a/1.html", "b.html", "c.html", "index.html", "new.html", "pictures/1.png", "pictures/2.png",
                "style.css",
            ])
        #expect(FileStatus("\(sites.folder.site)/old") == nil)
    }

    @Test func `Pictures come from the archive, even if a part has none`() async throws {
        let sites = try await sites()
        try renderParts(sites)
        let picture = "pictures/1.png"
        try Folder.remove("\(sites.output)/parts/1-of-3/pictures")
        try merge(sites)
        let asset = sites.archive.assetPath(try #require(sites.catalogue.asset).sha256)
        #expect(
            try #require(FileStatus("\(sites.folder.site)/\(picture)")).isSameFile(as: #require(FileStatus(asset))))
    }

    @Test func `A missing fragment in another part is a fault`() async throws {
        var sites = try await sites()
        sites.catalogue.pages["c.html"] = "<p>c</p>"
        try renderParts(sites)
        let error = #expect(throws: SiteError.self) { try merge(sites) }
        #expect(
            error?.description == """
                b.html:4: c.html has no element with the id "x" [link]
                one fault; nothing is published
                """)
        #expect(FileStatus(sites.folder.site) == nil)
    }

    /// Each damage changes the parts in a folder. The first text is a part of the error.
    private static let damages: [(error: String, change: @Sendable (_ parts: String) throws -> Void)] = [
        ("part 2 of 3 is missing or not finished", { try Folder.remove("\($0)/2-of-3.json") }),
        (
            "parts 2, 3 of 3 are missing or not finished",
            { parts in for part in 2...3 { try Folder.remove("\(parts)/\(part)-of-3.json") } }
        ),
        (
            "part 2 of 3 lacks the file c.html, or the file does not match its digest",
            { try write("half a pa", to: "\($0)/2-of-3/c.html") }
        ),
        ("part 2 of 3 lacks the file c.html", { try Folder.remove("\($0)/2-of-3/c.html") }),
        (
            "part 2 of 3 lacks the file c.html",
            { parts in
                try File.rename("\(parts)/2-of-3/c.html", to: "\(parts)/elsewhere")
                try FileManager.default.createSymbolicLink(
                    atPath: "\(parts)/2-of-3/c.html", withDestinationPath: "../elsewhere")
            }
        ),
        (
            "part 2 of 3 lacks the file c.html",
            { parts in
                try Folder.remove("\(parts)/2-of-3/c.html")
                #expect(mkfifo("\(parts)/2-of-3/c.html", 0o644) == 0)
            }
        ),
        (
            "part 1 of 3 lacks the file a/1.html",
            { parts in
                try File.rename("\(parts)/1-of-3/a", to: "\(parts)/elsewhere")
                try FileManager.default.createSymbolicLink(
                    atPath: "\(parts)/1-of-3/a", withDestinationPath: "../elsewhere")
            }
        ),
        (
            "part 2 of 3 has a list that does not match its digest",
            { try write("", to: "\($0)/2-of-3.sha256") }
        ),
        (
            "part 2 of 3 has a list with a line that is too long",
            { try write(String(repeating: "a", count: 1 << 20), to: "\($0)/2-of-3.sha256") }
        ),
        ("part 2 of 3 has a list with the wrong line \"", { try forgeList($0, "c.html", by: "../c.html") }),
        ("part 2 of 3 has a list with the wrong line \"", { try forgeList($0, "c.html", by: "/etc/passwd") }),
        ("part 2 of 3 has a list with the wrong line \"", { try forgeList($0, "  c.html", by: " *c.html") }),
        ("part 2 of 3 lacks the file d.html", { try forgeList($0, "c.html", by: "d.html") }),
        // Which of the two parts comes first is not defined.
        (
            "of 3 has the file b.html a second time",
            { parts in
                try File.rename("\(parts)/2-of-3/c.html", to: "\(parts)/2-of-3/b.html")
                try forgeList(parts, "c.html", by: "b.html")
            }
        ),
        ("all parts together have 6 files, but the site has 7", { try forgeList($0, nil, by: "") }),
        ("part 2 of 3 has no valid manifest (", { try write("{", to: "\($0)/2-of-3.json") }),
        (
            "combining marks in a row allowed",
            { parts in
                let marks = String(repeating: "\u{301}\u{323}", count: 101)
                try replace(#""part":""#, by: #""part":"\#(marks)"#, in: "\(parts)/2-of-3.json")
            }
        ),
        (
            "part 2 of 3 has the manifest of another part",
            { try File.overwrite("\($0)/2-of-3.json", with: File.read("\($0)/1-of-3.json")) }
        ),
        (
            "part 2 of 3 has the manifest of another part",
            { try replace(#""pages":"#, by: #""pages":9999"#, in: "\($0)/2-of-3.json") }
        ),
        (
            "part 2 of 3 describes another site than part 1",
            { try replace(#""files":7"#, by: #""files":8"#, in: "\($0)/2-of-3.json") }
        ),
    ]

    private static func write(_ text: String, to file: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    private static func replace(_ text: String, by other: String, in file: String) throws {
        try edit(file) { $0.replacing(text, with: other) }
    }

    /// Replaces a text in the list of part 2, or the complete list, and then its digest in the manifest.
    private static func forgeList(_ parts: String, _ text: String?, by other: String) throws {
        let list = "\(parts)/2-of-3.sha256"
        let digest = try SHA256(ofFile: list).hex
        try edit(list) { all in text.map { all.replacing($0, with: other) } ?? other }
        try replace(digest, by: try SHA256(ofFile: list).hex, in: "\(parts)/2-of-3.json")
    }

    @Test func `A damaged part is named, and nothing is published`() async throws {
        let sites = try await Sites()
        try sites.build()
        let before = try fingerprint(of: sites.folder.site)
        var changed = sites
        changed.catalogue = try await self.sites().catalogue
        changed.catalogue.asset = sites.catalogue.asset
        try renderParts(changed)
        let (parts, intact) = ("\(sites.output)/parts", sites.scratch["intact"])
        try FileManager.default.copyItem(atPath: parts, toPath: intact)
        for damage in Self.damages {
            try damage.change(parts)
            let error = #expect(throws: SiteError.self, "\(damage.error)") { try merge(changed) }
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains(damage.error) && text.hasSuffix("nothing is published"), "\(damage.error): \(text)")
            #expect(try fingerprint(of: sites.folder.site) == before)
            try Folder.remove(parts)
            try FileManager.default.copyItem(atPath: intact, toPath: parts)
        }
        #expect(try merge(changed).files == 7)
    }

    @Test func `Parts of another build or of another number of parts are refused`() async throws {
        let sites = try await sites()
        try renderParts(sites)
        func error(_ count: Int = 3, baseURL: String? = nil) throws -> String {
            "\(try #require(throws: SiteError.self) { try merge(sites, count, baseURL: baseURL) })"
        }
        #expect(try error(2) == "parts 1, 2 of 2 are missing or not finished; nothing is published")
        #expect(
            try error(baseURL: "http://x.example")
                == "part 1 of 3 was rendered from another archive or revision, with another configuration, or by "
                + "another program; render this part again; nothing is published")
        try sites.scratch.write("p{color:blue}", to: "templates/style.css")
        _ = try sites.siteBuild().write(try #require(Shard("1/3")), below: sites.output)
        #expect(
            try error()
                == "part 2 of 3 was rendered with other templates or another catalogue; render this part again; "
                + "nothing is published")
    }

    @Test func `A part that fails or is interrupted is not finished`() async throws {
        var sites = try await sites()
        try renderParts(sites)
        let part = try #require(Shard("2/3"))
        #expect(throws: SiteError.self) {
            var build = try sites.siteBuild()
            build.isCancelled = { true }
            _ = try build.write(part, below: sites.output)
        }
        #expect(throws: SiteError.self) { try merge(sites) }
        try renderParts(sites)
        sites.catalogue.pages["c.html"] = "<p>"
        #expect(throws: SiteError.self) { try sites.siteBuild().write(part, below: sites.output) }
        let error = #expect(throws: SiteError.self) { try merge(sites) }
        #expect(error?.description == "part 2 of 3 is missing or not finished; nothing is published")
    }
}
