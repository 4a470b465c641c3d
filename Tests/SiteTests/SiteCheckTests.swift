import Foundation
import TestSupport
import Testing

@testable import Site

struct SiteCheckTests {
    @Test func `A built site is valid, and faults are reported with page and line`() async throws {
        let sites = try await Sites([
            "index.html": ##"<p><a href="a.html#here">a</a> <a href="style.css">s</a></p>"##,
            "a.html": #"<p id="here">a</p>"#,
        ])
        try sites.build()
        let good = try SiteCheck.run(sites.folder.site)
        #expect(good.pages == 2 && good.files == 3 && good.faults.count == 0, "\(good.faults)")
        let page = try String(contentsOfFile: "\(sites.folder.site)/a.html", encoding: .utf8)
        try sites.scratch.write(page.replacingOccurrences(of: "id=\"here\"", with: ""), to: "out/site/a.html")
        try FileManager.default.removeItem(atPath: "\(sites.folder.site)/style.css")
        try sites.scratch.write(page.replacingOccurrences(of: "</p>", with: ""), to: "out/site/a b.html")
        let faults = try SiteCheck.run(sites.folder.site).faults.firstFaults
        #expect(faults.contains("a b.html:0: is not a valid path in a site [path]"))
        #expect(faults.contains { $0.hasPrefix("a b.html:4: ") || $0.hasPrefix("a b.html:5: ") })
        #expect(faults.contains("index.html:4: a.html has no element with the id \"here\" [link]"))
        #expect(faults.contains("index.html:4: the link \"style.css\" leads to no page or file of the site [link]"))
        #expect(faults == faults.sorted())
        // Links to fragments are looked up page by page when their memory is full.
        #expect(try SiteCheck.run(sites.folder.site, anchorLimit: 0).faults.firstFaults == faults)
    }

    private func page(_ body: String) -> String {
        """
        <!DOCTYPE html>
        <html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en"><head><meta charset="utf-8" /><title>T</title>
        <meta name="viewport" content="width=device-width" /><meta name="generator" content="Amber test" /></head>
        <body><h1>T</h1><p>\(body)</p></body></html>

        """
    }

    @Test func `At most a hundred faults are reported for each page`() throws {
        let scratch = try ScratchFolder()
        let links = (0..<5_000).map { "<a href=\"nowhere\($0).html\">x</a>" }.joined()
        for name in ["a", "b", "c"] { try scratch.write(page(links), to: "\(name).html") }
        let faults = try SiteCheck.run(scratch.path).faults
        #expect(faults.count == 300)
        #expect(
            faults.firstFaults == [
                "a.html:4: the link \"nowhere0.html\" leads to no page or file of the site [link], and on 2 more pages",
                "a.html:4: the page has more than 99 faults, and no more links were checked [link], and on 2 more pages",
            ])
    }

    @Test func `A style is allowed by its digest in the policy of the page`() throws {
        let scratch = try ScratchFolder()
        func faults(_ style: String, policy: String) throws -> [String] {
            let head = "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\" /><style>\(style)</style>"
            try scratch.write(page("x").replacingOccurrences(of: "</head>", with: "\(head)</head>"), to: "a.html")
            return try SiteCheck.run(scratch.path).faults.firstFaults
        }
        // printf 'p{}\np{}' | openssl dgst -sha256 -binary | base64
        let hash = "'sha256-x/KwZRiSiqVlMH3XUEK6aYes4PuD7bz9HO6c+Fd6Xkk='"
        let missing = "the policy of the page does not allow its style; add \(hash) to style-src [inline-style]"
        #expect(try faults("p{}\np{}", policy: "default-src 'self'; style-src 'self' \(hash)") == [])
        #expect(try faults("p{}\np{}", policy: "default-src 'self'") == ["a.html:3: \(missing)"])
        #expect(try faults("p{} p{}", policy: "style-src \(hash)").count == 1)
        #expect(
            try faults("p{}\np{}</style><style>p{}", policy: "style-src \(hash)").contains(
                "a.html:4: <style> must appear only once [misplaced-element]"))
        #expect(
            try faults("p &gt; a{}", policy: "style-src \(hash)").contains(
                "a.html:3: <style> contains <, > or & [inline-style]"))
    }

    @Test func `Only 404.html may link to the root of the server`() throws {
        let scratch = try ScratchFolder()
        for name in ["404", "index"] { try scratch.write(page("<a href=\"/\">x</a>"), to: "\(name).html") }
        #expect(
            try SiteCheck.run(scratch.path).faults.firstFaults
                == ["index.html:4: the link begins with a slash; links must be relative: \"/\" [link]"])
    }

    @Test func `A symbolic link is a fault, also one to a folder`() throws {
        let scratch = try ScratchFolder()
        try scratch.write(page("text"), to: "a.html")
        try FileManager.default.createSymbolicLink(atPath: "\(scratch.path)/b", withDestinationPath: "/tmp")
        #expect(try SiteCheck.run(scratch.path).faults.firstFaults == ["b:0: is a symbolic link [path]"])
    }

    @Test func `A page has at most ten thousand links to fragments of other pages`() throws {
        let scratch = try ScratchFolder()
        let ids = (0..<10_000).map { "<span id=\"i\($0)\">x</span>" }.joined()
        let links = (0..<10_000).map { "<a href=\"b.html#i\($0)\">x</a>" }.joined()
        try scratch.write(page(ids), to: "b.html")
        try scratch.write(page(links + links), to: "a.html")
        #expect(try SiteCheck.run(scratch.path).faults.firstFaults == [])
        try scratch.write(page(links + "<a href=\"b.html#i10000\">x</a>"), to: "a.html")
        #expect(
            try SiteCheck.run(scratch.path).faults.firstFaults == [
                "a.html:4: b.html has no element with the id \"i10000\" [link]",
                "a.html:4: the page has more than 10000 links to fragments of other pages [link]",
            ])
    }

    @Test func `A long link is shortened in the message`() throws {
        let scratch = try ScratchFolder()
        try scratch.write(page("<a href=\"\(String(repeating: "a", count: 3_000)).html\">x</a>"), to: "a.html")
        let shown = String(repeating: "a", count: 200)
        #expect(
            try SiteCheck.run(scratch.path).faults.firstFaults
                == ["a.html:4: the link \"\(shown)…\" leads to no page or file of the site [link]"])
    }
}
