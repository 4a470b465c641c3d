import Archive
import Foundation
import Platform
import SQLite
import TestSupport
import Testing

@testable import Site

struct BuildTests {
    @Test func `Only pages, pictures and the templates' own files are published`() async throws {
        var sites = try await Sites([
            "index.html": #"<p><a href="deep/er/a.html">a</a></p>"#,
            "deep/er/a.html": #"<p><a href="../../">up</a></p>"#,
        ])
        sites.catalogue.pictures = ["pictures/1.png"]
        let report = try sites.build()
        #expect(report.pages == 2 && report.files == 4 && report.written == 4)
        let published = try sites.published()
        #expect(published.keys.sorted() == ["deep/er/a.html", "index.html", "pictures/1.png", "style.css"])
        #expect(published["pictures/1.png"] == "bytes of a picture")
        #expect(report.bytes == published.values.reduce(0) { $0 + Int64($1.utf8.count) })
    }

    @Test func `The output does not depend on the number of workers`() async throws {
        var pages = ["index.html": "<p>i</p>"]
        for number in 1...40 { pages["p/\(number).html"] = "<p>\(number)</p>" }
        let one = try await Sites(pages)
        let four = try await Sites(pages)
        try one.build(workers: 1)
        try four.build(workers: 4)
        #expect(try one.published() == four.published())
    }

    /// All models of a batch together may need a gigabyte.
    @Test func `Each page of a batch is rendered and written before the next one`() async throws {
        var sites = try await Sites(["a.html": "<p>a</p>", "b.html": "<p>b</p>", "index.html": "<p>i</p>"])
        sites.catalogue.isOneBatch = true
        let written = Locked<[Set<String>]>([])
        let folder = sites.folder.hidden
        sites.catalogue.willMake = { _ in
            let names = try contents(of: folder).keys.compactMap { $0.split(separator: "/").last.map(String.init) }
            written.withLock { $0.append(Set(names).intersection(["a.html", "b.html", "index.html"])) }
        }
        try sites.build(workers: 1)
        #expect(written.withLock { $0 } == [[], ["a.html"], ["a.html", "b.html"]])
    }

    @Test func `The bytes and steps of all pages have a limit that grows with their number`() throws {
        func queue(_ pages: Int, records: Int = 1 << 30) -> BatchQueue {
            BatchQueue([], .whole, pages: pages, recordBytes: records) { false }
        }
        let (large, long) = (queue(2), queue(2))
        let few = queue(10_000, records: 1 << 20)
        for _ in 0..<1_056 { try few.add(bytes: 1 << 20, steps: 0) }
        #expect(throws: SiteError.self) { try few.add(bytes: 1 << 20, steps: 0) }
        for _ in 0..<1_026 { try large.add(bytes: 1 << 20, steps: 1_000) }
        #expect(throws: SiteError.self) { try large.add(bytes: 1 << 20, steps: 0) }
        for _ in 0..<1_000 { try long.add(bytes: 0, steps: 1_000_000) }
        let error = #expect(throws: SiteError.self) { try long.add(bytes: 0, steps: 1_000_000) }
        #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("all pages together take more than 1000 million steps"))
    }

    @Test func `Two files with one path are refused before the first write`() async throws {
        var pages = try await Sites()
        pages.catalogue.more = ["index.html"]
        var picture = try await Sites()
        picture.catalogue.pictures = ["index.html"]
        let file = try await Sites()
        try file.scratch.write("mine", to: "templates/index.html")
        for sites in [pages, picture, file] {
            #expect(try sites.failure() == "two pages or files have the path index.html; nothing is published")
            #expect(
                try contents(of: sites.folder.hidden).isEmpty
                    && !FileManager.default.fileExists(atPath: sites.folder.site))
        }
    }

    @Test func `Fragments of other pages are checked in any order of pages`() async throws {
        var sites = try await Sites([
            "a.html": ##"<p><a href="z.html#there">z</a> <a href="#own">own</a> <b id="own">x</b></p>"##,
            "index.html": "<p>i</p>", "z.html": #"<p id="there"><a href="a.html#own">a</a></p>"#,
        ])
        #expect(try sites.failure() == nil)
        sites.catalogue.pages["z.html"] = #"<p><a href="a.html#nowhere">a</a></p>"#
        let failure = try #require(try sites.failure())
        #expect(failure.contains(#"a.html:4: z.html has no element with the id "there" [link]"#), "\(failure)")
        #expect(failure.contains(#"z.html:4: a.html has no element with the id "nowhere" [link]"#))
        #expect(failure.hasSuffix("2 faults; nothing is published"))
    }

    @Test func `A fault that occurs twice on a page counts as one page`() async throws {
        let twice = #"<p><a href="nowhere.html">x</a> <a href="nowhere.html">y</a></p>"#
        let failure = try #require(try await Sites(["index.html": twice, "p/1.html": twice]).failure())
        #expect(
            failure.hasPrefix(
                "index.html:4: the link \"nowhere.html\" leads to no page or file of the site [link], and on 1 more page\n"
            ))
        #expect(failure.hasSuffix("\n4 faults; nothing is published"), "\(failure)")
    }

    @Test func `All faults are counted, and the first are listed`() async throws {
        var pages: [String: String] = [:]
        for number in 1...2_500 { pages["p/\(number).html"] = #"<p><a href="nowhere.html">x</a></p>"# }
        let failure = try #require(try await Sites(pages).failure())
        #expect(
            failure == """
                p/1.html:4: the link "nowhere.html" leads to no page or file of the site [link], and on 2499 more pages
                    4: <body><h1>T</h1><p><a href="nowhere.html">x</a></p></body>
                    from page.mustache
                2500 faults; nothing is published
                """, "\(failure)")
    }

    @Test func `A build that fails halfway does not change the published site`() async throws {
        var pages = ["index.html": "<p>x</p>"]
        for number in 0..<30 { pages["p/\(number).html"] = "<p>\(number)</p>" }
        var sites = try await Sites(pages)
        try sites.build()
        for number in 0..<30 { sites.catalogue.pages["p/\(number).html"] = "<p>new \(number)</p>" }
        try sites.build()
        let before = try fingerprint(of: sites.folder.site)
        for number in 0..<30 { sites.catalogue.pages["p/\(number).html"] = "<p>newest \(number)</p>" }
        sites.catalogue.failsAt = 15
        #expect(try sites.failure() == "name: is made to fail")
        #expect(try fingerprint(of: sites.folder.site) == before)
        sites.catalogue.failsAt = nil
        try sites.build()
        let published = try sites.published()
        #expect(published.count == 32)
        #expect(try #require(published["p/17.html"]).contains("newest 17"))
    }

    @Test func `A build that was killed leaves a marked tree that is not reused`() async throws {
        var sites = try await Sites(["index.html": "<p>1</p>", "a.html": "<p>a</p>"])
        try sites.build()
        sites.catalogue.pages["index.html"] = "<p>2</p>"
        try sites.build()
        // As a kill leaves it: marked, half written, with an unknown file.
        _ = try sites.folder.openHidden(for: Source(catalogue: "made", api: "http://made.example", origin: .live))
        try sites.scratch.write("half a pa", to: "out/.amber/next/index.html")
        try sites.scratch.write("stray", to: "out/.amber/next/stray.html")
        sites.catalogue.pages["index.html"] = "<p>3</p>"
        try sites.build()
        let published = try sites.published()
        #expect(published.keys.sorted() == ["a.html", "index.html", "style.css"])
        #expect(try #require(published["index.html"]).contains("<p>3</p>"))
    }

    @Test func `Obsolete files are removed, and unchanged files are kept`() async throws {
        var sites = try await Sites(["index.html": "<p>1</p>", "old.html": "<p>old</p>"])
        sites.catalogue.pictures = ["old.png"]
        try sites.build()
        sites.catalogue.pages = ["index.html": "<p>2</p>"]
        sites.catalogue.pictures = []
        for round in 3...5 {
            try sites.build()
            #expect(try sites.published().keys.sorted() == ["index.html", "style.css"])
            sites.catalogue.pages["index.html"] = "<p>\(round)</p>"
        }
        let report = try sites.build()
        #expect(report.written == 1 && report.files == 2)
    }

    @Test func `A site whose templates lack the generator is replaced by the next build`() async throws {
        var sites = try await Sites()
        let template = String(decoding: try File.read("\(sites.templates)/page.mustache"), as: UTF8.self)
        let generator = #"<meta name="generator" content="Amber test" />"#
        try sites.scratch.write(template.replacing(generator, with: ""), to: "templates/page.mustache")
        try sites.build()
        sites.catalogue.pages["index.html"] = "<p>2</p>"
        #expect(try sites.build().written == 1)
    }

    @Test func `A folder with other files is refused, also in place of an earlier site`() async throws {
        var sites = try await Sites()
        try sites.build()
        for name in try Folder.names(in: sites.folder.site) { try Folder.remove("\(sites.folder.site)/\(name)") }
        try sites.scratch.write("my own page", to: "out/site/index.html")
        sites.catalogue.pages["index.html"] = "<p>2</p>"
        let failure = try sites.failure()
        #expect(
            failure
                == "\(sites.folder.site) contains files that Amber did not create; move them away, or choose another --output"
        )
        #expect(try sites.published() == ["index.html": "my own page"])

        // Only the beginning of the page is read.
        #expect(truncate("\(sites.folder.site)/index.html", 1 << 40) == 0)
        #expect(try sites.failure() == failure)
    }

    @Test func `Files that cannot be removed are reported before the site is exchanged`() async throws {
        var sites = try await Sites()
        try sites.build()
        let before = try sites.published()
        try sites.scratch.write("in the way", to: "out/.amber/stray.manifest/file")
        sites.catalogue.pages["index.html"] = "<p>2</p>"
        #expect(try sites.failure()?.contains("stray.manifest") == true)
        #expect(try sites.published() == before)
        try Folder.remove(sites.scratch["out/.amber/stray.manifest"])
        try sites.build()
        #expect(try sites.published() != before)
    }

    @Test func `An emptied site is filled again`() async throws {
        let sites = try await Sites()
        try sites.build()
        for name in try Folder.names(in: sites.folder.site) { try Folder.remove("\(sites.folder.site)/\(name)") }
        try sites.build()
        #expect(try sites.published().count == 2)
        try Folder.remove(sites.folder.site)
        try sites.build()
        #expect(try sites.published().count == 2)
    }

    @Test func `A build without publishing replaces its target folder`() async throws {
        let sites = try await Sites()
        try sites.scratch.write("old", to: "card/old.html")
        let build = try sites.siteBuild()
        #expect(try build.write(to: "card", below: sites.scratch.path).pages == 1)
        #expect(try contents(of: "\(sites.scratch.path)/card").keys.sorted() == ["index.html", "style.css"])
    }

    @Test func `An archive that repeats a large body is refused before the first write`() async throws {
        let sites = try await Sites()
        try Connection(sites.archive.database, .readWrite).execute(
            """
            INSERT INTO body VALUES (1000, randomblob(32), zeroblob(1 << 20));
            WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 200)
            INSERT INTO exchange SELECT 1000 + i, 1, 'x/' || i, 200, x'', 1000, zeroblob(32), 0, 1000, NULL FROM n;
            INSERT INTO answer SELECT 1, path, id, 'records' FROM exchange WHERE id > 1000
            """)
        #expect(try sites.failure()?.contains("far more than fit in an archive of ") == true)
        #expect(FileStatus(sites.folder.site) == nil)
        let build = try sites.siteBuild()
        #expect(throws: ArchiveError.self) { try build.write(to: "written", below: sites.scratch.path) }
        #expect(FileStatus("\(sites.scratch.path)/written") == nil)
    }
}
