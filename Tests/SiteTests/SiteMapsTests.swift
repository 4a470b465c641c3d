import Archive
import Catalogue
import Foundation
import Pages
import Testing

@testable import Site

struct SiteMapsTests {
    /// Pages that are never rendered.
    private struct Numbered: PageSet {
        let count: Int
        var batchCount: Int { (count + 999) / 1_000 }
        func pagePaths(inBatch batch: Int) -> [SitePath] {
            (batch * 1_000..<min(count, (batch + 1) * 1_000)).map { SitePath(joined: "p/\($0).html") }
        }
        func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch { PageBatch() }
    }

    @Test func `Up to 40,000 pages are in one site map, and more in several with an index`() {
        for (count, files) in [(1, 1), (40_000, 1), (40_001, 3), (90_500, 4)] {
            let maps = SiteMaps(
                [Numbered(count: count / 2), Numbered(count: 0), Numbered(count: count - count / 2)],
                baseURL: "https://a.example/x&y",
                day: "2026-11-21")
            #expect(maps.paths.count == files)
            let texts = maps.paths.indices.map { String(decoding: maps.bytes(of: $0), as: UTF8.self) }
            let pages = texts.map { $0.components(separatedBy: "<url><loc>https://a.example/x&amp;y/p/").count - 1 }
            #expect(pages.reduce(0, +) == count)
            #expect(pages.allSatisfy { $0 <= 40_000 })
            #expect(files == 1 || texts[0].components(separatedBy: "<sitemap>").count - 1 == files - 1)
        }
    }
}
