import Foundation
import TestSupport
import Testing

@testable import Site

/// The check of a site that stands on disk.
struct SiteCheckTests {
    @Test("A site as built is good; broken links, fragments, markup and names are found with page and line")
    func check() async throws {
        let sites = try await Sites([
            "index.html": ##"<p><a href="a.html#here">a</a> <a href="style.css">s</a></p>"##, "a.html": #"<p id="here">a</p>"#,
        ])
        try sites.build()
        let good = try SiteCheck(sites.folder.site).run()
        #expect(good.pages == 2 && good.files == 3 && good.faults.isEmpty, "\(good.faults)")
        let page = try String(contentsOfFile: "\(sites.folder.site)/a.html", encoding: .utf8)
        try sites.scratch.write(page.replacingOccurrences(of: "id=\"here\"", with: ""), to: "out/site/a.html")
        try FileManager.default.removeItem(atPath: "\(sites.folder.site)/style.css")
        try sites.scratch.write(page.replacingOccurrences(of: "</p>", with: ""), to: "out/site/a b.html")
        let faults = try SiteCheck(sites.folder.site).run().faults.map(\.description)
        #expect(faults.contains("a b.html:0: is no name for a file in a site [path]"))
        #expect(faults.contains { $0.hasPrefix("a b.html:4: ") || $0.hasPrefix("a b.html:5: ") })
        #expect(faults.contains("index.html:4: a.html has nothing with the id \"here\" [link]"))
        #expect(faults.contains("index.html:4: the link \"style.css\" leads to no page or file of the site [link]"))
        #expect(faults == faults.sorted())
    }
}
